import type { Context } from 'hono'
import { networkOf } from '../domain/network.ts'
import { isLoopback } from '../domain/origin.ts'
import { problem } from '../domain/problem.ts'
import type { AppEnv } from '../http/app-env.ts'

/** Whether an owner can give consent: one with a passkey, or with an enrolment link to make one. */
export async function hasOwner(c: Context<AppEnv>): Promise<boolean> {
  if (c.var.site().origin === '') return false
  const { services } = c.var
  return services.enrolmentHash !== undefined || services.access.hasPasskeys()
}

/** Whether a request may be of a trial session: one from this machine, in a local trial with mock providers alone. */
export function isTrial(c: Context<AppEnv>): boolean {
  const origin = c.req.header('Origin')
  // A form of a page that sends no referrer has no origin to name; whose it is the browser says in the other header.
  const isOwnForm = origin === 'null' && c.req.header('Sec-Fetch-Site') === 'same-origin'
  const isFromHere = origin === undefined || isLoopback(origin) || isOwnForm
  return isLoopback(c.req.url) && isFromHere && c.var.services.trialHash !== undefined
}

/** The same as `withOwner`, for what a trial session may see too. */
export const withOwnerOrTrial =
  (operation: string, handle: (c: Context<AppEnv>) => Promise<Response> | Response) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    c.var.log.operation = operation
    if (!isTrial(c) && !(await hasOwner(c))) throw problem('not_found')
    return handle(c)
  }

/** Puts a handler behind the check that there is an owner, and names it in the log. Raises `not_found` without an owner. */
export const withOwner =
  (operation: string, handle: (c: Context<AppEnv>) => Promise<Response> | Response) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    c.var.log.operation = operation
    if (!(await hasOwner(c))) throw problem('not_found')
    return handle(c)
  }

/** Whom to slow down: an address, or for IPv6 the network of one subscriber. */
export const clientAddress = (c: Context<AppEnv>): string =>
  networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
