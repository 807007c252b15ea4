import {
  type Given,
  phoneWanted,
  placesToChoose,
  questionsToAnswer,
  readSaid,
  takesPhone,
} from '../../core/domain/booking-asks.ts'
import type { Asked, Question } from '../../core/domain/event-type.ts'
import type { FieldError } from '../../core/domain/problem/problem.ts'
import type { TypedForm, Wrong } from './fields.ts'
import type { Words } from './words-en.ts'

/*
 * What a kind of consult asks besides a name and an address, as fields of the page. A field has the
 * name of its question, so that an answer never goes to another question that has taken its place
 * meanwhile.
 */

export const PLACE = 'location'
export const PHONE = 'phone'
/** The id of the heading above all that the kind asks. */
export const TITLE = 'asked'
const ANSWER = 'answer:'
const OTHER = 'other:'

export const isAskedField = (name: string) =>
  name === PLACE || name === PHONE || name.startsWith(ANSWER) || name.startsWith(OTHER)

/** Whether a form has a field of this name once for each choice that is ticked. */
export const isTicked = (name: string) => name.startsWith(ANSWER)

/** A question as the page asks it. */
export interface AskedQuestion extends Question {
  /** Of its control in the page. */
  control: string
  /** The field of its answer, and that of an answer which is none of its choices. */
  answer: string
  other: string
}

/** The questions of a kind, each of them once: a provider may have two with the same words. */
export function questionsOn(asks: Pick<Asked, 'questions'>): AskedQuestion[] {
  const named = questionsToAnswer(asks).map((question) => {
    const name = question.id.replaceAll(/\s+/gu, ' ').trim()
    return { ...question, answer: ANSWER + name, other: OTHER + name }
  })
  const once = [...new Map(named.map((one) => [one.answer, one])).values()]
  return once.map((one, at) => ({ ...one, control: `question-${at + 1}` }))
}

/** Where a client can choose the place: the places, the default first. */
export function placesOn(asks: Asked | undefined): ReturnType<typeof placesToChoose> {
  const places = asks ? placesToChoose(asks) : []
  return places.length > 1 ? places : []
}

/** What was typed to a question, each of several answers on a line of its own. */
function answerIn(form: TypedForm, { several, answer, other }: AskedQuestion) {
  const [chosen = '', typed = ''] = [form[answer], form[other]]
  if (several) return [chosen, typed].filter(Boolean).join('\n')
  return typed || chosen
}

/** What the form says to a kind that asks this, as a booking takes it. */
export function saidIn(form: TypedForm, asks: Asked | undefined): Given {
  if (!asks) return {}
  const places = placesOn(asks)
  const location = places.length > 0 ? form[PLACE] || undefined : undefined
  const place = places.find(({ name }) => name === location) ?? placesToChoose(asks)[0]
  const phone = (takesPhone(asks, place) && form[PHONE]) || undefined
  const answers = questionsOn(asks).flatMap((one) => {
    const answer = answerIn(form, one)
    return answer === '' ? [] : [{ question: one.id, answer }]
  })
  return {
    ...(answers.length > 0 && { answers }),
    ...(phone !== undefined && { phone }),
    ...(location !== undefined && { location }),
  }
}

/** A fault in the fields of a change: `/said/answers/0/answer`. */
interface Fault {
  pointer: string
  kind?: unknown
}

/**
 * What is missing or wrong in it, by control, in the order of the page. `faults`: those of the
 * whole change.
 */
export function wrongInAsked(
  form: TypedForm,
  asks: Asked,
  faults: readonly Fault[],
  words: Words,
): [control: string, wrong: Wrong][] {
  const { asked: say } = words
  const given = saidIn(form, asks)
  const { errors } = readSaid(asks, given)
  const faultAt = (pointer: string) => faults.find((one) => one.pointer === pointer)
  const wants = (control: string, label: string, text: string): [string, Wrong] => [
    control,
    { label, text },
  ]
  const isUnplaced = placesOn(asks).length > 0 && given.location === undefined
  const isMisplaced = isUnplaced || errors.some(({ pointer }) => pointer === '/location')
  const isMisdialled = errors.some(({ pointer }) => pointer === '/phone') || faultAt('/said/phone')
  const answers = questionsOn(asks).flatMap((one) => {
    const at = given.answers?.findIndex(({ question }) => question === one.id)
    const fault = faultAt(`/said/answers/${at}/answer`)
    const error = errors.find(({ question }) => question === one.id)
    if (answerIn(form, one).includes('\uFFFD'))
      return [wants(one.control, one.question, words.broken)]
    const text = fault?.kind || error?.sensitive ? words.sensitive : wantedOf(one, words)
    return fault || error ? [wants(one.control, one.question, text)] : []
  })
  return [
    ...(isMisplaced ? [wants(PLACE, say.place, say.wanted.choice)] : []),
    ...(isMisdialled && !isUnplaced ? [wants(PHONE, say.phone, say.wanted.phone)] : []),
    ...answers,
  ]
}

/**
 * The control and the label of what a calendar did not accept; undefined where the page has none
 * for it.
 */
export function controlOf(
  { pointer, detail }: FieldError,
  asks: Asked,
  { asked: say }: Words,
): [control: string, label: string] | undefined {
  if (pointer === '/phone' && phoneWanted(asks) !== 'no') return [PHONE, say.phone]
  if (pointer === '/location' && placesOn(asks).length > 0) return [PLACE, say.place]
  const questions = pointer === '/answers' ? questionsOn(asks) : []
  const named = questions.find(({ question }) => detail.includes(`“${question}”`))
  if (named) return [named.control, named.question]
  return questions.length > 0 ? [TITLE, say.title] : undefined
}

/** What a question wants of its answer. */
function wantedOf({ kind, several, takesOther }: Question, { asked: { wanted } }: Words) {
  if (kind === 'choice' && several) return wanted.choices
  if (kind === 'choice' && takesOther) return wanted.choiceOrOther
  if (kind === 'email' && several) return wanted.emails
  return wanted[kind]
}

/** Whether the page asks for anything of it. */
export const asksOnPage = (asks: Asked | undefined): asks is Asked =>
  asks !== undefined &&
  (questionsOn(asks).length > 0 || placesOn(asks).length > 0 || phoneWanted(asks) !== 'no')
