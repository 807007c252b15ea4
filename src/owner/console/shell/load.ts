import type { AppContext } from '../../../api/http/app-env.ts'
import type { Html } from '../../../api/pages/layout.ts'
import { callerOfCredential } from '../../../core/domain/audit/entry.ts'
import type { Mode } from '../../../core/domain/mode.ts'
import type { RecordKind } from '../../../core/domain/records.ts'
import { EVERYBODY, changesLeft as leftOf } from '../../../core/domain/rules/house-rules.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import type { ApiKey, Approver, Passkey } from '../../../core/ports/access.ts'
import type { WaitingChange } from '../../../core/ports/confirmation.ts'
import type { RecordEntry } from '../../../core/ports/records.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import { needsNoPerson } from '../../../practice/operations/house-rules.ts'
import { connectedApps } from '../../access/connected-apps.ts'
import { type ConnectedApp, callerOfApp } from '../../access/oauth-identity.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { isOwners } from '../../access/passkey.ts'
import { ANONYMOUS, OWNER, type Principal, TRIAL, callerOfKey } from '../../access/principal.ts'
import type { Session } from '../../access/session.ts'
import { type Clock, dayText } from './dates.ts'
import {
  type CallerItem,
  type CallerItems,
  type CallerNames,
  OTHERS,
  type OwnerItem,
  callerNamesOf,
  nameOf,
} from './items.ts'
import { NO_PROVIDER_PAGES, providerPagesOf } from './provider-pages.ts'
import { type PagePath, type Part, type SentForm, type ShellView, setOf } from './shell.ts'

const DEADLINE = 2 * SECOND

/**
 * Asks for a part of a page: one that fails or takes too long hides no other, since the owner comes
 * when things are broken. `deadline` in milliseconds.
 */
export async function part<T>(ask: () => Promise<T>, deadline = DEADLINE): Promise<Part<T>> {
  // Called in here, so that one that throws at once is only a part too.
  const asked = (async () => ask())()
  const found = await withTimeout(asked, deadline).catch(() => 'late' as const)
  return found === 'late' ? 'unread' : found
}

export const clockOf = (c: AppContext): Clock => ({
  now: Date.now(),
  zone: c.var.site().practice.timezone,
})

/** A page that someone opens: the owner, or where it is said a person who approves. */
export interface Visit {
  session: Session
  done?: Html | string | undefined
  /** The form that was refused, which the page shows again. */
  refused?: SentForm | undefined
}

export async function shellOf(
  c: AppContext,
  path: PagePath,
  { session, done, refused }: Visit,
): Promise<ShellView> {
  const { practice, modes } = c.var.site()
  const { houseRules } = c.var.services
  const [rules, waiting, providers] = await Promise.all([
    part(() => houseRules.all()),
    waitingChanges(c),
    part(async () => providerPagesOf(c.var.services)),
  ])
  const most = setOf(rules, EVERYBODY).rules.changes_a_day
  const left =
    most === null ? null : await part(async () => leftOf(await houseRules.appliedTo(EVERYBODY)))
  return {
    place: practice.name,
    path,
    rules,
    modes,
    csrf: session.csrf,
    clock: clockOf(c),
    done,
    isTrial: session.isTrial,
    isOwner: session.approver === null,
    waiting,
    providers: providers === 'unread' ? NO_PROVIDER_PAGES : providers,
    usedUp: left === 0 ? (most ?? 0) : undefined,
    refused,
  }
}

/**
 * The changes that a person has to approve. The list leaves out a change that a looser rule has
 * released, and one whose caller lost its access; their own pages still offer to decline them.
 */
export async function waitingChanges(c: AppContext): Promise<Part<WaitingChange[]>> {
  const { approvals, houseRules } = c.var.services
  const asked = await part(() => approvals.waiting())
  if (asked === 'unread' || asked.length === 0) return asked
  const callers = [...new Set(asked.map(({ caller }) => caller))]
  const [rules, ...ended] = await Promise.all([
    part(() => houseRules.all()),
    ...callers.map((caller) => hasEnded(c, caller)),
  ])
  return asked.filter(
    (one) =>
      !ended[callers.indexOf(one.caller)] && (rules === 'unread' || !needsNoPerson(rules, one)),
  )
}

/**
 * Whether the access of a caller has ended. The list of apps may lack one that was connected a moment
 * ago, and what a setting lets in is on none.
 */
export async function hasEnded(c: AppContext, caller: string): Promise<boolean> {
  if (!/^(?:key|oauth):/.test(caller)) return false
  return (await part(() => c.var.services.access.standingOf(caller))) === undefined
}

export async function callerItems(c: AppContext): Promise<CallerItems> {
  const [apps, keys, approvers] = await Promise.all([
    part(() => appItems(c)),
    part(() => keyItems(c)),
    part(() => approverNames(c)),
  ])
  return { apps, keys, approvers }
}

/** What callers are called, by the names that the audit log has for them. */
export const callerNames = async (c: AppContext): Promise<CallerNames> =>
  callerNamesOf(await callerItems(c))

/**
 * A page of records, the newest first: from before the number that the address has under `place` on;
 * `older` is the number for the page after it, undefined on the last one.
 */
