import { base64url, fromBase64url, sha256Base64url, sha256Bytes } from '../../crypto/encoding.ts'
import { callerOfCredential } from '../../domain/audit/entry.ts'
import type { AuditLeaf } from '../../domain/audit/leaf.ts'
import type { Facts } from '../../domain/facts.ts'
import { isSignedByPasskey } from './public-key.ts'

const USER_PRESENT_AND_VERIFIED = 0x05

/** What the log says of a passkey. */
interface KnownPasskey {
  publicKey: string
  role: string
  removedAt: number
}

/** The passkeys of a log, by the hash of their id. */
export function passkeysOf(leaves: readonly AuditLeaf[]): Map<string, KnownPasskey> {
  const known = new Map<string, KnownPasskey>()
  for (const { event, code, about, at } of leaves) {
    if (event !== 'enrolment' || !about) continue
    const credential = textOf(about, 'credential')
    const before = known.get(credential)
    if (code === 'removed') {
      if (before) before.removedAt = at
    } else if (!before)
      known.set(credential, {
        publicKey: textOf(about, 'public_key'),
        role: textOf(about, 'role'),
        removedAt: Infinity,
      })
  }
  return known
}

/**
 * Checks what a passkey signed for an entry that says a person approved: that the signature is by the passkey of its
 * enrolment entry, on a page of the host that is returned, for exactly what was shown. Otherwise why not.
 */
export async function checkApproval(
  { about, caller, at }: AuditLeaf,
  passkeys: ReadonlyMap<string, KnownPasskey>,
): Promise<{ host: string } | { fault: string }> {
  const facts = about ?? {}
  const text = (field: string): string => textOf(facts, field)
  const passkey = passkeys.get(text('credential'))
  if (!passkey) return { fault: 'its passkey was never added' }
  const name = passkey.role === 'owner' ? 'owner' : callerOfCredential(text('credential'))
  if (caller !== name) return { fault: 'it names somebody else than the holder of its passkey' }
  if (passkey.removedAt < at) return { fault: 'its passkey had been removed before' }
  try {
    const clientData = fromBase64url(text('client_data'))
    const said = JSON.parse(new TextDecoder().decode(clientData)) as Record<string, unknown>
    const asked = ['approve-v1', 'approve', text('shown'), text('digest'), text('nonce')].join('|')
    const challenge = await sha256Base64url(asked)
    if (said['type'] !== 'webauthn.get' || said['challenge'] !== challenge || said['crossOrigin'] === true)
      return { fault: 'its passkey signed something else than what was shown' }
    const { hostname, host } = new URL(String(said['origin']))
    const authenticator = fromBase64url(text('authenticator_data'))
    if (base64url(authenticator.slice(0, 32)) !== (await sha256Base64url(hostname)))
      return { fault: 'its passkey was used for another site' }
    if (((authenticator[32] ?? 0) & USER_PRESENT_AND_VERIFIED) !== USER_PRESENT_AND_VERIFIED)
      return { fault: 'its passkey did not ask its holder' }
    const signed = Uint8Array.from([...authenticator, ...(await sha256Bytes(clientData))])
    const isGood = await isSignedByPasskey(
      fromBase64url(passkey.publicKey),
      fromBase64url(text('signature')),
      signed,
    )
    return isGood ? { host } : { fault: 'the signature of its passkey is wrong' }
  } catch {
    return { fault: 'what its passkey signed cannot be read' }
  }
}

const textOf = (facts: Facts, field: string): string => String(facts[field] ?? '')
