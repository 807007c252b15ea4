import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { EVERYBODY } from '../../src/core/domain/rules/house-rules.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { BINDINGS, HEALTH_CHECKS, auditCheck } from '../../src/owner/health/checks.ts'
import { selfCheck, weeklyCheck } from '../../src/owner/health/self-check.ts'
import type { Env } from '../../src/practice/env.ts'
import { auditFrom } from '../../src/practice/wiring/objects.ts'
import { keyFor } from './fixtures.ts'

const ORIGIN = 'https://connector.example'
const SECRET = 'zqvexmar'

/** An installation as it is deployed, with whatever is changed about it. */
const installed = (change: object = {}): Env =>
  Object.assign({ ...env }, { ALLOW_ANONYMOUS: 'false', PUBLIC_URL: ORIGIN }, change)

const throws = (): never => {
  throw new Error(SECRET)
}

/** As Calendly names its errors. */
const title = 'Resource Not Found'

/** Every provider and page answers with this status. */
const everybodyAnswers = (status: number) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ title, message: SECRET }, { status }))

const CALENDLY = 'https://api.calendly.com'

/** A provider that takes the token, and has no webhook of ours. Everything else that is asked for is not there. */
const noWebhooks = () =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const user = {
      uri: `${CALENDLY}/users/AAAA`,
      current_organization: `${CALENDLY}/organizations/AAAA`,
    }
    const eventType = { active: true, kind: 'solo', duration: 30, profile: { owner: user.uri } }
    const answers: Record<string, object> = {
      '/users/me': { resource: { ...user, timezone: 'UTC' } },
      '/event_types/mock_consult': { resource: { ...eventType, pooling_type: null } },
      '/event_type_available_times': { collection: [] },
      '/webhook_subscriptions': { collection: [], pagination: { next_page_token: null } },
      '/v2/core/event_destinations': { data: [] },
    }
    const body = answers[pathname]
    if (body) return Response.json(body)
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: SECRET }
    return Response.json({ title, error }, { status: 404 })
  })

const inDoubt = async (): Promise<Env> => {
  const id = env.CONFIRMATIONS.newUniqueId()
  const since = '2026-11-21T09:56:32Z'
  await env.COORDINATOR.getByName('coordinator').addUnresolved({
    flow: 'in doubt',
    operation_id: id.toString(),
    operation: 'book_consult',
    since,
  })
  const object = { unresolved: () => true, busy: () => false }
  return installed({
    CONFIRMATIONS: { idFromName: () => id, get: () => object, getByName: () => object },
  })
}

/** An audit log of which one part is broken. */
function auditLogWith(broken: object): Env {
  const object = { page: () => ({ entries: [] }), append: () => {}, ...broken }
  return installed({ AUDIT_LOG: { idFromName: () => 'audit-log', get: () => object } })
}
/** An event log that answers like this, and otherwise is empty. */
function eventLogWith(answers: object): Env {
  const empty = { page: () => ({ events: [] }), subscriptions: () => [] }
  return installed({
    EVENT_LOG: { idFromName: () => 'event-log', get: () => ({ ...empty, ...answers }) },
  })
}