export async function recordsOnPage(
  c: AppContext,
  place: string,
  { kind, mode, limit }: { kind: RecordKind; mode: Mode; limit: number },
): Promise<{ shown: RecordEntry[]; older: number | undefined }> {
  const given = Number(c.req.query(place) ?? Number.MAX_SAFE_INTEGER)
  const before = Number.isSafeInteger(given) ? given : Number.MAX_SAFE_INTEGER
  // One more says whether there is another page.
  const entries = await c.var.services.records.newest(kind, mode, before, limit + 1)
  const shown = entries.slice(0, limit)
  return { shown, older: entries.length > limit ? shown.at(-1)?.seq : undefined }
}

/** The names of those who approve; of one who did, with the days from which and until which they could. */
async function approverNames(c: AppContext): Promise<Pick<OwnerItem, 'caller' | 'name'>[]> {
  const { timezone } = c.var.site().practice
  return (await c.var.services.access.owner.approvers()).map(
    ({ credential, name, since, until }) => {
      const days = until && ` (from ${dayText(since, timezone)} until ${dayText(until, timezone)})`
      return { caller: callerOfCredential(credential), name: name + (days ?? '') }
    },
  )
}

async function appItems(c: AppContext): Promise<CallerItem[]> {
  const [apps, days] = await Promise.all([connectedApps(c), c.var.services.access.grants.uses()])
  return apps.map((app) => appItem(app, days[app.grantId]))
}

async function keyItems(c: AppContext): Promise<CallerItem[]> {
  const { access, hasOwnerKey } = c.var.services
  const now = Date.now()
  const kept = await access.listKeys()
  const names = new Map([
    ...kept.map(({ id, name }) => [callerOfKey(id), name] as const),
    ...OTHERS,
  ])
  const keys = kept.map((key) =>
    keyItem(key, now, key.created_by === OWNER_ID ? 'you' : nameOf(names, key.created_by)),
  )
  return [...(await trialItems(c)), ...(hasOwnerKey ? [ownerKeyItem] : []), ...keys]
}

/** The callers of a local trial; the use of them is recorded where it is one of `npm start`. */
async function trialItems(c: AppContext): Promise<CallerItem[]> {
  if (!c.var.site().allowAnonymous) return []
  const { access, trialKeyHash } = c.var.services
  if (trialKeyHash === undefined) return [anonymousItem]
  const uses = await access.grants.uses()
  return [trialItem, anonymousItem].map((item) => ({ ...item, lastUsedOn: uses[item.id] ?? null }))
}

const appItem = (app: ConnectedApp, lastUsedOn: string | undefined): CallerItem => ({
  kind: 'app',
  id: app.grantId,
  name: app.name,
  host: app.host,
  since: app.createdAt * SECOND,
  lastUsedOn: lastUsedOn ?? null,
  scopes: app.scopes,
  ...(app.identity !== undefined && { caller: callerOfApp(app.identity) }),
})

function keyItem(key: ApiKey, now: number, madeBy: string): CallerItem {
  const { id, name, created_at: since, last_used_on: lastUsedOn, expires_at, revoked_at } = key
  const at = revoked_at ?? expires_at
  const ended = revoked_at !== null || (at !== null && at <= now)
  const endsAt = ended ? 'ended' : 'ends'
  const word = revoked_at === null ? endsAt : 'revoked'
  return {
    kind: 'key',
    id,
    name,
    since,
    lastUsedOn,
    ...(at !== null && { end: { word, at } }),
    scopes: ended ? [] : key.scopes,
    ended,
    madeBy,
    caller: callerOfKey(id),
  }
}

/** The passkeys of the owner; the last one stays. */
export const ownersPasskeys = (all: readonly Passkey[]): OwnerItem[] =>
  all.filter(isOwners).map((one, i, { length }) => ({
    ...passkeyItem(one, `Passkey ${i + 1}`),
    ...(length === 1 && {
      stays: 'Your only passkey. Add another one before you remove it.',
    }),
  }))

export const approversPasskeys = (all: readonly Passkey[]): OwnerItem[] =>
  all.filter((one) => !isOwners(one)).map((one) => passkeyItem(one, 'A person without a name'))

const passkeyItem = ({ id, name, createdAt, lastUsedOn }: Passkey, called: string): OwnerItem => ({
  id,
  name: name ?? called,
  since: createdAt,
  lastUsedOn,
})

/** Those who approved, and were removed: shown for memory. */
export const formerApprovers = (approvers: readonly Approver[]): OwnerItem[] =>
  approvers.flatMap(({ credential: id, name, since, until }) =>
    until === null
      ? []
      : { id, name, since, end: { word: 'removed' as const, at: until }, ended: true },
  )

/** The key that the deploy command printed: it is a setting, and its use is not recorded. */
const ownerKeyItem = itemOfSetting(
  OWNER,
  'API key, made with the connector itself',
  'To end it, remove the setting OWNER_KEY_SHA256.',
)
const trialItem = itemOfSetting(
  TRIAL,
  'The key that npm start prints',
  'It works on this computer only, and only while everything is mock.',
)
const anonymousItem = itemOfSetting(
  ANONYMOUS,
  'Program on this computer, without a key',
  'To end it, remove the setting ALLOW_ANONYMOUS.',
)

/** A caller that a setting lets in: what it is in words, and how its access ends. */
function itemOfSetting({ caller, scopes }: Principal, what: string, stays: string): CallerItem {
  const name = OTHERS.get(caller)!
  return { kind: 'key', id: caller, caller, name, scopes, stays, since: { what } }
}
