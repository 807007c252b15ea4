import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../app-env.ts'
import type { Scope } from '../../domain/scopes.ts'
import { shownName, stableIdentity } from '../oauth-clients.ts'
import { mayAsk } from '../attempts.ts'
import { type OwnerDoor, addressOf } from '../oauth-door.ts'
import type { Open } from '../oauth-routes.ts'
import { APP_SCOPES, AUTHORIZE, OWNER_ID, isFetched, oauthErrors, oauthServer } from '../oauth-server.ts'
import { newToken, sha256 } from '../session-secret.ts'
import { type Session, ownForm, sessionOf } from '../session.ts'
import { type ConsentQuestion, consentPage, returnPage } from './consent.ts'
import { notePage } from './layout.ts'
import { signInPage } from './sign-in.ts'

const TO_DECIDE = 10 * 60_000

type Helpers = Awaited<ReturnType<typeof helpersFor>>['helpers']
type AuthRequest = Awaited<ReturnType<Helpers['parseAuthRequest']>>

/** A question that was put to a session of the owner. */
interface Asked {
  session: string
  request: AuthRequest
  question: Omit<ConsentQuestion, 'handle' | 'csrf' | 'nothingChosen'>
}

/** Adds the page on which the owner lets an app in, or does not. */
export function addConsentRoutes(app: Hono<AppEnv>, door: OwnerDoor, open: Open): void {
  app.get(
    AUTHORIZE,
    open('oauth_authorize', (c) => ask(c, door)),
  )
  app.post(
    AUTHORIZE,
    open('oauth_consent', (c) => decide(c, door)),
  )
}

async function helpersFor(c: Context<AppEnv>, door: OwnerDoor, clientId: string | null) {
  const { server, env, isDocument } = await oauthServer(c.var.site().origin, door.oauthEnv(c), clientId)
  return { helpers: server.getOAuthApi(env), isDocument }
}

async function ask(c: Context<AppEnv>, door: OwnerDoor): Promise<Response> {
  const place = c.var.site().practice.name
  const clientId = c.req.query('client_id') ?? null
  if (isFetched(clientId)) await mayAsk(door.owner(c), 'document', addressOf(c))
  const { helpers, isDocument } = await helpersFor(c, door, clientId)
  const { AuthorizationError, CimdFetchError, authorizationErrorRedirect } = await oauthErrors()
  let request: AuthRequest
  try {
    request = await helpers.parseAuthRequest(c.req.raw)
  } catch (error) {
    const known = error instanceof AuthorizationError || error instanceof CimdFetchError
    if (!known) throw error
    c.var.log.code = 'oauth_refused'
    if (error instanceof AuthorizationError && error.redirectTo) return c.redirect(error.redirectTo)
    return c.html(notePage('This app cannot be connected', place, REASONS[whyNot(error)]), 400)
  }
  // The library lets clients with a secret leave PKCE out; here nobody may.
  if (request.codeChallenge === undefined || request.codeChallengeMethod !== 'S256') {
    c.var.log.code = 'oauth_refused'
    return c.redirect(authorizationErrorRedirect(request, 'invalid_request', 'PKCE with S256 is required'))
  }
  const owner = door.owner(c)
  const session = await sessionOf(c, owner)
  const details = await helpers.describeConsent(request)
  const question = {
    name: shownName(details.clientName) || 'an app without a name',
    publisher: isDocument ? new URL(request.clientId).hostname : undefined,
    redirectHost: details.redirectHost,
    isLoopback: details.redirectIsLoopback,
    scopes: offered(request.scope),
  }
  if (!session) {
    const reason = `“${question.name}” asks to use this connector. Sign in to decide.`
    return c.html(signInPage(place, c.var.site().origin, reason))
  }
  const handle = newToken()
  const asked: Asked = { session: session.hash, request, question }
  await owner.issue('consent', await sha256(handle), JSON.stringify(asked), TO_DECIDE)
  return c.html(consentPage(place, { ...question, handle, csrf: session.csrf, nothingChosen: false }))
}

const REASONS = {
  document: 'Its own description could not be read. Try again in a while.',
  request:
    'Its request is not complete, it is not known here any more, or it wants to send you to an address that is not its own. Remove the connector in the app and add it again.',
}
const whyNot = (error: Error): keyof typeof REASONS => ('metadataUrl' in error ? 'document' : 'request')

/** An app that asks for nothing, or for nothing that exists here, is offered everything. */
function offered(requested: string[]): { scope: Scope; asked: boolean }[] {
  const known = APP_SCOPES.filter((scope) => requested.includes(scope))
  return APP_SCOPES.map((scope) => ({ scope, asked: known.length === 0 || known.includes(scope) }))
}

async function decide(c: Context<AppEnv>, door: OwnerDoor): Promise<Response> {
  const place = c.var.site().practice.name
  const owner = door.owner(c)
  const session = await sessionOf(c, owner)
  const form = session && ownForm(c, session, await door.readBody(c.req.raw))
  const handle = await sha256(form?.get('handle') ?? '')
  const asked = session && form && (await questionOf(await owner.read('consent', handle), session))
  if (!session || !form || !asked) return gone(c, place)
  const allows = form.get('decision') === 'allow'
  const scopes = APP_SCOPES.filter((scope) => form.getAll('scope').includes(scope))
  if (allows && scopes.length === 0) {
    const again = { handle: form.get('handle') ?? '', csrf: session.csrf, nothingChosen: true }
    return c.html(consentPage(place, { ...asked.question, ...again }), 422)
  }
  if ((await owner.take('consent', handle)) === undefined) return gone(c, place)
  c.var.log.caller = OWNER_ID
  const address = allows ? await grant(c, door, asked, scopes) : await denial(asked.request)
  const app = asked.question.redirectHost
  c.var.note({ event: 'consent', code: allows ? 'allowed' : 'denied', app })
  return c.html(returnPage(place, address, asked.question.redirectHost, allows))
}

async function questionOf(kept: string | undefined, session: Session): Promise<Asked | undefined> {
  const asked = kept === undefined ? undefined : (JSON.parse(kept) as Asked)
  return asked?.session === session.hash ? asked : undefined
}

function gone(c: Context<AppEnv>, place: string): Response | Promise<Response> {
  c.var.log.code = 'oauth_refused'
  const text =
    'This question was answered already, is too old, or was put to somebody else. Start again in the app.'
  return c.html(notePage('Nothing was changed', place, text), 403)
}

/** Keeps the decision; the address is that of the app, with the code for its tokens. */
async function grant(c: Context<AppEnv>, door: OwnerDoor, { request, question }: Asked, scope: Scope[]) {
  const { helpers } = await helpersFor(c, door, request.clientId)
  const client = await helpers.lookupClient(request.clientId)
  if (!client) throw new Error('the client of a request is gone')
  const identity = await stableIdentity(client)
  const { redirectTo } = await helpers.completeAuthorization({
    request,
    userId: OWNER_ID,
    scope,
    metadata: { name: question.name, host: question.redirectHost },
    props: { identity, name: question.name, host: question.redirectHost },
  })
  return redirectTo
}

async function denial(request: AuthRequest): Promise<string> {
  const { authorizationErrorRedirect } = await oauthErrors()
  return authorizationErrorRedirect(request, 'access_denied', 'The owner said no')
}
