import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { dayAround, isoUtc } from '../../../core/domain/time/time.ts'
import type { RefusedCaller } from '../../../core/ports/audit.ts'
import { MUTATIONS, OPERATIONS, READS } from '../../../practice/operations/index.ts'
import { listBookings } from '../../../practice/operations/list-bookings.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { sessionOf } from '../../access/session.ts'
import { recordReview } from '../../admin/access-review.ts'
import { isCaller } from '../../admin/rules.ts'
import { operationTitle } from '../audit/audit.ts'
import { entriesWithFacts } from '../audit/load.ts'
import { type Act, nothingChanged, proofFor } from '../shell/acts.ts'
import type { Clock } from '../shell/dates.ts'
import { callerNamesOf } from '../shell/items.ts'
import { callerItems, type Visit, clockOf, part, shellOf } from '../shell/load.ts'
import { type NowView, homePage, nowPart, type NeedsView } from './home.ts'

const DAYS_AHEAD = 7
const LAST_ENDS = 10
const WANTS_MORE = ['insufficient_scope', 'house_rule']

/** The first page; `wrong` is a form about a change in doubt that was refused. */
export async function showHome(
  c: Context<AppEnv>,
  visit: Visit,
  wrong?: NeedsView['wrong'],
): Promise<string> {
  const clock = clockOf(c)
  const [now, bookings, [ends, facts]] = await Promise.all([
    nowOf(c, visit, wrong),
    part(() => bookingsAhead(c, clock)),
    entriesWithFacts(c, { event: 'commit', limit: LAST_ENDS }),
  ])
  return homePage({ ...now, bookings, ends, facts })
}

/** The part of that page that its script renews. Raises `unauthenticated` for whoever is signed out. */
export async function showNow(c: Context<AppEnv>): Promise<Response> {
  const session = await sessionOf(c, c.var.services.access)
  if (!session) throw problem('unauthenticated', { detail: 'Sign in at /owner.' })
  c.var.log.caller = OWNER_ID
  return c.html(await nowPart(await nowOf(c, { session }, undefined)))
}

async function nowOf(
  c: Context<AppEnv>,
  visit: Visit,
  wrong: NeedsView['wrong'],
): Promise<NowView> {
  const { selfChecks } = c.var.services
  const [shell, items, unresolved, refused, health, unreviewed] = await Promise.all([
    shellOf(c, '/owner', visit),
    callerItems(c),
    part(() => c.var.services.unresolved.list()),
    part(() => refusedLately(c)),
    part(() => selfChecks.health()),
    part(() => c.var.services.unreviewedAccess()),
  ])
  const needs = { unresolved, refused, health, unreviewed, wrong }
  const { apps, keys } = items
  const isNew =
    apps !== 'unread' &&
    keys !== 'unread' &&
    apps.length + keys.filter(({ since }) => since !== null).length === 0
  return { shell, names: callerNamesOf(items), needs, isNew }
}

const REFUSALS_SHOWN = 7 * DAY
/** What an owner can allow: the rest, such as rules that a key may not set, is in the log alone. */
const ALLOWABLE = new Set([...MUTATIONS, ...READS, ...OPERATIONS].map(({ name }) => name))

/** Who was refused since the owner last dismissed it. */
async function refusedLately(c: Context<AppEnv>): Promise<RefusedCaller[]> {
  const { access, audit } = c.var.services
  const found = await audit.refusedCallers(WANTS_MORE, clockOf(c).now - REFUSALS_SHOWN)
  const dismissed = found.map(({ caller }) => access.owner.readTicket('dismissed', caller))
  const until = await Promise.all(dismissed)
  return found.filter(
    ({ operation, last }, i) => ALLOWABLE.has(operation) && last > Number(until[i] ?? 0),
  )
}

/** Takes refusals of a caller off the first page; a later one is shown again. */
export const dismissRefusals: Act = async (c, { form }) => {
  const { access } = c.var.services
  const caller = form.get('caller') ?? ''
  if (!(await isCaller(caller, access))) return nothingChanged(c, 'This app or key was removed.')
  await access.owner.issueTicket('dismissed', caller, String(clockOf(c).now), REFUSALS_SHOWN)
  return 'dismissed'
}

async function bookingsAhead(c: Context<AppEnv>, { now, zone }: Clock) {
  const today = dayAround(now, zone)
  const question = {
    from: isoUtc(today.from),
    to: isoUtc(dayAround(now + DAYS_AHEAD * DAY, zone).to),
  }
  const { bookings, next_cursor } = await listBookings.run(question, c.var.services)
  return { bookings, more: next_cursor !== null }
}

/** Takes the owner's word, on a proof, that all who were let in before a provider was live are known. */
export const keepAccess: Act = async (c, own) => {
  const found = await c.var.services.unreviewedAccess()
  const asksForProof = await proofFor(c, own, {
    question: 'Do you know all of these?',
    changes: found.map(({ kind, name }) => `The ${kind} “\u2068${name}\u2069” keeps its access.`),
    facts: found.map(({ id }) => id),
    verb: 'Yes, with your passkey',
  })
  if (asksForProof) return asksForProof
  await recordReview(c)
  return 'known'
}

const FACT = /^[^\s@]{1,300}$/

/** Keeps the word of the owner on a change in doubt, on a proof: a wrong one could have it done twice. */
export const resolve: Act = async (c, own) => {
  const { form, session } = own
  const operation_id = form.get('operation_id') ?? ''
  const happened = form.get('outcome') === 'happened'
  const operations = c.var.services.unresolved
  const one = (await operations.list()).find((listed) => listed.operation_id === operation_id)
  if (!one) return nothingChanged(c, 'This change is no longer in doubt.')
  const refuse = async (why: string) => {
    c.var.log.code = 'validation_failed'
    return c.html(await showHome(c, { session }, { operationId: operation_id, why }), 422)
  }
  const given = ['booking_id', 'payment_link_id', 'url'].flatMap((name): [string, string][] => {
    const value = happened ? (form.get(name) ?? '').trim() : ''
    return value === '' ? [] : [[name, value]]
  })
  if (given.some(([name, value]) => !FACT.test(value) || (name === 'url' && !URL.canParse(value))))
    return refuse('Enter the id as the provider shows it, and the whole address.')
  const asksForProof = await proofFor(c, own, {
    question: happened ? 'Did it happen?' : 'Did it not happen?',
    changes: [
      `${operationTitle(one.operation)}, sent on ${one.since}: ${happened ? 'it happened' : 'it did not happen'}.`,
      ...given.map(([, value]) => `What was made: ${value}`),
      happened
        ? 'The connector then treats it as done.'
        : 'The connector then treats it as not done, and your agent can ask for it again.',
    ],
    facts: [operation_id, String(happened), ...given.flat()],
    verb: 'Confirm with your passkey',
  })
  if (asksForProof) return asksForProof
  const facts: Facts = { state: 'confirmed', ...Object.fromEntries(given) }
  const verdict = await operations.resolve(operation_id, happened, facts)
  if (verdict === 'nothing to resolve')
    return nothingChanged(c, 'This change is no longer in doubt.')
  if (verdict === 'facts missing')
    return refuse('Enter the id of what was made, and its address if it has one.')
  c.var.note({ event: 'resolution', code: happened ? 'happened' : 'did_not_happen', operation_id })
  return 'resolved'
}
