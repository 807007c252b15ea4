import type { Hono } from 'hono'
import { html } from 'hono/html'

import type { AppEnv, AppContext } from '../../../api/http/app-env.ts'
import { readForm, readFields } from '../../../api/http/body.ts'
import { MANIFEST_PATH, manifestOf } from '../../../api/pages/layout.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { HOUR } from '../../../core/domain/time/duration.ts'
import { type Fields, isFields } from '../../../core/json.ts'
import { JsonMistake } from '../../../practice/operations/hints.ts'
import { passkeyServices } from '../fresh-proof.ts'
import { isTrial, pageUnderName, withOwner, withOwnerOrTrial, noteAnswer } from '../owner-pages.ts'
import { goodEnrolment, openInvitation } from '../passkey-enrolment.ts'
import {
  callerOfPasskey,
  factsOfPasskey,
  newPasskey,
  passkeyOptions,
  provenPasskey,
} from '../passkey.ts'
import { isForeign, openSession, openTrialSession, sessionOf } from '../session.ts'
import { slowDown } from '../throttle.ts'
import { INVITATION_PATH, enrolPage, invitationPage } from './sign-in.ts'

export function addPasskeyRoutes(app: Hono<AppEnv>) {
  app.get(MANIFEST_PATH, withOwnerOrTrial('owner_page', manifest))
  app.get('/owner/trial', withOwnerOrTrial('owner_trial', trialPage))
  app.post('/owner/trial', withOwnerOrTrial('owner_trial', openTrial))
  app.get('/owner/enrol', withOwner('owner_page', making(enrolPage)))
  app.get(INVITATION_PATH, withOwner('owner_page', making(invitationPage)))
  app.post('/owner/passkey/options', withOwner('owner_passkey', options))
  app.post('/owner/passkey/enrol', withOwner('owner_enrol', enrol))
  app.post('/owner/passkey/sign-in', withOwner('owner_sign_in', signIn))
}

const manifest = (c: AppContext): Response =>
  c.body(JSON.stringify(manifestOf(c.var.site().practice.name)), 200, {
    'Content-Type': 'application/manifest+json',
    'Cache-Control': 'public, max-age=3600',
  })

/** A page on which a passkey is made. */
const making = (page: typeof enrolPage) => (c: AppContext) =>
  c.html(page(c.var.site().practice.name, pageUnderName(c)))

async function options(c: AppContext): Promise<Response> {
  const asked = await ownJson(c)
  const session = await sessionOf(c)
  if (asked['purpose'] === 'add' && !session)
    throw problem('unauthenticated', {
      detail: 'You were signed out. Load this page again, and sign in.',
    })
  const purpose = ['enrol', 'add'].includes(String(asked['purpose'])) ? 'enrol' : 'sign-in'
  // Anyone who is signed in may have a passkey made: it is added only with a proof for just that one.
  const isByLink = asked['token'] !== undefined || !session
  const { name } = purpose === 'enrol' && isByLink ? await enrolmentOf(c, asked['token']) : {}
  return c.json(await passkeyOptions(await passkeyServices(c), purpose, name))
}

async function enrol(c: AppContext): Promise<Response> {
  const asked = await ownJson(c)
  const access = c.var.services.access
  const { hash, role } = await enrolmentOf(c, asked['token'])
  const made = await newPasskey(await passkeyServices(c), asked['credential'])
  if (!made)
    throw problem('unauthenticated', { detail: 'The passkey could not be checked. Try again.' })
  const passkey = { ...made.passkey, role }
  const caller = await callerOfPasskey(passkey)
  await c.var.noteBefore({
    event: 'enrolment',
    code: 'added',
    caller,
    about: await factsOfPasskey(passkey),
  })
  const isAdded =
    role === 'owner'
      ? await access.owner.enrol(passkey, made.challenge, hash)
      : await access.owner.acceptInvitation(passkey, made.challenge, hash)
  if (!isAdded) throw staleLink()
  await openSession(c, passkey)
  c.var.log.caller = caller
  return c.json({})
}

