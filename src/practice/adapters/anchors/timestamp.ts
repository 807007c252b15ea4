import { fromHex, sha256Bytes } from '../../../core/crypto/encoding.ts'
import type { Anchors } from '../../../core/ports/audit.ts'
import { abortedAfter } from '../../../core/with-timeout.ts'

/** DER around the digest: a request of RFC 3161 for the time of a SHA-256 digest, with the certificate. */
const REQUEST = {
  before: fromHex('30390201013031300d060960864801650304020105000420')!,
  after: [1, 1, 0xff],
}
const LONGEST_REPLY = 32_768

interface TimestampAuthority {
  url: string
  timeoutMs: number
  fetch: typeof fetch
}

/** A timestamp authority learns a digest and says when it did. One request, no redirect, no retry. */
export const timestampAnchors = ({ url, timeoutMs, fetch }: TimestampAuthority): Anchors => ({
  kind: 'timestamp',
  async send(note) {
    const digest = await sha256Bytes(new TextEncoder().encode(note))
    const reply = await abortedAfter(timeoutMs, async (signal) => {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal,
        headers: {
          'Content-Type': 'application/timestamp-query',
          Accept: 'application/timestamp-reply',
        },
        body: Uint8Array.of(...REQUEST.before, ...digest, ...REQUEST.after),
      })
      if (response.status !== 200)
        throw new Error('the timestamp authority did not answer with a timestamp')
      return bytesOf(response)
    })
    if (!isGranted(reply) || !holds(reply, digest))
      throw new Error('the timestamp authority granted no timestamp of this checkpoint')
    return reply
  },
})

async function bytesOf(response: Response): Promise<Uint8Array> {
  const bytes: number[] = []
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>
    if (done) break
    bytes.push(...value)
    if (bytes.length > LONGEST_REPLY) {
      await reader.cancel()
      throw new Error('the reply of the timestamp authority is too long')
    }
  }
  return Uint8Array.from(bytes)
}

const SEQUENCE = 0x30
const INTEGER = 2
/** `granted` and `grantedWithMods` (RFC 3161 section 2.4.2). */
const GRANTED = [0, 1]

/** Whether the status of a reply says so; those who verify the reply check the rest. */
function isGranted(reply: Uint8Array): boolean {
  const status = contentAt(reply, contentAt(reply, 0))
  return (
    reply[status] === INTEGER &&
    reply[status + 1] === 1 &&
    GRANTED.includes(reply[status + 2] ?? -1)
  )
}

/** Where the content of the sequence at `at` begins; past the end if there is none. */
function contentAt(bytes: Uint8Array, at: number): number {
  const length = bytes[at + 1]
  if (bytes[at] !== SEQUENCE || length === undefined) return bytes.length
  return at + 2 + (length < 0x80 ? 0 : length - 0x80)
}

const holds = (bytes: Uint8Array, part: Uint8Array): boolean =>
  bytes.some((_, at) => part.every((byte, i) => bytes[at + i] === byte))
