import {
  base64url,
  equalInConstantTime,
  fromBase64url,
  newToken,
  sha256Base64url,
} from '../../core/crypto/encoding.ts'
import { callerOfCredential } from '../../core/domain/audit/entry.ts'
import type { Facts } from '../../core/domain/facts.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import { type Fields, jsonIn } from '../../core/json.ts'
import type { Access, AnsweredChallenge, Passkey } from '../../core/ports/access.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type * as WebAuthnLibrary from './webauthn.ts'

type WebAuthn = typeof WebAuthnLibrary
type Registration = Parameters<WebAuthn['verifyRegistrationResponse']>[0]['response']
type Authentication = Parameters<WebAuthn['verifyAuthenticationResponse']>[0]['response']

/** Where passkeys are used: the public address of this service and a name for it. */
interface RelyingParty {
  origin: string
  name: string
}

// Loaded when it is first needed: it is large, and most requests never meet it.
const webauthn = (): Promise<WebAuthn> => import('./webauthn.ts')

export interface PasskeyServices {
  access: Access
  keyring: Keyring
  place: RelyingParty
  now: number
}

/**
 * What the browser is asked to do; the challenge in it works once, for five minutes, and for this
 * purpose only. Each `person` who is invited is a user of their own, so that a device that both use
 * keeps both passkeys apart.
 */
export async function passkeyOptions(
  services: PasskeyServices,
  purpose: Purpose,
  person?: string,
): Promise<{ challenge: string }> {
  const { access, place } = services
  const challenge = fromBase64url(await newChallenge(services, purpose))
  if (purpose !== 'enrol')
    return authenticationOptions(services, challenge, purpose === 'sign-in' ? undefined : isOwners)
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: place.name,
    rpID: new URL(place.origin).hostname,
    userName: person ?? 'owner',
    userDisplayName: person ? `${person}, approves for ${place.name}` : `Owner of ${place.name}`,
    userID: person
      ? crypto.getRandomValues(new Uint8Array(16))
      : Uint8Array.from(new TextEncoder().encode('owner')),
    challenge,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: person
      ? []
      : (await access.owner.passkeys()).filter(isUsableByOwner).map(({ id }) => ({ id })),
  })
}

/**
 * The options to use an existing passkey. Only for a signed-in person they list passkeys, so
 * strangers learn nothing.
 */
export async function authenticationOptions(
  { access, place }: PasskeyServices,
  challenge: Uint8Array<ArrayBuffer>,
  isAsked?: (passkey: Passkey) => boolean,
): Promise<{ challenge: string }> {
  const { generateAuthenticationOptions } = await webauthn()
  const known =
    isAsked === undefined
      ? []
      : (await access.owner.passkeys()).filter((one) => !one.held && isAsked(one))
  return generateAuthenticationOptions({
    rpID: new URL(place.origin).hostname,
    challenge,
    userVerification: 'required',
    allowCredentials: known.map(({ id }) => ({ id })),
  })
}

export const isOwners = ({ role }: Passkey) => role === 'owner'

/** One that is held after a restore can be made again on the same device. */
const isUsableByOwner = (passkey: Passkey) => isOwners(passkey) && !passkey.held

/**
 * The passkey that a browser has made and the challenge that it answers, or undefined if the answer
 * proves none.
 */
export async function newPasskey(
  services: PasskeyServices,
  answer: unknown,
): Promise<{ passkey: Passkey; challenge: AnsweredChallenge } | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  const response = answer as Registration
  const asked = await challengeOf(services, answer, 'enrol')
  if (typeof asked !== 'object') return undefined
  if (!(await isWithoutCertificate(response.response.attestationObject))) return undefined
  const verified = await verifyRegistrationResponse({
    response,
    ...expectations(services.place),
    expectedChallenge: asked.text,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  const passkey = {
    id,
    publicKey: base64url(publicKey),
    counter,
    transports: (transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)),
    createdAt: services.now,
    lastUsedOn: null,
    role: 'owner' as const,
    name: null,
  }
  return { passkey, challenge: asked.once }
}

/**
 * Whether a new passkey brings no attestation certificate. We ask for none, and checking one would
 * fetch addresses that the certificate names (its revocation lists). False too for what cannot be
 * read.
 */
