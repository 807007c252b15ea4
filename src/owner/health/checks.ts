import { sha256 } from '../../core/crypto/encoding.ts'
import { BOOKING_FIELDS, fieldsAsked } from '../../core/domain/booking-asks.ts'
import type { EventTypeDetails } from '../../core/domain/event-type.ts'
import { isLoopback } from '../../core/domain/origin.ts'
import { pluralOf } from '../../core/domain/plural.ts'
import type { Practice } from '../../core/domain/practice.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS, namesOf } from '../../core/domain/providers.ts'
import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { DAY, HOUR, SECOND } from '../../core/domain/time/duration.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { Services } from '../../core/ports/services.ts'
import { settingsFrom } from '../../core/settings.ts'
import { abortedAfter } from '../../core/with-timeout.ts'
import type { Env } from '../../practice/env.ts'
import { notificationOperation, webhookState } from '../../practice/provider-sync/registering.ts'
import {
  accessFrom,
  auditFrom,
  eventLogFrom,
  providerSyncFrom,
  recordsFrom,
  theOne,
} from '../../practice/wiring/objects.ts'
import { type Check, Failed, Missing, NotChecked } from './check-runner.ts'

/** What the checks look at, each part of it when it is checked, so that none hides another. */
interface Seen {
  env: Env
  /** The public address, or empty. */
  origin: string
  services: Services
}

const isHere = ({ origin }: Seen) => origin !== '' && isLoopback(origin)

const WEEK = 7 * DAY
/** How long a nightly backup is kept. */
const KEPT_NIGHTS = 35 * DAY
/** No provider has these ids, so a working token gets a not-found answer. */
const NO_SUCH_BOOKING = 'bk_00000000-0000-4000-8000-000000000000'
const NO_SUCH_INVOICE = 'in_doctor0000000000000000'

const TEST_KEY =
  'A test key, which works: no real money can be paid. Set the live key before a client gets a link.'

/** Services are built with the mock calendar even where it is not used. */
const PORTS_NEED = ['settings', 'binding:MOCK_CALENDAR'] as const

const versionOf = async (setting: string, text: string | null) =>
  text === null ? '' : ` ${setting} has the SHA-256 ${await sha256(text)}.`

/**
 * What the kinds ask for and `BOOKING_ASKS` does not list, or the other way round; empty where they
 * agree.
 */
function unlistedText(
  kinds: readonly Pick<EventTypeDetails, 'asks'>[],
  { bookingAsks }: Pick<Practice, 'bookingAsks'>,
) {
  const asked = new Set(kinds.flatMap(({ asks }) => fieldsAsked(asks)))
  const missing = BOOKING_FIELDS.filter((field) => asked.has(field) && !bookingAsks.includes(field))
  const listed = bookingAsks.filter((field) => !asked.has(field))
  const command = 'npm run setup asks the provider and sets it.'
  if (missing.length > 0)
    return ` A kind asks for ${missing.join(' and ')}, which BOOKING_ASKS does not list: ${command}`
  if (listed.length > 0)
    return ` BOOKING_ASKS lists ${listed.join(' and ')}, which no kind asks for: ${command}`
  return ''
}

