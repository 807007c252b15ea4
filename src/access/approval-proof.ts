import type { Facts } from '../domain/facts.ts'
import type { Passkey } from '../ports/access.ts'
import type { ApprovalView } from '../ports/approvals.ts'
import { fromBase64url, sha256Base64url } from '../crypto/encoding.ts'
import { type Purpose, newChallenge, openChallenge } from './passkey-challenge.ts'
import {
  type PasskeyServices,
  type Proof,
  authenticationOptions,
  callerOfPasskey,
  isOwners,
  provenBy,
} from './passkey.ts'
import type { ApproverSession } from './session.ts'

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
  session: ApproverSession,
  approved: Approved,
): Promise<ApprovalQuestion> {
  const nonce = await newChallenge(services.keyring, purposeOf(session, approved), services.now)
  const challenge = fromBase64url(await challengeOf(approved, nonce))
  return {
    nonce,
    options: JSON.stringify(await authenticationOptions(services, challenge, isPasskeyOf(session))),
  }
}

/**
 * What proves that a passkey approved just this, for the audit log: with the public key of the passkey, which its
 * enrolment entry holds, anybody can check offline what the person's device signed. Otherwise why it is worth nothing.
 */
export async function approvalProof(
  services: PasskeyServices,
  session: ApproverSession,
  approved: Approved,
  nonce: string,
  answer: unknown,
): Promise<{ by: string; proof: Facts } | Exclude<Proof, 'good'>> {
  const once = await openChallenge(services.keyring, purposeOf(session, approved), nonce, services.now)
  if (!once) return 'ended'
  const challenge = await challengeOf(approved, nonce)
  const proven = await provenBy(services, answer, challenge, once, isPasskeyOf(session))
  if (typeof proven === 'string') return proven
  const { shown, digest } = approved
  const {
    passkey,
    response: { response },
  } = proven
  const proof = {
    shown,
    digest,
    nonce,
    credential: await sha256Base64url(passkey.id),
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
  return { by: await callerOfPasskey(passkey), proof }
}

/** The owner uses any passkey of the owner, somebody who approves the one that they signed in with. */
const isPasskeyOf =
  ({ approver }: ApproverSession) =>
  (passkey: Passkey): boolean =>
    approver === null ? isOwners(passkey) : passkey.id === approver

/** What the passkey signs: `SHA-256("approve-v1|approve|" shown "|" digest "|" nonce)`, in base64url. */
const challengeOf = ({ shown, digest }: Approved, nonce: string): Promise<string> =>
  sha256Base64url(['approve-v1', 'approve', shown, digest, nonce].join('|'))

const purposeOf = ({ hash }: ApproverSession, { operation_id, id, digest }: Approved): Purpose =>
  `approve:${[hash, operation_id, id, digest].join('.')}`
