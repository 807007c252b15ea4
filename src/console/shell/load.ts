import type { Context } from 'hono'
import type { Session } from '../../access/session.ts'
import { SECOND } from '../../domain/time/duration.ts'
import { withTimeout } from '../../with-timeout.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { type Clock, dayText } from './dates.ts'
import type { PagePath, Part, ShellView } from './shell.ts'
import { connectedApps } from '../../access/connected-apps.ts'
import { type ConnectedApp, callerOfApp } from '../../access/oauth-identity.ts'
import { OWNER, callerOfKey } from '../../access/principal.ts'
import { isOwners } from '../../access/passkey.ts'
import { APPROVER, callerOfCredential } from '../../domain/audit/entry.ts'
import type { ApiKey, Approver, Passkey } from '../../ports/access.ts'
import { OTHERS, nameOf, namesIn, type CallerItems, type OwnerItem } from './items.ts'

const DEADLINE = 2 * SECOND

/** Asks for a part of a page: one that fails or takes too long hides no other, since the owner comes when things are broken. */
export async function part<T>(ask: () => Promise<T>): Promise<Part<T>> {
  // Called in here, so that one that throws at once is only a part too.
  const asked = (async () => ask())()
  const found = await withTimeout(asked, DEADLINE).catch(() => 'late' as const)
  return found === 'late' ? 'unread' : found
}

export const clockOf = (c: Context<AppEnv>): Clock => ({
  now: Date.now(),
  zone: c.var.site().practice.timezone,
})

export interface Visit {
  session: Session
  done?: string | undefined
}

export async function shellOf(
  c: Context<AppEnv>,
  path: PagePath,
  { session, done }: Visit,
): Promise<ShellView> {
  const { practice, modes } = c.var.site()
  const rules = await part(() => c.var.services.houseRules.all())
  const { csrf, isTrial } = session
  return { place: practice.name, path, rules, modes, csrf, clock: clockOf(c), done, isTrial }
}

export async function callerItems(c: Context<AppEnv>): Promise<CallerItems> {
  const [apps, keys, approvers] = await Promise.all([
    part(() => appItems(c)),
    part(() => keyItems(c)),
    part(() => approverNames(c)),
  ])
  return { apps, keys, approvers }
}

/** What one caller is called: of the lists, only the one that can have it is read. */
export async function callerName(c: Context<AppEnv>, caller: string): Promise<string> {
  const names: Part<Pick<OwnerItem, 'caller' | 'name'>[]> = await part(async () => {
    if (caller.startsWith('oauth:')) return appItems(c)
    if (caller.startsWith('key:')) return keyItems(c)
    return caller.startsWith(APPROVER) ? approverNames(c) : []
  })
  return nameOf(namesIn([names]), caller)
}

const approverNames = async (c: Context<AppEnv>) =>
  (await c.var.services.access.owner.approvers()).map((one) => namedApprover(one, c))

async function appItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const [apps, days] = await Promise.all([connectedApps(c), c.var.services.access.grants.appUses()])
  return apps.map((app) => appItem(app, days[app.grantId]))
}

async function keyItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const { access, hasOwnerKey } = c.var.services
  const now = Date.now()
  const kept = await access.listKeys()
  const names = new Map([...kept.map(({ id, name }) => [callerOfKey(id), name] as const), ...OTHERS])
  const keys = kept.map((key) => keyItem(key, now, nameOf(names, key.created_by)))
  const withoutKey = c.var.site().allowAnonymous ? [anonymousItem] : []
  return [...withoutKey, ...(hasOwnerKey ? [ownerKeyItem] : []), ...keys]
}

const appItem = (app: ConnectedApp, lastUsedOn: string | undefined): OwnerItem => ({
  id: app.grantId,
  name: app.name,
  host: app.host,
  since: app.createdAt * SECOND,
  lastUsedOn: lastUsedOn ?? null,
  scopes: app.scopes,
  ended: false,
  ...(app.identity !== undefined && { caller: callerOfApp(app.identity) }),
})

function keyItem(key: ApiKey, now: number, madeBy: string): OwnerItem {
  const { id, name, created_at, expires_at, revoked_at } = key
  const ended = revoked_at !== null || (expires_at !== null && expires_at <= now)
  const end =
    revoked_at !== null
      ? ({ word: 'revoked', at: revoked_at } as const)
      : expires_at === null
        ? undefined
        : ({ word: ended ? 'ended' : 'ends', at: expires_at } as const)
  return {
    id,
    name,
    since: created_at,
    lastUsedOn: key.last_used_on,
    ...(end && { end }),
    scopes: ended ? [] : key.scopes,
    ended,
    madeBy,
    caller: callerOfKey(id),
  }
}

export const passkeyItem = (
  { id, createdAt, lastUsedOn }: Passkey,
  index: number,
  all: Passkey[],
): OwnerItem => ({
  id,
  name: `Passkey ${index + 1}`,
  since: createdAt,
  lastUsedOn,
  scopes: [],
  ended: false,
  ...(all.length === 1 && {
    stays: 'Add another one before you remove it: without a passkey nobody could sign in.',
  }),
})

export const approversAmong = (passkeys: readonly Passkey[]): Passkey[] =>
  passkeys.filter((one) => !isOwners(one))

export const approverItem = ({ id, name, createdAt, lastUsedOn }: Passkey): OwnerItem => ({
  id,
  name: name ?? 'Somebody',
  since: createdAt,
  lastUsedOn,
  scopes: [],
  ended: false,
})

/** Those who approved, and were removed: shown for memory. */
export const formerApproverItems = (approvers: readonly Approver[]): OwnerItem[] =>
  approvers.flatMap(({ credential, name, since, until }) =>
    until === null
      ? []
      : {
          id: credential,
          name,
          since,
          lastUsedOn: undefined,
          end: { word: 'removed' as const, at: until },
          scopes: [],
          ended: true,
        },
  )

/** The name of a person who approves; of one who did, with the days from which and until which they could. */
function namedApprover({ credential, name, since, until }: Approver, c: Context<AppEnv>) {
  const caller = callerOfCredential(credential)
  const { timezone } = c.var.site().practice
  const days = `from ${dayText(since, timezone)} until ${dayText(until ?? 0, timezone)}`
  return { caller, name: until === null ? name : `${name} (${days})` }
}

/** The key that the deploy command printed: it is a setting, and its use is not recorded. */
const ownerKeyItem = itemOfSetting(OWNER.caller, 'Your first key', 'OWNER_KEY_SHA256')
const anonymousItem = itemOfSetting('anonymous', 'Anybody on this machine', 'ALLOW_ANONYMOUS')

function itemOfSetting(caller: string, name: string, setting: string): OwnerItem {
  const stays = `It ends when the setting ${setting} is removed.`
  const use = { since: null, lastUsedOn: undefined, ended: false }
  return { id: caller, caller, name, scopes: OWNER.scopes, stays, ...use }
}
