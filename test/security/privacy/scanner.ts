/** Bytes of one place where something may have leaked to. */
export interface Place {
  place: string
  bytes: Uint8Array
}

export interface Finding {
  canary: string
  form: string
  place: string
}

interface Needle {
  canary: string
  form: string
  bytes: Buffer
}

const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%${hexOf(byte, 2)}`).join('')
const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
const unicodeEscaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${hexOf(text.charCodeAt(i), 4)}`).join('')
const isAscii = (character: string): boolean => character < '\u0080'
const escapedBeyondAscii = (text: string, escape: (character: string) => string): string =>
  Array.from(text, (character) => (isAscii(character) ? character : escape(character))).join('')
const entity = (character: string): string => `&#${character.codePointAt(0)};`

/** Base64 of the bytes within a longer text: what is sure of it when they begin at this offset of a group of three. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const first = Math.ceil((offset * 8) / 6)
  const last = Math.floor(((offset + bytes.length) * 8) / 6)
  return text.slice(first, last)
}

/** A text as it may have been written down, by the name of the form. Letters match in either case. */
function formsOf(text: string): { form: string; bytes: Buffer }[] {
  const forms: { form: string; bytes: Buffer }[] = []
  const add = (form: string, written: string | Buffer) =>
    forms.push({
      form,
      bytes: typeof written === 'string' ? Buffer.from(written, 'latin1') : written,
    })
  // Letters beyond ASCII change their bytes with their case.
  const cases = [text, text.toLowerCase(), text.toUpperCase()]
  for (const spelled of new Set(
    cases.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]),
  )) {
    const utf8 = Buffer.from(spelled)
    add('utf8', utf8)
    if (Buffer.from(spelled, 'latin1').toString('latin1') === spelled) add('latin1', spelled)
    add('utf16le', Buffer.from(spelled, 'utf16le'))
    add('URL-encoded', encodeURIComponent(spelled))
    add('URL-encoded twice', encodeURIComponent(encodeURIComponent(spelled)))
    add('URL-encoded as a form', encodeURIComponent(spelled).replaceAll('%20', '+'))
    add('URL-encoded byte by byte', percent(utf8))
    add('JSON-escaped', JSON.stringify(spelled).slice(1, -1).replaceAll('/', '\\/'))
    add('JSON-escaped beyond ASCII', escapedBeyondAscii(spelled, unicodeEscaped))
    add('JSON-escaped throughout', unicodeEscaped(spelled))
    add('HTML-escaped', escapedBeyondAscii(spelled, entity))
    for (const [encoding, bytes] of [
      ['utf8', utf8],
      ['utf16le', Buffer.from(spelled, 'utf16le')],
    ] as const) {
      add(`hex of ${encoding}`, bytes.toString('hex'))
      for (const offset of [0, 1, 2]) {
        const base64 = base64At(bytes, offset)
        add(`base64 of ${encoding}, offset ${offset}`, base64)
        add(
          `base64url of ${encoding}, offset ${offset}`,
          base64.replaceAll('+', '-').replaceAll('/', '_'),
        )
      }
    }
  }
  return forms
}

function lowerCased(bytes: Uint8Array): Buffer {
  const lower = Buffer.from(bytes)
  for (let i = 0; i < lower.length; i++) {
    const byte = lower[i]!
    if (byte >= 0x41 && byte <= 0x5a) lower[i] = byte + 0x20
  }
  return lower
}

/** Which 4 bytes a needle may begin with: a bit for each hash of them, so that most places are passed over at once. */
const HASH_BITS = 20
const hashAt = (bytes: Buffer, at: number): number =>
  Math.imul(
    bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24),
    0x9e3779b1,
  ) >>>
  (32 - HASH_BITS)

/** Looks for every part of every canary, in every form, in either case; one finding per canary, form and place. */
export function scannerFor(canaries: Readonly<Record<string, readonly string[]>>) {
  const needles = new Map<number, Needle[]>()
  const begins = new Uint8Array(1 << HASH_BITS)
  for (const [canary, parts] of Object.entries(canaries)) {
    const known = new Set<string>()
    for (const { form, bytes } of parts.flatMap(formsOf)) {
      const needle = { canary, form, bytes: lowerCased(bytes) }
      const written = needle.bytes.toString('latin1')
      if (known.has(written)) continue
      known.add(written)
      const hash = hashAt(needle.bytes, 0)
      begins[hash] = 1
      needles.set(hash, [...(needles.get(hash) ?? []), needle])
    }
  }
  return (places: Iterable<Place>): Finding[] => {
    const found = new Map<string, Finding>()
    for (const { place, bytes } of places) {
      const haystack = lowerCased(bytes)
      for (let at = 0; at + 4 <= haystack.length; at++) {
        const hash = hashAt(haystack, at)
        if (begins[hash] === 0) continue
        for (const { canary, form, bytes: needle } of needles.get(hash) ?? []) {
          if (!haystack.subarray(at, at + needle.length).equals(needle)) continue
          found.set(`${canary}|${form}|${place}`, { canary, form, place })
        }
      }
    }
    return [...found.values()]
  }
}
