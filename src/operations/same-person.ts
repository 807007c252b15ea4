import * as z from 'zod'
import type { PrepareContext } from '../confirm/mutation.ts'
import type { Scope } from '../domain/scopes.ts'
import { instantOf, spokenTime } from '../domain/time.ts'
import { practiceMode } from './operation.ts'

/** The warnings of a preview, and the scopes that a caller needs to see them. */
export interface Notices {
  warnings: string[]
  discloses: Scope[]
}

type Asking = Pick<PrepareContext, 'ports' | 'mayRead'>

/** How many bookings of one address are looked at, and how many are named. */
const LOOKED_AT = 50
const NAMED = 3

/**
 * Warns of clients with the same email address, by its keyed hashes; only for a caller who may read clients. It names
 * nobody, so that nothing of a deleted client stays behind in a preview of another. Never rejects: a warning is no reason
 * to refuse.
 */
export const sameClient = (index: readonly string[], { ports, mayRead }: Asking): Promise<Notices> =>
  noticed('clients:read', mayRead, 'a client with this email address exists already', async () => {
    const { count } = await ports.records.linkedTo(index, 'client', practiceMode(ports), 1)
    if (count === 0) return []
    const some = count === 1 ? 'A client' : `${count} clients`
    return [
      `${some} with this email address ${count === 1 ? 'exists' : 'exist'} already; find_client shows who. Create another only if that is meant.`,
    ]
  })

const bookingSchema = z.object({ booking_id: z.string(), start_time: z.string() })

/**
 * Warns of other future consults that were booked here for the same email address, by its keyed hashes; only for a caller
 * who may read bookings. Never rejects.
 */
export const otherConsults = (
  index: readonly string[],
  timezone: string,
  { ports, mayRead }: Asking,
): Promise<Notices> =>
  noticed('bookings:read', mayRead, 'the invitee has another consult coming', async () => {
    const { entries } = await ports.records.linkedTo(index, 'booking', ports.scheduling.mode, LOOKED_AT)
    const coming = entries
      .filter(({ ended }) => !ended)
      .map(({ value }) => bookingSchema.parse(JSON.parse(value)))
      .map(({ booking_id, start_time }) => ({ booking_id, start: instantOf(start_time) }))
      .filter(({ start }) => start > ports.now())
      .toSorted((one, other) => one.start - other.start)
    if (coming.length === 0) return []
    const named = coming
      .slice(0, NAMED)
      .map(({ booking_id, start }) => `${spokenTime(start, timezone)} (${booking_id})`)
    const others = coming.length > NAMED ? `, and ${coming.length - NAMED} more` : ''
    return [
      `This email address has another consult coming, booked here and not cancelled here: ${named.join('; ')}${others}. Book another only if that is meant.`,
    ]
  })

async function noticed(
  scope: Scope,
  mayRead: PrepareContext['mayRead'],
  what: string,
  find: () => Promise<string[]>,
): Promise<Notices> {
  if (!mayRead(scope)) return { warnings: [], discloses: [] }
  const warnings = await find().catch(() => [`It could not be checked whether ${what}.`])
  return { warnings, discloses: warnings.length > 0 ? [scope] : [] }
}