export async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await webauthn()
  try {
    const attestation = decodeAttestationObject(fromBase64url(attestationObject))
    const format = attestation.get('fmt')
    if (format === 'none') return true
    return format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  } catch {
    return false
  }
}

/**
 * What the audit log keeps of a new passkey, so that what it signs later can be checked from the
 * log alone.
 */
export const factsOfPasskey = async ({ id, publicKey, role }: Passkey): Promise<Facts> => ({
  credential: await sha256Base64url(id),
  public_key: publicKey,
  role,
})

/** Who someone with this passkey is in the log: the owner, or one who approves, by a hash of the passkey. */
export const callerOfPasskey = async ({ id, role }: Pick<Passkey, 'id' | 'role'>) =>
  role === 'owner' ? 'owner' : callerOfApprover(id)

/** The same for the passkey of someone who approves. */
export const callerOfApprover = async (id: string) => callerOfCredential(await sha256Base64url(id))

/** The field of a form that brings the answer of a passkey, as JSON. */
export const PROOF = 'proof'

/**
 * A field of the form on the page of an approval: what its challenge was made of besides the change
 * itself.
 */
export interface ApprovalQuestion {
  nonce: string
  options: string
}

/**
 * Why a browser's answer to a challenge proves nothing; `ended` answers none that is still open for
 * the purpose.
 */
export type NoProof = 'wrong' | 'ended'

/** The passkey that a browser's answer proves, for this purpose and for the first time; notes its use. */
export async function provenPasskey(
  services: PasskeyServices,
  purpose: Exclude<Purpose, 'enrol'>,
  answer: unknown,
  isGood: (passkey: Passkey) => boolean,
): Promise<Passkey | NoProof> {
  const asked = await challengeOf(services, answer, purpose)
  if (typeof asked !== 'object') return asked
  const proven = await provenBy(services, answer, asked, isGood)
  return typeof proven === 'string' ? proven : proven.passkey
}

/** A challenge, as base64url, and what is kept of it once it has been answered. */
interface Challenge {
  text: string
  once: AnsweredChallenge
}

