import type { Hono } from 'hono'

import type { AppEnv, AppContext } from '../../../api/http/app-env.ts'
import { sha256, newToken } from '../../../core/crypto/encoding.ts'
import { shownName } from '../../../core/domain/name.ts'
import { BY_NAME_SCOPES, READ_SCOPES, SCOPES, type Scope } from '../../../core/domain/scopes.ts'
import { MINUTE } from '../../../core/domain/time/duration.ts'
import { type Connection, MOST_CONNECTIONS } from '../../../core/ports/access.ts'
import { connectedApps, disconnect } from '../connected-apps.ts'
import { wantProof } from '../fresh-proof.ts'
import { isDocumentAddress, speaksFor } from '../oauth-documents.ts'
import { type Identity, callerOfApp, identitiesOf } from '../oauth-identity.ts'
import { isFetched, isPinned, lookupEnv } from '../oauth-lookup.ts'
import {
  APP_SCOPES,
  AUTHORIZE,
  OWNER_ID,
  grantOf,
  oauthLibrary,
  oauthServer,
  withPlainResource,
} from '../oauth-server.ts'
import { withOwner, askToSignIn, noteAnswer } from '../owner-pages.ts'
import { type Session, ownForm, sessionOf } from '../session.ts'
import type { OwnerAct } from './confirm.ts'
import {
  ALL,
  ANOTHER,
  type ConsentQuestion,
  cannotConnectPage,
  consentPage,
  returnPage,
  sinceWhen,
} from './consent.ts'

const TO_DECIDE = 10 * MINUTE

type Helpers = Awaited<ReturnType<typeof helpersFor>>
type AuthRequest = Awaited<ReturnType<Helpers['parseAuthRequest']>>

interface Asked {
  session: string
  request: AuthRequest
  question: Omit<ConsentQuestion, 'handle' | 'csrf' | 'missing'>
}

export function addConsentRoutes(app: Hono<AppEnv>) {
  app.get(AUTHORIZE, withOwner('oauth_authorize', ask))
  app.post(AUTHORIZE, withOwner('oauth_consent', decide))
}

async function helpersFor(c: AppContext) {
  return (await oauthServer(c.var.site().origin)).getOAuthApi(lookupEnv(c))
}

async function ask(c: AppContext) {
  const { practice } = c.var.site()
  const clientId = new URL(c.req.url).searchParams.get('client_id') ?? ''
  const helpers = await helpersFor(c)
  if (isFetched(clientId) && !(await helpers.lookupClient(clientId))) return refused(c, UNREADABLE)
  const access = c.var.services.access
  const session = await sessionOf(c)
  const request = await requestOf(c, helpers)
  if (typeof request === 'string') {
    if (request === '') return refused(c, UNKNOWN)
    c.var.log.code = 'oauth_refused'
    // A visitor who is not the owner is sent to no address that a stranger has named (RFC 9700,
    // section 4.11.2).
    if (session || isPinned(clientId)) return c.redirect(request)
    return c.html(cannotConnectPage(practice.name, request), 400)
  }
  const client = await helpers.lookupClient(clientId)
  if (!client) return refused(c, UNKNOWN)
  const details = await helpers.describeConsent(request)
  const document = isDocumentAddress(clientId) ? clientId : undefined
  const isVouchedFor = document && (isPinned(document) || speaksFor(document, request.redirectUri))
  const name = shownName(client.clientName ?? '') || 'an app without a name'
  if (!session) {
    const reason = `“${name}” asks to use this connector. Sign in to decide.`
    return askToSignIn(c, reason)
  }
  const identities = await identitiesOf(client, await connectedApps(c), practice.timezone)
  const question = {
    name,
    document,
    publisher: isVouchedFor ? new URL(document).hostname : undefined,
    redirectHost: details.redirectHost,
    isLoopback: details.redirectIsLoopback,
    scopes: offered(request.scope),
    identities,
    connections: (await connectionsOf(c, identities)).flatMap(({ standing }) => standing),
  }
  const handle = newToken()
  const asked: Asked = { session: session.hash, request, question }
  await access.owner.issueTicket('consent', await sha256(handle), JSON.stringify(asked), TO_DECIDE)
  return c.html(consentPage(practice.name, { ...question, handle, csrf: session.csrf }))
}

/** The connections that stand of each of the apps that it may be. */
function connectionsOf(c: AppContext, identities: readonly Identity[]) {
  const { grants } = c.var.services.access
  return Promise.all(
    identities.map(async ({ identity }) => ({
      identity,
      standing: await grants.connectionsOf(callerOfApp(identity)),
    })),
  )
}

