import type { Said } from '../../../core/domain/booking.ts'
import {
  type EventTypeDetails,
  demandsMore,
  placeOf,
  unsaid,
} from '../../../core/domain/event-type.ts'
import type { Practice } from '../../../core/domain/practice.ts'
import { Problem, problem } from '../../../core/domain/problem/problem.ts'

type Page = Pick<Practice, 'schedulingPageUrl'>

/** Raises `provider_misconfigured` for a kind that cannot be booked here, whatever its invitee says. */
export function refuseUnbookable({ bookable, advice }: EventTypeDetails, practice: Page): void {
  if (bookable) return
  throw problem('provider_misconfigured', {
    ...(advice !== undefined && { detail: advice }),
    ...bookOnPage(practice),
  })
}

/**
 * What a read of a kind brings; a refusal that the owner has to end names the page on which people
 * can book meanwhile.
 */
export async function orBookOnPage<T>(read: Promise<T>, practice: Page): Promise<T> {
  try {
    return await read
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.refusal.code !== 'provider_misconfigured')
      throw thrown
    throw new Problem({ ...thrown.refusal, ...bookOnPage(practice) })
  }
}

const bookOnPage = ({ schedulingPageUrl: url }: Page) =>
  url === null
    ? {}
    : {
        scheduling_page_url: url,
        next_step:
          'Tell the owner of the practice, and the person that they can book on the scheduling page.',
      }

/** What a move takes along: what the invitee said when booking, which the provider holds. */
export interface GoesAlong {
  /** The questions by their words, and the rest in ours. It never holds what was said. */
  warnings: string[]
  /** All that was said in one text, for a keyed hash; empty where nothing goes along. */
  text: string
}

/** What goes along with a move. Answers to questions that the kind asks no more stay with the old booking. */
export function goesAlong({ asks }: EventTypeDetails, said: Said | undefined): GoesAlong {
  const questions = asks?.questions ?? []
  const answers = said?.answers ?? []
  const isAsked = (id: string) => questions.some((one) => one.id === id)
  const kept = questions.filter(({ id }) => answers.some((one) => one.id === id))
  const lost = answers.filter(({ id }) => !isAsked(id)).length
  const words = said?.place?.words ?? null
  const needs = asks && placeOf(asks, said)?.needs
  const suppliesPlace = needs !== undefined && words !== null
  const hasNumber = Boolean(said?.phone) || (suppliesPlace && needs === 'phone')
  return {
    warnings: [
      ...(kept.length > 0 ? [answersGo(kept.map(({ question }) => question))] : []),
      ...(lost > 0 ? [answersStay(lost)] : []),
      ...(hasNumber ? ['The telephone number of the invitee goes along.'] : []),
      ...(suppliesPlace && needs === 'place'
        ? ['The place that the invitee named goes along.']
        : []),
    ],
    text:
      kept.length > 0 || hasNumber || suppliesPlace
        ? JSON.stringify([answers.filter(({ id }) => isAsked(id)), words, said?.phone ?? null])
        : '',
  }
}

function answersGo(questions: string[]): string {
  const quoted = questions.map((one) => `“${one}”`).join(', ')
  return questions.length === 1
    ? `The invitee's answer to 1 question goes along: ${quoted}.`
    : `The invitee's answers to ${questions.length} questions go along: ${quoted}.`
}

const answersStay = (count: number): string =>
  count === 1
    ? '1 answer of the invitee stays behind: this kind of consult does not ask that question any more.'
    : `${count} answers of the invitee stay behind: this kind of consult does not ask those ` +
      'questions any more.'

/**
 * Raises `provider_misconfigured` where a booking for this invitee would lack what the kind demands
 * by now.
 */
export function refuseUnsaid(
  { asks }: EventTypeDetails,
  said: Said | undefined,
  { schedulingPageUrl }: Page,
): void {
  const missing = asks ? unsaid(asks, said) : []
  if (missing.length === 0) return
  throw problem('provider_misconfigured', {
    detail: `${demandsMore(missing)} Nothing was done.`,
    next_step:
      'Tell the person to move the booking on the scheduling page, or the owner to make it optional there.',
    ...(schedulingPageUrl !== null && { scheduling_page_url: schedulingPageUrl }),
  })
}
