import type { Context } from 'hono'
import { networkOf } from '../domain/network.ts'
import { problem } from '../domain/problem.ts'
import type { AppEnv } from '../http/app-env.ts'

/** Whether an owner can give consent: one with a passkey, or with an enrolment link to make one. */
export async function hasOwner(c: Context<AppEnv>): Promise<boolean> {
  if (c.var.site().origin === '') return false
  const { services } = c.var
  return services.enrolmentHash !== undefined || services.access.hasPasskeys()
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
