import * as z from 'zod'

import { type Booking, type Invitee, MOST_GUESTS } from '../../../core/domain/booking.ts'
import { caselessEmail } from '../../../core/domain/email.ts'
import type { Facts } from '../../../core/domain/facts.ts'

/** Present only where there are any. */
export const otherPeopleField = {
  other_people: z.int().min(0).optional().meta({
    description: 'How many other people are on the booking; missing where there are none.',
  }),
}

export const otherPeopleIn = ({ otherPeople }: Booking) =>
  otherPeople === undefined ? {} : { other_people: otherPeople }

const people = (count: number): string =>
  count === 1 ? 'one other person' : `${count} other people`

/** Who else hears of a change that the provider makes itself. */
export function alsoTold({ otherPeople = 0 }: Booking): string[] {
  if (otherPeople === 0) return []
  const [are, told] = otherPeople === 1 ? ['is', 'is told'] : ['are', 'are told']
  const who = people(otherPeople)
  return [`${who[0]!.toUpperCase()}${who.slice(1)} ${are} on this booking and ${told}, too.`]
}

/** What becomes of them where a booking is cancelled and booked again. */
export function comeAlong({ guests = [] }: Invitee): string[] {
  if (guests.length === 0) return []
  const most = Math.min(guests.length, MOST_GUESTS)
  const rest = guests.length - most
  return [
    `A new booking is made with ${people(most)}, too; the provider tells them.`,
    ...(rest > 0 ? [`${rest} more cannot come along: tell them.`] : []),
  ]
}

/** The addresses in one text, for a keyed hash: it is kept, and they are not. */
export const textOfGuests = (guests: readonly string[] = []): string =>
  guests.map(caselessEmail).toSorted().join('\n')

/** How many of those that a preview showed are on the booking that was made. */
export function keptPeople<P extends { other_people?: number | undefined }>(
  preview: P,
  facts: Facts | undefined,
): { other_people?: number } {
  if (preview.other_people === undefined) return {}
  const made = facts?.['other_people']
  return { other_people: typeof made === 'number' ? made : 0 }
}

/** A sentence where some of them are not. */
export const missingPeople = (was: number | undefined, is: number | undefined): string =>
  was === undefined || (is ?? 0) >= was
    ? ''
    : ` ${was - (is ?? 0)} of the ${was} other people of the booking could not be booked with it. Tell them.`
