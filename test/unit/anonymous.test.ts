import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import { newApiKey } from '../../src/core/crypto/api-key.ts'
import { type Problem, problemBody } from '../../src/core/domain/problem/problem.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import { principalOf } from '../../src/owner/access/principal.ts'

const allows = (env: object) => settingsFrom({ ALLOW_ANONYMOUS: 'true', ...env }).allowAnonymous
const { version_metadata } = parse(readFileSync('wrangler.toml', 'utf8')) as {
  version_metadata: { binding: string }
}

const DOOR = {
  settings: { allowAnonymous: true, OWNER_KEY_SHA256: undefined, RESTORED_AT: undefined },
  services: { access: { hasKeys: async () => false }, trialKeyHash: undefined } as never,
  lookUp: async () => undefined,
  address: () => '192.0.2.1',
}
const KEY = newApiKey(randomBytes(32))

describe('calls without a credential', () => {
  test.each<[string, object]>([
    ['by default', {}],
    ['at a name of this machine', { PUBLIC_URL: 'http://localhost:8787' }],
    ['at an address of this machine', { PUBLIC_URL: 'http://[::1]:8787' }],
    [
      'with providers on this machine',
      {
        SCHEDULING_PROVIDER_TOKEN: 'x',
        SCHEDULING_PROVIDER_BASE_URL: 'http://127.0.0.1:9',
        PAYMENT_PROVIDER_SECRET_KEY: 'x',
        PAYMENT_PROVIDER_BASE_URL: 'http://localhost:9',
      },
    ],
  ])('are allowed in a local trial: %s', (_where, env) => expect(allows(env)).toBe(true))

  test.each<[string, object]>([
    ['under a public address', { PUBLIC_URL: 'https://connector.example.com' }],
    ['under a public name for this machine', { PUBLIC_URL: 'https://localhost.example.com' }],
    ['with a real calendar', { SCHEDULING_PROVIDER_TOKEN: 'x' }],
    [
      'with real payments beside a calendar on this machine',
      {
        SCHEDULING_PROVIDER_TOKEN: 'x',
        SCHEDULING_PROVIDER_BASE_URL: 'http://127.0.0.1:9',
        PAYMENT_PROVIDER_SECRET_KEY: 'x',
      },
    ],
    [
      'where Cloudflare names the version',
      { [version_metadata.binding]: { id: 'x', tag: '', timestamp: '' } },
    ],
    ['where the deploy command has noted the source', { DEPLOYED_SOURCE: 'abc.0011' }],
    ['where it noted nothing', { DEPLOYED_SOURCE: '', PUBLIC_URL: 'http://localhost:8787' }],
  ])('are refused %s, while every other setting allows them', (_where, env) =>
    expect(allows(env)).toBe(false),
  )

  test('are refused at any address that is not of this machine, whatever the settings say', async () => {
    const request = new Request('https://connector.example.com/v1/me')
    expect(await principalOf(request, { ...DOOR, deployed: false })).toMatchObject({
      caller: 'anonymous',
    })
    await expect(principalOf(request, { ...DOOR, deployed: true })).rejects.toMatchObject({
      refusal: { code: 'not_configured' },
    })
  })

  test.each<[Record<string, string>, string]>([
    [{ Authorization: 'Basic Y2NuXzo=' }, 'another form than `Bearer`'],
    [{ Authorization: `Bearer "${KEY} "` }, 'another form than `Bearer`'],
    [{ Authorization: KEY }, 'another form than `Bearer`'],
    [{ 'X-API-Key': '' }, 'X-API-Key is empty'],
    [{ 'X-API-Key': `Bearer ${KEY}` }, 'other signs around it'],
    [{ Authorization: `Bearer ${KEY.slice(0, -1)}` }, 'cut off'],
    [{ Authorization: 'Bearer owner:grant:secret' }, 'for /mcp alone'],
    [{ Authorization: `Bearer ${KEY}` }, 'needs a valid credential'],
  ])('do not go on with a credential that is none: %o', async (headers, said) => {
    const asked = principalOf(new Request('http://127.0.0.1/v1/me', { headers }), {
      ...DOOR,
      deployed: false,
    })
    await expect(asked).rejects.toSatisfy((thrown: Problem) => {
      const { detail } = problemBody(thrown.refusal, '', '')
      expect(detail).toContain(said)
      expect(detail).not.toContain(KEY.slice(4, 9))
      return thrown.refusal.code === 'unauthenticated'
    })
  })
})
