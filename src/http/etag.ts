import { sha256 } from '../crypto/encoding.ts'

/** A strong ETag of a whole body: 128 bits of its hash. */
export const etagOf = async (body: string | Uint8Array): Promise<string> =>
  `"${(await sha256(body)).slice(0, 32)}"`

/** Whether If-None-Match names this ETag, compared weakly (RFC 9110). */
export const isNamedBy = (header: string | undefined, etag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
