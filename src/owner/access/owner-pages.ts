import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

import type { AppEnv, AppContext } from '../../api/http/app-env.ts'
import { type Html, notePage } from '../../api/pages/layout.ts'
import { isLoopback, underName, networkOf } from '../../core/domain/origin.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { type SentForm, signInPage } from './pages/sign-in.ts'

/** Whether an owner can give consent: one with a passkey, or with an enrolment link to make one. */
export async function hasOwner(c: AppContext): Promise<boolean> {
  if (c.var.site().origin === '') return false
  const { services } = c.var
  return services.enrolmentHash !== undefined || services.access.owner.hasPasskeys()
}

/** Whether a request may be of a trial session: from this machine, in a local trial with mock providers. */
export function isTrial(c: AppContext): boolean {
  const origin = c.req.header('Origin')
  // A form of a page that sends no referrer has the origin `null`; Sec-Fetch-Site says whose form it is.
  const isOwnForm = origin === 'null' && c.req.header('Sec-Fetch-Site') === 'same-origin'
  const isFromHere = origin === undefined || isLoopback(origin) || isOwnForm
  return isLoopback(c.req.url) && isFromHere && c.var.services.trialHash !== undefined
}

type Handler = (c: AppContext) => Promise<Response> | Response

const behind =
  (isOpen: (c: AppContext) => Promise<boolean>) =>
  (operation: string, handle: Handler): ((c: AppContext) => Promise<Response>) =>
  async (c) => {
    c.var.log.operation = operation
    if (!(await isOpen(c))) throw problem('not_found')
    return handle(c)
  }

/** Runs a handler only where there is an owner, whom it names in the log. Raises `not_found` without one. */
export const withOwner = behind(hasOwner)

/** The same for pages that a trial session may see too. */
export const withOwnerOrTrial = behind(async (c) => isTrial(c) || hasOwner(c))

/** A path that repeats nothing of a caller but the id of a change; the page's script keeps the rest. */
const PLAIN_PATH = /^\/(?:approve\/[0-9a-f]{64}|owner\/[a-z]+)$/

/** The address of this page under a host name, if it was opened under an IP address: passkeys need a name. */
export function pageUnderName(c: AppContext): string | undefined {
  const { url, path } = c.req
  if (underName(url) === url) return undefined
  return underName(c.var.site().origin) + (PLAIN_PATH.test(path) ? path : '/owner')
}

/** Whom to slow down: an address, or for IPv6 the network of one subscriber. */
export const clientAddress = (c: AppContext) =>
  networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')

/**
 * Answers with the page for signing in; `reason` says what for. `form` is sent once the owner has
 * signed in.
 */
export const askToSignIn = (c: AppContext, reason: string, form?: SentForm) =>
  c.html(signInPage(c.var.site().practice.name, pageUnderName(c), reason, form))

/** A page that answers in place of what was asked for, on its way to the edge. */
export class PageInstead extends Error {
  readonly page: Response
  constructor(page: Response) {
    super('The page asks for more first')
    this.page = page
  }
}

/** Answers with a page that says one thing. */
export const noteAnswer = (
  c: AppContext,
  title: string,
  text: string,
  status: ContentfulStatusCode,
  more?: Html,
) => c.html(notePage(title, c.var.site().practice.name, text, more), status)

/** The paths of the owner's own pages; more lie below each. */
export const OWNERS_PAGES = ['/authorize', '/owner', '/approve'] as const

/** Whether a path is one of the owner's own pages, or lies below one. No other site's page may ask for it. */
export const isOwnersOnly = (path: string) =>
  OWNERS_PAGES.some((page) => path === page || path.startsWith(`${page}/`))

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'"

/** Sets the content security policy of the owner's pages, on what is refused there too. */
export const pagePolicy: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.res.headers.set('Content-Security-Policy', POLICY)
}

/** A host may have opened this page in a window of its own, and waits there for its own page to call back. */
export const keepOpener: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
}
