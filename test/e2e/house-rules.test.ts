import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Rules, NO_RULES } from '../../src/core/domain/rules/house-rules.ts'
import { rpcRequest } from '../support/agents.ts'
import { runCommand } from '../support/command.ts'
import { type Connector, OWNED, OWNER_KEY } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'

const connector = connectorForAll({ vars: OWNED })
let owner: Connector
let limited: Connector
let limitedId = ''

beforeAll(async () => {
  owner = connector.as(OWNER_KEY) as Connector
  const made = await key(['availability:read', 'payments:write', 'admin'])
  limited = made.caller
  limitedId = made.id
})
beforeEach(async () => {
  for (const caller of ['*', `key:${limitedId}`])
    expect((await put(owner, {}, caller)).status).toBe(200)
})

async function key(scopes: string[], by = owner): Promise<{ id: string; caller: Connector }> {
  const { text, status } = await by.rest('/v1/keys', { body: { name: 'Front limited', scopes } })
  expect(status, text).toBe(200)
  const { id, key: secret } = JSON.parse(text) as { id: string; key: string }
  return { id, caller: connector.as(secret) as Connector }
}

const put = async (by: Pick<Connector, 'rest'>, rules: Partial<Rules>, caller = '*') => {
  const path = `/v1/rules/${encodeURIComponent(caller)}`
  const { status, text } = await by.rest(path, { method: 'PUT', body: { ...NO_RULES, ...rules } })
  return { status, body: JSON.parse(text) as Record<string, unknown> }
}
const get = async (by: Pick<Connector, 'rest'>, path: string) => {
  const { status, text } = await by.rest(path)
  return { status, text, body: JSON.parse(text) as Record<string, unknown> }
}

describe('a key with the scope admin', () => {
  test('pauses and tightens, and is sent to the console for what resumes or loosens', async () => {
    expect(await put(limited, { paused: true, changes_a_day: 5 })).toMatchObject({
      status: 200,
      body: {
        caller: '*',
        paused: true,
        changes_a_day: 5,
        paused_at: expect.any(String) as string,
      },
    })
    for (const looser of [{ changes_a_day: 5 }, { paused: true, changes_a_day: 6 }, {}]) {
      const refused = await put(limited, looser)
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', effect: 'none' },
      })
      expect(refused.body['next_step']).toContain(
        `${connector.url.replace('127.0.0.1', 'localhost')}/owner`,
      )
    }
    expect((await get(owner, '/v1/rules')).body).toMatchObject({
      rules: [{ paused: true, changes_a_day: 5 }],
    })
  })

  test('of the owner itself resumes only while no passkey is enrolled, and obeys the rules', async () => {
    await put(owner, { paused: true })
    expect((await get(owner, '/v1/availability')).body['code']).toBe('paused')
    expect((await put(owner, {})).status).toBe(200)
    expect((await get(owner, '/v1/availability')).status).toBe(200)
  })

  test('with rules of its own makes and rotates no other key, and rotates itself', async () => {
    const other = await key(['availability:read'], limited)
    await put(owner, { changes_a_day: 3 }, `key:${limitedId}`)
    for (const [path, body] of [
      ['/v1/keys', { name: 'Free', scopes: ['availability:read'] }],
      [`/v1/keys/${other.id}/rotate`, {}],
    ] as const) {
      const { status, text } = await limited.rest(path, { body })
      expect([status, text]).toEqual([403, expect.stringContaining('rules for this caller')])
    }
    expect(
      (await limited.rest(`/v1/keys/${limitedId}/rotate`, { body: { overlap_hours: 1 } })).status,
    ).toBe(200)
  })
})

test('Rules are for callers that there are, in whole sets, and for no one without the scope admin', async () => {
  expect((await put(owner, {}, 'key:none')).body['code']).toBe('not_found')
  expect(
    (await put(owner, { paused: false }, 'oauth:owner:https://app.example/client.json')).status,
  ).toBe(200)
  const half = await owner.rest('/v1/rules/*', { method: 'PUT', body: { paused: true } })
  expect([half.status, half.text]).toEqual([400, expect.stringContaining('/changes_a_day')])
  const { caller } = await key(['availability:read'])
  expect((await get(caller, '/v1/rules')).body['code']).toBe('insufficient_scope')
  expect((await put(caller, { paused: true })).body['code']).toBe('insufficient_scope')
})

test('A paused caller still lists its tools and reads who it is; others go on', async () => {
  await put(owner, { paused: true, max_link: { usd: 50_000 } }, `key:${limitedId}`)
  const me = await get(limited, '/v1/me')
  expect(me.body).toMatchObject({ paused: true, changes_left_today: null })
  expect(me.body['rules']).toEqual(['This caller is paused.', 'Payment links up to $500.00.'])
  const { headers, body } = rpcRequest('2025-11-25', 'tools/list')
  const listed = await limited.rest('/mcp', { body, headers })
  expect([listed.status, listed.text]).toEqual([
    200,
    expect.stringContaining('create_payment_link'),
  ])
  expect((await get(limited, '/v1/availability')).body['code']).toBe('paused')
  expect((await get(owner, '/v1/availability')).status).toBe(200)
})

describe('npm run pause', { tags: 'slow' }, () => {
  const pause = async (...given: string[]): Promise<string> => {
    const args = [...given, '--url', connector.url]
    const { code, stdout, stderr } = await runCommand('pause', args, {
      CONNECTOR_API_KEY: OWNER_KEY,
    })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const isPaused = async (by: Connector) => (await get(by, '/v1/me')).body['paused']

  test('stops everybody, keeps the other rules, and resumes', async () => {
    await put(owner, { changes_a_day: 7 })
    expect(await pause()).toContain('All apps and keys are paused')
    expect([await isPaused(limited), await isPaused(owner)]).toEqual([true, true])
    expect(await pause('--resume')).toContain('no longer paused')
    expect((await get(owner, '/v1/rules')).body).toMatchObject({
      rules: [{ caller: '*', paused: false, changes_a_day: 7 }],
    })
  })
})