/** For each row, what turns it red. */
const FAULTS: Record<string, () => Env | Promise<Env>> = {
  settings: () => installed({ SIGNING_SECRET: '' }),
  anonymous_access: () => installed({ ALLOW_ANONYMOUS: 'true' }),
  async access_review() {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const isHooks = String(input instanceof Request ? input.url : input).includes(
        'event_destinations',
      )
      // The key works, but may not make webhooks.
      const error = isHooks
        ? { message: 'rak_webhook_write' }
        : { type: 'invalid_request_error', code: 'resource_missing' }
      return Response.json({ error }, { status: isHooks ? 403 : 404 })
    })
    await keyFor('old', ['admin'], { name: 'Old key', created_by: 'anonymous', inTrial: true })
    return installed({ PAYMENT_PROVIDER_SECRET_KEY: `rk_test_${SECRET}` })
  },
  backup() {
    const get = () => ({ status: () => ({ made: [], failsSince: 0 }) })
    return installed({ BACKUP: { idFromName: () => 'backup', get } })
  },
  mock_faults: () => installed({ MOCK_FAULTS: 'book:busy' }),
  scheduling() {
    everybodyAnswers(401)
    return installed({ SCHEDULING_PROVIDER_TOKEN: SECRET })
  },
  event_types() {
    everybodyAnswers(404)
    return installed({ SCHEDULING_PROVIDER_TOKEN: `${SECRET}-2` })
  },
  scheduling_page() {
    everybodyAnswers(404)
    return installed({ SCHEDULING_PAGE_URL: 'https://book.example/consult' })
  },
  payments() {
    everybodyAnswers(401)
    return installed({ PAYMENT_PROVIDER_SECRET_KEY: `rk_test_${SECRET}` })
  },
  webhooks_scheduling() {
    noWebhooks()
    // The provider of this test has one kind.
    return installed({ SCHEDULING_PROVIDER_TOKEN: `${SECRET}-3`, EVENT_TYPES: undefined })
  },
  webhooks_payments() {
    noWebhooks()
    return installed({ PAYMENT_PROVIDER_SECRET_KEY: `rk_test_${SECRET}` })
  },
  webhooks() {
    const paused = { id: 'wh_a', caller: 'key:a', host: 'hooks.example.com', state: 'paused' }
    return eventLogWith({ subscriptions: () => [paused] })
  },
  events: () =>
    installed({
      PROVIDER_SYNC: {
        idFromName: () => 'provider-sync',
        get: () => ({ overdueNotifications: () => ({ count: 3, since: 0 }) }),
      },
    }),
  async refused_changes() {
    await env.COORDINATOR.getByName('coordinator').providerHealth.recordChange({
      operation: 'create_payment_link',
      what: 'usd',
      refused: { reason: 'payment_provider_refuses', detail: 'Set the name.' },
    })
    return installed()
  },
  unresolved: inDoubt,
  audit: () => auditLogWith({ append: throws }),
  'binding:rate_limits': () => installed({ CHANGES_HIGH: undefined }),
  ...Object.fromEntries(
    BINDINGS.filter((name) => name !== 'rate_limits').map((name) => [
      `binding:${name}`,
      () => installed({ [name]: { put: throws, get: throws, idFromName: throws } }),
    ]),
  ),
}

let lines: string[]
beforeEach(() => {
  lines = []
  for (const channel of ['log', 'error'] as const) {
    vi.spyOn(console, channel).mockImplementation((line: string) => void lines.push(line))
  }
})

const failed = async (bindings: Env, origin = ORIGIN) =>
  (await selfCheck(bindings, origin, 'weekly_check')).filter(({ state }) => state === 'failed')

