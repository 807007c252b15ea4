import type { Hono } from 'hono'
import { withOwnerOrTrial } from '../access/owner-services.ts'
import { EVERYBODY } from '../domain/house-rules.ts'
import type { AppEnv } from '../http/app-env.ts'
import { asset } from '../http/asset.ts'
import {
  type Act,
  type Show,
  addPasskey,
  disconnectApp,
  handlerOf,
  pageOf,
  removePasskey,
  revokeOwnersKey,
  signOut,
  signOutEverywhere,
} from './acts.ts'
import { decideApproval, showApproval, showApprovals } from './approvals.ts'
import { exportAudit, noteReview, showAudit, showEntry } from './audit-load.ts'
import { callerPath } from './caller-names.ts'
import { showCaller, showCallers } from './callers-load.ts'
import { settle, showHome, showNow } from './home-load.ts'
import { deleteClient, findPerson, showPeople } from './people-load.ts'
import { NOW_PATH, RENEW_SCRIPT, RENEW_SCRIPT_PATH } from './renew-script.ts'
import { openTrial, trialPage } from './trial.ts'
import { removeOwnersWebhook, resumeOwnersWebhook } from './webhook-acts.ts'
import { pauseCallers, resumeCallers, setRules } from './rules-acts.ts'
import { examine, inviteApprover, showSettings } from './settings-load.ts'

const SHOWN: readonly [path: string, operation: string, show: Show][] = [
  ['/owner', 'owner_page', showHome],
  ['/owner/audit', 'owner_audit', showAudit],
  ['/owner/audit/:index', 'owner_audit', showEntry],
  ['/owner/callers', 'owner_callers', showCallers],
  ['/owner/callers/:caller', 'owner_callers', showCaller],
  ['/owner/people', 'owner_people', showPeople],
  ['/owner/settings', 'owner_settings', showSettings],
]

type Back = (form: URLSearchParams) => string

const to =
  (path: string): Back =>
  () =>
    path
/** To the page of the caller that a form is about; `everybody` is where all callers are. */
const toCaller =
  (everybody: string): Back =>
  (form) => {
    const caller = form.get('caller') ?? EVERYBODY
    return caller === EVERYBODY ? everybody : callerPath(caller)
  }

/** What each form does, by which operation the log knows it, and on which page it ends. */
const FORMS: readonly [path: string, operation: string, act: Act, back: Back][] = [
  ['/owner/pause', 'owner_pause', pauseCallers, toCaller('/owner')],
  ['/owner/resume', 'owner_resume', resumeCallers, toCaller('/owner')],
  ['/owner/rules', 'owner_rules', setRules, toCaller('/owner/settings')],
  ['/owner/doubts', 'owner_doubts', settle, to('/owner')],
  ['/owner/audit/export', 'owner_export_audit', exportAudit, to('/owner/audit')],
  ['/owner/audit/review', 'owner_review_audit', noteReview, to('/owner/audit')],
  ['/owner/apps/revoke', 'owner_revoke_app', disconnectApp, to('/owner/callers')],
  ['/owner/keys/revoke', 'owner_revoke_key', revokeOwnersKey, to('/owner/callers')],
  ['/owner/webhooks/remove', 'owner_remove_webhook', removeOwnersWebhook, toCaller('/owner/callers')],
  ['/owner/webhooks/resume', 'owner_resume_webhook', resumeOwnersWebhook, toCaller('/owner/callers')],
  ['/owner/people', 'owner_people', findPerson, to('/owner/people')],
  ['/owner/people/delete', 'owner_delete_client', deleteClient, to('/owner/people')],
  ['/owner/passkeys/add', 'owner_add_passkey', addPasskey, to('/owner/settings')],
  ['/owner/passkeys/remove', 'owner_remove_passkey', removePasskey, to('/owner/settings')],
  ['/owner/approvers/invite', 'owner_invite_approver', inviteApprover, to('/owner/settings')],
  ['/owner/doctor', 'owner_doctor', examine, to('/owner/settings')],
  ['/owner/sign-out-everywhere', 'owner_sign_out', signOutEverywhere, to('/owner')],
]

/** Adds the owner's console: its pages, and all that their forms do. */
export function addConsoleRoutes(app: Hono<AppEnv>): void {
  app.get(RENEW_SCRIPT_PATH, withOwnerOrTrial('owner_page', asset(RENEW_SCRIPT, 'text/javascript')))
  app.get(NOW_PATH, withOwnerOrTrial('owner_page', showNow))
  app.get('/owner/trial', withOwnerOrTrial('owner_trial', trialPage))
  app.post('/owner/trial', withOwnerOrTrial('owner_trial', openTrial))
  app.get('/owner/approvals', withOwnerOrTrial('owner_approvals', showApprovals))
  app.get('/approve/:operation_id', withOwnerOrTrial('owner_approval', showApproval))
  app.post('/approve/:operation_id', withOwnerOrTrial('owner_decide', decideApproval))
  app.post('/owner/sign-out', withOwnerOrTrial('owner_sign_out', signOut))
  for (const [path, operation, show] of SHOWN) app.get(path, withOwnerOrTrial(operation, pageOf(show)))
  for (const [path, operation, act, back] of FORMS)
    app.post(path, withOwnerOrTrial(operation, handlerOf(act, back)))
}