const OWN: readonly Check<Seen>[] = [
  {
    id: 'settings',
    what: 'Settings',
    fix: 'Correct the settings that are named; docs/reference/settings.md describes them.',
    async run({ env, origin }) {
      const { signingSecrets, practice } = settingsFrom(env)
      if (signingSecrets.length === 0)
        throw problem('not_configured', { detail: 'SIGNING_SECRET is not set.' })
      if (origin === '') throw new Failed('PUBLIC_URL is not set.')
      const { en, es } = practice.clientLinkNotice
      const version =
        (await versionOf('CLIENT_LINK_NOTICE', en)) + (await versionOf('CLIENT_LINK_NOTICE_ES', es))
      return `All are valid.${version}`
    },
  },
  {
    id: 'alerts',
    what: 'Alerts',
    fix: 'Run npm run setup, which asks for the address of your alerts, then npm run deploy.',
    needs: ['settings'],
    async run(seen) {
      if (seen.services.alertHost !== undefined) return 'They are posted to ALERT_WEBHOOK_URL.'
      if (isHere(seen) && !seen.services.isLive) throw new NotChecked('Not in a local trial.')
      throw new Missing('ALERT_WEBHOOK_URL is not set, so nothing tells you of a fault.')
    },
  },
  {
    id: 'anonymous_access',
    what: 'Callers without a credential',
    fix: 'Remove ALLOW_ANONYMOUS, or set it to false: it is for a local trial.',
    needs: ['settings'],
    async run(seen) {
      const { allowAnonymous, ALLOW_ANONYMOUS } = settingsFrom(seen.env)
      if (allowAnonymous) return 'Allowed: a local trial.'
      if (ALLOW_ANONYMOUS === 'true' && !isHere(seen))
        throw new Failed('Refused, though ALLOW_ANONYMOUS is set: it is ignored here.')
      return 'Refused.'
    },
  },
  {
    id: 'access_review',
    what: 'Access from before going live',
    fix:
      'End the keys and apps that you do not know, and confirm the others: on the first page ' +
      'of the console, or at the end of npm run deploy with your key in CONNECTOR_API_KEY.',
    needs: ['settings', 'binding:ACCESS'],
    async run({ services }) {
      const found = await services.unreviewedAccess()
      if (found.length === 0)
        return services.isLive ? 'None is left to review.' : 'No provider is live yet.'
      throw new Failed(
        `Not reviewed: ${found.map(({ kind, name }) => `the ${kind} “${name}”`).join(', ')}.`,
      )
    },
  },
  {
    id: 'backup',
    what: 'Backup',
    fix:
      'Check in the dashboard that R2 is enabled and that the bucket exists. ' +
      'Until then, run npm run backup.',
    needs: ['settings', 'binding:BACKUP'],
    async run(seen) {
      const { backups, isLive, now } = seen.services
      const { made, night, failsSince } = await backups.status()
      if (failsSince !== undefined)
        throw new Failed(`No nightly backup was kept since ${isoSeconds(failsSince)}.`)
      const last = Math.max(night?.at ?? 0, ...made)
      if (last === 0 && isHere(seen) && !isLive) throw new NotChecked('Not in a local trial.')
      if (now() - last > KEPT_NIGHTS)
        throw new Missing(
          `${last === 0 ? 'None was made yet' : `The last one is of ${isoSeconds(last)}`}: what is ` +
            'kept here could not be restored, and nothing outside vouches for the audit log.',
          'To make one, run npm run backup; docs/operate/upgrades-and-backup.md says how.',
        )
      const inBucket = night?.at === last ? `, ${night.size} bytes in the bucket` : ''
      return `The last one is of ${isoSeconds(last)}${inBucket}.`
    },
  },
  {
    id: 'mock_faults',
    what: 'Mock faults',
    fix: 'Remove MOCK_FAULTS: it is for a local trial.',
    needs: ['settings'],
    async run(seen) {
      if (settingsFrom(seen.env).MOCK_FAULTS.length === 0) return 'None.'
      if (!isHere(seen)) throw new Failed('MOCK_FAULTS is set, so calls fail on purpose.')
      return 'Mock faults are on, in a local trial.'
    },
  },
  {
    id: 'scheduling',
    what: 'Scheduling provider',
    fix:
      'Make a new token at the provider, with the permissions of docs/providers.md, and set ' +
      'SCHEDULING_PROVIDER_TOKEN to it.',
    needs: PORTS_NEED,
    async run({ services: { scheduling } }) {
      if (scheduling.mode === 'mock') return 'Mock: nothing real is booked.'
      await scheduling.booking(NO_SUCH_BOOKING)
      const version = scheduling.apiVersion?.()
      return (
        'Live: the token ' +
        `works.${version === undefined ? '' : ` It answered in its API version ${version}.`}`
      )
    },
  },
  {
    id: 'event_types',
    what: 'Event types',
    fix: 'Set EVENT_TYPES to ids of bookable event types at the provider.',
    needs: ['scheduling'],
    async run({ services: { scheduling, practice, now } }) {
      const names = practice.eventTypes.map(({ name }) => name).join(', ')
      const read = () => Promise.all(practice.eventTypes.map((one) => scheduling.eventType(one)))
      if (scheduling.mode === 'mock')
        return `${names} (mock).${unlistedText(await read(), practice)}`
      const free = practice.eventTypes.map((one) => scheduling.slots(one, now(), now() + WEEK))
      const count = (await Promise.all(free)).flat().length
      return `${names}: ${pluralOf(count, 'free time')} in the next 7 days.${unlistedText(await read(), practice)}`
    },
  },
  {
    id: 'scheduling_page',
    what: 'Scheduling page',
    fix: 'Set SCHEDULING_PAGE_URL to the page on which a person can book.',
    needs: ['settings'],
    async run({ env }) {
      const { practice, PROVIDER_TIMEOUT_SECONDS } = settingsFrom(env)
      const { schedulingPageUrl } = practice
      if (schedulingPageUrl === null) throw new NotChecked('SCHEDULING_PAGE_URL is not set.')
      const status = await abortedAfter(PROVIDER_TIMEOUT_SECONDS * SECOND, async (signal) => {
        const response = await fetch(schedulingPageUrl, { redirect: 'manual', signal })
        await response.body?.cancel()
        return response.status
      }).catch(() => undefined)
      if (status === undefined) throw new Failed('Does not answer.')
      // A page may refuse programs, so only a not-found answer is a failure.
      if (status === 404 || status === 410) throw new Failed(`The page does not exist: ${status}.`)
      return `Answers ${status}.`
    },
  },
  {
    id: 'payments',
    what: 'Payment provider',
    fix:
      'Make a new restricted key at the provider, with the permissions of docs/providers.md, ' +
      'and set PAYMENT_PROVIDER_SECRET_KEY to it.',
    needs: PORTS_NEED,
    async run({ services: { payments } }) {
      if (payments.mode === 'mock') return 'Mock: no money moves.'
      await payments.invoice(NO_SUCH_INVOICE)
      return payments.isTest ? TEST_KEY : 'Live: the key reads invoices.'
    },
  },
  {
    id: 'payments_under_way',
    what: 'Payments under way',
    fix: 'Add the permission to the key in the dashboard of the payment provider.',
    needs: ['payments'],
    async run({ services: { payments } }) {
      const lack = await payments.lackOfPayments?.()
      if (lack === undefined) return 'Previews of payment links warn of them.'
      throw new Missing(`${lack} Until then no preview knows whether a payment is under way.`)
    },
  },
  {
    id: 'refused_changes',
    what: 'Refused changes',
    fix:
      'Mend it at the provider. It is over with the next such change, ' +
      'or once you press “It is mended” on the first page of the console.',
    needs: ['binding:COORDINATOR'],
    async run({ services }) {
      const { issues } = await services.selfChecks.health()
      const refused = issues.flatMap(({ change }) => (change ? [change] : []))
      if (refused.length === 0) return 'None.'
      throw new Failed(refused.map((one) => `${one.operation}: ${one.detail}`).join(' '))
    },
  },
  {
    id: 'unresolved',
    what: 'Unresolved operations',
    fix: 'Look at the provider to see what happened, then record it with npm run resolve.',
    needs: ['binding:COORDINATOR'],
    async run({ services }) {
      const waiting = await services.unresolved.list()
      if (waiting.length === 0) return 'None.'
      const each = waiting.map((one) => `${one.operation} ${one.operation_id} since ${one.since}`)
      throw new Failed(each.join('; '))
    },
  },
  {
    // No fault, and the first answer to why no agent works.
    id: 'pause',
    what: 'Paused',
    fix: 'Open the console: if it does not answer either, deploy again.',
    needs: ['binding:COORDINATOR'],
    async run({ services }) {
      const paused = (await services.houseRules.all()).filter(({ rules }) => rules.paused)
      if (paused.some(({ caller }) => caller === EVERYBODY))
        return 'All apps and keys, so every call is refused. The console has Resume.'
      return paused.map(({ caller }) => caller).join(', ') || 'No one.'
    },
  },
]

