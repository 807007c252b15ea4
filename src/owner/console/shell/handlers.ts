import type { AppContext } from '../../../api/http/app-env.ts'
import { sentTooLate } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { askToSignIn, noteAnswer } from '../../access/owner-pages.ts'
import { callerOfApprover } from '../../access/passkey.ts'
import {
  type OwnForm,
  type Session,
  approverSessionOf,
  formOfOurs,
  isFormOf,
  recall,
  remember,
} from '../../access/session.ts'
import type { Visit } from './load.ts'
import type { SentForm } from './shell.ts'

const DONE = {
  paused: 'Paused. Changes that had begun are finished, and no new one begins.',
  paused_one: 'It is paused. Changes that it had begun are finished, and it begins no new one.',
  resumed: 'Resumed. Apps and keys can act again, except those that you paused one by one.',
  resumed_one: 'It is resumed. It can act unless all are paused.',
  rules: 'The rules are saved, and apply from now on.',
  app: 'The app is disconnected. It stops within a minute.',
  known: 'You confirmed the apps and keys from before a provider was live.',
  key: 'The key is revoked. It stops within a minute.',
  webhook: 'The webhook is removed. Nothing more is sent to it.',
  webhook_resumed: 'The webhook is on again. It sends what it missed first.',
  webhook_paused: 'The webhook is paused. Its events wait until you resume it.',
  webhook_there: 'You have this webhook already. To get a new secret, remove it and add it again.',
  webhook_tested: 'The test event was delivered.',
  webhook_secret_lost:
    'Nothing was sent: its secret is lost. To give it another one, run npm run webhooks -- list, and do what that says.',
  webhook_not_tested: 'The test event was not delivered. Check the receiver, and test again.',
  added: 'The passkey is added. You can sign in with it too.',
  passkey: 'The passkey is removed, and every session that it opened is signed out.',
  named: 'The passkey has its new name.',
  alert: 'The test alert was delivered. Check that you can see it.',
  no_alert: 'The test alert was not delivered. Check the address in the setting ALERT_WEBHOOK_URL.',
  uninvited: 'The invitation is withdrawn. Its link no longer works.',
  last: 'Nothing was removed: you could not sign in without your last passkey.',
  reviewed: 'The log now records your review.',
  let_in: 'Let in again. It can do what it could when the backup was made.',
  dismissed: 'Dismissed. You see it again if it happens again.',
  repaired: 'Saved. You see it again if it is refused again.',
  resolved: 'Saved. The change is resolved.',
  deleted: 'The client is deleted. Pages may still show it for about a minute.',
  withdrawn: 'The link is withdrawn. It no longer works.',
  withdrawn_all: 'The open links of this app or key are withdrawn. They no longer work.',
  withdrawn_some: 'Some links are withdrawn, and others are left. Press the button again.',
  alert_wait:
    'No test alert was sent: the last one is less than a minute old. Wait, and press again.',
  everywhere: 'You are signed out everywhere, here too.',
}
export type ActDone = keyof typeof DONE

const SENTENCES = new Map<string | undefined, string>(Object.entries(DONE))

/** What a form does: it says what was done, or answers with a page of its own. */
export type Act = (c: AppContext, own: OwnForm) => Promise<ActDone | Response>

export type Show = (c: AppContext, visit: Visit) => Promise<string | Response>

/** Who reads a page, and what a visitor reads who has not signed in. */
const REASONS = {
  owner: 'Here you pause your agents, set their rules, and see what they did.',
  approver: 'Sign in to see the change that waits for approval, and how it ended.',
}

/** Who is signed in, whom the log then names. */
export async function signedIn(c: AppContext): Promise<Session | undefined> {
  const session = await approverSessionOf(c)
  if (session)
    c.var.log.caller =
      session.approver === null ? OWNER_ID : await callerOfApprover(session.approver)
  return session
}

/**
 * Shows a page to the owner, or also to a person who approves; to a visitor that for signing in:
 * then the same address shows the page.
 */
export const pageOf = (show: Show, reader: keyof typeof REASONS) => async (c: AppContext) => {
  const session = await signedIn(c)
  // The address alone says nothing: anyone can send the owner there.
  const recalled = recall(c)
  const done = recalled === c.req.query('done') ? SENTENCES.get(recalled) : undefined
  if (!session) return askToSignIn(c, done ?? REASONS[reader])
  if (reader === 'owner' && session.approver !== null) return c.redirect('/owner/approvals')
  const page = await show(c, { session, done })
  return page instanceof Response ? page : c.html(page)
}

/** The page on which a form ends: it may depend on what the form is about. */
export type Back = string | ((form: URLSearchParams) => string)

export const pageAfter = (back: Back, form: URLSearchParams) =>
  typeof back === 'string' ? back : back(form)

/**
 * Runs an act for a form that a page of this session sent; any other changes nothing, and one of an
 * earlier session can be sent again. Ends on the page of `back`.
 */
export const handlerOf = (act: Act, back: Back) => async (c: AppContext) => {
  const session = await approverSessionOf(c)
  const form = await formOfOurs(c)
  if (!form || typeof session?.approver === 'string') return notOwn(c)
  const end = pageAfter(back, form)
  if (!session || !isFormOf(session, form)) return sentTooLate(c, session, form, end)
  c.var.log.caller = OWNER_ID
  const done = await act(c, { session, form, back: end })
  if (done instanceof Response) return done
  remember(c, done)
  return c.redirect(`${end}?done=${done}`, 303)
}

/**
 * Answers a form in which something is wrong with its page: what was entered is there, and each
 * wrong field says what was expected. Nothing was changed.
 */
export async function formAgain(
  c: AppContext,
  { session, form }: OwnForm,
  show: Show,
  errors: SentForm['errors'],
) {
  c.var.log.code = 'validation_failed'
  const page = await show(c, { session, refused: { action: c.req.path, sent: form, errors } })
  return page instanceof Response ? page : c.html(page, 422)
}

/** Answers where there is nothing under an address, as `why` says, or where it could not be read just now. */
export const notHere = (c: AppContext, found: unknown, why: string) =>
  found === 'unread'
    ? noteAnswer(
        c,
        'Not here',
        'This could not be read just now. Load the page again in a minute.',
        503,
      )
    : noteAnswer(c, 'Not here', why, 404)

export const notOwn = (c: AppContext) =>
  nothingChanged(
    c,
    'You were signed out, or the page was too old. Open the page again, and press the button there.',
  )

export function nothingChanged(c: AppContext, why: string) {
  c.var.log.code = 'form_refused'
  return noteAnswer(c, 'Nothing was changed', why, 403)
}
