import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { dayAround, isoUtc } from '../../../core/domain/time/time.ts'
import type { RefusedCaller } from '../../../core/ports/audit.ts'
import { OPERATIONS } from '../../../practice/operations/index.ts'
import { listBookings } from '../../../practice/operations/list-bookings.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { sessionOf } from '../../access/session.ts'
import { entriesWithFacts } from '../audit/load.ts'
import type { Clock } from '../shell/dates.ts'
import { callerNamesOf } from '../shell/items.ts'
import { callerItems, type Visit, clockOf, part, shellOf } from '../shell/load.ts'
import { type NowView, homePage, nowPart, type NeedsView } from './page.ts'

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

export const REFUSALS_SHOWN = 7 * DAY
/** What an owner can allow: the rest, such as rules that a key may not set, is in the log alone. */
const ALLOWABLE = new Set(OPERATIONS.map(({ name }) => name))

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

async function bookingsAhead(c: Context<AppEnv>, { now, zone }: Clock) {
  const today = dayAround(now, zone)
  const question = {
    from: isoUtc(today.from),
    to: isoUtc(dayAround(now + DAYS_AHEAD * DAY, zone).to),
  }
  const { bookings, next_cursor } = await listBookings.run(question, c.var.services)
  return { bookings, more: next_cursor !== null }
}
