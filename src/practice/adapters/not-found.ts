import { shortMac } from '../../core/crypto/encoding.ts'
import { BoundedMap } from '../../core/domain/bounded-map.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { Payments } from '../../core/ports/payments.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import { currentReader } from './provider-quota.ts'

/** How long a caller who asks again for what is not there gets the same answer. */
const KEPT_MS = 20 * SECOND
const MOST_KEPT = 1000

type Known = BoundedMap<string, { answer: unknown; since: number }>
/** By a keyed hash of the caller and what it asked for. One map gives way to another. */
let known: Known = new BoundedMap(MOST_KEPT)

/** What was not there may be there now: a provider said that something changed, or a change was made. */
export const forgetNotFound = (): void => void (known = new BoundedMap(MOST_KEPT))

interface Memory {
  keyring(): Promise<Keyring>
  now(): number
}

/** Asks once in 20 seconds for what a reader asks and is not there; a change always asks. */
function remembering({ keyring, now }: Memory) {
  return async <Answer>(
    what: string,
    ask: () => Promise<Answer>,
    isMissing: (answer: Answer) => boolean = (answer) => answer === undefined,
  ): Promise<Answer> => {
    const reader = currentReader()
    if (reader === undefined) return ask()
    const keys = await keyring()
    const key = await shortMac(keys, keys.current, 'not found', JSON.stringify([reader, what]))
    // What was asked before the memory was emptied goes into the map that gave way.
    const into = known
    const found = into.get(key)
    if (found && Math.abs(now() - found.since) < KEPT_MS) return found.answer as Answer
    const since = now()
    const answer = await ask()
    if (isMissing(answer)) into.set(key, { answer, since })
    return answer
  }
}

/** A calendar that answers a reader from memory for 20 seconds where it has no booking of an id. */
export function rememberingBookings(scheduling: Scheduling, memory: Memory): Scheduling {
  const once = remembering(memory)
  return {
    ...scheduling,
    booking: (id) => once(`booking ${id}`, () => scheduling.booking(id)),
  }
}

/** A payment provider that does the same for an invoice and for a link. */
export function rememberingInvoices(payments: Payments, memory: Memory): Payments {
  const once = remembering(memory)
  return {
    ...payments,
    invoice: (id, linksOf) => once(`invoice ${id}`, () => payments.invoice(id, linksOf)),
    invoices: (wanted) =>
      once(
        `invoices ${JSON.stringify(wanted)}`,
        () => payments.invoices(wanted),
        ({ invoices }) => wanted.number !== undefined && invoices.length === 0,
      ),
    link: (id) => once(`link ${id}`, () => payments.link(id)),
  }
}
