import type { AppContext } from '../../../api/http/app-env.ts'
import { ALERT_ARRIVED, type AuditEntry, LINK_COMPLETED } from '../../../core/domain/audit/entry.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { isOfTrial } from '../../../core/domain/scopes.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { dayAround, isoUtc, localTime } from '../../../core/domain/time/time.ts'
import type { AuditQuery, RefusedCaller } from '../../../core/ports/audit.ts'
import type { BackupStatus } from '../../../core/ports/backup.ts'
import { OPERATIONS } from '../../../practice/operations/index.ts'
import { listBookings } from '../../../practice/operations/list-bookings.ts'
import { keepChange } from '../../../practice/wiring/objects.ts'
import { connectedApps } from '../../access/connected-apps.ts'
import { wantProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { sessionOf } from '../../access/session.ts'
import { recordReview } from '../../admin/access-review.ts'
import { MADE_NAMES, NEWER_BEGAN_IT, madeFacts } from '../../admin/unresolved.ts'
import { entriesWithFacts } from '../audit/handlers.ts'
import { operationTitle } from '../audit/sentences.ts'
import { callerIn } from '../rules/handlers.ts'
import type { Clock } from '../shell/dates.ts'
import { type Act, type Show, formAgain, nothingChanged } from '../shell/handlers.ts'
import { callerNames, type Visit, clockOf, ownersPasskeys, part, shellOf } from '../shell/load.ts'
import type { FirstFacts } from './first-steps.ts'
import { MADE, type NowView, homePage, nowPart } from './page.ts'
import { type RestoredView, whatIsHeld } from './restored.ts'

const DAYS_AHEAD = 7
const LAST_ENDS = 10
const WANTS_MORE = ['insufficient_scope', 'house_rule']

/** The first page. */
export const showHome: Show = async (c, visit) => {
  const clock = clockOf(c)
  const [now, bookings, ends, first] = await Promise.all([
    nowOf(c, visit),
    part(() => bookingsAhead(c, clock)),
    entriesWithFacts(c, { event: 'commit', limit: LAST_ENDS }),
    part(() => firstFacts(c)),
  ])
  return homePage({ ...now, bookings, ends, first })
}

/**
 * What the first steps are read from. Where one fact cannot be read, none is shown: a step that is
 * done is never asked for.
 */
async function firstFacts(c: AppContext): Promise<FirstFacts> {
  const { access, alertHost, audit, backups } = c.var.services
  const isInLog = async (query: Omit<AuditQuery, 'limit'>) =>
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
export async function showNow(c: AppContext) {
  const session = await sessionOf(c)
  if (!session) throw problem('unauthenticated', { detail: 'Sign in at /owner.' })
  c.var.log.caller = OWNER_ID
  return c.html(await nowPart(await nowOf(c, { session })))
}

async function nowOf(c: AppContext, visit: Visit): Promise<NowView> {
  const { selfChecks } = c.var.services
  const [restored, shell, names, unresolved, refused, health, unreviewed] = await Promise.all([
    part(() => restoredOf(c)),
    shellOf(c, '/owner', visit),
    callerNames(c),
    part(() => c.var.services.unresolved.list()),
    part(() => refusedLately(c)),
    part(() => selfChecks.health()),
    part(() => c.var.services.unreviewedAccess()),
  ])
  const needs = { unresolved, refused, health, unreviewed }
  return { shell, names, needs, restored }
}

/** When the last backup was made, as far as that is kept, in epoch milliseconds; 0 for never. */
const lastOf = ({ made, night }: BackupStatus) => Math.max(night?.at ?? 0, ...made)

/** What is left to do after a restore; undefined where there was none. */
async function restoredOf(c: AppContext): Promise<RestoredView | undefined> {
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
    isMoreFound: found.next !== undefined,
    completed,
    apps: { before: before.length, now: connected.length },
    lastBackup: lastOf(status),
  }
}

const MOST_FOUND = 200

const REFUSALS_SHOWN = 7 * DAY
/** What an owner can allow: the rest, such as rules that a key may not set, is in the log alone. */
const ALLOWABLE = new Set(OPERATIONS.map(({ name }) => name))

/** Who was refused since the owner last dismissed it. */
async function refusedLately(c: AppContext): Promise<RefusedCaller[]> {
  const { access, audit } = c.var.services
  const found = await audit.refusedCallers(WANTS_MORE, clockOf(c).now - REFUSALS_SHOWN)
  const dismissed = found.map(({ caller }) => access.owner.readTicket('dismissed', caller))
  const until = await Promise.all(dismissed)
  return found.filter(
    ({ operation, last }, i) => ALLOWABLE.has(operation) && last > Number(until[i] ?? 0),
  )
}

async function bookingsAhead(c: AppContext, { now, zone }: Clock) {
  const today = dayAround(now, zone)
  const question = {
    from: isoUtc(today.from),
    to: isoUtc(dayAround(now + DAYS_AHEAD * DAY, zone).to),
  }
  const { bookings, next_cursor } = await listBookings.run(question, c.var.services)
  return { bookings, more: next_cursor !== null }
}

/** Takes the refusals of a caller that were shown off the first page; a later one is shown again. */
export const dismissRefusals: Act = async (c, { form }) => {
  const caller = await callerIn(c, form)
  const { owner } = c.var.services.access
  const last = Math.min(clockOf(c).now, Number(form.get('last')) || 0)
  await owner.issueTicket('dismissed', caller, String(last), REFUSALS_SHOWN)
  c.var.note({ event: 'review', code: 'refusals_dismissed', record_id: caller })
  return 'dismissed'
}

/** Takes the owner's word that one refused change is mended; if it is not, the next refusal says so. */
export const repaired: Act = async (c, { form }) => {
  const [operation, what] = [form.get('operation') ?? '', form.get('what') ?? '']
  await keepChange(c.env, { operation, what })
  c.var.note({ event: 'review', code: 'repaired' })
  return 'repaired'
}

/** Takes the owner's word, on a proof, that all who were let in before a provider was live are known. */
export const keepAccess: Act = async (c, own) => {
  const found = await c.var.services.unreviewedAccess()
  // Another device, or the deploy command, may have said so since the page was opened.
  if (found.length === 0) return 'known'
  await wantProof(c, own, {
    question: 'Do you know all of these?',
    changes: found.map(({ kind, name }) => `The ${kind} “\u2068${name}\u2069” keeps its access.`),
    facts: found.map(({ id }) => id),
    verb: 'Yes, with your passkey',
  })
  await recordReview(c)
  return 'known'
}

/** Lets someone in again who is held since a restore, on a proof. */
export const letIn: Act = async (c, own) => {
  const { access } = c.var.services
  const [kind, id] = [own.form.get('kind'), own.form.get('id')]
  const one = (await access.restored.held()).find((held) => held.kind === kind && held.id === id)
  if (!one) return nothingChanged(c, 'This key or passkey is not held any more.')
  await wantProof(c, own, {
    question: `Let in \u2068${one.name ?? 'the one without a name'}\u2069 again?`,
    changes: [
      `It can act again as it could when the backup was made: ${whatIsHeld(one)}.`,
      'Do this only if you did not remove it after the backup.',
    ],
    facts: [one.kind, one.id],
    verb: 'Let it in, with your passkey',
  })
  const record_id = one.kind === 'key' ? `key:${one.id}` : null
  await c.var.noteBefore({
    event: one.kind === 'key' ? 'key' : 'enrolment',
    code: 'let_in',
    record_id,
  })
  await access.restored.release(one.kind, one.id)
  return 'let_in'
}

/** Why a word on a change in doubt resolves nothing. */
const NOT_RESOLVED = {
  'other part': 'Another part of this change is in doubt now. Home asks about it.',
  'nothing to resolve': 'This change is already resolved.',
  'newer version': `${NEWER_BEGAN_IT.detail} ${NEWER_BEGAN_IT.next_step}`,
}

/** Keeps the word of the owner on a change in doubt, on a proof: a wrong one could have it done twice. */
export const resolve: Act = async (c, own) => {
  const { form } = own
  const operation_id = form.get('operation_id') ?? ''
  const happened = form.get('outcome') === 'happened'
  const operations = c.var.services.unresolved
  const one = (await operations.list()).find((listed) => listed.operation_id === operation_id)
  if (!one) return nothingChanged(c, NOT_RESOLVED['nothing to resolve'])
  if ((form.get('part') ?? undefined) !== one.part)
    return nothingChanged(c, NOT_RESOLVED['other part'])
  const typed = MADE_NAMES.map((name) => [name, form.get(name)?.trim() || undefined])
  const { facts: given, wrong } = madeFacts(happened ? Object.fromEntries(typed) : {})
  if (wrong.length > 0) return formAgain(c, own, showHome, Object.fromEntries(wrong))
  await wantProof(c, own, {
    question: happened ? 'Did it happen?' : 'Did it not happen?',
    changes: [
      `${operationTitle(one.operation)}, sent on ${localTime(Date.parse(one.since), clockOf(c).zone)}: ` +
        `${one.part ?? 'did it happen?'} ${happened ? 'Yes' : 'No'}.`,
      ...given.map(([, value]) => `What was made: ${value}`),
      happened
        ? 'The connector then treats it as done.'
        : 'The connector then treats it as not done, and your agent can ask for it again.',
      ...(one.part === undefined
        ? []
        : ['It then finishes the whole change, or undoes it as far as it can.']),
    ],
    facts: [operation_id, one.part ?? '', String(happened), ...given.flat()],
    verb: 'Confirm with your passkey',
  })
  const verdict = await operations.resolve(
    operation_id,
    happened,
    Object.fromEntries(given),
    one.part,
  )
  if (verdict === 'facts missing') {
    const wanted = 'Enter the id of what was made, and its address if it has one.'
    const isMissing = ([name]: readonly [string, string]) =>
      !given.some(([known]) => known === name)
    const [missing = ''] = (MADE[one.operation] ?? []).find(isMissing) ?? []
    return formAgain(c, own, showHome, { [missing]: wanted })
  }
  if (verdict !== 'resolved') return nothingChanged(c, NOT_RESOLVED[verdict])
  c.var.note({ event: 'resolution', code: happened ? 'happened' : 'did_not_happen', operation_id })
  return 'resolved'
}
