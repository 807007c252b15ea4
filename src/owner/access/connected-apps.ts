import type { Context } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'
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

/** Ends what an app was granted, and its tokens; an unknown id changes nothing. */
export async function disconnect(c: Context<AppEnv>, grantId: string): Promise<void> {
  if (!GRANT.test(grantId)) return
  // Ended first, so that a refresh that is under way cannot bring the grant back.
  await c.var.services.access.grants.endGrant(grantId)
  await (await grantsOf(c)).revokeGrant(grantId, OWNER_ID)
  c.var.note({ event: 'consent', code: 'disconnected', record_id: grantId })
}

const grantsOf = async (c: Context<AppEnv>) =>
  (await oauthServer(c.var.site().origin)).getOAuthApi(c.env)
