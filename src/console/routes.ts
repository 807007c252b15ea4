import type { Hono } from 'hono'
import { withOwner } from '../access/owner-services.ts'
import type { AppEnv } from '../http/app-env.ts'
import {
  type Act,
  addPasskey,
  disconnectApp,
  formOf,
  removePasskey,
  revokeKey,
  showHome,
  signOut,
} from './acts.ts'
import { decideApproval, showApproval, showApprovals } from './approvals.ts'
import { pause, resume, setRules } from './rules-acts.ts'

/** What each form of the page does, and by which operation the log knows it. */
const FORMS: readonly [path: string, operation: string, act: Act][] = [
  ['/owner/pause', 'owner_pause', pause],
  ['/owner/resume', 'owner_resume', resume],
  ['/owner/rules', 'owner_rules', setRules],
  ['/owner/apps/revoke', 'owner_revoke_app', disconnectApp],
  ['/owner/keys/revoke', 'owner_revoke_key', revokeKey],
  ['/owner/passkeys/add', 'owner_add_passkey', addPasskey],
  ['/owner/passkeys/remove', 'owner_remove_passkey', removePasskey],
  ['/approve/:operation_id', 'owner_decide', decideApproval],
  ['/owner/sign-out', 'owner_sign_out', signOut],
]

/** Adds the owner's console: its page, and all that its forms do. */
export function addConsoleRoutes(app: Hono<AppEnv>): void {
  app.get('/owner', withOwner('owner_page', showHome))
  app.get('/owner/approvals', withOwner('owner_approvals', showApprovals))
  app.get('/approve/:operation_id', withOwner('owner_approval', showApproval))
  for (const [path, operation, act] of FORMS) app.post(path, withOwner(operation, formOf(act)))
}
