import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import type { LookupOutcome } from '../../../core/domain/outcome.ts'
import { namesOf, PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import { HOUR } from '../../../core/domain/time/duration.ts'
import { localTime } from '../../../core/domain/time/time.ts'
import { jsonIn } from '../../../core/json.ts'
import type { Payments } from '../../../core/ports/payments.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import { CliError } from '../../command.ts'

/** Names what the run has made and not ended yet, without an address or a token. Git ignores it. */
export const LEFT_FILE = '.live-check.json'

/** What a list of a provider does not show after so long was not made. */
const LISTED_AFTER = HOUR

const madeSchema = z.strictObject({
  /** The random name that went with the request. */
  marker: z.string(),
  sentAt: z.int(),
  /** Missing as long as the provider has not said it. */
  id: z.string().optional(),
})
const bookingSchema = madeSchema.extend({
  is: z.literal('booking'),
  provider: z.enum(namesOf(SCHEDULING_PROVIDERS)),
  eventTypeId: z.string(),
  start: z.int(),
  end: z.int(),
})
const linkSchema = madeSchema.extend({
  is: z.literal('link'),
  provider: z.enum(namesOf(PAYMENT_PROVIDERS)),
  invoiceId: z.string(),
  number: z.string().nullable(),
  amount: z.int(),
  currency: z.string(),
})
const thingsSchema = z.array(z.discriminatedUnion('is', [bookingSchema, linkSchema]))

export type MadeBooking = z.infer<typeof bookingSchema>
export type MadeLink = z.infer<typeof linkSchema>
/** What a run has made, or may have. */
type Made = MadeBooking | MadeLink

export type LeftOver = ReturnType<typeof leftOverIn>

/**
 * The file of what is made and not ended. It is written before each request, so that a cut leaves
 * nothing unknown.
 */
export function leftOverIn(folder: string) {
  const path = join(folder, LEFT_FILE)
  const write = (things: Made[]) => {
    if (things.length === 0) return rmSync(path, { force: true })
    writeFileSync(`${path}.new`, JSON.stringify(things, null, 2), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  const read = (): Made[] => {
    const things = existsSync(path)
      ? thingsSchema.safeParse(jsonIn(readFileSync(path, 'utf8'))).data
      : []
    if (things) return things
    throw new CliError(
      `${LEFT_FILE} cannot be read, so it is not known what an earlier run left.`,
      'Look in your calendar and in Stripe for a test of the connector, end it by hand, ' +
        `and delete ${LEFT_FILE}.`,
    )
  }
  return {
    read,
    add: (thing: Made) => write([...read(), thing]),
    /** The provider has said how it calls it. */
    name: (marker: string, id: string) =>
      write(read().map((one) => (one.marker === marker ? { ...one, id } : one))),
    /** It is ended, or was never made. */
    drop: (marker: string) => write(read().filter((one) => one.marker !== marker)),
  }
}

/** The ports by which things are ended; undefined for a provider without a credential. */
export interface Ending {
  scheduling: Scheduling | undefined
  payments: Payments | undefined
  zone: string
  /** Waits before it looks once more. */
  wait(): Promise<unknown>
}

export const REASON = 'The test of the connector is over.'

/**
 * Ends all that is left. Returns what a person has to end by hand, in a sentence each; that stays
 * in the file.
 */
export async function endLeftOver(left: LeftOver, ports: Ending): Promise<string[]> {
  const byHand: string[] = []
  for (const thing of left.read()) {
    const { is } = await looked(ports.wait, async () => {
      const isEnded = await (
        thing.is === 'booking' ? isBookingEnded(thing, ports) : isLinkEnded(thing, ports)
      ).catch(() => false)
      return { is: isEnded ? 'ok' : 'left' }
    })
    if (is === 'ok') left.drop(thing.marker)
    else byHand.push(toEndByHand(thing, ports.zone))
  }
  return byHand
}

async function isBookingEnded(made: MadeBooking, { scheduling }: Ending) {
  if (scheduling?.provider !== made.provider) return false
  const { eventTypeId, marker } = made
  const found = () => scheduling.findBooked(made, eventTypeId, marker)
  return isEnded(made, 'booking_id', found, (id) => isCancelled(scheduling, id, marker))
}

/** Ends what has this id, or what is found under its marker; true, too, where nothing was made. */
async function isEnded(
  made: Made,
  fact: 'booking_id' | 'payment_link_id',
  find: () => Promise<LookupOutcome>,
  end: (id: string) => Promise<boolean>,
) {
  if (made.id !== undefined) return end(made.id)
  const found = await find()
  if (found.is === 'ok') return end(String(found.facts[fact]))
  return found.is === 'not_found' && Date.now() - made.sentAt > LISTED_AFTER
}

/** Cancels a booking, or the one that it was moved to. */
export async function isCancelled(
  scheduling: Scheduling,
  bookingId: string,
  marker: string,
): Promise<boolean> {
  // A booking that cannot be read can perhaps be cancelled.
  const before = await scheduling.booking(bookingId).catch(() => undefined)
  if (before?.movedTo !== undefined) return isCancelled(scheduling, before.movedTo, marker)
  if (before?.state === 'cancelled') return true
  const { is } = await scheduling.cancel(bookingId, REASON, marker)
  if (is === 'ok') return true
  const after = await scheduling.booking(bookingId)
  if (after?.movedTo !== undefined) return isCancelled(scheduling, after.movedTo, marker)
  return after?.state === 'cancelled'
}

async function isLinkEnded(made: MadeLink, { payments }: Ending) {
  if (!payments) return false
  const found = () => payments.findLink(made, made.marker)
  return isEnded(made, 'payment_link_id', found, (id) => isOff(payments, id, made.marker))
}

export async function isOff(payments: Payments, id: string, marker: string): Promise<boolean> {
  if ((await payments.endLink(id, marker)).is === 'ok') return true
  return (await payments.findEnded(id, marker)).is === 'ok'
}

const LOOKS = 3

/** Looks a few times, since a list may lag behind. */
export async function looked<Found extends { is: string }>(
  wait: () => Promise<unknown>,
  look: () => Promise<Found>,
): Promise<Found> {
  for (let nth = 1; ; nth += 1) {
    const found = await look()
    if (found.is === 'ok' || nth === LOOKS) return found
    await wait()
  }
}

function toEndByHand(made: Made, zone: string) {
  if (made.is === 'booking') {
    const { label } = SCHEDULING_PROVIDERS[made.provider]
    const which = made.id === undefined ? 'if there is one' : made.id
    return (
      `Cancel in ${label} the consult of ${localTime(made.start, zone)} that has your ` +
      `address (${which}).`
    )
  }
  const { label } = PAYMENT_PROVIDERS[made.provider]
  return made.id === undefined
    ? `Deactivate in ${label} the payment link whose metadata has commit_id ${made.marker}, if there is one.`
    : `Deactivate in ${label} the payment link ${made.id}.`
}
