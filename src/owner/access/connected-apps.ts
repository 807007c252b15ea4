import { afterwards, type AppContext } from '../../api/http/app-env.ts'
import { withdrawLinksOf } from './client-links.ts'
import type { ConnectedApp } from './oauth-identity.ts'
import { OWNER_ID, oauthServer } from './oauth-server.ts'

const MOST_APPS = 200

const GRANT = /^[A-Za-z0-9_-]{1,64}$/

/** The apps that the owner connected, the latest first. */
export async function connectedApps(c: AppContext): Promise<ConnectedApp[]> {
  const { items } = await (await grantsOf(c)).listUserGrants(OWNER_ID, { limit: MOST_APPS })
  return items
    .map(({ id: grantId, clientId, metadata, createdAt, scope: scopes }) => {
      const described = metadata as Pick<ConnectedApp, 'name' | 'host' | 'identity'>
      return { grantId, clientId, createdAt, scopes, ...described }
    })
    .toSorted((a, b) => b.createdAt - a.createdAt)
}

/**
 * Ends one connection of an app with its tokens, and with the last one the app's open links; false if
 * there was nothing to end under this id.
 */
export async function disconnect(c: AppContext, grantId: string): Promise<boolean> {
  if (!GRANT.test(grantId)) return false
  // Ended first, so that a refresh that is under way cannot bring the grant back.
  const caller = await endConnection(c, grantId)
  // A grant of a moment ago may not be listed yet.
  const isKnown =
    caller !== undefined || (await connectedApps(c)).some((app) => app.grantId === grantId)
  await (await grantsOf(c)).revokeGrant(grantId, OWNER_ID)
  if (!isKnown) return false
  c.var.note({ event: 'consent', code: 'disconnected', record_id: grantId })
  return true
}

/**
 * Ends one connection of an app, and the open links of the app with its last one. The caller that the
 * app is; undefined if it had ended before.
 */
export async function endConnection(c: AppContext, grantId: string): Promise<string | undefined> {
  const { access } = c.var.services
  const caller = await access.grants.endGrant(grantId)
  if (caller !== undefined && !(await access.standingOf(caller)))
    afterwards(c, withdrawLinksOf(c, caller))
  return caller
}

const grantsOf = async (c: AppContext) =>
  (await oauthServer(c.var.site().origin)).getOAuthApi(c.env)
