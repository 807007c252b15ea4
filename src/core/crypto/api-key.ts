import { BoundedMap } from '../domain/bounded-map.ts'
import { sha256 } from './encoding.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const PREFIX = 'ccn_'
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** A number in base 62, most significant digit first, padded with zeros. */
function base62(value: bigint, length: number) {
  let rest = value
  let text = ''
  for (let place = 0; place < length; place++) {
    text = ALPHABET[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}

/** The table of CRC-32, by the value of a byte. */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** CRC-32 (ISO 3309), which secret scanners expect in the checksum of a token. */
function crc32(ascii: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < ascii.length; i++)
    crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ ascii.charCodeAt(i)) & 0xff]!
  return (crc ^ 0xffffffff) >>> 0
}

const checksum = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_LENGTH)

/** A new API key: prefix, 256 random bits in base 62, and a checksum that secret scanners recognise. */
export function newApiKey(random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('an API key needs 32 random bytes')
  const number = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const body = PREFIX + base62(number, SECRET_LENGTH)
  return body + checksum(body)
}

const HASHES_KEPT = 256
const hashes = new BoundedMap<string, string>(HASHES_KEPT)

/** Whether a text can be an API key; the checksum saves the lookup of a mistyped or invented key. */
export const isApiKey = (text: string) => hashes.has(text) || isWellFormed(text)

const isWellFormed = (text: string) =>
  SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)

/** The hash under which a key is stored: SHA-256, enough for 256 random bits. It caches the last keys. */
export async function hashApiKey(key: string): Promise<string> {
  const hash = hashes.get(key) ?? (await sha256(key))
  if (!hashes.has(key) && isWellFormed(key)) hashes.set(key, hash)
  return hash
}
