import { createHash } from 'node:crypto'

import { beforeAll, describe, expect, test } from 'vitest'

import { BY_NAME_SCOPES, DEFAULT_SCOPES, type Scope } from '../../src/core/domain/scopes.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { GRANTED } from '../../src/practice/operations/index.ts'
import { type Credential, type Era, rpcRequest } from '../support/agents.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { callerWith, done, freeStarts } from '../support/transports.ts'

const OWNER = { Authorization: `Bearer ${OWNER_KEY}` }
const KEY = 'a key with every other scope'
const OWNERS = 'the first key of the owner'
const TRIAL = 'a caller without a key, where the owner allows that'
const STRANGER = 'a caller with a wrong key'
const MAKER = 'a key with every scope and these ones'
const CLIENT = {
  entity_type: 'joint',
  display_name: 'Jordan Doe',
  contact_email: 'jordan@example.com',
}
const soon = Math.ceil(Date.now() / DAY + 2) * DAY
const TIMES = new URLSearchParams({
  start_time: new Date(soon).toISOString(),
  end_time: new Date(soon + 5 * DAY).toISOString(),
})
const DOCUMENTS = [
  ...['', '/mcp'].map((path) => `/.well-known/oauth-protected-resource${path}`),
  ...['oauth-authorization-server', 'api-catalog', 'security.txt'].map(
    (name) => `/.well-known/${name}`,
  ),
  '/llms.txt',
  '/robots.txt',
  '/docs/example-prompts.md',
]
/** What differs with each request: its time and its id. */
const OWN_OF_EACH = ['date', 'request-id']
const OWN_IN_TEXT = /"request_id":"[^"]+"|^Expires: .+$/m

interface Seen {
  status: number
  headers: [string, string][]
  text: string
}

const connector = connectorForAll({
  vars: {
    ...OWNED,
    ALLOW_ANONYMOUS: 'true',
    SIGNING_SECRET: 'the signing secret of this test, 32 bytes',
    SECURITY_CONTACT: 'mailto:security@example.com',
    // The documents of OAuth are served once an owner can sign in.
    OWNER_ENROLMENT_SHA256: createHash('sha256')
      .update(newEnrolmentToken(Date.now() + HOUR, new Uint8Array(32)))
      .digest('hex'),
  },
})

async function seen(url: string, init?: RequestInit): Promise<Seen> {
  const response = await fetch(url, init)
  const headers = [...response.headers].filter(([name]) => !OWN_OF_EACH.includes(name))
  const text = (await response.text()).replace(OWN_IN_TEXT, '')
  const isDated = url.endsWith('security.txt')
  return { status: response.status, headers: isDated ? [] : headers, text }
}

function mcp(
  url: string,
  credential: Credential,
  era: Era,
  method: string,
  params = {},
): Promise<Seen> {
  const { headers, body } = rpcRequest(era, method, params)
  const init = {
    method: 'POST',
    headers: { ...headers, ...credential },
    body: JSON.stringify(body),
  }
  return seen(`${url}/mcp`, init)
}

const ERAS = ['2025-11-25', '2026-07-28'] as const
const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

/** What a caller gets before it acts, and the answers of three reads, by request. */
async function answersTo(
  url: string,
  credential: Credential,
  read: readonly string[],
): Promise<Record<string, Seen>> {
  const rest = (path: string) => seen(url + path, { headers: credential })
  const asked: [string, Promise<Seen>][] = [
    ['initialize', mcp(url, credential, '2025-11-25', 'initialize', HELLO)],
    ['server/discover', mcp(url, credential, '2026-07-28', 'server/discover')],
  ]
  for (const era of ERAS)
    for (const what of ['tools', 'prompts', 'resources', 'resources/templates'])
      asked.push([`${what}/list, ${era}`, mcp(url, credential, era, `${what}/list`)])
  for (const path of ['/v1/me', `/v1/availability?${TIMES}`, ...read, ...DOCUMENTS])
    asked.push([path, rest(path)])
  const answers = asked.map(async ([what, answer]) => [what, await answer] as const)
  return Object.fromEntries(await Promise.all(answers))
}

