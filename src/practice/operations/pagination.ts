import * as z from 'zod'

import { base64url, equalInConstantTime, fromBase64url } from '../../core/crypto/encoding.ts'
import { type Problem, invalidField } from '../../core/domain/problem/problem.ts'
import { boundSchema } from '../../core/domain/time/time.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import { numberField, textOrNull, momentField } from './schemas.ts'

const SHAPE = /^([A-Za-z0-9_-]{2,3000})\.([0-9a-f]{8})([A-Za-z0-9_-]{22})$/

/** How many entries a list has by default. */
export const ON_PAGE = 20
const MOST_ON_PAGE = 100

/** How many entries of a list are wanted. */
export const limitField = numberField(MOST_ON_PAGE)
  .optional()
  .describe(`At most so many; ${ON_PAGE} by default.`)

/** How many entries a list without pages has left out. */
export const moreField = z.int().min(0).describe('How many more results there are beyond limit.')

/** The query of a list without pages. */
export const listQuery = z.strictObject({ limit: limitField })

/** The answer of a list without pages. */
export const listSchema = <N extends string, S extends z.ZodType>(name: N, entry: S) =>
  z.strictObject({ [name]: z.array(entry) as z.ZodType, more: moreField } as Record<
    N,
    z.ZodArray<S>
  > & {
    more: typeof moreField
  })

/** The first entries, and how many more there are. */
export const firstOf = <N extends string, T>(name: N, all: readonly T[], limit = ON_PAGE) =>
  ({ [name]: all.slice(0, limit), more: Math.max(0, all.length - limit) }) as Record<N, T[]> & {
    more: number
  }

/** The bounds of a window in a request for a list. */
export const windowFields = {
  from: boundSchema.optional().meta({
    description: 'The start of the window: RFC 3339 with an offset, or a date.',
    examples: ['2037-11-24'],
  }),
  to: boundSchema.optional().meta({
    description:
      'The end of the window: RFC 3339 with an offset, which is excluded, or a date, which is included.',
    examples: ['2037-11-30'],
  }),
}

/** The bounds of the window that an answer covers. */
export const searchedFrom = momentField.describe('Start of the window that was searched.')
export const searchedTo = momentField.describe('End of the window that was searched.')

/** The cursor of a listing, in a request. */
export const cursorField = z
  .string()
  .max(4000)
  .describe(
    'The next_cursor of the previous page. It carries the whole query; ' +
      'if you also send other fields, they must be those of the first page.',
  )

/** The cursor of the next page, in an answer. */
export const nextCursorField = textOrNull.describe(
  'The cursor of the next page; null at the end of the list.',
)

/** The line of a text answer that leads to the next page. */
export const moreLine = (cursor: string) => `There are more: ask again with cursor=${cursor}`

/** The refusal of a field beside a cursor that differs from that of the first page. */
export const notAsFirstPage = (name: string): Problem =>
  invalidField(`/${name}`, 'Expected what the first page was asked for, or nothing.')

export const badCursor = (): Problem =>
  invalidField(
    '/cursor',
    'Expected a next_cursor of this listing that still holds; begin again without one.',
  )

const macOf = async (keyring: Keyring, keyId: string, listing: string, body: string) =>
  (await keyring.mac(keyId, 'cursor', `${listing}|${body}`)).slice(0, 22)

/** A cursor that proves itself: it cannot be made up, or used with another listing. */
export async function issueCursor(
  keyring: Keyring,
  listing: string,
  state: object,
): Promise<string> {
  const body = base64url(new TextEncoder().encode(JSON.stringify(state)))
  return `${body}.${keyring.current}${await macOf(keyring, keyring.current, listing, body)}`
}

/** The state in a cursor. Raises `validation_failed` if it was not issued here, or its key is gone. */
export async function readCursor<T>(
  keyring: Keyring,
  listing: string,
  cursor: string,
  form: z.ZodType<T>,
): Promise<T> {
  const [, body = '', keyId = '', mac = ''] = SHAPE.exec(cursor) ?? []
  if (!keyring.ids.includes(keyId)) throw badCursor()
  if (!equalInConstantTime(mac, await macOf(keyring, keyId, listing, body))) throw badCursor()
  return form.parse(JSON.parse(new TextDecoder().decode(fromBase64url(body))))
}

/** A list of people who are masked, and what tells two of them apart. */
interface Masked {
  /** The initials of each row; null where there is no name. */
  initials: readonly (string | null)[]
  /** Who is masked, in the plural: `Invitees`. */
  people: string
  /** What a row is, in the singular: `consult`. */
  row: string
  /** What the caller asks the person for, and perhaps a sentence on what to do with it. */
  askFor: string
  says(words: string): string
}

/**
 * A line for a list in which two rows have the same initials: no one may choose between them by the
 * name alone.
 */
export const sameInitialsLine = ({ initials, people, row, askFor, says }: Masked) =>
  new Set(initials).size < initials.length &&
  says(
    `${people} are masked: two people can have the same initials. ` +
      `Where more than one ${row} could be meant, ask the person for ${askFor}.`,
  )
