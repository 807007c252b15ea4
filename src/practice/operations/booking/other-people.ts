import * as z from 'zod'

import type { Sentence } from '../../../core/confirm/mutation.ts'
import { type Booking, type Invitee, MOST_GUESTS } from '../../../core/domain/booking.ts'
import { caselessEmail } from '../../../core/domain/email.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import { capitalised } from '../../../core/domain/name.ts'

/** Present only where there are any. */
export const otherPeopleField = {
  other_people: z
    .int()
    .min(0)
    .optional()
    .describe('How many other people are on the booking; missing where there are none.'),
}

/** How many other people there are, as a booking says it. */
type Others = { otherPeople?: Booking['otherPeople'] | undefined }

export const otherPeopleIn = ({ otherPeople }: Others) =>
  otherPeople === undefined ? {} : { other_people: otherPeople }

const people = (count: number) => (count === 1 ? 'one other person' : `${count} other people`)

/** Who else hears of a change that the provider makes itself. */
export function alsoTold({ otherPeople = 0 }: Others): Sentence {
  if (otherPeople === 0) return undefined
  const [are, told] = otherPeople === 1 ? ['is', 'is told'] : ['are', 'are told']
  return `${capitalised(people(otherPeople))} ${are} on this booking and ${told}, too.`
}

/** What becomes of them where a booking is cancelled and booked again. */
export function comeAlong({ guests }: Required<Invitee>): Sentence[] {
  // A provider can know that there is someone, and not give the address.
  const most = Math.min(guests.filter(Boolean).length, MOST_GUESTS)
  const rest = guests.length - most
  return [
    most > 0 && `A new booking is made with ${people(most)}, too; the provider tells them.`,
    rest > 0 && `${rest} of the other people on the booking cannot come along: tell them.`,
  ]
}

/** The other people of a booking that goes to an address: one of them may be the new invitee. */
export function withoutInvitee(invitee: Required<Invitee>, email: string): Required<Invitee> {
  const isOther = (one: string) => caselessEmail(one) !== caselessEmail(email)
  return { ...invitee, guests: invitee.guests.filter(isOther) }
}

/** The addresses in one text, for a keyed hash: it is kept, and they are not. */
export const textOfGuests = (guests: readonly string[]) =>
  guests.map(caselessEmail).toSorted().join('\n')

/** How many of so many people are on the booking that was made. */
export function keptOf(was: number, facts: Facts | undefined): number {
  // The owner who found a booking says its id alone: who is on it is not known to be otherwise.
  if (facts?.['start_time'] === undefined) return was
  return Number(facts['other_people'] ?? 0)
}

/** The same, for the answer: missing where there are none, and a preview showed none. */
export function keptPeople(
  { other_people: was }: { other_people?: number | undefined },
  facts: Facts | undefined,
): { other_people?: number } {
  const is = keptOf(was ?? 0, facts)
  return was === undefined && is === 0 ? {} : { other_people: is }
}

/** Names the field where a preview showed no one: someone was added to the booking since. */
export const addedSince = (preview: object, facts: Facts | undefined): 'other_people'[] =>
  'other_people' in preview || keptOf(0, facts) === 0 ? [] : ['other_people']

/** A sentence where there are fewer people than a preview showed, or more. */
export function otherNumber(was = 0, is = 0): string {
  if (is < was) {
    const missing = was === 1 ? 'The other person' : `${was - is} of the ${was} other people`
    return ` ${missing} of the booking could not be booked with it. Tell them.`
  }
  if (is > was) return ` It is also for ${people(is - was)}, added since the preview was made.`
  return ''
}
