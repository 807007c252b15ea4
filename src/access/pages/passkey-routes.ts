import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { readBody } from '../../http/body.ts'
import { problem } from '../../domain/problem.ts'
import { slowDown } from '../throttle.ts'
import { clientAddress, withOwner, withOwnerOrTrial } from '../owner-services.ts'
import { OWNER_ID } from '../oauth-server.ts'
import { passkeyServices } from '../fresh-proof.ts'
import { goodEnrolment } from '../passkey-enrolment.ts'
import { factsOfPasskey, newPasskey, passkeyOptions, provesPasskey } from '../passkey.ts'
import { isForeign, openSession, sessionOf } from '../session.ts'
import { SCRIPT_PATH, STYLE, STYLE_PATH } from './layout.ts'
import { PASSKEY_SCRIPT } from './passkey-script.ts'
import { enrolPage } from './sign-in.ts'

/** Adds the enrolment page and what its script and that of the sign-in page ask. */
export function addPasskeyRoutes(app: Hono<AppEnv>): void {
  const asset = (text: string, type: string) => (c: Context<AppEnv>) =>
    c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=300' })
  app.get(STYLE_PATH, withOwnerOrTrial('owner_page', asset(STYLE, 'text/css')))
  app.get(SCRIPT_PATH, withOwnerOrTrial('owner_page', asset(PASSKEY_SCRIPT, 'text/javascript')))
  app.get('/owner/enrol', withOwner('owner_page', enrolment))
  app.post('/owner/passkey/options', withOwner('owner_passkey', options))
  app.post('/owner/passkey/enrol', withOwner('owner_enrol', enrol))
  app.post('/owner/passkey/sign-in', withOwner('owner_sign_in', signIn))
}

function enrolment(c: Context<AppEnv>): Response | Promise<Response> {
  const { origin, practice } = c.var.site()
  return c.html(enrolPage(practice.name, origin))
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
  const link = await enrolmentOf(c, asked['token'])
  const made = await newPasskey(await passkeyServices(c), asked['credential'])
  if (!made) throw problem('unauthenticated', { detail: 'The passkey could not be checked. Try again.' })
  if (!(await access.enrol(made.passkey, made.challenge, link))) throw staleLink()
  await openSession(c, access)
  c.var.log.caller = OWNER_ID
  c.var.note({ event: 'enrolment', code: 'added', about: await factsOfPasskey(made.passkey) })
  return c.json({})
}

async function signIn(c: Context<AppEnv>): Promise<Response> {
  const answer = await ownJson(c)
  const access = c.var.services.access
  // A right answer never waits: nobody can guess one, and a stranger may share the owner's network.
  const proof = await provesPasskey(await passkeyServices(c), 'sign-in', answer)
  if (proof === 'ended')
    throw problem('unauthenticated', {
      detail: 'The challenge that this answers is not open any more.',
      next_step: 'Sign in again.',
    })
  if (proof === 'wrong') {
    await slowDown(access, 'sign_in', clientAddress(c))
    throw problem('unauthenticated', { detail: 'This is not a passkey of the owner.' })
  }
  await openSession(c, access)
  c.var.log.caller = OWNER_ID
  c.var.note({ event: 'sign_in', code: 'ok' })
  return c.json({})
}

/** The hash of a good enrolment token. Raises `unauthenticated` for any other, and slows down whoever guesses. */
async function enrolmentOf(c: Context<AppEnv>, token: unknown): Promise<string> {
  const access = c.var.services.access
  const hash = await goodEnrolment(access, token, c.var.services.enrolmentHash, Date.now())
  if (hash !== undefined) return hash
  await slowDown(access, 'enrol', clientAddress(c))
  throw staleLink()
}

const staleLink = () =>
  problem('unauthenticated', {
    detail: 'This enrolment link is not good: it was used, has ended, or is not complete.',
    next_step: 'Make a new one with `npm run enrol`, and give the connector its hash.',
  })

/** The JSON object of a request from one of our own pages. */
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
