import type { Facts } from '../domain/facts.ts'
import type { ApprovalView } from '../ports/approvals.ts'
import { fromBase64url, sha256Base64url } from '../crypto/encoding.ts'
import { type Purpose, newChallenge, openChallenge } from './passkey-challenge.ts'
import { type PasskeyServices, type Proof, authenticationOptions, provenBy } from './passkey.ts'
import type { Session } from './session.ts'

/** What is approved: the digest of what the caller was shown, and that of what the page shows. */
type Approved = Pick<ApprovalView, 'operation_id' | 'id' | 'shown' | 'digest'>

/** A field of the form on the page of an approval: what its challenge was made of besides the change itself. */
export interface ApprovalQuestion {
  nonce: string
  /** What the browser is to ask the passkey for, as JSON. */
  options: string
}

/** Asks for a passkey that approves just this, in this session, within five minutes and once. */
export async function askApproval(
  services: PasskeyServices,
  session: Session,
  approved: Approved,
): Promise<ApprovalQuestion> {
  const nonce = await newChallenge(services.keyring, purposeOf(session, approved), services.now)
  const challenge = fromBase64url(await challengeOf(approved, nonce))
  return { nonce, options: JSON.stringify(await authenticationOptions(services, challenge, 'listed')) }
}

/**
 * What proves that a passkey approved just this, for the audit log: with the public key of the passkey, which its
 * enrolment entry holds, anybody can check offline what the person's device signed. Otherwise why it is worth nothing.
 */
export async function approvalProof(
  services: PasskeyServices,
  session: Session,
  approved: Approved,
  nonce: string,
  answer: unknown,
): Promise<Facts | Exclude<Proof, 'good'>> {
  const once = await openChallenge(services.keyring, purposeOf(session, approved), nonce, services.now)
  if (!once) return 'ended'
  const proven = await provenBy(services, answer, await challengeOf(approved, nonce), once)
  if (typeof proven === 'string') return proven
  const { shown, digest } = approved
  const { id, response } = proven
  return {
    shown,
    digest,
    nonce,
    credential: await sha256Base64url(id),
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
}

/** What the passkey signs: `SHA-256("approve-v1|approve|" shown "|" digest "|" nonce)`, in base64url. */
const challengeOf = ({ shown, digest }: Approved, nonce: string): Promise<string> =>
  sha256Base64url(['approve-v1', 'approve', shown, digest, nonce].join('|'))

const purposeOf = ({ hash }: Session, { operation_id, id, digest }: Approved): Purpose =>
  `approve:${[hash, operation_id, id, digest].join('.')}`
