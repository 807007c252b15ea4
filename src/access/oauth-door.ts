import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { networkOf } from '../domain/network.ts'
import type { Access } from '../ports/access.ts'
import type { Keyring } from '../ports/index.ts'
import type { OAuthEnv } from './oauth-server.ts'

/** What the pages of the owner and the OAuth server need of the app. */
export interface OwnerDoor {
  access(c: Context<AppEnv>): Access
  /** Signs passkey challenges. Raises `not_configured` without a signing secret. */
  keyring(c: Context<AppEnv>): Promise<Keyring>
  oauthEnv(c: Context<AppEnv>): OAuthEnv
  /** SHA-256 of the enrolment token that is good now, in hex. */
  enrolmentHash(c: Context<AppEnv>): string | undefined
  /** The body, read only as far as the limit allows. */
  readBody(request: Request): Promise<Uint8Array>
}

/** Whether there is an owner who can say yes: one who has a passkey, or was given the means to make one. */
export async function isOpen(c: Context<AppEnv>, door: OwnerDoor): Promise<boolean> {
  if (c.var.site().origin === '') return false
  return door.enrolmentHash(c) !== undefined || door.access(c).hasPasskeys()
}

/** Whom to slow down: an address, or for IPv6 the network of one subscriber. */
export const addressOf = (c: Context<AppEnv>): string =>
  networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