describe('the doctor checks inside the Worker', () => {
  it('find nothing wrong in a sound installation', async () => {
    const findings = await selfCheck(installed(), ORIGIN, 'weekly_check')
    const other = findings.filter(({ state }) => state !== 'ok').map(({ id, state }) => [id, state])
    expect(other).toEqual([
      ['alerts', 'missing'],
      ['backup', 'missing'],
      ['scheduling_page', 'not_checked'],
    ])
  })

  it('say that alerts and a backup are missing until they are there, and never in a local trial', async () => {
    const stateOf = async (bindings: Env, origin = ORIGIN) => {
      const findings = await selfCheck(bindings, origin, 'weekly_check')
      return ['alerts', 'backup'].map((id) => findings.find((one) => one.id === id)?.state)
    }
    const backedUp = (at: number, night?: number) => ({
      BACKUP: {
        idFromName: () => 'backup',
        get: () => ({
          status: () => ({ made: [at], ...(night && { night: { at: night, size: 7 } }) }),
        }),
      },
    })
    const foundOf = async (...given: [number, number]) =>
      (await selfCheck(installed(backedUp(...given)), ORIGIN, 'weekly_check')).find(
        ({ id }) => id === 'backup',
      )?.found
    const now = Date.now()
    expect(await foundOf(now - DAY, now)).toContain(', 7 bytes in the bucket.')
    expect(await foundOf(now, now - DAY)).toMatch(/^The last one is of \S+\.$/)
    const alerts = { ALERT_WEBHOOK_URL: 'https://alerts.example/x' }
    expect(await stateOf(installed({ ...alerts, ...backedUp(Date.now() - DAY) }))).toEqual([
      'ok',
      'ok',
    ])
    expect(await stateOf(installed(backedUp(Date.now() - 36 * DAY)))).toEqual([
      'missing',
      'missing',
    ])
    expect(await stateOf(installed(), 'http://127.0.0.1:8787')).toEqual([
      'not_checked',
      'not_checked',
    ])
  })

  it('say that all are paused, which is no fault', async () => {
    const by = { caller: 'owner', app: null, operation: 'owner_pause', request_id: 'request' }
    const coordinator = env.COORDINATOR.getByName('coordinator')
    await coordinator.change(EVERYBODY, { paused: true }, by, 'tighten')
    const findings = await selfCheck(installed(), ORIGIN, 'weekly_check')
    expect(findings.find(({ id }) => id === 'pause')).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('every call is refused') as string,
    })
  })

  it('find nothing wrong after a rotation is finished, with the second signing secret alone', async () => {
    const left = installed({
      SIGNING_SECRET: '',
      SIGNING_SECRET_2: 'the second of at least 32 characters',
    })
    expect(await failed(left)).toEqual([])
  })

  it('have a fault in this test for each of their rows', () => {
    // These can be missing, and never fail.
    const rows = [...HEALTH_CHECKS, auditCheck]
      .map(({ id }) => id)
      .filter((id) => !['alerts', 'payments_under_way', 'pause'].includes(id))
    expect(Object.keys(FAULTS).toSorted()).toEqual(rows.toSorted())
  })

  it.each(Object.keys(FAULTS))('turn only the row %s red, and say what to do', async (id) => {
    const bad = await failed(await FAULTS[id]!())
    expect(bad.map((finding) => finding.id)).toEqual([id])
    const check = [...HEALTH_CHECKS, auditCheck].find((one) => one.id === id)
    expect(bad[0]?.fix).toBe(check?.fix)
    expect(check?.fix).toMatch(/^[A-Z].*\.$/)
    expect(JSON.stringify([bad, lines])).not.toContain(SECRET)
  })

  it.each([
    ['', 'A kind asks for answers and phone, which BOOKING_ASKS does not list: npm run setup'],
    ['phone', 'A kind asks for answers, which BOOKING_ASKS does not list: npm run setup'],
    ['answers,phone', /\(mock\)\.$/],
    ['answers,phone,location', 'BOOKING_ASKS lists location, which no kind asks for: npm run'],
  ])('compare what the kinds ask with BOOKING_ASKS: %j', async (BOOKING_ASKS, said) => {
    const bindings = installed({ BOOKING_ASKS: BOOKING_ASKS || undefined })
    const findings = await selfCheck(bindings, ORIGIN, 'weekly_check')
    const { state, found } = findings.find(({ id }) => id === 'event_types')!
    expect([state, found]).toEqual([
      'ok',
      typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
    ])
  })

  it('say since when deliveries of an active webhook fail, which is no fault yet, and nor is a pause by the owner', async () => {
    const failing = { state: 'active', failing_since: Date.parse('2026-11-22T04:10:31Z') }
    const fine = { state: 'active', failing_since: null }
    const pausedByHand = { state: 'paused', failing_since: null, last_result: 'ok' }
    const findings = await selfCheck(
      eventLogWith({ subscriptions: () => [fine, failing, pausedByHand] }),
      ORIGIN,
      'weekly_check',
    )
    expect(findings.find(({ id }) => id === 'webhooks')).toMatchObject({
      state: 'ok',
      found: '2 active, 1 paused; deliveries fail since 2026-11-22T04:10:31Z.',
    })
  })

  it('report a missing public address, and name a wrong setting', async () => {
    expect(await failed(installed(), '')).toMatchObject([
      { id: 'settings', found: 'PUBLIC_URL is not set.' },
    ])
    const wrong = await failed(installed({ PRACTICE_TIMEZONE: SECRET }))
    expect(wrong.map(({ id, found }) => [id, found])).toEqual([
      ['settings', 'Not valid: PRACTICE_TIMEZONE. See docs/reference/settings.md.'],
    ])
  })

  it('leave nothing in KV', async () => {
    await selfCheck(installed(), ORIGIN, 'weekly_check')
    expect([(await env.RECORDS_KV.list()).keys, (await env.OAUTH_KV.list()).keys]).toEqual([[], []])
  })
})

describe('the weekly check', () => {
  it.each([
    ['ok', installed()],
    ['binding:ACCESS', installed({ ACCESS: { idFromName: throws } })],
  ])('writes one line and one entry: %s', async (code, bindings) => {
    await weeklyCheck(bindings)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'check', code, failed: code === 'ok' ? [] : [code] },
    ])
    const { entries } = await auditFrom(env).page({ limit: 10 })
    expect(entries).toMatchObject([
      { event: 'check', code, operation: 'weekly_check', caller: 'none' },
    ])
  })
})
