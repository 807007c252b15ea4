import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { ALERT_ARRIVED, type AuditEntry, LINK_COMPLETED } from '../../../core/domain/audit/entry.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { isOfTrial } from '../../../core/domain/scopes.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { dayAround, isoUtc } from '../../../core/domain/time/time.ts'
import type { AuditQuery, RefusedCaller } from '../../../core/ports/audit.ts'
import type { BackupStatus } from '../../../core/ports/backup.ts'
import { OPERATIONS } from '../../../practice/operations/index.ts'
import { listBookings } from '../../../practice/operations/list-bookings.ts'
import { connectedApps } from '../../access/connected-apps.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { sessionOf } from '../../access/session.ts'
import { entriesWithFacts } from '../audit/load.ts'
import type { Clock } from '../shell/dates.ts'
import { callerNamesOf } from '../shell/items.ts'
import { callerItems, type Visit, clockOf, ownersPasskeys, part, shellOf } from '../shell/load.ts'
import type { FirstFacts } from './first-steps.ts'
import { type NowView, homePage, nowPart } from './page.ts'
import type { RestoredView } from './restored.ts'

const DAYS_AHEAD = 7
const LAST_ENDS = 10
const WANTS_MORE = ['insufficient_scope', 'house_rule']

/** The first page. */
export async function showHome(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const clock = clockOf(c)
  const [now, bookings, [ends, facts], first] = await Promise.all([
    nowOf(c, visit),
    part(() => bookingsAhead(c, clock)),
    entriesWithFacts(c, { event: 'commit', limit: LAST_ENDS }),
    part(() => firstFacts(c)),
  ])
  return homePage({ ...now, bookings, ends, facts, first })
}

/**
 * What the first steps are read from. Where one fact cannot be read, none is shown: a step that is
 * done is never asked for.
 */
async function firstFacts(c: Context<AppEnv>): Promise<FirstFacts> {
  const { access, alertHost, audit, backups } = c.var.services
  const isInLog = async (query: Omit<AuditQuery, 'limit'>): Promise<boolean> =>
    (await audit.page({ ...query, limit: 1 })).entries.length > 0
  const [passkeys, keys, uses, isPreviewed, isTested, backup] = await Promise.all([
    access.owner.passkeys(),
    access.listKeys(),
    access.grants.uses(),
    isInLog({ event: 'preview' }),
    isInLog({ event: 'check', code: ALERT_ARRIVED }),
    backups.status(),
  ])
  const isUsed = keys.some(({ last_used_on }) => last_used_on !== null)
  return {
    passkeys: ownersPasskeys(passkeys).map(({ name }) => name),
    // A first key and a program without one leave their previews alone.
    isCalled: isUsed || Object.keys(uses).length > 0 || isPreviewed,
    alerts: { host: alertHost, isTested },
    hasBackup: lastOf(backup) > 0,
    origin: c.var.site().origin,
  }
}

/** The part of that page that its script renews. Raises `unauthenticated` for a visitor who is signed out. */
export async function showNow(c: Context<AppEnv>): Promise<Response> {
  const session = await sessionOf(c, c.var.services.access)
  if (!session) throw problem('unauthenticated', { detail: 'Sign in at /owner.' })
  c.var.log.caller = OWNER_ID
  return c.html(await nowPart(await nowOf(c, { session })))
}

async function nowOf(c: Context<AppEnv>, visit: Visit): Promise<NowView> {
  const { selfChecks } = c.var.services
  const [restored, shell, items, unresolved, refused, health, unreviewed] = await Promise.all([
    part(() => restoredOf(c)),
    shellOf(c, '/owner', visit),
    callerItems(c),
    part(() => c.var.services.unresolved.list()),
    part(() => refusedLately(c)),
    part(() => selfChecks.health()),
    part(() => c.var.services.unreviewedAccess()),
  ])
  const needs = { unresolved, refused, health, unreviewed }
  return { shell, names: callerNamesOf(items), needs, restored }
}

/** When the last backup was made, as far as that is kept, in epoch milliseconds; 0 for never. */
const lastOf = ({ made, night }: BackupStatus): number => Math.max(night?.at ?? 0, ...made)

/** What is left to do after a restore; undefined where there was none. */
async function restoredOf(c: Context<AppEnv>): Promise<RestoredView | undefined> {
  const { access, audit, backups, providerSync } = c.var.services
  const restore = await backups.restored()
  if (!restore) return undefined
  const [held, isSearching, found, uses, connected, status] = await Promise.all([
    access.restored.held(),
    providerSync.isSearching(),
    audit.page({ event: 'found_after_restore', from: restore.ended_at - DAY, limit: MOST_FOUND }),
    access.grants.uses(),
    connectedApps(c),
    backups.status(),
  ])
  const isCompletion = ({ code }: AuditEntry) => code === LINK_COMPLETED
  const completed = found.entries.filter(isCompletion).flatMap(({ record_id: link, about }) => {
    const booking = about?.['booking_id']
    return link === null || typeof booking !== 'string' ? [] : [{ link, booking }]
  })
  const before = Object.keys(uses).filter(
    (id) => !isOfTrial(id) && connected.every(({ grantId }) => grantId !== id),
  )
  return {
    restore,
    held,
    isSearching,
    found: found.entries.filter((entry) => !isCompletion(entry)).length,
    completed,
    apps: { before: before.length, now: connected.length },
    lastBackup: lastOf(status),
  }
}

const MOST_FOUND = 200

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
