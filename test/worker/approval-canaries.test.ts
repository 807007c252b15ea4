import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { APPROVAL_TTL_MS } from '../../src/core/domain/approval.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { approve, unescaped } from '../support/browser.ts'
import { type Reply, ask, askForAPerson, freeTimes, previewed } from './fixtures.ts'
import { type Rig, ownerPages } from './owner-pages.ts'

/*
 * What a person is shown whole is nowhere else: not in the storage of any object, not in KV, not in the log, not in an answer
 * to the agent and on no other page; and once the request has ended, not on its own page either.
 */
const NAME = 'Thrumbold Wexquarry'
const DOMAIN = 'plumbwick-invitee.example'
const EMAIL = `zqvexmar@${DOMAIN}`
const OTHER_DOMAIN = 'snargworth-move.example'
const REASON = '<b>The grummelthorpe operation is on that day.'

const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  for (const to of ['log', 'warn', 'error', 'info', 'debug'] as const)
    vi.spyOn(console, to).mockImplementation((...line: unknown[]) => {
      logged.push(line.map(String).join(' '))
    })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

const DUMP = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`

const keptIn = (stub: DurableObjectStub): Promise<string> =>
  runInDurableObject(stub, (_object, { storage: { kv, sql } }) => {
    const tables = sql.exec<{ name: string }>(DUMP).toArray()
    const rows = tables.map(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray())
    return JSON.stringify([[...kv.list()], rows])
  })

/** All that the practice keeps, as text: in the object of this change, in every other object and in KV. */
async function storage(confirmation: DurableObjectStub): Promise<string> {
  const kept = [await keptIn(confirmation)]
  const namespaces = Object.values(env).filter(
    (one): one is DurableObjectNamespace =>
      (one as object | null)?.constructor.name === 'DurableObjectNamespace',
  )
  expect(namespaces.length).toBeGreaterThan(8)
  // A flow is reached by its name alone.
  for (const namespace of namespaces.filter((one) => one !== (env.CONFIRMATIONS as object)))
    for (const id of await listDurableObjectIds(namespace))
      kept.push(await keptIn(namespace.get(id)))
  const { keys } = await env.RECORDS_KV.list()
  const copies = await Promise.all(keys.map(({ name }) => env.RECORDS_KV.get(name)))
  return JSON.stringify([kept, keys, copies])
}

interface Request {
  fields(): Promise<{ path: string; fields: object }>
  /** What only its page shows. */
  whole: readonly string[]
}

async function booked(): Promise<string> {
  const [start_time] = await freeTimes()
  const fields = { start_time, timezone: 'America/New_York', invitee_email: EMAIL }
  const { commit } = await previewed('/v1/bookings', fields)
  return String((await commit()).body.result?.['booking_id'])
}

const REQUESTS: Record<string, Request> = {
  book_consult: {
    async fields() {
      const [start_time] = await freeTimes()
      const invitee = { invitee_name: NAME, invitee_email: EMAIL }
      return { path: '/v1/bookings', fields: { start_time, timezone: 'UTC', ...invitee } }
    },
    whole: [NAME, DOMAIN],
  },
  reschedule_booking: {
    async fields() {
      const path = `/v1/bookings/${await booked()}/reschedule`
      const [, start_time] = await freeTimes()
      return { path, fields: { start_time, invitee_email: `zqvexmar@${OTHER_DOMAIN}` } }
    },
    whole: [OTHER_DOMAIN],
  },
  create_client_profile: {
    fields: async () => ({
      path: '/v1/clients',
      fields: { entity_type: 'individual', display_name: NAME, contact_email: EMAIL },
    }),
    whole: [NAME, DOMAIN],
  },
}

const ENDS: Record<
  string,
  (rig: Rig, change: Awaited<ReturnType<typeof previewed>>) => Promise<unknown>
> = {
  async 'is approved and made'({ web }, change) {
    await approve(web, change.page)
    const committed = await change.commit()
    expect(committed.body).toMatchObject({ status: 'committed' })
    return committed.text
  },
  async 'is declined'({ web }, change) {
    const { page } = change
    const fields = (await web.open(page)).form(page, 'value="decline"')
    expect((await web.submit(page, [...fields, ['decision', 'decline']])).status).toBe(303)
    return (await change.commit()).text
  },
  async expires(_rig, change) {
    vi.setSystemTime(Date.now() + APPROVAL_TTL_MS + MINUTE)
    expect(await runDurableObjectAlarm(change.confirmation)).toBe(true)
    return (await change.commit()).text
  },
}

/** Each end of one request, and one end of each. */
const cases = [
  ...Object.keys(ENDS).map((end) => ['book_consult', end] as const),
  ...Object.keys(REQUESTS)
    .slice(1)
    .map((operation) => [operation, 'is approved and made'] as const),
]

describe.each(cases)('%s, that %s', (operation, end) => {
  test('shows whole names and domains on its page alone, and leaves none', async () => {
    const { whole, fields: fieldsOf } = REQUESTS[operation]!
    const rig = await ownerPages()
    const { path: where, fields } = await fieldsOf()
    await askForAPerson('*')
    const change = await previewed(where, fields)
    const page = await rig.web.open(change.page)
    for (const text of whole) expect(page.html).toContain(text)
    const elsewhere = async (): Promise<string> => {
      const pages = [
        '/owner',
        '/owner/approvals',
        '/owner/audit',
        '/owner/callers',
        '/owner/clients',
      ]
      const seen = await Promise.all(pages.map((one) => rig.web.open(one)))
      const read: Reply[] = await Promise.all(
        [`/v1/operations/${change.key}`, '/v1/bookings', '/v1/clients', '/v1/events'].map((one) =>
          ask(one),
        ),
      )
      const again = await change.previewAgain()
      return JSON.stringify([seen, read, again, await rig.audit(), logged])
    }
    const nowhere = (text: string) => {
      for (const canary of [NAME, NAME.split(' ')[1]!, EMAIL, 'zqvexmar', ...whole])
        expect([canary, text.toLowerCase().includes(canary.toLowerCase())]).toEqual([canary, false])
    }
    const kept = await storage(change.confirmation)
    // It is there, sealed: the search looks where it would be.
    expect(kept).toContain('sealedText')
    nowhere(kept)
    nowhere(change.preview.text)
    nowhere(await elsewhere())

    const answer = await ENDS[end]!(rig, change)
    nowhere(String(answer))
    const after = await rig.web.open(change.page)
    nowhere(after.html)
    expect(logged.length).toBeGreaterThan(0)
    await vi.waitFor(async () =>
      expect(await storage(change.confirmation)).not.toContain('sealedText'),
    )
    nowhere(await storage(change.confirmation))
    nowhere(await elsewhere())
  })
})

test('the text of a cancellation is on its page and in its preview alone, and nowhere once it was sent', async () => {
  const rig = await ownerPages()
  const booking = await booked()
  await askForAPerson('*')
  const change = await previewed(`/v1/bookings/${booking}/cancel`, { reason: REASON })
  const asked = (await rig.web.open(change.page)).html
  expect(unescaped(asked)).toContain(REASON)
  expect(asked).not.toContain('<b>')
  expect(change.preview.text).toContain(REASON)
  expect(await storage(change.confirmation)).toContain('sealedText')
  expect(await storage(change.confirmation)).not.toContain('grummelthorpe')
  await approve(rig.web, change.page)
  expect((await change.commit()).text).not.toContain('grummelthorpe')
  await vi.waitFor(async () =>
    expect(await storage(change.confirmation)).not.toContain('sealedText'),
  )
  expect(
    JSON.stringify([await storage(change.confirmation), await rig.audit(), logged]),
  ).not.toContain('grummelthorpe')
  expect((await rig.web.open(change.page)).html).not.toContain('grummelthorpe')
})
