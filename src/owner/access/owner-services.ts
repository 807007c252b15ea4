import type { Context } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'
import { isLoopback, underName, networkOf } from '../../core/domain/origin.ts'
import { problem } from '../../core/domain/problem/problem.ts'

/** Whether an owner can give consent: one with a passkey, or with an enrolment link to make one. */
export async function hasOwner(c: Context<AppEnv>): Promise<boolean> {
  if (c.var.site().origin === '') return false
  const { services } = c.var
  return services.enrolmentHash !== undefined || services.access.owner.hasPasskeys()
}

/** Whether a request may be of a trial session: from this machine, in a local trial with mock providers. */
export function isTrial(c: Context<AppEnv>): boolean {
  const origin = c.req.header('Origin')
  // A form of a page that sends no referrer has the origin `null`; Sec-Fetch-Site says whose form it is.
  const isOwnForm = origin === 'null' && c.req.header('Sec-Fetch-Site') === 'same-origin'
  const isFromHere = origin === undefined || isLoopback(origin) || isOwnForm
  return isLoopback(c.req.url) && isFromHere && c.var.services.trialHash !== undefined
}

type Handler = (c: Context<AppEnv>) => Promise<Response> | Response

const behind =
  (isOpen: (c: Context<AppEnv>) => Promise<boolean>) =>
  (operation: string, handle: Handler): ((c: Context<AppEnv>) => Promise<Response>) =>
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
export function pageUnderName(c: Context<AppEnv>): string | undefined {
  const { url, path } = c.req
  if (underName(url) === url) return undefined
  return underName(c.var.site().origin) + (PLAIN_PATH.test(path) ? path : '/owner')
}

/** Whom to slow down: an address, or for IPv6 the network of one subscriber. */
export const clientAddress = (c: Context<AppEnv>): string =>
  networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
