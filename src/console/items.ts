import type { ConnectedApp } from '../access/oauth-identity.ts'
import { SECOND } from '../domain/duration.ts'
import { utcDay } from '../domain/utc-day.ts'
import type { ApiKey, Passkey } from '../ports/access.ts'
import type { OwnerItem } from './home.ts'

export const appItem = (app: ConnectedApp, lastUsedOn: string | undefined): OwnerItem => ({
  id: app.grantId,
  name: app.name,
  facts: [app.host, `Since ${utcDay(app.createdAt * SECOND)} · ${lastUse(lastUsedOn)}`],
  scopes: app.scopes,
  ended: false,
})

export function keyItem(
  { id, name, scopes, created_at, expires_at, last_used_on, revoked_at }: ApiKey,
  now: number,
): OwnerItem {
  const ended = revoked_at !== null || (expires_at !== null && expires_at <= now)
  const end =
    revoked_at !== null
      ? ` · revoked ${utcDay(revoked_at)}`
      : expires_at === null
        ? ''
        : ` · ${ended ? 'ended' : 'ends'} ${utcDay(expires_at)}`
  return {
    id,
    name,
    facts: [`Since ${utcDay(created_at)} · ${lastUse(last_used_on ?? undefined)}${end}`],
    scopes: ended ? [] : scopes,
    ended,
  }
}

export const passkeyItem = (
  { id, createdAt, lastUsedOn }: Passkey,
  index: number,
  all: Passkey[],
): OwnerItem => ({
  stays: all.length === 1,
  id,
  name: `Passkey ${index + 1}`,
  facts: [`Since ${utcDay(createdAt)} · ${lastUse(lastUsedOn ?? undefined)}`],
  scopes: [],
  ended: false,
})

const lastUse = (day: string | undefined): string => (day === undefined ? 'not used yet' : `last used ${day}`)