/** For how long deliveries may fail before the check fails; providers retry for a day. */
const FAILING = HOUR

const FAULTS = {
  missing: 'It is not registered at the provider.',
  disabled: 'The provider has disabled it.',
  incomplete: 'It does not send every event that is needed.',
} as const

const PROVIDERS = {
  scheduling: namesOf(SCHEDULING_PROVIDERS),
  payments: namesOf(PAYMENT_PROVIDERS),
}

/** The state of the webhook of the provider in use, its newest delivery, and how many were refused. */
async function webhookFound(port: keyof typeof PROVIDERS, { origin, services }: Seen) {
  const provider = PROVIDERS[port].find((name) => services.webhooksOf(name))
  if (services.modes[port].mode === 'mock') return 'Mock: no provider sends anything.'
  if (provider === undefined)
    return 'None: this provider has no webhooks, and is asked now and then.'
  const state = await webhookState(provider, origin, services)
  switch (state.is) {
    case 'mock':
    case 'not reachable':
      return 'None: a provider can reach only a public address over https.'
    case 'not permitted':
      throw new NotChecked(
        `${state.detail} Until then the connector asks the provider now and then.`,
      )
    case 'missing':
    case 'disabled':
    case 'incomplete':
      throw new Failed(FAULTS[state.is])
    case 'active':
  }
  const since = state.failingSince
  if (since !== undefined && since < services.now() - FAILING)
    throw new Failed(
      `Its deliveries fail since ${isoSeconds(since)}.`,
      'See in the log of the Worker why POST /hooks/… is not answered 200; ' +
        'the provider tries again for a day.',
    )
  const { lastDelivery } = await services.providerSync.providerWebhook(provider)
  const refusals = await services.audit.anonymousRefusals()
  const refused = refusals
    .filter(
      ({ operation, hour }) =>
        operation === notificationOperation(provider) && hour > services.now() - DAY,
    )
    .reduce((sum, { times }) => sum + times, 0)
  const last = lastDelivery === null ? 'none yet' : isoSeconds(lastDelivery)
  const teams = state.isPartial ? ' It is not told of the bookings of a team.' : ''
  return `Registered and active; newest delivery: ${last}; refused in the last day: ${refused}.${teams}`
}