/** The request of an app, or the address to which its refusal goes back, empty where it may go nowhere. */
async function requestOf(c: AppContext, helpers: Helpers): Promise<AuthRequest | string> {
  const { AuthorizationError, authorizationErrorRedirect } = await oauthLibrary()
  try {
    const asked = new URL(c.req.url)
    asked.search = withPlainResource(asked.searchParams, c.var.site().origin).toString()
    const request = await helpers.parseAuthRequest(new Request(asked, c.req.raw))
    if (request.codeChallenge !== undefined && request.codeChallengeMethod === 'S256')
      return request
    // The library lets clients with a secret leave PKCE out; here no one may.
    return authorizationErrorRedirect(request, 'invalid_request', 'PKCE with S256 is required')
  } catch (error) {
    if (error instanceof AuthorizationError) return error.redirectTo ?? ''
    throw error
  }
}

const UNREADABLE =
  'The connector could not read the description that the app publishes of itself: short ' +
  'JSON, at the address by which the app is known, without a redirect. ' +
  'Try again in a few minutes.'
const UNKNOWN =
  'Its request is not complete, the connector does not know the app, or the app wants to ' +
  'send you to an address that is not its own. Remove the connector in the app, and add it ' +
  'again.'

function refused(c: AppContext, why: string) {
  c.var.log.code = 'oauth_refused'
  return noteAnswer(c, 'This app cannot be connected', why, 400)
}

/** Never ticked by us, since most apps ask for every scope. */
const NEVER_TICKED = [...READ_SCOPES, ...BY_NAME_SCOPES]

/**
 * Every scope is offered. Those the app asked for are ticked, except reads and what counts only
 * where it is granted by name.
 */
const offered = (requested: string[]) =>
  APP_SCOPES.map((scope) => ({
    scope,
    asked: requested.includes(scope) && !NEVER_TICKED.includes(scope),
  }))

function whatIsMissing(
  scopes: readonly Scope[],
  identity: Identity | undefined,
  replaced: readonly string[] | undefined,
) {
  if (scopes.length === 0) return 'scope'
  if (identity === undefined) return 'identity'
  return replaced === undefined ? 'connection' : undefined
}

async function decide(c: AppContext) {
  const place = c.var.site().practice.name
  const access = c.var.services.access
  const own = await ownForm(c, await sessionOf(c))
  if (!own) return gone(c)
  const { session, form } = own
  const handle = await sha256(form.get('handle') ?? '')
  const asked = questionOf(await access.owner.readTicket('consent', handle), session)
  if (!asked) return gone(c)
  const { question, request } = asked
  const allows = form.get('decision') === 'allow'
  const scopes = APP_SCOPES.filter((scope) => form.getAll('scope').includes(scope))
  const { identities } = question
  const identity =
    identities.length === 1
      ? identities[0]
      : identities.find((one) => one.identity === form.get('identity'))
  // Some may have ended, and others been made, since the page was shown.
  const connected = await connectionsOf(c, identities)
  const connections = connected.flatMap(({ standing }) => standing)
  const { standing = [] } = connected.find((one) => one.identity === identity?.identity) ?? {}
  const { clientId } = request
  const choice = form.get('connection')
  const hasAny = connections.length > 0
  const replaced = replacedBy({ clientId, scopes }, { standing, hasAny }, choice)
  const missing = whatIsMissing(scopes, identity, replaced)
  if (allows && missing !== undefined) {
    const again = { handle: form.get('handle') ?? '', csrf: session.csrf, missing } as const
    const shown = {
      connections,
      // What the owner has said and taken away stays so.
      chosen: identity?.identity,
      scopes: question.scopes.map(({ scope }) => ({ scope, asked: scopes.includes(scope) })),
    }
    return c.html(consentPage(place, { ...question, ...shown, ...again }), 422)
  }
  c.var.log.caller = OWNER_ID
  const app = question.redirectHost
  if (!allows || !identity || !replaced) {
    if ((await access.owner.takeTicket('consent', handle)) === undefined) return gone(c)
    c.var.note({ event: 'consent', code: 'denied', app })
    return c.html(returnPage(place, await denial(request), app, false))
  }
  const ends = standing.filter(({ grantId }) => replaced.includes(grantId))
  const stays = standing.filter(({ grantId }) => !replaced.includes(grantId))
  const act = letIn(asked, handle, scopes, { identity: identity.identity, ends, stays })
  await wantProof(c, own, act)
  if ((await access.owner.takeTicket('consent', handle)) === undefined) return gone(c)
  await c.var.noteBefore({
    event: 'consent',
    code: 'allowed',
    app,
    about: { scopes: scopes.join(' ') },
  })
  const address = await grant(await helpersFor(c), asked, scopes, identity.identity)
  const grantId = grantOf(new URL(address).searchParams.get('code') ?? '')
  if (grantId !== undefined)
    await access.grants.noteApp({
      grantId,
      clientId: request.clientId,
      name: `${question.name} (${app})`,
      inTrial: !c.var.services.isLive,
      caller: callerOfApp(identity.identity),
      scopes,
    })
  // Afterwards, so that the app's links do not end with the connection before this one.
  for (const one of replaced) await disconnect(c, one)
  return c.html(returnPage(place, address, app, true))
}

