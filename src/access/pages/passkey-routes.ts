import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { asset } from '../../http/read-answer.ts'
import { readBody } from '../../http/body.ts'
import { problem } from '../../domain/problem/problem.ts'
import type { PasskeyRole } from '../../ports/access.ts'
import { slowDown } from '../throttle.ts'
import { clientAddress, pageUnderName, withOwner, withOwnerOrTrial } from '../owner-services.ts'
import { passkeyServices } from '../fresh-proof.ts'
import { goodEnrolment, openInvitation } from '../passkey-enrolment.ts'
import { callerOfPasskey, factsOfPasskey, newPasskey, passkeyOptions, provenPasskey } from '../passkey.ts'
import { isForeign, openSession, sessionOf } from '../session.ts'
import { SCRIPT_PATH, STYLE, STYLE_PATH } from './layout.ts'
import { PASSKEY_SCRIPT } from './passkey-script.ts'
import { INVITATION_PATH, enrolPage, invitationPage } from './sign-in.ts'

export function addPasskeyRoutes(app: Hono<AppEnv>): void {
  app.get(STYLE_PATH, withOwnerOrTrial('owner_page', asset(STYLE, 'text/css')))
  app.get(SCRIPT_PATH, withOwnerOrTrial('owner_page', asset(PASSKEY_SCRIPT, 'text/javascript')))
  app.get('/owner/enrol', withOwner('owner_page', enrolment))
  app.get(INVITATION_PATH, withOwner('owner_page', invitation))
  app.post('/owner/passkey/options', withOwner('owner_passkey', options))
  app.post('/owner/passkey/enrol', withOwner('owner_enrol', enrol))
  app.post('/owner/passkey/sign-in', withOwner('owner_sign_in', signIn))
}

function enrolment(c: Context<AppEnv>): Response | Promise<Response> {
  return c.html(enrolPage(c.var.site().practice.name, pageUnderName(c)))
}

function invitation(c: Context<AppEnv>): Response | Promise<Response> {
  return c.html(invitationPage(c.var.site().practice.name, pageUnderName(c)))
}

async function options(c: Context<AppEnv>): Promise<Response> {
  const asked = await ownJson(c)
  const purpose = asked['purpose'] === 'enrol' ? 'enrol' : 'sign-in'
  // Whoever is signed in may have a passkey made: it is added only with a proof for just that one.
  if (purpose === 'enrol' && (asked['token'] !== undefined || !(await sessionOf(c, c.var.services.access))))
    await enrolmentOf(c, asked['token'])
  return c.json(await passkeyOptions(await passkeyServices(c), purpose))
}

async function enrol(c: Context<AppEnv>): Promise<Response> {
  const asked = await ownJson(c)
  const access = c.var.services.access
  const { hash, role } = await enrolmentOf(c, asked['token'])
  const made = await newPasskey(await passkeyServices(c), asked['credential'])
  if (!made) throw problem('unauthenticated', { detail: 'The passkey could not be checked. Try again.' })
  const passkey = { ...made.passkey, role }
  const caller = await callerOfPasskey(passkey)
  await c.var.noteBefore({ event: 'enrolment', code: 'added', caller, about: await factsOfPasskey(passkey) })
  const isAdded =
    role === 'owner'
      ? await access.owner.enrol(passkey, made.challenge, hash)
      : await access.owner.acceptInvitation(passkey, made.challenge, hash)
  if (!isAdded) throw staleLink()
  await openSession(c, access, passkey)
  c.var.log.caller = caller
  return c.json({})
}

async function signIn(c: Context<AppEnv>): Promise<Response> {
  const answer = await ownJson(c)
  const access = c.var.services.access
  // A right answer never waits: nobody can guess one, and a stranger may share the owner's network.
  const passkey = await provenPasskey(await passkeyServices(c), 'sign-in', answer, () => true)
  if (passkey === 'ended')
    throw problem('unauthenticated', {
      detail: 'The challenge that this answers is not open any more.',
      next_step: 'Sign in again.',
    })
  if (passkey === 'wrong') {
    await slowDown(access, 'sign_in', clientAddress(c))
    throw problem('unauthenticated', { detail: 'This is not a passkey of this connector.' })
  }
  await openSession(c, access, passkey)
  c.var.log.caller = await callerOfPasskey(passkey)
  c.var.note({ event: 'sign_in', code: 'ok' })
  return c.json({})
}

/** The hash of a good enrolment token or invitation, and its role. Raises `unauthenticated`, and slows down a guesser. */
async function enrolmentOf(c: Context<AppEnv>, token: unknown): Promise<{ hash: string; role: PasskeyRole }> {
  const { access, enrolmentHash } = c.var.services
  const ofOwner = await goodEnrolment(access, token, enrolmentHash, Date.now())
  if (ofOwner !== undefined) return { hash: ofOwner, role: 'owner' }
  const ofApprover = await openInvitation(access, token)
  if (ofApprover !== undefined) return { hash: ofApprover, role: 'approver' }
  await slowDown(access, 'enrol', clientAddress(c))
  throw staleLink()
}

const staleLink = () =>
  problem('unauthenticated', {
    detail: 'This link is not good: it was used, has ended, or is not complete.',
    next_step:
      'The owner makes a new one with `npm run enrol`, and gives the connector its hash. If you were invited, ask the owner for a new invitation.',
  })

async function ownJson(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const origin = c.req.header('Origin')
  if (isForeign(c) || (origin !== undefined && origin !== c.var.site().origin))
    throw problem('unauthenticated')
  // A form of another site cannot send this type without asking first.
  if (!c.req.header('Content-Type')?.startsWith('application/json')) throw problem('unsupported_media_type')
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readBody(c.req.raw)))
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
  }
  throw problem('validation_failed')
}
