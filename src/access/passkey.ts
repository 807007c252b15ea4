import type * as WebAuthnLibrary from '@simplewebauthn/server'
import type { Owner, Passkey } from '../ports/owner.ts'
import { base64url, fromBase64url, newToken, sha256 } from './session-secret.ts'

type WebAuthn = typeof WebAuthnLibrary
type Registration = Parameters<WebAuthn['verifyRegistrationResponse']>[0]['response']
type Authentication = Parameters<WebAuthn['verifyAuthenticationResponse']>[0]['response']

const CHALLENGE_LIFETIME = 5 * 60_000

type Purpose = 'enrol' | 'sign-in'

/** Where passkeys are used: the public address of this service and a name for it. */
export interface Place {
  origin: string
  name: string
}

// Loaded when it is first needed: it is large, and most requests never meet it.
const webauthn = (): Promise<WebAuthn> => import('@simplewebauthn/server')

/** What the browser is asked to do; the challenge in it works once, for five minutes, and for this purpose only. */
export async function passkeyOptions(owner: Owner, purpose: Purpose, place: Place): Promise<object> {
  const { generateAuthenticationOptions, generateRegistrationOptions } = await webauthn()
  const challenge = newToken()
  await owner.issue('challenge', await sha256(challenge), purpose, CHALLENGE_LIFETIME)
  const rpID = new URL(place.origin).hostname
  if (purpose === 'sign-in') {
    // No list of passkeys: whoever is not the owner learns nothing from the question.
    return generateAuthenticationOptions({
      rpID,
      challenge: fromBase64url(challenge),
      userVerification: 'required',
    })
  }
  return generateRegistrationOptions({
    rpName: place.name,
    rpID,
    userName: 'owner',
    userDisplayName: `Owner of ${place.name}`,
    userID: Uint8Array.from(new TextEncoder().encode('owner')),
    challenge: fromBase64url(challenge),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: (await owner.passkeys()).map(({ id }) => ({ id })),
  })
}

/** The passkey that a browser has made, or undefined if the answer proves none. */
export async function newPasskey(
  owner: Owner,
  answer: unknown,
  place: Place,
  now: number,
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  const response = answer as Registration
  const asked = await questionOf(owner, answer, 'enrol')
  if (typeof asked !== 'object') return undefined
  const verified = await verifyRegistrationResponse({
    response,
    ...expectations(place),
    expectedChallenge: asked.challenge,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  return {
    id,
    publicKey: base64url(publicKey),
    counter,
    transports: (transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)),
    createdAt: now,
    lastUsedOn: null,
  }
}

/** What a browser's answer to the sign-in question is worth; `ended` answers no question that is still open. */
export type Proof = 'good' | 'wrong' | 'ended'

/** Whether a browser's answer proves one of the owner's passkeys; notes its use. */
export async function provesPasskey(owner: Owner, answer: unknown, place: Place): Promise<Proof> {
  const { verifyAuthenticationResponse } = await webauthn()
  const response = answer as Authentication
  const asked = await questionOf(owner, answer, 'sign-in')
  if (typeof asked !== 'object') return asked
  const passkey = await owner.passkey(String(response.id))
  if (!passkey) return 'wrong'
  const verified = await verifyAuthenticationResponse({
    response,
    ...expectations(place),
    expectedChallenge: asked.challenge,
    credential: {
      id: passkey.id,
      publicKey: fromBase64url(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return 'wrong'
  await owner.signedIn(passkey.id, verified.authenticationInfo.newCounter)
  return 'good'
}

const expectations = ({ origin }: Place) => ({
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  requireUserVerification: true,
})

/**
 * The challenge that an answer is to, used up by it: `ended` if none is open for this purpose, `wrong` for what is no
 * answer, or one that was given inside a page of another site.
 */
async function questionOf(
  owner: Owner,
  answer: unknown,
  purpose: Purpose,
): Promise<{ challenge: string } | 'wrong' | 'ended'> {
  const { challenge, crossOrigin } = clientDataOf(answer)
  if (typeof challenge !== 'string') return 'wrong'
  const askedFor = await owner.take('challenge', await sha256(challenge))
  if (askedFor === undefined) return 'ended'
  return askedFor === purpose && (crossOrigin ?? false) === false ? { challenge } : 'wrong'
}

/** What the browser says it has signed. */
function clientDataOf(answer: unknown): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    const { clientDataJSON } = (answer as Authentication).response
    return Object(JSON.parse(new TextDecoder().decode(fromBase64url(clientDataJSON)))) as object
  } catch {
    return {}
  }
}
