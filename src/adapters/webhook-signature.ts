import { fromHex } from '../crypto/encoding.ts'
import { SECOND } from '../domain/time/duration.ts'

/** More than any provider sends; each is verified with each key. */
const MOST_SIGNATURES = 8

const encoder = new TextEncoder()

/** Whether one of these hex signatures is the HMAC-SHA-256 of the bytes under a key; in constant time. */
export async function isSigned(
  bytes: Uint8Array,
  signatures: readonly string[],
  keys: readonly string[],
): Promise<boolean> {
  const given = signatures.slice(0, MOST_SIGNATURES).flatMap((signature) => fromHex(signature) ?? [])
  let found = false
  for (const secret of given.length === 0 ? [] : keys) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, bytes as Uint8Array<ArrayBuffer>)) found = true
  }
  return found
}

/** Whether a header `t=<seconds>,v1=<hex>` signs time and body under a key, within `toleranceMs` of `now`. */
export async function isSignedAt(
  header: string | null,
  body: Uint8Array,
  { keys, now, toleranceMs }: { keys: readonly string[]; now: number; toleranceMs: number },
): Promise<boolean> {
  const fields = (header ?? '').split(',').map((field) => field.trim())
  const of = (name: string) =>
    fields.flatMap((field) => (field.startsWith(`${name}=`) ? [field.slice(name.length + 1)] : []))
  const [time, ...others] = of('t')
  if (time === undefined || others.length > 0 || !/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now - Number(time) * SECOND) > toleranceMs) return false
  const front = encoder.encode(`${time}.`)
  const signed = new Uint8Array(front.length + body.length)
  signed.set(front)
  signed.set(body, front.length)
  return isSigned(signed, of('v1'), keys)
}

/** The JSON value of a body; undefined if it is none. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
  } catch {
    return undefined
  }
}