async function signIn(c: AppContext): Promise<Response> {
  const answer = await ownJson(c)
  const access = c.var.services.access
  // A right answer never waits: no one can guess one, and a stranger may share the owner's network.
  const passkey = await provenPasskey(await passkeyServices(c), 'sign-in', answer, () => true)
  if (passkey === 'ended')
    throw problem('unauthenticated', {
      detail: 'The challenge that this answers is not open any more.',
      next_step: 'Sign in again.',
    })
  if (passkey === 'wrong') {
    await slowDown(c, 'sign_in')
    const all = await access.owner.passkeys()
    if (all.some(({ id, held }) => held && id === answer['id']))
      throw problem('unauthenticated', HELD)
    throw problem('unauthenticated', { detail: 'This is not a passkey of this connector.' })
  }
  await openSession(c, passkey)
  c.var.log.caller = await callerOfPasskey(passkey)
  c.var.note({ event: 'sign_in', code: 'ok' })
  return c.json({})
}

const HELD = {
  detail: 'This connector was restored from a backup, and this passkey is held since then.',
  next_step:
    'The owner opens the enrolment link that npm run restore printed, or one of npm run ' +
    'deploy -- --new-link, and then lets it in again on the first page of the console.',
} as const

/**
 * A good enrolment token, or an invitation with the name of the person who is invited. Raises
 * `unauthenticated`, and slows down a guesser.
 */
async function enrolmentOf(c: AppContext, token: unknown) {
  const { access, enrolmentHash } = c.var.services
  const ofOwner = await goodEnrolment(access, token, enrolmentHash, Date.now())
  if (ofOwner !== undefined) return { hash: ofOwner, role: 'owner' as const, name: undefined }
  const ofApprover = await openInvitation(access, token)
  if (ofApprover) return { ...ofApprover, role: 'approver' as const }
  await slowDown(c, 'enrol')
  throw staleLink()
}

const staleLink = () =>
  problem('unauthenticated', {
    detail:
      'This link is not good: it was used, has ended, or is not complete. ' +
      'If you have your passkey already, sign in; otherwise ask for a new link. ' +
      'If a new one has ended too, set the clock of the computer that makes it.',
    next_step:
      'The owner makes a new one with `npm run deploy -- --new-link`, or on this computer alone ' +
      'with `npm run enrol`. ' +
      'If you were invited, ask the owner for a new invitation.',
  })

async function ownJson(c: AppContext): Promise<Fields> {
  if (isForeign(c)) throw problem('unauthenticated')
  // A form of another site cannot send the type of JSON without asking first.
  const value = await readFields(c.req.raw)
  if (!isFields(value) || value instanceof JsonMistake) throw problem('validation_failed')
  return value
}

/** As long as a used link is remembered; it ends before. */
const REMEMBERED = 48 * HOUR

/**
 * The page behind the link of a local trial. Opening it uses nothing up, so whatever looks at links
 * does no harm.
 */
function trialPage(c: AppContext) {
  const asked = c.req.query('token') ?? ''
  const token = /^enr_[\w-]{10,80}$/.test(asked) ? asked : ''
  const text =
    'Nothing is really booked or paid here. You can look around, pause, and set stricter ' +
    'rules. You cannot use a passkey. This link works once.'
  const form = html`<form method="post" action="/owner/trial" class="row">
    <input type="hidden" name="token" value="${token}" />
    <button class="main">Open the console</button>
  </form>`
  return isTrial(c) ? noteAnswer(c, "Try the owner's console", text, 200, form) : trialRefused(c)
}

/** Opens a trial session with a link that is good and was not used yet, for a page of this machine. */
async function openTrial(c: AppContext) {
  const { access, trialHash } = c.var.services
  const token = (await readForm(c.req.raw)).get('token')
  if (!isTrial(c) || isForeign(c)) return trialRefused(c)
  const now = Date.now()
  const hash = await goodEnrolment(access, token, trialHash, now)
  if (hash === undefined || !(await access.owner.takeTrialLink(hash, now + REMEMBERED)))
    return trialRefused(c)
  await openTrialSession(c)
  return c.redirect('/owner', 303)
}

function trialRefused(c: AppContext) {
  c.var.log.code = 'form_refused'
  const text =
    'It was used, has ended, or is not complete. For a new one, start the connector again: npm start'
  return noteAnswer(c, 'This link is not good', text, 403)
}