const checkOf = (port: keyof typeof PROVIDERS, needed: string): Check<Seen> => ({
  id: `webhooks_${port}`,
  what: `Webhook, ${port}`,
  fix: 'Register it again: npm run deploy does that at its end.',
  needs: [needed, 'binding:PROVIDER_SYNC', 'binding:AUDIT_LOG'],
  run: (seen) => webhookFound(port, seen),
})

/** The checks of the webhooks at the providers and of callers' webhooks; they only read. */
const WEBHOOK_CHECKS: readonly Check<Seen>[] = [
  checkOf('scheduling', 'event_types'),
  checkOf('payments', 'payments'),
  {
    id: 'events',
    what: 'Changes at the providers',
    fix:
      'Nothing is lost: they are read again every day, for 30 days. ' +
      'If one stays, resolve the unresolved operations, which it may wait for.',
    // These two report a provider that does not answer.
    needs: ['scheduling', 'payments', 'binding:PROVIDER_SYNC'],
    async run({ services }) {
      const overdue = await services.providerSync.overdueNotifications()
      const held = await services.providerSync.heldNotifications()
      const waits = held.map(
        (one) =>
          ` ${one.count} since ${isoSeconds(one.since)} for the operation ${one.operation_id}, ` +
          'whose outcome is not known.',
      )
      const waiting = waits.length === 0 ? '' : ` Waiting:${waits.join('')}`
      if (!overdue) return `None waits to be read for more than a day.${waiting}`
      throw new Failed(
        `Not read yet: ${overdue.count}, the oldest since ${isoSeconds(overdue.since)}.${waiting}`,
      )
    },
  },
  {
    id: 'webhooks',
    what: 'Webhooks of callers',
    fix:
      'Under Settings, Webhooks in the console, or with npm run webhooks -- list, see what to repair, ' +
      'and resume it: nothing of the last 30 days is lost.',
    needs: ['binding:EVENT_LOG'],
    async run({ services }) {
      const all = await services.subscriptions.subscriptions(null)
      const paused = all.filter(({ state }) => state === 'paused')
      // The owner can pause one that is well.
      const broken = paused.filter(
        (one) => one.failing_since !== null || one.last_result === 'secret_lost',
      )
      const active = all.filter(({ state }) => state === 'active')
      const failing = active.flatMap(({ failing_since }) => failing_since ?? [])
      const since =
        failing.length > 0 ? `; deliveries fail since ${isoSeconds(Math.min(...failing))}` : ''
      if (broken.length === 0)
        return `${active.length} active, ${paused.length || 'none'} paused${since}.`
      throw new Failed(
        broken.map((one) => `${one.id} to ${one.host} of ${one.caller} is paused.`).join(' '),
      )
    },
  },
]

