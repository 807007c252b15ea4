import { expect, test } from 'vitest'

import { sharedPractice } from '../../support/started.ts'
import { CALLBACK, app } from './app.ts'

const practice = sharedPractice()

const register = async (metadata: object) => {
  const reply = await app(practice.url).register(metadata)
  const body = (await reply.json()) as Record<string, unknown>
  return { status: reply.status, body }
}

test.each([
  ['an empty address', { logo_uri: '' }],
  [
    'null in every optional place',
    { client_uri: null, tos_uri: null, contacts: null, scope: null },
  ],
  ['a grant type of another server', { grant_types: ['authorization_code', 'urn:example:other'] }],
  [
    'two grant types of other servers',
    { grant_types: ['implicit', 'refresh_token', 'authorization_code', 'client_credentials'] },
  ],
  [
    'members that every object of JavaScript has',
    { constructor: ['x'], toString: [], valueOf: ['y'] },
  ],
  ['blanks in every optional place', { client_uri: ' ', policy_uri: '\n', logo_uri: '\u200b' }],
  ['lists without an entry', { grant_types: [], response_types: [], contacts: [] }],
  ['entries that are nothing', { contacts: ['', null], grant_types: ['authorization_code', null] }],
  [
    'blanks around its address',
    { redirect_uris: [` ${CALLBACK}\n`], client_uri: ' https://a.example ' },
  ],
  ['an empty entry beside its address', { redirect_uris: ['', CALLBACK] }],
  ['a response type of another flow', { response_types: ['code', 'token', 'id_token'] }],
])(
  'a host registers although it sends %s, and is told what was registered',
  async (_what, metadata) => {
    const { status, body } = await register(metadata)
    expect(body).toMatchObject({ client_id: expect.any(String), redirect_uris: [CALLBACK] })
    expect(status).toBe(201)
    for (const grant of (body['grant_types'] ?? []) as string[])
      expect(['authorization_code', 'refresh_token']).toContain(grant)
    expect(body['response_types'] ?? ['code']).toEqual(['code'])
  },
)

test.each([
  ['logo_uri', { logo_uri: 'see our site' }, 'see our site'],
  ['client_uri', { client_uri: 7 }, undefined],
  ['grant_types', { grant_types: ['client_credentials'] }, 'client_credentials'],
  ['grant_types', { grant_types: 'authorization_code' }, undefined],
  ['response_types', { response_types: ['token'] }, undefined],
  [
    'token_endpoint_auth_method',
    { token_endpoint_auth_method: 'tls_client_auth' },
    'tls_client_auth',
  ],
  ['redirect_uris', { redirect_uris: ['gopher://host-of-an-app.example/back'] }, 'host-of-an-app'],
  ['redirect_uris', { redirect_uris: null }, undefined],
  ['redirect_uris', { redirect_uris: [''] }, undefined],
  ['redirect_uris', { redirect_uris: 'https://host-of-an-app.example/cb' }, 'host-of-an-app'],
  ['redirect_uris', { redirect_uris: ['https://host-of-an-app.example/cb#x'] }, 'host-of-an-app'],
  ['redirect_uris', { redirect_uris: ['/back/to/the/app'] }, '/back/to/the/app'],
  ['response_types', { response_types: ['token'], grant_types: [] }, undefined],
  ['contacts', { contacts: 'ops@host-of-an-app.example' }, 'host-of-an-app'],
])(
  'a registration is refused by the name of its member %s, and without its value: %j',
  async (member, metadata, value) => {
    const { status, body } = await register(metadata)
    expect(status).toBe(400)
    const named = String(body['error_description']).toLowerCase().replaceAll(' ', '_')
    expect(named).toContain(member.replace(/s$/, ''))
    if (value !== undefined) expect(JSON.stringify(body)).not.toContain(value)
  },
)

test.each([
  [{ redirect_uris: ['https://app.example/cb#part'] }, 'without a fragment'],
  [{ redirect_uris: ['http://app.example/cb'] }, 'https, or http on loopback'],
  [{ redirect_uris: [] }, 'an array of URIs'],
  [{ token_endpoint_auth_method: 'private_key_jwt' }, 'none, client_secret_basic or client_secret'],
  [{ logo_uri: '/logo.png' }, 'an http or https address'],
])('the refusal of %j says what was expected', async (metadata, expected) => {
  const { body } = await register(metadata)
  expect(body['error_description']).toContain(expected)
})
