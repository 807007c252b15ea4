import * as z from 'zod'

type Kind = { key: `${string}{client}${string}`; owner: 'client' } | { key: string; owner: null }

/**
 * Every kind of masked record, with the pattern of its key and its owner. Owned records are erased with their
 * owner. The id of a record is the last variable of its key.
 */
export const RECORD_KINDS = {
  client: { key: 'client:{client}', owner: 'client' },
  intake: { key: 'intake:{client}:{intake}', owner: 'client' },
  // Before `booking`, whose pattern fits its keys too.
  booking_end: { key: 'booking:{booking}:end', owner: null },
  booking_acceptance: { key: 'booking:{booking}:acceptance', owner: null },
  booking: { key: 'booking:{booking}', owner: null },
  // Before `payment_link`, as above.
  payment_link_end: { key: 'payment_link:{payment_link}:end', owner: null },
  payment_link: { key: 'payment_link:{payment_link}', owner: null },
  // Before `client_link`, for the same reason.
  client_link_end: { key: 'client_link:{client_link}:end', owner: null },
  client_link: { key: 'client_link:{client_link}', owner: null },
} as const satisfies Record<string, Kind>

export type RecordKind = keyof typeof RECORD_KINDS

/**
 * The link of a record that a person approved, beside each keyed hash of its address: by it the
 * address is known. It ends with the client, as the hash does.
 */
export const approvedLink = (index: string) => `${APPROVED}${index}`
export const APPROVED = 'approved '

/** One id for each variable of a pattern. */
type Ids<Pattern> = Pattern extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : []

const VARIABLE = /\{(\w+)\}/g

/** The key of a record; with the beginning of an id, the beginning of the keys. */
export function recordKey<K extends RecordKind>(
  kind: K,
  ...ids: Ids<(typeof RECORD_KINDS)[K]['key']>
): string {
  const left: string[] = [...ids]
  return RECORD_KINDS[kind].key.replace(VARIABLE, () => left.shift()!)
}

const PATTERNS = (Object.entries(RECORD_KINDS) as [RecordKind, Kind][]).map(([kind, { key }]) => ({
  kind,
  names: [...key.matchAll(VARIABLE)].map(([, name]) => name),
  // A client id holds no colon; an id of a provider may.
  pattern: new RegExp(
    `^${key.replace(VARIABLE, (_all, name) => (name === 'client' ? '([^:]+)' : '(.+)'))}$`,
  ),
}))

function parsed(key: string) {
  for (const { kind, names, pattern } of PATTERNS) {
    const ids = pattern.exec(key)?.slice(1)
    if (ids) return { kind, id: ids.at(-1)!, client: ids[names.indexOf('client')] }
  }
  throw new Error('a key of no kind of record')
}

export const kindOf = (key: string): RecordKind => parsed(key).kind

/** The id of the record under this key, which is the last one in the key. */
export const recordId = (key: string) => parsed(key).id

/** The id of the client that owns the record under this key; undefined if it has no owner. */
export function ownerOf(key: string): string | undefined {
  const { kind, client } = parsed(key)
  return RECORD_KINDS[kind].owner === null ? undefined : client
}

/** The text that the key of the end of a booking adds to the key of the booking. */
export const END = recordKey('booking_end', '').slice(recordKey('booking', '').length)

const recordedSchema = z.lazy(() => z.object({ recorded_at: z.string() }))

/** When a record was written, as RFC 3339 in UTC; `value` is its stored text. */
export const recordedAt = (value: string) => recordedSchema.parse(JSON.parse(value)).recorded_at