/**
 * Written, read and gone within a minute: that a namespace can be read says nothing of whether it
 * can be written.
 */
async function kvRoundTrip(namespace: KVNamespace) {
  const key = `doctor:${crypto.randomUUID()}`
  await namespace.put(key, 'probe', { expirationTtl: 60 })
  if ((await namespace.get(key)) !== 'probe') throw new Error('a value did not come back')
  await namespace.delete(key)
}

type Counter = {
  [Binding in keyof Env]-?: Env[Binding] extends RateLimit ? Binding : never
}[keyof Env]
type Trip = (env: Env) => Promise<unknown>

const COUNTERS: Record<Counter, true> = {
  READS_LOW: true,
  READS_NORMAL: true,
  READS_HIGH: true,
  CHANGES_LOW: true,
  CHANGES_NORMAL: true,
  CHANGES_HIGH: true,
}

/**
 * A call of something that changes nothing. A binding that is not here, or among the counters, does
 * not compile.
 */
const ROUND_TRIPS: Record<Exclude<keyof Env, Counter | 'BACKUPS'> | 'rate_limits', Trip> = {
  ACCESS: async (env) => accessFrom(env).owner.passkeys(),
  AUDIT_LOG: async (env) => auditFrom(env).page({ limit: 1 }),
  BACKUP: async (env) => theOne(env, 'BACKUP')().status(),
  RECORDS_KV: ({ RECORDS_KV }) => kvRoundTrip(RECORDS_KV),
  OAUTH_KV: ({ OAUTH_KV }) => kvRoundTrip(OAUTH_KV),
  CONFIRMATIONS: async ({ CONFIRMATIONS }) =>
    CONFIRMATIONS.get(CONFIRMATIONS.idFromName('doctor')).busy(),
  COORDINATOR: async (env) => theOne(env, 'COORDINATOR')().providerHealth.read(),
  EVENT_LOG: async (env) => eventLogFrom(env).page({ types: [], limit: 1 }),
  MOCK_CALENDAR: async (env) => theOne(env, 'MOCK_CALENDAR')().taken(0, 0),
  PROVIDER_SYNC: async (env) => providerSyncFrom(env).overdueNotifications(),
  RECORDS: async (env) => recordsFrom(env).known([]),
  rate_limits: (env) =>
    Promise.all(
      (Object.keys(COUNTERS) as Counter[]).map((name) => env[name].limit({ key: 'doctor' })),
    ),
}

/** The bindings to which a round trip is made. */
export const BINDINGS = Object.keys(ROUND_TRIPS)

const roundTrip = ([binding, trip]: [string, Trip]): Check<Seen> => ({
  id: `binding:${binding}`,
  what: `Binding ${binding}`,
  fix:
    `Deploy again with the wrangler.toml of this version: ${binding} is missing, or the ` +
    'object or namespace behind it is.',
  async run({ env }) {
    await trip(env)
    return 'Round trip ok.'
  },
})

/** Every check that the Worker makes of itself. They only read, but for a short-lived probe in KV. */
export const HEALTH_CHECKS: readonly Check<Seen>[] = [
  ...OWN,
  ...WEBHOOK_CHECKS,
  ...Object.entries(ROUND_TRIPS).map(roundTrip),
]

/** Checks that the audit log is writable by writing an entry; it runs last. */
export const auditCheck: Check<() => Promise<void>> = {
  id: 'audit',
  what: 'Audit log',
  fix: 'Deploy again; until then nothing is logged.',
  needs: ['binding:AUDIT_LOG'],
  async run(write) {
    await write()
    return 'The check wrote one entry.'
  },
}
