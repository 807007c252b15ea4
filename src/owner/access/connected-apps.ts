import type { Context } from 'hono'

import { type AppEnv, afterwards } from '../../api/http/app-env.ts'
import { withdrawLinksOf } from './client-links.ts'
import type { ConnectedApp } from './oauth-identity.ts'
import { OWNER_ID, oauthServer } from './oauth-server.ts'

const MOST_APPS = 200

const GRANT = /^[A-Za-z0-9_-]{1,64}$/

/** The apps that the owner connected, the latest first. */
export async function connectedApps(c: Context<AppEnv>): Promise<ConnectedApp[]> {
  const { items } = await (await grantsOf(c)).listUserGrants(OWNER_ID, { limit: MOST_APPS })
  return items
    .map(({ id: grantId, clientId, metadata, createdAt, scope: scopes }) => {
      const described = metadata as Pick<ConnectedApp, 'name' | 'host' | 'identity'>
      return { grantId, clientId, createdAt, scopes, ...described }
    })
    .toSorted((a, b) => b.createdAt - a.createdAt)
}

/**
 * Ends what an app was granted, its tokens and its open links; false if there was nothing to end
 * under this id.
 */
export async function disconnect(c: Context<AppEnv>, grantId: string): Promise<boolean> {
  if (!GRANT.test(grantId)) return false
  const { access } = c.var.services
  // Ended first, so that a refresh that is under way cannot bring the grant back.
  const caller = await access.grants.endGrant(grantId)
  // A grant of a moment ago may not be listed yet.
  const isKnown =
    caller !== undefined || (await connectedApps(c)).some((app) => app.grantId === grantId)
  await (await grantsOf(c)).revokeGrant(grantId, OWNER_ID)
  if (!isKnown) return false
  c.var.note({ event: 'consent', code: 'disconnected', record_id: grantId })
  // Another connection of the same app may remain.
  if (caller !== undefined && !(await access.standingOf(caller)))
    afterwards(c, withdrawLinksOf(c, caller))
  return true
}

const grantsOf = async (c: Context<AppEnv>) =>
  (await oauthServer(c.var.site().origin)).getOAuthApi(c.env)