/** What the owner proves by allowing: this app, at this address, as this caller, and what it may do. */
const letIn = (
  { question, request }: Asked,
  handle: string,
  scopes: readonly Scope[],
  { identity, ends, stays }: { identity: string; ends: Connection[]; stays: Connection[] },
): OwnerAct => ({
  // Isolated, so that a name in another script turns no other part of the sentence around.
  question: `Let “\u2068${question.name}\u2069” use the connector?`,
  changes: [
    `You are sent back to ${question.redirectHost}.`,
    ...alike(question, identity),
    ...scopes.map((scope) => `It may: ${SCOPES[scope]}.`),
    ...ends.map((one) => `This ends the connection ${sinceWhen(one)}.`),
    ...stays.map((one) => `The connection ${sinceWhen(one)} stays.`),
  ],
  facts: [
    handle,
    request.clientId,
    request.redirectUri,
    identity,
    ...scopes,
    ...ends.map(({ grantId }) => grantId),
  ],
  verb: 'Allow with your passkey',
})

function questionOf(kept: string | undefined, session: Session): Asked | undefined {
  const asked = kept === undefined ? undefined : (JSON.parse(kept) as Asked)
  return asked?.session === session.hash ? asked : undefined
}

function gone(c: AppContext) {
  c.var.log.code = 'oauth_refused'
  const text =
    'You answered this request already, it has expired, or it belongs to another sign-in. ' +
    'Start again in the app.'
  return noteAnswer(c, 'Nothing was changed', text, 403)
}

const alike = ({ identities }: Asked['question'], chosen: string) =>
  identities
    .filter(({ identity }) => identities.length > 1 && identity === chosen)
    .map(({ since }) =>
      since === undefined
        ? 'It is a different app from those of this name that are connected.'
        : `It is the app that was connected on ${since}. What it repeats is not done twice.`,
    )

/** Keeps the decision; the address is that of the app, with the code for its tokens. */
async function grant(
  helpers: Helpers,
  { request, question }: Asked,
  scope: Scope[],
  identity: string,
) {
  const facts = { identity, name: question.name, host: question.redirectHost }
  const { redirectTo } = await helpers.completeAuthorization({
    request,
    userId: OWNER_ID,
    scope,
    metadata: facts,
    props: facts,
    // The owner has chosen which connections end; the library would end all of the same client id.
    revokeExistingGrants: false,
  })
  return redirectTo
}

async function denial(request: AuthRequest) {
  const { authorizationErrorRedirect } = await oauthLibrary()
  return authorizationErrorRedirect(request, 'access_denied', 'The owner said no')
}

/**
 * The grants that a new sign-in of an app replaces; undefined if the owner still has to choose. That
 * is so, too, where connections stand, of this app or of another that it may be, and the choice names
 * none of this app's.
 *
 * Several computers share one id where the app is known by a document, so a new sign-in is another
 * computer, unless the owner says otherwise. By default it replaces what may do more, since the owner
 * who allows less means all of the app; what has the same registration, since each copy registers
 * itself; and, where there are too many, what was not used for longest.
 */
function replacedBy(
  { clientId, scopes }: { clientId: string; scopes: readonly Scope[] },
  { standing, hasAny }: { standing: readonly Connection[]; hasAny: boolean },
  choice: string | null,
): string[] | undefined {
  const replaced = new Set(
    standing.filter((one) =>
      choice === null
        ? mayMore(one, scopes) || isSameRegistration(one, clientId)
        : choice === ALL || choice === one.grantId,
    ),
  )
  const stay = standing.filter((one) => !replaced.has(one)).toSorted(byLastUse)
  const tooMany = stay.slice(0, Math.max(0, stay.length + 1 - MOST_CONNECTIONS))
  if (choice === null) for (const one of tooMany) replaced.add(one)
  else if (tooMany.length > 0) return undefined
  else if (choice !== ANOTHER && replaced.size === 0 && hasAny) return undefined
  return [...replaced].map(({ grantId }) => grantId)
}

/** Whether a connection may do all of this and more. */
const mayMore = (one: Connection, scopes: readonly string[]) =>
  one.scopes.length > scopes.length && scopes.every((scope) => one.scopes.includes(scope))

const isSameRegistration = (one: Connection, clientId: string) =>
  one.clientId === clientId && !isDocumentAddress(clientId)

const lastDay = ({ lastUsedOn, madeOn }: Connection) => lastUsedOn ?? madeOn

const byLastUse = (a: Connection, b: Connection) =>
  lastDay(a).localeCompare(lastDay(b)) || a.since - b.since
