import type { Hono } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'
import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { withOwnerOrTrial } from '../access/owner-pages.ts'
import { decideApproval, showApproval, showApprovals } from './approvals/handlers.ts'
import { exportAudit, noteReview, showAudit, showEntry } from './audit/handlers.ts'
import {
  disconnectApp,
  makeOwnersKey,
  revokeOwnersKey,
  showCaller,
  showCallers,
  showConnect,
  showNewKey,
} from './callers/handlers.ts'
import {
  deleteClient,
  exportClient,
  searchClients,
  withdrawLink,
  withdrawLinksOfCaller,
  showClients,
  showClient,
} from './clients/handlers.ts'
import {
  dismissRefusals,
  keepAccess,
  letIn,
  repaired,
  resolve,
  showHome,
  showNow,
} from './home/handlers.ts'
import { showMoney } from './money/handlers.ts'
import { pauseCallers, resumeCallers, setRules } from './rules/handlers.ts'
import {
  examine,
  inviteApprover,
  testAlert,
  withdrawInvitation,
  addPasskey,
  namePasskey,
  removePasskey,
  signOut,
  signOutEverywhere,
  showHealth,
  showPasskeys,
  showPeople,
  showRules,
} from './settings/handlers.ts'
import { type Act, type Show, handlerOf, pageOf, type Back, pageAfter } from './shell/handlers.ts'
import { callerPath } from './shell/items.ts'
import { NOW_PATH, WEBHOOKS } from './shell/shell.ts'
import {
  addWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  testWebhook,
  showWebhooks,
} from './webhooks/handlers.ts'

const APPROVERS = '/owner/settings/people'

const SHOWN: readonly [path: string, operation: string, show: Show][] = [
  ['/owner', 'owner_page', showHome],
  ['/owner/audit', 'owner_audit', showAudit],
  ['/owner/audit/:index', 'owner_audit', showEntry],
  ['/owner/callers', 'owner_callers', showCallers],
  ['/owner/callers/new', 'owner_callers', showNewKey],
  ['/owner/connect', 'owner_callers', showConnect],
  ['/owner/callers/:caller', 'owner_callers', showCaller],
  ['/owner/clients', 'owner_clients', showClients],
  ['/owner/money', 'owner_money', showMoney],
  ['/owner/clients/:client_id', 'owner_clients', showClient],
  ['/owner/settings', 'owner_settings', showRules],
  ['/owner/settings/passkeys', 'owner_settings', showPasskeys],
  [APPROVERS, 'owner_settings', showPeople],
  ['/owner/settings/health', 'owner_settings', showHealth],
  [WEBHOOKS, 'owner_settings', showWebhooks],
]

/** To the page of the caller that a form is about; `everybody` is where all callers are. */
const toCaller =
  (everybody: string): Back =>
  (form) => {
    const caller = form.get('caller') ?? EVERYBODY
    return caller === EVERYBODY ? everybody : callerPath(caller)
  }

/** What each form does, by which operation the log knows it, and on which page it ends. */
export const FORMS: readonly [path: string, operation: string, act: Act, back: Back][] = [
  ['/owner/pause', 'owner_pause', pauseCallers, toCaller('/owner')],
  ['/owner/resume', 'owner_resume', resumeCallers, toCaller('/owner')],
  ['/owner/rules', 'owner_rules', setRules, toCaller('/owner/settings')],
  ['/owner/unresolved', 'owner_unresolved', resolve, '/owner'],
  ['/owner/refusals/dismiss', 'owner_dismiss_refusals', dismissRefusals, '/owner'],
  ['/owner/repaired', 'owner_repaired', repaired, '/owner'],
  ['/owner/access-review', 'owner_review_access', keepAccess, '/owner'],
  ['/owner/restored/let-in', 'owner_let_in', letIn, '/owner'],
  ['/owner/audit/export', 'owner_export_audit', exportAudit, '/owner/audit'],
  ['/owner/audit/review', 'owner_review_audit', noteReview, '/owner/audit'],
  ['/owner/apps/revoke', 'owner_revoke_app', disconnectApp, '/owner/callers'],
  ['/owner/keys/revoke', 'owner_revoke_key', revokeOwnersKey, '/owner/callers'],
  ['/owner/keys/make', 'owner_make_key', makeOwnersKey, '/owner/callers'],
  ['/owner/webhooks/add', 'owner_add_webhook', addWebhook, WEBHOOKS],
  ['/owner/webhooks/test', 'owner_test_webhook', testWebhook, WEBHOOKS],
  ['/owner/webhooks/pause', 'owner_pause_webhook', pauseWebhook, WEBHOOKS],
  ['/owner/webhooks/resume', 'owner_resume_webhook', resumeWebhook, WEBHOOKS],
  ['/owner/webhooks/remove', 'owner_remove_webhook', removeWebhook, WEBHOOKS],
  ['/owner/clients', 'owner_clients', searchClients, '/owner/clients'],
  ['/owner/links/withdraw', 'owner_withdraw_link', withdrawLink, '/owner/clients'],
  ['/owner/links/withdraw-all', 'owner_withdraw_links', withdrawLinksOfCaller, '/owner/clients'],
  ['/owner/clients/export', 'owner_export_client', exportClient, '/owner/clients'],
  ['/owner/clients/delete', 'owner_delete_client', deleteClient, '/owner/clients'],
  ['/owner/passkeys/add', 'owner_add_passkey', addPasskey, '/owner/settings/passkeys'],
  ['/owner/passkeys/name', 'owner_name_passkey', namePasskey, '/owner/settings/passkeys'],
  ['/owner/passkeys/remove', 'owner_remove_passkey', removePasskey, '/owner/settings/passkeys'],
  ['/owner/approvers/invite', 'owner_invite_approver', inviteApprover, APPROVERS],
  ['/owner/approvers/remove', 'owner_remove_passkey', removePasskey, APPROVERS],
  ['/owner/approvers/withdraw', 'owner_withdraw_invitation', withdrawInvitation, APPROVERS],
  ['/owner/doctor', 'owner_doctor', examine, '/owner/settings/health'],
  ['/owner/alerts/test', 'owner_test_alert', testAlert, '/owner/settings/health'],
  ['/owner/sign-out-everywhere', 'owner_sign_out', signOutEverywhere, '/owner'],
]

export function addConsoleRoutes(app: Hono<AppEnv>) {
  app.get(NOW_PATH, withOwnerOrTrial('owner_page', showNow))
  app.get(
    '/owner/approvals',
    withOwnerOrTrial('owner_approvals', pageOf(showApprovals, 'approver')),
  )
  app.get(
    '/approve/:operation_id',
    withOwnerOrTrial('owner_approval', pageOf(showApproval, 'approver')),
  )
  app.post('/approve/:operation_id', withOwnerOrTrial('owner_decide', decideApproval))
  app.post('/owner/sign-out', withOwnerOrTrial('owner_sign_out', signOut))
  for (const [path, operation, act, back] of FORMS) {
    app.post(path, withOwnerOrTrial(operation, handlerOf(act, back)))
    // What a form answered can be opened again by its address: then it is the page that the form stands on.
    const page = pageAfter(back, new URLSearchParams())
    if (page !== path)
      app.get(
        path,
        withOwnerOrTrial(operation, (c) => c.redirect(page)),
      )
  }
  for (const [path, operation, show] of SHOWN)
    app.get(path, withOwnerOrTrial(operation, pageOf(show, 'owner')))
}
