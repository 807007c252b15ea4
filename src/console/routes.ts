import type { Hono, Context } from 'hono'
import { html } from 'hono/html'
import { withOwnerOrTrial, isTrial } from '../access/owner-services.ts'
import { EVERYBODY } from '../domain/rules/house-rules.ts'
import type { AppEnv } from '../http/app-env.ts'
import { asset } from '../http/read-answer.ts'
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
} from './shell/acts.ts'
import { decideApproval, showApproval, showApprovals } from './approvals/approvals.ts'
import { exportAudit, noteReview, showAudit, showEntry } from './audit/load.ts'
import { callerPath } from './shell/items.ts'
import { showCaller, showCallers, removeOwnersWebhook, resumeOwnersWebhook } from './callers/load.ts'
import { keepAccess, settle, showHome, showNow } from './home/load.ts'
import { withdrawLink, deleteClient, findPerson, showPeople } from './people/load.ts'
import { NOW_PATH, RENEW_SCRIPT, RENEW_SCRIPT_PATH } from './shell/shell.ts'
import { pauseCallers, resumeCallers, setRules } from './rules/acts.ts'
import { examine, inviteApprover, showSettings } from './settings/load.ts'
import { notePage, page } from '../access/pages/layout.ts'
import { goodEnrolment } from '../access/passkey-enrolment.ts'
import { isForeign, openTrialSession } from '../access/session.ts'
import { HOUR } from '../domain/time/duration.ts'
import { readBody } from '../http/body.ts'

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
  ['/owner/access-review', 'owner_review_access', keepAccess, to('/owner')],
  ['/owner/audit/export', 'owner_export_audit', exportAudit, to('/owner/audit')],
  ['/owner/audit/review', 'owner_review_audit', noteReview, to('/owner/audit')],
  ['/owner/apps/revoke', 'owner_revoke_app', disconnectApp, to('/owner/callers')],
  ['/owner/keys/revoke', 'owner_revoke_key', revokeOwnersKey, to('/owner/callers')],
  ['/owner/webhooks/remove', 'owner_remove_webhook', removeOwnersWebhook, toCaller('/owner/callers')],
  ['/owner/webhooks/resume', 'owner_resume_webhook', resumeOwnersWebhook, toCaller('/owner/callers')],
  ['/owner/people', 'owner_people', findPerson, to('/owner/people')],
  ['/owner/links/withdraw', 'owner_withdraw_link', withdrawLink, to('/owner/people')],
  ['/owner/people/delete', 'owner_delete_client', deleteClient, to('/owner/people')],
  ['/owner/passkeys/add', 'owner_add_passkey', addPasskey, to('/owner/settings')],
  ['/owner/passkeys/remove', 'owner_remove_passkey', removePasskey, to('/owner/settings')],
  ['/owner/approvers/invite', 'owner_invite_approver', inviteApprover, to('/owner/settings')],
  ['/owner/doctor', 'owner_doctor', examine, to('/owner/settings')],
  ['/owner/sign-out-everywhere', 'owner_sign_out', signOutEverywhere, to('/owner')],
]

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

/** As long as a used link is remembered; it ends before. */
const REMEMBERED = 48 * HOUR

/** The page behind the link of a local trial. Opening it uses nothing up, so whatever looks at links does no harm. */
export function trialPage(c: Context<AppEnv>): Response | Promise<Response> {
  const asked = c.req.query('token') ?? ''
  const token = /^enr_[\w-]{10,80}$/.test(asked) ? asked : ''
  const body = html`<h1>Try the owner's console</h1>
    <p>
      Mock providers, nothing real. You can look, pause, and set stricter rules. What needs a passkey does not
      work here.
    </p>
    <form method="post" action="/owner/trial">
      <input type="hidden" name="token" value="${token}" />
      <div class="row"><button class="main">Open the console</button></div>
    </form>
    <p class="soft">This link works once.</p>`
  return isTrial(c) ? c.html(page('Trial', c.var.site().practice.name, body)) : refused(c)
}

/** Opens a trial session with a link that is good and was not used yet, for a page of this machine. */
export async function openTrial(c: Context<AppEnv>): Promise<Response> {
  const { access, trialHash } = c.var.services
  const token = new URLSearchParams(new TextDecoder().decode(await readBody(c.req.raw))).get('token')
  if (!isTrial(c) || isForeign(c)) return refused(c)
  const now = Date.now()
  const hash = await goodEnrolment(access, token, trialHash, now)
  if (hash === undefined || !(await access.owner.takeTrialLink(hash, now + REMEMBERED))) return refused(c)
  await openTrialSession(c, access)
  return c.redirect('/owner', 303)
}

function refused(c: Context<AppEnv>): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  const text =
    'It was used, has ended, or is not complete. Start the connector again for a new one: npm start'
  return c.html(notePage('This link is not good', c.var.site().practice.name, text), 403)
}
