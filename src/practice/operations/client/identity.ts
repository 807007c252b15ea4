import * as z from 'zod'

import type { FactsContext } from '../../../core/confirm/mutation.ts'
import { equalInConstantTime, shortMac } from '../../../core/crypto/encoding.ts'
import { caselessEmail, maskEmail } from '../../../core/domain/email.ts'
import type { Mode } from '../../../core/domain/mode.ts'
import type { Refusal } from '../../../core/domain/problem/problem.ts'
import type { Scope } from '../../../core/domain/scopes.ts'
import { instantOf, spokenTime } from '../../../core/domain/time/time.ts'
import type { Keyring } from '../../../core/ports/keyring.ts'
import type { Found } from '../../../core/ports/records.ts'
import type { Ports } from '../../../core/ports/services.ts'
import { practiceMode } from '../operation.ts'

/** The answer for a change whose client was deleted: it was done once, so its key is never free. */
export const ERASED_CLIENT = {
  code: 'client_not_found',
  effect: 'done',
  detail: 'It was done, and the client has been deleted since.',
  next_step: 'Nothing is left to do under this key.',
} as const satisfies Refusal

const SHAPE = /^cl_(mock_)?([A-Za-z0-9_-]{22})([0-9a-f]{8})([A-Za-z0-9_-]{22})$/

/** A client id with a MAC of 132 bits. It derives from the id of the flow, so a repeat makes the same one. */
export async function issueClientId(
  keyring: Keyring,
  keyId: string,
  flowId: string,
  mode: Mode,
): Promise<string> {
  const random = await shortMac(keyring, keyId, 'client handle', flowId)
  const body = `${mode === 'mock' ? 'mock_' : ''}${random}${keyId}`
  return `cl_${body}${await shortMac(keyring, keyId, 'client id', body)}`
}

/** Whether a client id was issued here, in this mode. `unlisted`: its key is gone, only a record can tell. */
export async function checkClientId(
  keyring: Keyring,
  clientId: string,
  mode: Mode,
): Promise<'issued' | 'unlisted' | 'foreign'> {
  const [, mock, random, keyId, mac] = SHAPE.exec(clientId) ?? []
  if (random === undefined || keyId === undefined || mac === undefined) return 'foreign'
  if ((mock !== undefined) !== (mode === 'mock')) return 'foreign'
  if (!keyring.ids.includes(keyId)) return 'unlisted'
  const expected = await shortMac(keyring, keyId, 'client id', `${mock ?? ''}${random}${keyId}`)
  return equalInConstantTime(mac, expected) ? 'issued' : 'foreign'
}

interface Notices {
  warnings: string[]
  discloses: Scope[]
}

/** What a commit has: only a preview looks. */
export const NO_NOTICES: Notices = { warnings: [], discloses: [] }

type Asking = Pick<FactsContext, 'ports' | 'mayRead'>

const LOOKED_AT = 50
const NAMED = 3

/** Warns, without names, of clients with the address: an erased one stays in no preview. Never rejects. */
export const sameClient = (
  index: readonly string[],
  { ports, mayRead }: Asking,
): Promise<Notices> =>
  noticed('clients:read', mayRead, 'a client with this email address exists already', async () => {
    const { count } = await ports.records.linkedTo(index, 'client', practiceMode(ports), 1)
    if (count === 0) return []
    const some = count === 1 ? 'A client' : `${count} clients`
    return [
      `${some} with this email address ${count === 1 ? 'exists' : 'exist'} already. ` +
        'Look for that one by the address first, and create another only if that is meant.',
    ]
  })

const bookingSchema = z.object({ booking_id: z.string(), start_time: z.string() })

/** Warns a caller who may read bookings of other future consults made here for the address. Never rejects. */
export const otherConsults = (
  index: readonly string[],
  timezone: string,
  { ports, mayRead }: Asking,
): Promise<Notices> =>
  noticed('bookings:read', mayRead, 'the invitee has another consult coming', async () => {
    const entries = await ports.records.newestWith(
      index,
      'booking',
      ports.scheduling.mode,
      LOOKED_AT,
    )
    const coming = entries
      .filter(({ ended }) => !ended)
      .map(({ value }) => bookingSchema.parse(JSON.parse(value)))
      .map(({ booking_id, start_time }) => ({ booking_id, start: instantOf(start_time) }))
      .filter(({ start }) => start > ports.now())
      .toSorted((one, other) => one.start - other.start)
    if (coming.length === 0) return []
    const named = coming
      .slice(0, NAMED)
      .map(
        ({ booking_id, start }) =>
          `${spokenTime(start, ports.practice.timezone, timezone)} (${booking_id})`,
      )
    const others = coming.length > NAMED ? `, and ${coming.length - NAMED} more` : ''
    return [
      'This email address has another consult coming, booked here and not cancelled here: ' +
        `${named.join('; ')}${others}. Book another only if that is meant.`,
    ]
  })

async function noticed(
  scope: Scope,
  mayRead: FactsContext['mayRead'],
  what: string,
  find: () => Promise<string[]>,
): Promise<Notices> {
  if (!mayRead(scope)) return NO_NOTICES
  const warnings = await find().catch(() => [`It could not be checked whether ${what}.`])
  return { warnings, discloses: warnings.length > 0 ? [scope] : [] }
}

/** Keyed hashes that find an address's records, under the record's secret and older ones; none if masked. */
export async function emailIndex(
  keyring: Keyring,
  keyId: string,
  email: string,
): Promise<string[]> {
  const address = caselessEmail(email)
  if (maskEmail(email) === email) return []
  const ids = keyring.ids.slice(keyring.ids.indexOf(keyId))
  return Promise.all(
    ids.map(async (id) => `${id}:${await shortMac(keyring, id, 'contact', address)}`),
  )
}

/** Whether an index is of this email address; undefined if its secret is no longer listed. */
export async function isIndexOf(
  keyring: Keyring,
  index: readonly string[],
  email: string,
): Promise<boolean | undefined> {
  const keyId = keyring.ids.find((id) => index.some((one) => one.startsWith(`${id}:`)))
  if (keyId === undefined) return undefined
  return (await emailIndex(keyring, keyId, email)).some((one) => index.includes(one))
}

/** The newest clients of this mode that were created with an email address, and how many there are. */
export async function clientsUnder(
  email: string,
  keyId: string,
  ports: Pick<Ports, 'keyring' | 'records' | 'scheduling' | 'payments'>,
  limit: number,
): Promise<Found> {
  const links = await emailIndex(await ports.keyring(), keyId, email)
  return ports.records.linkedTo(links, 'client', practiceMode(ports), limit)
}
