import canonicalize from 'canonicalize'

import { equalInConstantTime, sha256 } from '../crypto/encoding.ts'
import type { ConfirmationCall, Shown } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { FlowRecord } from './record.ts'

const SHAPE = /^ct_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

const signature = (keyring: Keyring, keyId: string, name: string, id: string) =>
  keyring.mac(keyId, 'token', `${name}|${id}`)

/** The token of a preview: a nonce and a MAC that binds it to caller and key. The same for each repeat. */
export const issueToken = async (keyring: Keyring, keyId: string, name: string, id: string) =>
  `ct_${id}.${await signature(keyring, keyId, name, id)}`

/** The nonce of a token that was issued for this object under any listed secret; undefined for any other. */
export async function readToken(
  keyring: Keyring,
  name: string,
  token: string | undefined,
): Promise<ConfirmationCall['token']> {
  if (token === undefined) return 'missing'
  const [, id, mac] = SHAPE.exec(token) ?? []
  if (id === undefined || mac === undefined) return 'invalid'
  for (const keyId of keyring.ids) {
    if (equalInConstantTime(mac, await signature(keyring, keyId, name, id))) return { id }
  }
  return 'invalid'
}

/** The object's name for a caller and key: a hash hides the key, and no rotation of secrets changes it. */
export const confirmationName = (caller: string, idempotencyKey: string) =>
  sha256(JSON.stringify([caller, idempotencyKey]))

/**
 * JSON by RFC 8785 in NFC, so that a letter is one, however a device types it. No sign of JSON
 * joins with a mark.
 */
const canonical = (value: unknown) => (canonicalize(value) ?? '').normalize('NFC')

/** What is compared of the payloads of two calls. */
type Compared = Pick<ConfirmationCall, 'fingerprints' | 'forms'>

/**
 * A payload's HMAC under every secret (RFC 8785 JSON, NFC): a plain hash of an address can be reversed.
 * Beside it stand those of its forms: as it was sent, and with the defaults of that moment.
 */
export async function fingerprints(
  keyring: Keyring,
  operation: string,
  payload: object,
  ...forms: object[]
): Promise<Required<Compared>> {
  const texts = [payload, ...forms].map((form) => `${operation}|${canonical(form)}`)
  // Forms that are alike are hashed once.
  const distinct = [...new Set(texts)]
  const macs = keyring.ids.map(async (id) => {
    const made = await Promise.all(distinct.map((text) => keyring.mac(id, 'fingerprint', text)))
    const [one = '', ...others] = texts.map((text) => made[distinct.indexOf(text)])
    return { id, one, ofForms: [...new Set(others)].join(' ') }
  })
  const all = await Promise.all(macs)
  return {
    fingerprints: Object.fromEntries(all.map(({ id, one }) => [id, one])),
    forms: Object.fromEntries(all.map(({ id, ofForms }) => [id, ofForms])),
  }
}

/**
 * Whether a stored payload is the one with these fingerprints: in one of its forms. A setting that
 * changes in between changes the defaults, and neither what was sent nor what it meant. Where
 * either has no forms, as from a build that knew none, only the fingerprint is there.
 */
export function isSamePayload(
  { keyId, fingerprint, forms }: Pick<FlowRecord, 'keyId' | 'fingerprint' | 'forms'>,
  given: Compared,
): boolean {
  const others = given.forms?.[keyId]
  if (!forms || !others) return fingerprint === given.fingerprints[keyId]
  return forms.split(' ').some((form) => others.split(' ').includes(form))
}

/** The leaves of a payload by JSON pointer; a list is one leaf. */
function leavesOf(payload: object, at = ''): [pointer: string, value: unknown][] {
  return Object.entries(payload).flatMap(([name, value]: [string, unknown]) => {
    const pointer = `${at}/${name}`
    const isInner = value !== null && typeof value === 'object' && !Array.isArray(value)
    if (isInner) return leavesOf(value, pointer)
    return value === undefined ? [] : [[pointer, value]]
  })
}

const FIELD_HASH_LENGTH = 22

/**
 * A keyed hash of each field, by JSON pointer, to tell later which of them differ. `id` is the
 * random nonce of the preview, so that equal values in two changes have nothing in common.
 */
export async function fieldHashes(
  keyring: Keyring,
  { keyId, id }: { keyId: string; id: string },
  payload: object,
): Promise<Record<string, string>> {
  const hashes = leavesOf(payload).map(async ([pointer, value]) => {
    const text = `${id}|${pointer}|${canonical(value)}`
    const hash = await keyring.mac(keyId, 'field', text)
    return [pointer, hash.slice(0, FIELD_HASH_LENGTH)] as const
  })
  return Object.fromEntries(await Promise.all(hashes))
}

/** The fields that differ, or that only one of both payloads has. */
export const differingFields = (
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (pointer) => one[pointer] !== other[pointer],
  )

/** What a preview showed, as it is hashed: canonical JSON with the nonce, so that no guess can be tested. */
export const shownText = (nonce: string, { preview, summary, warnings }: Shown) =>
  canonicalize({ nonce, preview, summary, warnings }) ?? ''
