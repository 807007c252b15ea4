import { randomUUID } from 'node:crypto'

import { beforeAll, describe, expect, test, vi } from 'vitest'

import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { type Caller, OWNED, OWNER_KEY } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'
import { ADALGISA, callerWith, newKey } from '../support/transports.ts'

/** As the log answers it. */
type Entry = Omit<AuditEntry, 'at' | 'about'> & { occurred_at: string }
interface Page {
  entries: Entry[]
  next_cursor: string | null
}

const connector = sharedConnector(OWNED)
let owner: Caller
beforeAll(async () => {
  owner = connector.as(OWNER_KEY)
})

async function page(query: Record<string, string> = {}): Promise<Page> {
  const { status, text } = await owner.rest(`/v1/audit?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(text)
  return JSON.parse(text) as Page
}

/** All entries, the oldest first, once as many as expected are there. */
const entries = (query: Record<string, string>, atLeast: number): Promise<Entry[]> =>
  vi.waitFor(
    async () => {
      const { entries: found } = await page(query)
      expect(found.length).toBeGreaterThanOrEqual(atLeast)
      return found.toReversed()
    },
    { interval: 50 },
  )
const inShort = ({ event, operation, code }: Entry) => `${event} ${operation} ${code}`

async function newCaller(scopes: string[]) {
  const caller = await callerWith(connector, scopes, { owner })
  return { id: caller.id, key: caller.apiKey, caller }
}

/** Previews and commits a client; the same call again gives the same answer. */
async function commitTwice(caller: Caller) {
  const key = newKey()
  const preview = await caller.rest('/v1/clients', { body: { ...ADALGISA, confirm: false }, key })
  const body = { ...ADALGISA, confirm: true, confirmation_token: preview.body.confirmation_token }
  const requestId = randomUUID()
  const committed = await caller.rest('/v1/clients', {
    body,
    key,
    headers: { 'Request-Id': requestId },
  })
  expect(committed.status).toBe(200)
  const again = await caller.rest('/v1/clients', { body, key })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  return { clientId: String(committed.body.result?.['client_id']), requestId }
}

describe('the audit log', () => {
  test('has one entry for each event, under the caller who did it', async () => {
    const { id, caller, key } = await newCaller(['clients:write', 'availability:read'])
    const { clientId, requestId } = await commitTwice(caller)
    await caller.rest('/v1/clients', { body: { confirm: false }, key: newKey() })
    await caller.rest('/v1/payment-links', { body: {}, key: newKey() })
    await caller.mcp('create_client_profile', {
      ...ADALGISA,
      confirm: true,
      idempotency_key: newKey(),
    })
    await caller.mcp('create_client_profile', { idempotency_key: newKey() })
    await owner.rest(`/v1/keys/${id}/rotate`, { body: {} })
    await owner.rest(`/v1/keys/${id}`, { method: 'DELETE' })

    const audited = await entries({ caller: `key:${id}` }, 7)
    expect(audited.map(inShort).toSorted()).toEqual([
      'commit create_client_profile committed',
      'preview create_client_profile ok',
      'refusal create_client_profile confirmation_token_missing',
      'refusal create_client_profile validation_failed',
      'refusal create_client_profile validation_failed',
      'refusal create_payment_link insufficient_scope',
      'replay create_client_profile committed',
    ])
    expect(audited.every(({ times }) => times === 1)).toBe(true)
    const commit = audited.find(({ event }) => event === 'commit')
    expect(commit).toMatchObject({ record_id: clientId, request_id: requestId })
    const preview = audited.find(({ event }) => event === 'preview')
    expect(preview?.operation_id).toBe(commit?.operation_id)
    const keys = await entries({ record_id: `key:${id}` }, 3)
    expect(keys.map(inShort)).toEqual([
      'key create_api_key created',
      'key rotate_api_key rotated',
      'key revoke_api_key revoked',
    ])
    expect(keys.every((one) => one.caller === 'owner')).toBe(true)
    for (const canary of ['Adalgisa', 'Lovelace', 'example.com', 'Front desk', key])
      expect(JSON.stringify([audited, keys])).not.toContain(canary)
  })

  test('can be filtered by every field of an entry', async () => {
    const { id, caller } = await newCaller(['clients:write'])
    const before = new Date(Date.now() - 1).toISOString()
    const { clientId, requestId } = await commitTwice(caller)
    const mine = { caller: `key:${id}` }
    const [preview, commit, replay] = await entries(mine, 3)
    const found = async (query: Record<string, string>) =>
      (await page({ ...mine, ...query })).entries
    expect(await found({ event: 'commit' })).toEqual([commit])
    expect(await found({ code: 'ok' })).toEqual([preview])
    expect(await found({ operation: 'create_client_profile' })).toHaveLength(3)
    expect(await found({ operation: 'book_consult' })).toEqual([])
    expect(await found({ record_id: clientId })).toEqual([replay, commit, preview])
    expect(await found({ request_id: requestId })).toEqual([commit])
    expect(await found({ operation_id: String(commit?.operation_id) })).toHaveLength(3)
    expect(await found({ from: before })).toHaveLength(3)
    expect(await found({ to: before })).toEqual([])
    const today = new Date(Date.parse(before) - 5 * HOUR).toISOString().slice(0, 10)
    expect(await found({ from: today })).toHaveLength(3)
    expect(await found({ to: '2026-01-01' })).toEqual([])
    const between = { from: commit!.occurred_at, to: replay!.occurred_at }
    expect(await found({ ...between, event: 'commit' })).toEqual([commit])
    for (const field of ['app', 'record_id', 'operation_id'])
      expect(await found({ [field]: 'elsewhere.example' }), field).toEqual([])
  })

  test('can be exported whole, as CSV and as JSON lines', async () => {
    const { id, caller } = await newCaller(['clients:write'])
    await commitTwice(caller)
    const all = (await entries({ caller: `key:${id}` }, 3)).toReversed()
    const csv = await owner.rest(`/v1/audit/export?caller=key:${id}`)
    expect(csv.headers.get('Content-Type')).toMatch(/^text\/csv/)
    expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename="audit.csv"')
    const [head, ...rows] = csv.text.trimEnd().split('\r\n')
    const columns = head!.split(',') as (keyof Entry)[]
    // One hash in 64 begins with a hyphen, which a spreadsheet takes for a formula.
    const textOf = (value: Entry[keyof Entry]) =>
      typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '')
    const fieldOf = (value: Entry[keyof Entry]) =>
      `"${textOf(value).replace(/^-/, "'-").replaceAll('"', '""')}"`
    const rowOf = (entry: Entry) => columns.map((column) => fieldOf(entry[column])).join(',')
    expect(rows).toEqual(all.map(rowOf))
    const lines = await owner.rest(`/v1/audit/export?caller=key:${id}&format=jsonl`)
    expect(lines.headers.get('Content-Disposition')).toBe('attachment; filename="audit.jsonl"')
    const exported = lines.text.trimEnd().split('\n')
    expect(exported.map((line) => JSON.parse(line) as Entry)).toEqual(all)
  })

  test.each([
    ['an unknown field', '?who=me'],
    ['an unknown event', '?event=party'],
    ['a limit of nothing', '?limit=0'],
    ['a limit of too much', '?limit=101'],
    ['a time without a zone', '?from=2026-11-21T10:00:00'],
    ['an end before the beginning', '?from=2026-11-21T10:00:00Z&to=2026-11-21T09:00:00Z'],
    ['a cursor that was made up', '?cursor=e30.0000000000000000000000000000000'],
  ])('refuses %s', async (_what, query) => {
    const { status, body } = await owner.rest(`/v1/audit${query}`)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  test('refuses a cursor together with another filter', async () => {
    await newCaller(['clients:write'])
    await newCaller(['clients:write'])
    await entries({ event: 'key' }, 2)
    const { next_cursor } = await page({ limit: '1', event: 'key' })
    const query = new URLSearchParams({ cursor: next_cursor!, event: 'commit' })
    expect((await owner.rest(`/v1/audit?${query}`)).body.code).toBe('validation_failed')
  })
})
