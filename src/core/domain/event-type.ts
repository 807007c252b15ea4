import type { Said } from './booking.ts'
import type { Location } from './location.ts'

/** A kind of consult as the practice set it up at the provider. Null means that the provider does not say. */
export interface EventTypeDetails {
  title: string | null
  minutes: number
  /** The lengths that a booking can keep when it is moved, in minutes; missing where that is any. */
  lengths?: readonly number[]
  location: Location | null
  /** What the provider itself charges at booking; the amount in minor units. */
  price: { amount: number; currency: string } | null
  /** Whether the API can book it as it is set up, for an invitee who says all that it asks. */
  bookable: boolean
  /** What the owner has to change before that; missing where it is bookable. */
  advice?: string | undefined
  /** What a booking of it says besides; missing where that is nothing. */
  asks?: Asked | undefined
  /** The email addresses that a booking can have, as far as is known; missing where that is all of them. */
  addresses?: RegExp
  /** Each booking may be with another host. */
  hostsTakeTurns?: boolean
  /** Whether the practice accepts bookings by hand; missing where the provider has no such thing. */
  acceptance?: Acceptance | undefined
  /** When the practice allows no moves and no cancellations. */
  moves?: Closed
  cancellations?: Closed
}

/** What a kind of consult asks of its invitee. The ids are the provider's own. */
export interface Asked {
  questions: readonly Question[]
  /** Where it can take place, the one that it has by default first. */
  places: readonly Place[]
}

/** How a question is answered. `choice` is by one of its choices. */
export const QUESTION_KINDS = ['text', 'choice', 'number', 'phone', 'email'] as const

export interface Question {
  id: string
  /** As the practice wrote it, on one line. */
  question: string
  required: boolean
  kind: (typeof QUESTION_KINDS)[number]
  /** Of a choice, as the provider spells them. */
  choices?: readonly string[]
  /** It takes several answers. */
  several?: true | undefined
  /** It takes a text that is none of its choices. */
  takesOther?: true | undefined
  /** It asks for the invitee's own number, which a booking has in a field of its own. */
  isOwnPhone?: true
  /** The provider may count a no as no answer. */
  mayCountNoAsNone?: true | undefined
  /** The provider takes an answer to it on its own page alone. */
  isOfPage?: true
}

export interface Place {
  id: string
  location: Location
  /** What only the invitee can supply. */
  needs?: 'phone' | 'place' | undefined
}

/** The place of a booking: the one that it names, if the kind still has it, and by default the first. */
export const placeOf = (
  { places }: Asked,
  said: Pick<Said, 'place'> | undefined,
): Place | undefined => places.find(({ id }) => id === said?.place?.id) ?? places[0]

/**
 * What the invitee answered to a question, where a booking can say it. A choice that the question has no
 * more is no answer to it.
 */
export function answerTo(
  { id, kind, choices = [], several, takesOther, isOfPage }: Question,
  said: Pick<Said, 'answers'> | undefined,
): string | undefined {
  if (isOfPage) return undefined
  const answer = said?.answers.find((one) => one.id === id)?.answer
  if (answer === undefined || kind !== 'choice' || takesOther) return answer
  const known = choices.map((one) => one.trim())
  const chosen = several ? answer.split('\n') : [answer]
  return chosen.every((one) => known.includes(one.trim())) ? answer : undefined
}

/** What the kind demands and the invitee has not said, in words for a person; empty if nothing. */
export function unsaid(asks: Asked, said: Said | undefined): string[] {
  const questions = asks.questions
    .filter((one) => one.required && answerTo(one, said) === undefined)
    .map(({ question }) => `an answer to “${question}”`)
  const place = placeOf(asks, said)
  const isSupplied = place?.id === said?.place?.id && said?.place?.words
  if (!place?.needs || isSupplied) return questions
  return [...questions, place.needs === 'phone' ? 'a telephone number' : 'where to meet']
}

/** What is wrong with a booking that does not say so much. It names the questions, and no answer. */
export const demandsMore = (missing: readonly string[]) =>
  `This kind of consult demands what the booking does not have: ${missing.join(', ')}.`

const LONGEST_QUESTION = 200

/** A question of the practice on one line, shortened where it is long. */
export function questionText(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line.length > LONGEST_QUESTION ? `${line.slice(0, LONGEST_QUESTION - 1)}…` : line
}

/** `withinMs`: of bookings that begin so soon. */
export type Acceptance = 'none' | 'always' | { withinMs: number }
export type Closed = 'never' | 'always' | { withinMs: number }
