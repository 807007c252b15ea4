import type { Context } from 'hono'
import { html } from 'hono/html'
import { isTrial } from '../access/owner-services.ts'
import { notePage, page } from '../access/pages/layout.ts'
import { goodEnrolment } from '../access/passkey-enrolment.ts'
import { isForeign, openTrialSession } from '../access/session.ts'
import { HOUR } from '../domain/duration.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'

/** As long as a used link is remembered; it ends before. */
const REMEMBERED = 48 * HOUR

/** The page behind the link of a local trial. Opening it uses nothing up, so whatever looks at links does no harm. */
export function trialPage(c: Context<AppEnv>): Response | Promise<Response> {
  const asked = c.req.query('token') ?? ''
  const token = /^enr_[\w-]{10,80}$/.test(asked) ? asked : ''
  const body = html`<h1>Try the owner's console</h1>
    <p>
      Mock providers, nothing real. You can look, pause, and set stricter rules; what wants a passkey is not
      done.
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
  if (hash === undefined || !(await access.takeTrialLink(hash, now + REMEMBERED))) return refused(c)
  await openTrialSession(c, access)
  return c.redirect('/owner', 303)
}

function refused(c: Context<AppEnv>): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  const text =
    'It was used, has ended, or is not complete. Start the connector again for a new one: npm start'
  return c.html(notePage('This link is not good', c.var.site().practice.name, text), 403)
}
