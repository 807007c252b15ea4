import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Credentials } from '../ports/credentials.ts'
import type { Owner } from '../ports/owner.ts'
import type { OAuthEnv } from './oauth-server.ts'

/** What the pages of the owner and the OAuth server need of the app. */
export interface OwnerDoor {
  owner(c: Context<AppEnv>): Owner
  credentials(c: Context<AppEnv>): Credentials
  oauthEnv(c: Context<AppEnv>): OAuthEnv
  /** SHA-256 of the enrolment token that is good now, in hex. */
  enrolmentHash(c: Context<AppEnv>): string | undefined
  /** The body, read only as far as the limit allows. */
  readBody(request: Request): Promise<Uint8Array>
}

/** Whether there is an owner who can say yes: one who has a passkey, or was given the means to make one. */
export async function isOpen(c: Context<AppEnv>, door: OwnerDoor): Promise<boolean> {
  if (c.var.site().origin === '') return false
  return door.enrolmentHash(c) !== undefined || door.owner(c).enrolled()
}

/** Whom to slow down: an address, or for IPv6 the network of one subscriber. */
export const addressOf = (c: Context<AppEnv>): string =>
  networkOf(c.req.header('CF-Connecting-IP') ?? 'unknown')

/** An IPv4 address as it is, also where it is written as IPv6; of any other IPv6 address the first 64 bits. */
export function networkOf(address: string): string {
  const url = `http://[${address}]`
  if (!address.includes(':') || !URL.canParse(url)) return address
  // The URL has it in the one short spelling of RFC 5952, without dots.
  const [left = [], right = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right]
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isMapped) return groups.slice(0, 4).join(':')
  const bytes = groups.slice(6).map((group) => parseInt(group, 16))
  return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
}
