import type { Hono } from 'hono'
import { withOwner } from '../access/owner-services.ts'
import type { AppEnv } from '../http/app-env.ts'
import { addPasskey, disconnectApp, removePasskey, revokeKey, signOut } from './acts.ts'
import { showHome } from './load.ts'

/** Adds the owner's console: its page, and everything that its forms do. */
export function addConsoleRoutes(app: Hono<AppEnv>): void {
  app.get('/owner', withOwner('owner_page', showHome))
  app.post('/owner/apps/revoke', withOwner('owner_revoke_app', disconnectApp))
  app.post('/owner/keys/revoke', withOwner('owner_revoke_key', revokeKey))
  app.post('/owner/passkeys/add', withOwner('owner_add_passkey', addPasskey))
  app.post('/owner/passkeys/remove', withOwner('owner_remove_passkey', removePasskey))
  app.post('/owner/sign-out', withOwner('owner_sign_out', signOut))
}
