import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { readBody } from '../../http/body.ts'
import { problem } from '../../domain/problem.ts'
import { slowDown } from '../throttle.ts'
import { type Open, clientAddress } from '../owner-services.ts'
import { OWNER_ID } from '../oauth-server.ts'
import { goodEnrolment } from '../passkey-enrolment.ts'
import { type PasskeyServices, newPasskey, passkeyOptions, provesPasskey } from '../passkey.ts'
import { isForeign, isFresh, openSession, sessionOf } from '../session.ts'
import { SCRIPT_PATH, STYLE, STYLE_PATH } from './layout.ts'
import { PASSKEY_SCRIPT } from './passkey-script.ts'
import { enrolPage } from './sign-in.ts'

/** Adds the enrolment page and what its script and that of the sign-in page ask. */
export function addPasskeyRoutes(app: Hono<AppEnv>, open: Open): void {
  const asset = (text: string, type: string) => async (c: Context<AppEnv>) =>
    c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=300' })
  app.get(STYLE_PATH, open('owner_page', asset(STYLE, 'text/css')))
  app.get(SCRIPT_PATH, open('owner_page', asset(PASSKEY_SCRIPT, 'text/javascript')))
  app.get(
    '/owner/enrol',
    open('owner_page', async (c) => {
      const { origin, practice } = c.var.site()
      return c.html(enrolPage(practice.name, origin))
    }),
  )
  app.post(
    '/owner/passkey/options',
    open('owner_passkey', (c) => options(c)),
  )
  app.post(
    '/owner/passkey/enrol',
    open('owner_enrol', (c) => enrol(c)),
  )
  app.post(
    '/owner/passkey/sign-in',
    open('owner_sign_in', (c) => signIn(c)),
  )
}

async function options(c: Context<AppEnv>): Promise<Response> {
  const asked = await ownJson(c)
  const purpose = asked['purpose'] === 'enrol' ? 'enrol' : 'sign-in'
  if (purpose === 'enrol') await mayEnrol(c, asked['token'])
  return c.json(await passkeyOptions(await servicesOf(c), purpose))
}

async function enrol(c: Context<AppEnv>): Promise<Response> {
  const asked = await ownJson(c)
  const access = c.var.services.access
  const enrolment = await mayEnrol(c, asked['token'])
  const made = await newPasskey(await servicesOf(c), asked['credential'])
  if (!made) throw problem('unauthenticated', { detail: 'The passkey could not be checked. Try again.' })
  if (!(await access.enrol(made.passkey, made.challenge, enrolment))) throw staleLink()
  if (enrolment !== undefined) await openSession(c, access)
  c.var.log.caller = OWNER_ID
  c.var.note({ event: 'enrolment', code: 'added' })
  return c.json({})
}

async function signIn(c: Context<AppEnv>): Promise<Response> {
  const answer = await ownJson(c)
  const access = c.var.services.access
  // A right answer never waits: nobody can guess one, and a stranger may share the owner's network.
  const proof = await provesPasskey(await servicesOf(c), answer)
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

/** The hash of a good enrolment token, or undefined for the owner who has just used a passkey and adds another. */
async function mayEnrol(c: Context<AppEnv>, token: unknown): Promise<string | undefined> {
  const access = c.var.services.access
  const session = token === undefined ? await sessionOf(c, access) : undefined
  if (session && isFresh(session)) return undefined
  if (session)
    throw problem('unauthenticated', {
      detail:
        'To add a passkey, use one that you have first: the last time is more than five minutes ago. Load this page again.',
      next_step: 'Load the page of the owner again and sign in.',
    })
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

async function servicesOf(c: Context<AppEnv>): Promise<PasskeyServices> {
  const { origin, practice } = c.var.site()
  const place = { origin, name: practice.name }
  return { access: c.var.services.access, keyring: await c.var.services.keyring(), place, now: Date.now() }
}

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
