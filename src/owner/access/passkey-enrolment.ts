import { base64url, newToken, sha256 } from '../../core/crypto/encoding.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { Access } from '../../core/ports/access.ts'

const SHAPE = /^enr_(\d{10})_[A-Za-z0-9_-]{43}$/

/** A new enrolment token: its end (epoch seconds, which its hash covers too) and 256 random bits. */
export function newEnrolmentToken(endsAt: number, random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('an enrolment token needs 32 random bytes')
  return `enr_${String(Math.floor(endsAt / SECOND)).padStart(10, '0')}_${base64url(random)}`
}

/**
 * The hash of an enrolment token that is the expected one, not ended and not used yet; undefined
 * for any other.
 */
export async function goodEnrolment(
  access: Access,
  token: unknown,
  expectedHash: string | undefined,
  now: number,
): Promise<string | undefined> {
  const ends = typeof token === 'string' ? SHAPE.exec(token)?.[1] : undefined
  if (ends === undefined || expectedHash === undefined || Number(ends) * SECOND <= now)
    return undefined
  const hash = await sha256(String(token))
  if (hash !== expectedHash || (await access.owner.isEnrolmentUsed(hash))) return undefined
  return hash
}

const INVITATION = /^inv_[A-Za-z0-9_-]{43}$/

/** A new token of an invitation to approve changes; when it ends is kept with its hash. */
export const newInvitationToken = () => `inv_${newToken()}`

/** The hash of the token of an invitation that is open, and who is invited; undefined for any other. */
export async function openInvitation(
  access: Access,
  token: unknown,
): Promise<{ hash: string; name: string } | undefined> {
  if (typeof token !== 'string' || !INVITATION.test(token)) return undefined
  const hash = await sha256(token)
  const name = await access.owner.invited(hash)
  return name === undefined ? undefined : { hash, name }
}