/** The answer of a passkey that signed this challenge on a page of ours. */
export async function provenBy(
  { access, place }: PasskeyServices,
  answer: unknown,
  { text: challenge, once }: Challenge,
  isGood: (passkey: Passkey) => boolean,
): Promise<{ passkey: Passkey; response: Authentication } | NoProof> {
  const { verifyAuthenticationResponse } = await webauthn()
  if (challengeIn(answer) !== challenge) return 'wrong'
  const response = answer as Authentication
  const passkey = (await access.owner.passkeys()).find(({ id }) => id === response.id)
  if (!passkey || passkey.held || !isGood(passkey)) return 'wrong'
  const publicKey = fromBase64url(passkey.publicKey)
  if (!(await isExactSignature(publicKey, response.response?.signature))) return 'wrong'
  const verified = await verifyAuthenticationResponse({
    response,
    ...expectations(place),
    expectedChallenge: challenge,
    credential: {
      id: passkey.id,
      publicKey,
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return 'wrong'
  const { newCounter } = verified.authenticationInfo
  return (await access.owner.recordSignIn(passkey.id, newCounter, once))
    ? { passkey, response }
    : 'ended'
}

const expectations = ({ origin }: RelyingParty) => ({
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  requireUserVerification: true,
})

/**
 * The challenge that was answered: `ended` if none of ours is open for this purpose, `wrong` if the
 * answer is not good.
 */
async function challengeOf(
  services: PasskeyServices,
  answer: unknown,
  purpose: Purpose,
): Promise<Challenge | NoProof> {
  const text = challengeIn(answer)
  if (text === undefined) return 'wrong'
  const once = await openChallenge(services, purpose, text)
  return once ? { text, once } : 'ended'
}

/** The challenge that a browser's answer signs; undefined where it signs none on a page of ours. */
function challengeIn(answer: unknown): string | undefined {
  try {
    const { clientDataJSON } = (answer as Authentication).response
    const { challenge, crossOrigin } = jsonIn(fromBase64url(clientDataJSON)) as Fields
    const isSigned = typeof challenge === 'string' && (crossOrigin ?? false) === false
    return isSigned ? challenge : undefined
  } catch {
    return undefined
  }
}

const LIFETIME = 5 * MINUTE
const MAC_PURPOSE = 'passkey_challenge'
const SHAPE = /^(\d{13})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

/**
 * What a passkey is asked for, and alone good for: `act:` names one act of the owner, `approve:`
 * one preview.
 */
export type Purpose = 'enrol' | 'sign-in' | `act:${string}` | `approve:${string}`

/**
 * A signed challenge, as base64url. It is kept nowhere, and works once since its nonce is kept when
 * it is answered.
 */
export async function newChallenge(
  { keyring, now }: PasskeyServices,
  purpose: Purpose,
): Promise<string> {
  const signed = `${now + LIFETIME}.${newToken()}`
  const mac = await keyring.mac(keyring.current, MAC_PURPOSE, `${purpose}.${signed}`)
  return base64url(new TextEncoder().encode(`${signed}.${mac}`))
}

/**
 * What of a challenge is kept once it has been answered; undefined if we did not make it for this,
 * or it has ended.
 */
export async function openChallenge(
  { keyring, now }: PasskeyServices,
  purpose: Purpose,
  challenge: string,
): Promise<AnsweredChallenge | undefined> {
  const [, ends = '', nonce = '', mac = ''] = SHAPE.exec(textOf(challenge)) ?? []
  const endsAt = Number(ends)
  if (endsAt <= now) return undefined
  for (const id of keyring.ids) {
    const expected = await keyring.mac(id, MAC_PURPOSE, `${purpose}.${ends}.${nonce}`)
    if (equalInConstantTime(mac, expected)) return { nonce, endsAt }
  }
  return undefined
}

function textOf(challenge: string) {
  try {
    return new TextDecoder().decode(fromBase64url(challenge))
  } catch {
    return ''
  }
}

/** Labels of a COSE key, and the algorithms that passkeys are asked for (RFC 9053, RFC 8812). */
const COSE = { alg: 3, modulus: -1, es256: -7, eddsa: -8, rs256: -257 } as const

const INTEGER = 0x02
const SEQUENCE = 0x30
/** The bytes of a number on the curve P-256, and of an Ed25519 signature. */
const P256_BYTES = 32
const ED25519_BYTES = 64

/**
 * Whether a signature, as base64url, has the exact form that WebAuthn (section 6.5.6) gives to one by
 * this kind of key: ECDSA on P-256 as DER (RFC 3279, section 2.2.3) and nothing behind it, Ed25519 as
 * 64 bytes, RSA as long as its modulus. It says nothing of whether the signature is good. False for
 * what cannot be read.
 */
export async function isExactSignature(publicKey: Uint8Array, text: unknown): Promise<boolean> {
  if (typeof text !== 'string') return false
  try {
    const signature = fromBase64url(text)
    if (base64url(signature) !== text) return false
    const { decodeCredentialPublicKey } = await webauthn()
    const key = decodeCredentialPublicKey(Uint8Array.from(publicKey)) as Map<number, unknown>
    switch (key.get(COSE.alg)) {
      case COSE.es256:
        return isDerPair(signature)
      case COSE.eddsa:
        return signature.length === ED25519_BYTES
      case COSE.rs256:
        return signature.length === (key.get(COSE.modulus) as Uint8Array).length
      default:
        return false
    }
  } catch {
    return false
  }
}

/** A sequence of two positive integers of at most 32 bytes, each as short as it can be, and no more. */
function isDerPair(bytes: Uint8Array) {
  if (bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) return false
  const second = afterInteger(bytes, 2)
  return second !== undefined && afterInteger(bytes, second) === bytes.length
}

/** Where the positive integer ends that begins here; undefined where none does. */
function afterInteger(bytes: Uint8Array, start: number): number | undefined {
  const [tag, length = 0, first = 0, next = 0] = bytes.subarray(start, start + 4)
  const end = start + 2 + length
  // A leading zero stands only where the number would be negative without it.
  const isShortest = first > 0 || (length > 1 && next >= 0x80)
  const isFitting = length >= 1 && length <= P256_BYTES + (first === 0 ? 1 : 0)
  if (tag !== INTEGER || end > bytes.length || !isFitting || !isShortest || first >= 0x80)
    return undefined
  return end
}
