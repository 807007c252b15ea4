import { type ConnectedApp, callerOfApp } from '../access/oauth-identity.ts'
import { OWNER, callerOfKey } from '../access/principal.ts'
import { SECOND } from '../domain/duration.ts'
import type { ApiKey, Passkey } from '../ports/access.ts'
import type { OwnerItem } from './home.ts'

export const appItem = (app: ConnectedApp, lastUsedOn: string | undefined): OwnerItem => ({
  id: app.grantId,
  name: app.name,
  host: app.host,
  since: app.createdAt * SECOND,
  lastUsedOn: lastUsedOn ?? null,
  scopes: app.scopes,
  ended: false,
  ...(app.identity !== undefined && { caller: callerOfApp(app.identity) }),
})

export function keyItem(key: ApiKey, now: number): OwnerItem {
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

/** The key that the deploy command printed: it is a setting, and its use is not recorded. */
export const ownerKeyItem: OwnerItem = {
  id: OWNER.caller,
  name: 'Your first key',
  since: null,
  lastUsedOn: undefined,
  scopes: OWNER.scopes,
  ended: false,
  stays: 'It ends when the setting OWNER_KEY_SHA256 is removed.',
  caller: OWNER.caller,
}