const toolsIn = ({ text }: Seen): { name: string }[] =>
  (JSON.parse(text.slice(text.indexOf('{'))) as { result: { tools: { name: string }[] } }).result
    .tools

describe('a caller without the scopes that count only by name', () => {
  /** The answers to each caller, by request. */
  let all: Record<string, Record<string, Seen>>

  beforeAll(async () => {
    const { url } = connector
    const owner = connector.as(OWNER_KEY)
    const keyWith = async (scopes: Scope[]) => {
      const { apiKey } = await callerWith(connector, scopes, { owner })
      return { Authorization: `Bearer ${apiKey}` }
    }
    const { result: client } = await done(owner, 'REST', 'create_client_profile', CLIENT)
    const [start_time] = await freeStarts(owner)
    const invitee = { invitee_email: CLIENT.contact_email, timezone: 'America/New_York' }
    const consult = { start_time, ...invitee }
    const { result: booking } = await done(owner, 'REST', 'book_consult', consult)
    const read = [
      `/v1/clients/${String(client['client_id'])}`,
      `/v1/bookings/${String(booking['booking_id'])}`,
    ]
    const credentials = {
      [KEY]: await keyWith(DEFAULT_SCOPES),
      [OWNERS]: OWNER,
      [TRIAL]: {},
      [MAKER]: await keyWith([...DEFAULT_SCOPES, ...BY_NAME_SCOPES]),
      [STRANGER]: { 'X-API-Key': OWNER_KEY.slice(0, -1) },
    }
    const answers = Object.entries(credentials).map(
      async ([caller, credential]) => [caller, await answersTo(url, credential, read)] as const,
    )
    all = Object.fromEntries(await Promise.all(answers))
  })

  test.each([KEY, OWNERS, TRIAL, STRANGER])('%s gets no answer with a trace of them', (caller) => {
    const trace =
      /client[-_ ]link|invite_client|cil_|payment_links:end|end_payment_link|bookings:respond|respond_to_booking|booking_not_pending|booking_answers|answers_n|wrote/i
    for (const [what, answer] of Object.entries(all[caller]!))
      expect([what, trace.exec(JSON.stringify(answer))]).toEqual([what, null])
  })

  test('gets answers that hold something: the tools of each era, its scopes, and the scopes that it can ask for', () => {
    const { [KEY]: key, [STRANGER]: stranger } = all
    for (const [what, { status }] of Object.entries(key!))
      expect([what, status]).toEqual([what, 200])
    for (const era of ERAS) expect(toolsIn(key![`tools/list, ${era}`]!).length).toBeGreaterThan(7)
    expect(key!['/v1/me']!.text).toContain('"intake:write"')
    for (const what of ['initialize', 'server/discover', '/v1/me'])
      expect(stranger![what]!.status).toBe(401)
    const challenge = new Map(stranger!['tools/list, 2026-07-28']!.headers).get('www-authenticate')
    expect(challenge).toContain('scope="availability:read ')
  })

  test('that is granted them sees more tools after the others, more in get_booking, and the scopes among its own', () => {
    const { [MAKER]: maker, [KEY]: key } = all
    for (const era of ERAS) {
      const what = `tools/list, ${era}`
      const [more, before] = [maker, key].map((one) => toolsIn(one![what]!))
      const names = GRANTED.map(({ name }) => name)
      expect(more!.slice(-names.length).map(({ name }) => name)).toEqual(names)
      const isSame = ({ name }: { name: string }) => name !== 'get_booking'
      const others = more!.slice(0, -names.length)
      expect(others.map(({ name }) => name)).toEqual(before!.map(({ name }) => name))
      expect(JSON.stringify(others.filter(isSame))).toBe(JSON.stringify(before!.filter(isSame)))
      expect(JSON.stringify(others.find((one) => !isSame(one)))).toContain('wrote when booking')
    }
    const others = Object.keys(key!).filter((what) => maker![what]!.text !== key![what]!.text)
    const booking = others.find((what) => what.startsWith('/v1/bookings/'))
    expect(others).toEqual([...ERAS.map((era) => `tools/list, ${era}`), '/v1/me', booking])
    expect(JSON.parse(maker![booking!]!.text)).toMatchObject({ answers: [] })
  })
})
