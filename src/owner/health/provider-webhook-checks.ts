import {
  PAYMENT_PROVIDERS,
  type Provider,
  SCHEDULING_PROVIDERS,
  namesOf,
} from '../../core/domain/providers.ts'
import { DAY, HOUR } from '../../core/domain/time/duration.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { LogServices, Ports, ProviderServices } from '../../core/ports/services.ts'
import { notificationOperation, webhookState } from '../../practice/provider-sync/registering.ts'
import { type Check, Failed, NotChecked } from './check-runner.ts'

type Seen = { origin: string; services: Ports & LogServices & ProviderServices }

/** For how long deliveries may fail before the check fails; providers retry for a day. */
const FAILING = HOUR

const FAULTS = {
  missing: 'It is not registered at the provider.',
  disabled: 'The provider has disabled it.',
  incomplete: 'It does not send every event that is needed.',
} as const

const PROVIDERS: Record<'scheduling' | 'payments', readonly Provider[]> = {
  scheduling: namesOf(SCHEDULING_PROVIDERS),
  payments: namesOf(PAYMENT_PROVIDERS),
}

/** The state of the webhook of the provider in use, its newest delivery, and how many were refused. */
async function found(port: keyof typeof PROVIDERS, { origin, services }: Seen) {
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
  run: (seen) => found(port, seen),
})

/** The checks of the webhooks at the providers and of callers' webhooks; they only read. */
export const PROVIDER_WEBHOOK_CHECKS: readonly Check<Seen>[] = [
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
