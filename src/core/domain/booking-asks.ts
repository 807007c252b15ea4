import * as z from 'zod'

import { type Said, isNothing } from './booking.ts'
import { emailSchema } from './email.ts'
import { type Asked, type Place, QUESTION_KINDS, type Question } from './event-type.ts'
import { pattern } from './lazy.ts'
import { LOCATIONS, type Location } from './location.ts'
import { standsForNothing, trimmed } from './name.ts'
import { EXPECTED_PHONE, phoneNumber } from './phone.ts'
import { TextCopy, composed, decodedCopy } from './sensitive-data/prepared-text.ts'
import { type SensitiveIssue, sensitiveIssue } from './sensitive-data/sensitive-data.ts'
import { AMOUNT } from './sensitive-data/trade-words.ts'

/*
 * What a kind of consult asks of its invitee besides name and address, in the words of requests and
 * answers, and the reading of what was given. Callers of the API and the page of a client link both
 * go through here.
 */

/** The fields of a booking that say what a kind asks. */
export const BOOKING_FIELDS = ['answers', 'phone', 'location'] as const
export type BookingField = (typeof BOOKING_FIELDS)[number]

/** An answer beside its question, as the practice wrote that. */
export interface Answered {
  question: string
  answer: string
}

const askedQuestion = z
  .strictObject({
    question: z.string().describe('The text, as the practice wrote it.'),
    required: z.boolean(),
    kind: z.enum(QUESTION_KINDS).describe('The kind of answer that it takes.'),
    choices: z.array(z.string()).optional(),
    several: z
      .literal(true)
      .optional()
      .describe('Several answers are possible, each on a line of its own.'),
    more_choices: z
      .int()
      .optional()
      .describe('In a refusal: how many more choices there are than those that it names.'),
    takes_other: z
      .literal(true)
      .optional()
      .describe('An answer that is none of the choices is possible.'),
  })
  .meta({ id: 'BookingQuestion', description: 'A question that a kind of consult asks.' })

const askedPlace = z
  .strictObject({
    location: z.string().describe('The short name by which a booking chooses it.'),
    text: z.string().describe('Where it takes place.'),
    needs_phone: z.boolean(),
  })
  .meta({ id: 'BookingPlace', description: 'A place in which a kind of consult can be held.' })

/** What a kind asks, in answers. */
export const askedFields = {
  questions: z.array(askedQuestion).describe('The questions that a booking answers in `answers`.'),
  needs_phone: z.boolean().describe('A booking needs the number of the invitee.'),
  locations: z
    .array(askedPlace)
    .describe(
      'The places to choose from in `location`, if there are several; the first is the default.',
    ),
}
export const whatIsAskedSchema = z.strictObject(askedFields).meta({ id: 'AskedOfInvitee' })
type WhatIsAsked = z.infer<typeof whatIsAskedSchema>

const SHORT_NAMES: Readonly<Record<string, string>> = {
  [LOCATIONS.inviteeCalls.text]: 'invitee_calls',
  [LOCATIONS.practiceCalls.text]: 'practice_calls',
  [LOCATIONS.link.text]: 'online',
  [LOCATIONS.arranged.text]: 'arranged',
}

function shortName({ kind, text }: Location) {
  const [, app = kind] = /^video \((.+)\)$/.exec(text) ?? []
  return SHORT_NAMES[text] ?? app.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

/** A place by the short name by which a booking chooses it. */
interface NamedPlace extends Place {
  name: string
}

/**
 * The places that a booking can choose, the default first. Where the invitee would have to say
 * where, it cannot.
 */
export function placesToChoose({ places }: Pick<Asked, 'places'>): NamedPlace[] {
  const chosen = places.filter(({ needs }) => needs !== 'place')
  const names = chosen.map(({ location }) => shortName(location))
  return chosen.map((place, at) => {
    const name = names[at]!
    const before = names.slice(0, at).filter((one) => one === name).length
    return { ...place, name: before === 0 ? name : `${name}_${before + 1}` }
  })
}

/** Whether a booking can be held anywhere: a kind without places has those of the provider. */
export const hasPlaceToChoose = (asks: Pick<Asked, 'places'>) =>
  asks.places.length === 0 || placesToChoose(asks).length > 0

/** The questions for the invitee's own number; where one is required, that one first. */
const ownPhones = ({ questions }: Pick<Asked, 'questions'>): Question[] =>
  questions
    .filter(({ isOwnPhone }) => isOwnPhone)
    .toSorted((one, other) => Number(other.required) - Number(one.required))
const ownPhone = (asks: Pick<Asked, 'questions'>): Question | undefined => ownPhones(asks)[0]

/** The questions that a booking answers in `answers`: the invitee's own number has a field of its own. */
export const questionsToAnswer = ({ questions }: Pick<Asked, 'questions'>): Question[] =>
  questions.filter(({ isOwnPhone, isOfPage }) => !isOwnPhone && !isOfPage)

/** When a booking takes the number of the invitee: `by_place` where some of its places need it. */
export function phoneWanted(asks: Asked): 'required' | 'by_place' | 'optional' | 'no' {
  const own = ownPhone(asks)
  const places = placesToChoose(asks)
  const calling = places.filter(({ needs }) => needs === 'phone')
  const isAlways = calling.length > 0 && calling.length === places.length
  if (own?.required || isAlways) return 'required'
  if (own) return 'optional'
  return calling.length > 0 ? 'by_place' : 'no'
}

/** Whether a booking at this place takes the number of the invitee. */
export const takesPhone = (asks: Asked, place: Pick<Place, 'needs'> | undefined) =>
  ownPhone(asks) !== undefined || place?.needs === 'phone'

/** What a kind asks of its invitee; undefined where a name and an address are all. */
export function whatIsAsked(asks: Asked | undefined): WhatIsAsked | undefined {
  if (!asks) return undefined
  const questions = questionsToAnswer(asks).map(shownQuestion)
  const places = placesToChoose(asks)
  const locations = places.map(({ name, location, needs }) => ({
    location: name,
    text: location.text,
    needs_phone: needs === 'phone',
  }))
  const several = locations.length > 1 ? locations : []
  const needs_phone = places[0]?.needs === 'phone' || ownPhone(asks)?.required === true
  const isNone = questions.length === 0 && several.length === 0 && !needs_phone
  return isNone ? undefined : { questions, needs_phone, locations: several }
}

/** What is asked, with few of many choices: a refusal is read whole. */
export const inShort = (asked: WhatIsAsked): WhatIsAsked => ({
  ...asked,
  questions: asked.questions.map((one) => {
    const more = (one.choices?.length ?? 0) - MOST_LISTED
    if (more <= 0) return one
    return { ...one, choices: one.choices?.slice(0, MOST_LISTED), more_choices: more }
  }),
})

const shownQuestion = ({ question, required, kind, choices, several, takesOther }: Question) => ({
  question,
  required,
  kind,
  ...(choices && { choices: [...choices] }),
  ...(several && { several }),
  ...(takesOther && { takes_other: takesOther }),
})

/** The fields without which a booking of this kind is not possible, or not where the person may want it. */
export function fieldsAsked(asks: Asked | undefined): BookingField[] {
  const asked = whatIsAsked(asks)
  if (!asked) return []
  const { questions, needs_phone, locations } = asked
  const wanted: Record<BookingField, boolean> = {
    answers: questions.some(({ required }) => required),
    phone: needs_phone || locations.some((one) => one.needs_phone),
    location: locations.length > 0,
  }
  return BOOKING_FIELDS.filter((field) => wanted[field])
}

/** `sentAs`: the type of JSON in which a program sent the answer, where that was not a text. */
interface GivenAnswer extends Answered {
  sentAs?: 'boolean' | 'number' | 'list' | undefined
}

/** What a request gives, unchecked but for its form. */
export interface Given {
  answers?: readonly GivenAnswer[] | undefined
  /** In any form that `phoneNumber` reads. */
  phone?: string | undefined
  /** The short name of a place. */
  location?: string | undefined
}

/** What was given, as it is sent and shown. */
export interface ReadSaid {
  /** Undefined where a booking of this kind sends nothing besides name and address. */
  said: Said | undefined
  /** The answers beside their questions, whole, in the order in which they are asked. */
  answers: Answered[]
  /** In E.164. */
  phone: string | undefined
  /** Where it takes place; undefined where the kind does not say. */
  place: Place | undefined
  /** What is missing or wrong, by field. It repeats nothing that was given. */
  errors: SaidError[]
}

/** What is missing or wrong in what was given. */
interface SaidError {
  pointer: string
  detail: string
  /** The id of the question whose answer it is. */
  question: string | undefined
  /** What the answer holds that is refused, read after its question. */
  sensitive: SensitiveIssue | undefined
}

const NOTHING_ASKED: Asked = { questions: [], places: [] }

/** Reads what was given for a kind that asks this. With errors, nothing else of it counts. */
export function readSaid(kindAsks: Asked | undefined, given: Given): ReadSaid {
  // Most kinds ask nothing, and hardly any request says something to them.
  if (!kindAsks && !given.answers && given.phone === undefined && given.location === undefined)
    return { said: undefined, answers: [], phone: undefined, place: undefined, errors: [] }
  const asks = kindAsks ?? NOTHING_ASKED
  const errors: ReadSaid['errors'] = []
  const wrong: Wrong = (pointer, detail, question, sensitive) =>
    void errors.push({ pointer, detail, question: question?.id, sensitive })
  const place = readPlace(asks, given, wrong)
  const phone = readPhone(asks, place, given, wrong)
  const answered = readAnswers(asks, given, wrong)
  const own = ownPhone(asks)
  const isElsewhere = place !== undefined && place.id !== asks.places[0]?.id
  const isCalled = place?.needs === 'phone'
  const words = isCalled ? (phone ?? null) : null
  const said: Said = {
    answers: [
      ...answered.map(({ id, answer }) => ({ id, answer })),
      ...(phone === undefined ? [] : ownPhones(asks).map(({ id }) => ({ id, answer: phone }))),
    ],
    place: place && (isElsewhere || isCalled) ? { id: place.id, words } : null,
    phone: own && phone !== undefined ? phone : null,
  }
  return {
    said: isNothing(said) ? undefined : said,
    answers: answered.map(({ question, answer }) => ({ question, answer })),
    phone,
    place,
    errors,
  }
}

type Wrong = (
  pointer: string,
  detail: string,
  question?: Question,
  sensitive?: SensitiveIssue,
) => void

function readPlace(asks: Asked, { location }: Given, wrong: Wrong): Place | undefined {
  const places = placesToChoose(asks)
  if (location === undefined) return places[0]
  const found = places.find(({ name }) => name === location.trim().toLowerCase())
  if (found) return found
  const named = places.map(({ name, location: { text } }) => `${name} (${text})`)
  const none = 'This kind of consult has no locations to choose from: leave location out.'
  wrong('/location', places.length === 0 ? none : `Expected one of: ${listed(named, location)}.`)
  return places[0]
}

function readPhone(
  asks: Asked,
  place: Place | undefined,
  { phone }: Given,
  wrong: Wrong,
): string | undefined {
  if (phone === undefined) {
    if (place?.needs === 'phone' || ownPhone(asks)?.required)
      wrong('/phone', `Required: the telephone number of the invitee. ${EXPECTED_PHONE}`)
    return undefined
  }
  if (!takesPhone(asks, place)) {
    const calling = placesToChoose(asks).find(({ needs }) => needs === 'phone')
    const or = calling ? `, or choose the location ${calling.name}` : ''
    wrong('/phone', `No telephone number is asked for here: leave phone out${or}.`)
    return undefined
  }
  const number = phoneNumber(phone)
  if (number === undefined) wrong('/phone', EXPECTED_PHONE)
  return number
}

interface AnsweredQuestion extends Answered {
  id: string
}

function readAnswers(
  { questions }: Asked,
  { answers = [] }: Given,
  wrong: Wrong,
): AnsweredQuestion[] {
  const asked = questionsToAnswer({ questions })
  const quoted = asked.map(({ question }) => `“${question}”`)
  if (asked.length === 0) {
    if (answers.length > 0)
      wrong('/answers', 'This kind of consult asks no questions: leave answers out.')
    return []
  }
  const given = new Map<Question, Pick<GivenAnswer, 'answer' | 'sentAs'> & { at: number }>()
  for (const [at, { question, answer, sentAs }] of answers.entries()) {
    const meant = questionsMeant(question, asked)
    if (meant.length === 0)
      wrong(`/answers/${at}/question`, `Expected one of: ${listed(quoted, question)}.`)
    else if (meant.some((one) => given.has(one)))
      wrong(`/answers/${at}/question`, 'Expected each question once.')
    else for (const one of meant) given.set(one, { answer, at, sentAs })
  }
  return asked.flatMap((question) => {
    const { answer = '', at, sentAs } = given.get(question) ?? {}
    if (answer.trim() === '') {
      if (question.required)
        wrong(
          '/answers',
          `Required: an answer to “${question.question}” (${formOf(question)}).`,
          question,
        )
      return []
    }
    const issue = answerIssue(question.question, answer)
    if (issue) {
      wrong(`/answers/${at}/answer`, issue.message, question, issue.params)
      return []
    }
    const read = takesType(question, sentAs) ? readAnswer(question, answer, sentAs) : undefined
    if (read === undefined)
      wrong(
        `/answers/${at}/answer`,
        `Expected ${formOf(question, answer)}.${cameAs(question, sentAs)}` +
          (!question.required && standsForNothing(answer) ? ' It may be left out.' : ''),
        question,
      )
    return read === undefined
      ? []
      : [{ id: question.id, question: question.question, answer: read }]
  })
}

/** `Total in your bank accounts`: what is answered in fewer than eight digits is no account. */
const WORD_FOR_AMOUNT = `(?:how much|amount|cu[aá]nto|${AMOUNT})s?|accounts|cuentas`
const ASKS_AMOUNT = new RegExp(
  `^(?!.*(?:n[uú]mb?er|#))(?:.*\\P{L})?(?:${WORD_FOR_AMOUNT})(?!\\p{L})`,
  'ius',
)
/** `e.g. 123-45-6789` in a question is no number of a person. */
const EXAMPLE_DIGITS = /\d(?:[ -]?\d){6,}/g
/** Tried from the first sign of a run alone, in linear time. */
const LAST_SIGNS = /(?<![\s\p{P}])[\s\p{P}]+$/u
/** A question as the words before its answer; its question mark would be between them. */
export const leadOf = (question: string) =>
  `${question.replaceAll(EXAMPLE_DIGITS, '').replace(LAST_SIGNS, '')}: `

/**
 * What an answer holds that is refused, read after its question as it is and without what it adds,
 * as in `IP PIN (6 digits)`: nine digits alone may be anything.
 */
export function answerIssue(question: string, answer: string) {
  const isAmount = ASKS_AMOUNT.test(question) && !/\d{8}/.test(answer)
  const [name = ''] = question.split(/[(,;/]| (?:and|if|for|from|to|y|si|para) /i)
  const issues = [question, name].flatMap((one) => sensitiveIssue(answer, leadOf(one)) ?? [])
  return (
    issues.find(({ params }) => !isAmount || params.sensitive !== 'bank_account') ??
    sensitiveIssue(answer)
  )
}

/** More texts than these are not repeated in a refusal, but for those near to what was given. */
const MOST_LISTED = 20
const MOST_NEAR = 5

/** The texts that a refusal names; of many, those near to what was given, and how many there are. */
function listed(texts: readonly string[], given = '') {
  if (texts.length <= MOST_LISTED) return texts.join(', ')
  const near = nearTexts(texts, given)
  const named = near.length > 0 ? near : texts.slice(0, MOST_NEAR)
  return `${named.join(', ')}, and ${texts.length - named.length} more of ${texts.length}`
}

/** The texts with words that begin as words of the given one do, most such words first. */
function nearTexts(texts: readonly string[], given: string): string[] {
  const beginningsOf = (text: string) => new Set(folded(text).words.match(/[\p{L}\p{N}]{1,4}/gu))
  const wanted = beginningsOf(given)
  return texts
    .map((text) => ({
      text,
      shared: [...beginningsOf(text)].filter((one) => wanted.has(one)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, MOST_NEAR)
    .map(({ text }) => text)
}

/** A text as it is compared. The number of a list is apart: `2` of `2. Phone`, and 0 without one. */
interface Reading {
  number: number
  words: string
}

/** Fractions and small digits are other numbers than the digits beside them: NFKC makes `11/2` of `1½`. */
const BESIDE_DIGIT = /(?<=\p{N})(?=\p{No})|(?<=\p{No})(?=\p{N})/gu

/** A text in any case and spacing. */
const lettersOf = (text: string) =>
  composed(text)
    .replaceAll(BESIDE_DIGIT, ' ')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .toLowerCase()

const asTyped = (text: string): Reading => ({ number: 0, words: lettersOf(text) })

/** Marks at both ends that a person does not read as words: stops, stars, emoji and the marks of a list. */
const AT_START = /^(?:[\s*"'•·▪◦‣\p{Extended_Pictographic}\ufe0f]|-(?=[\p{L}*"']))+/u
const END_MARK =
  '[\\s?*:.!"\'†‡→\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]|\\((?:required|optional|obligatori[oa]|opcional)\\)'
// It begins only where no mark comes before it, so that a long row of marks takes linear time.
const AT_END = new RegExp(`(?<!${END_MARK})(?:${END_MARK})+$`, 'u')
/** `1.`, `(1)` or a keycap before a word: the number of a list. */
const LISTED = /^\(?(\d{1,2})(?:[.)]|\ufe0f?\u20e3 ?)[*"']*(?=\p{L})/u
/** Spaces beside signs, but for `1, 2`, which is not `1,2`. */
const BESIDE_SIGNS = pattern(
  String.raw`((?<=\p{N}) ?[.,] ?(?=\p{N}))| ?([^\p{L}\p{M}\p{N} ]) ?`,
  'gu',
)

/** Without what typesetting changes: quotation marks, dashes, spaces beside signs, marks at both ends. */
function folded(text: string): Reading {
  const { text: decoded } = decodedCopy(new TextCopy(text))
  // NFKC would make a space and a mark of `´`.
  const whole = lettersOf(decoded.replaceAll(/[‘’‚‛ʼʹ′´`]/g, "'"))
    .replaceAll(/[“”„‟«»″]/g, '"')
    .replaceAll(/[\p{Pd}\u2212]+/gu, '-')
    .replaceAll(/[⁄∕]/g, '/')
    .replaceAll('≥', '>=')
    .replaceAll('≤', '<=')
    .replaceAll('×', 'x')
    .replaceAll(/[¿¡]/g, '')
    .replaceAll(BESIDE_SIGNS(), '$1$2')
    .replace(AT_START, '')
    .replace(AT_END, '')
  const [beginning = '', number = '0'] = LISTED.exec(whole) ?? []
  return { number: Number(number), words: whole.slice(beginning.length) }
}

const LATIN_ACCENTS = /(\p{Script=Latin})\p{M}+/gu
const THOUSANDS = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!,?\d)/g
/** What is left out in haste, or by programs; between two digits it keeps two numbers apart. */
const SIGN = "(?:[', $)_]|[(-](?!\\p{N}|$))"
const LEFT_OUT = pattern(`((?<=\\p{N})${SIGN}+(?=\\p{N}))|${SIGN}+`, 'gu')

/**
 * Without what is left out in haste: accents of Latin letters, apostrophes, commas, spaces, and the
 * signs for which programs write others, as in `married_filing_jointly`. The marks of other scripts
 * are letters of theirs.
 */
function hasty(text: string): Reading {
  const { number, words } = folded(text)
  const plain = words
    .normalize('NFD')
    .replaceAll(LATIN_ACCENTS, '$1')
    .replaceAll(THOUSANDS, (amount) => amount.replaceAll(',', ''))
    .replaceAll(LEFT_OUT(), '$1')
  return { number, words: plain }
}

/** The readings in which texts are compared, the closest first. */
const READINGS = [asTyped, folded, hasty]

/**
 * Those of the items whose text is meant, in the closest reading in which any is the same. Texts
 * that fall together are not guessed at. The number of a list is left out only where one side has
 * none: `1. Phone` is `Phone`, and not `2. Phone`.
 */
function meantBy<T>(text: string, items: readonly T[], textsOf: (item: T) => string[]): T[] {
  const readings = READINGS.map((reading) => {
    const { number, words } = reading(text)
    const all = items.flatMap((item) =>
      textsOf(item).map((one) => ({ item, one, ...reading(one) })),
    )
    return { number, same: words === '' ? [] : all.filter((one) => one.words === words) }
  })
  const numbered = readings.map(({ number, same }) => same.filter((one) => one.number === number))
  const closest = numbered.find((same) => same.length > 0)
  if (closest) return oneOf(closest)
  const loose = readings.find(({ same }) => same.length > 0)
  const isOneSided = loose?.same.every((one) => one.number === 0 || loose.number === 0)
  return loose && isOneSided ? oneOf(loose.same) : []
}

/** The items, unless their texts are of several. */
function oneOf<T>(same: readonly { item: T; one: string }[]): T[] {
  const found = [...new Set(same.map(({ item }) => item))]
  const texts = new Set(same.map(({ one }) => lettersOf(one)))
  return found.length === 1 || texts.size === 1 ? found : []
}

/** By its words, or by the provider's own name for it. */
const questionsMeant = (text: string, questions: readonly Question[]): Question[] =>
  meantBy(text, questions, ({ id, question }) => [question, id])

/** How a question is answered, in words that follow “Expected”. */
function formOf({ kind, choices = [], several, takesOther }: Question, given?: string) {
  const each = several ? ', each on a line of its own' : ''
  switch (kind) {
    case 'choice':
      return (
        `${several ? 'one or more' : 'one'} of: ` +
        `${listed(choices, given)}${takesOther ? ', or another text' : ''}${each}`
      )
    case 'number':
      return 'a number in digits, such as 1200 or 1,200.50'
    case 'phone':
      return 'a telephone number, such as (202) 555-0147'
    case 'email':
      return `${several ? 'email addresses' : 'an email address'}, such as jordan@example.com${each}`
    case 'text':
      return 'text'
  }
}

/** Whether the answer to a question may come in this type of JSON: what it means has to be plain. */
function takesType(question: Question, sentAs: GivenAnswer['sentAs']) {
  switch (sentAs) {
    case undefined:
      return true
    case 'boolean':
      return yesAndNo(question) !== undefined && !asksToAgree(question)
    case 'number':
      return question.kind === 'number'
    case 'list':
      return question.several === true
  }
}

const TYPES = { boolean: 'true or false', number: 'a number', list: 'a list' } as const

/** What is said beside the form of an answer that came in another type. */
function cameAs(question: Question, sentAs: GivenAnswer['sentAs']) {
  const came = sentAs === undefined ? '' : ` It came as ${TYPES[sentAs]}`
  if (asksToAgree(question) && yesAndNo(question)) {
    const sends = came === '' ? '' : `${came}.`
    return `${sends} Ask the person whether they agree, and send their yes or no.`
  }
  return came === '' ? '' : `${came}: send the person’s own answer as text.`
}

/** The two choices of a question that a person answers with yes or no, as the practice spells them. */
function yesAndNo({ kind, choices = [] }: Question) {
  const [yes, no] = [YES, NO].map((said) => choices.find((one) => said.test(one)))
  return kind === 'choice' && choices.length === 2 && yes && no ? { yes, no } : undefined
}

const AGREEMENT =
  /(?<!\p{L})(?:i (?:have read|understand|certify|confirm)|agree|accept|consent|acknowledge|authori[sz]e|terms|conditions|polic(?:y|ies)|disclaimers?|waive|waiver|privacy|disclosures?|engagement letter|acept[oa]r?|acuerdo|consiento|consentimiento|autorizo|t[eé]rminos|condiciones|pol[ií]tica|privacidad)(?!\p{L})/iu

/** Whether a question asks to agree to terms, which a person alone can do and no default of a program. */
const asksToAgree = ({ question }: Question) => AGREEMENT.test(question)

/** The answer as the provider takes it; undefined where it has not the form of its question. */
function readAnswer(
  question: Question,
  answer: string,
  sentAs: GivenAnswer['sentAs'],
): string | undefined {
  const text = answer.trim()
  // JSON has one form of numbers.
  if (sentAs === 'number') return plainNumber(text)
  if (!question.several) return readOne(question, text)
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  const apart = [lines, ...SEPARATORS.map((separator) => text.split(separator))].map((parts) =>
    parts.flatMap((one) => one.trim() || []),
  )
  const read = apart.map((parts) => parts.map((one) => readOne(question, one)))
  const whole = read.find((parts) => parts.every((one) => one !== undefined))
  return whole && [...new Set(whole)].join('\n')
}

/** What is between several answers: the parts of one have to be answers, each of them. */
const SEPARATORS = [/[,;|\n]/, /["',;|\n[\]]|\s(?:and|y|&|\+)\s/i]

function readOne(question: Question, text: string): string | undefined {
  switch (question.kind) {
    case 'choice':
      return readChoice(question, text) ?? (question.takesOther && text)
    case 'number':
      return readNumber(text)
    case 'phone':
      return phoneNumber(text)
    case 'email':
      return emailSchema.safeParse(trimmed(text)).success ? trimmed(text) : undefined
    case 'text':
      return text
  }
}

const YES = /^(?:true|on|y|yes|yep|yeah|s[ií])$/i
const NO = /^(?:false|off|n|no|nope)$/i

/**
 * A choice as the provider spells it; `true` and `false` are what programs write for yes and no, and
 * people write `y`, but that agrees to nothing.
 */
function readChoice(question: Question, text: string): string | undefined {
  const [choice] = meantBy(text, question.choices ?? [], (one) => [one])
  if (choice !== undefined) return choice
  const said = asksToAgree(question) ? undefined : yesAndNo(question)
  if (YES.test(text)) return said?.yes
  return NO.test(text) ? said?.no : undefined
}

/** What a number is of, which its field does not take. */
const BESIDE_NUMBER = /(?<=^-?)(?:us)?\$ ?|^usd ?|^\+|(?: ?(?:usd|dollars?|%|percent)|(?<=\d)\.)$/g
/** `1.200,50` or `1 200,50`, with a point or a space between thousands, as in Spain. */
const WITH_COMMA = /^-?\d{1,3}([. ])\d{3}(?:\1\d{3}){0,3},\d{1,2}$/

/** What is `84,500` where the point is between thousands, as in Spain, and a fraction elsewhere. */
const TWO_NUMBERS = /^-?[1-9]\d{0,2}\.\d{3}$/

/**
 * Digits, perhaps with commas or spaces between thousands, and a fraction; also as an amount or a
 * percentage.
 */
function readNumber(typed: string): string | undefined {
  const text = lettersOf(typed)
    .replace(/^[\p{Pd}\u2212]/u, '-')
    .replaceAll(BESIDE_NUMBER, '')
  if (WITH_COMMA.test(text)) return text.replaceAll(/[. ]/g, '').replace(',', '.')
  return TWO_NUMBERS.test(text) ? undefined : plainNumber(text)
}

const plainNumber = (text: string) =>
  /^-?(?:\d{1,15}|\d{1,3}([, ])\d{3}(?:\1\d{3}){0,3})(?:\.\d{1,9})?$/.test(text)
    ? text.replaceAll(/[, ]/g, '')
    : undefined

/**
 * The fields that are asked for in the form of a request, with words in place of what only a person
 * knows.
 */
export function exampleOf(asks: Asked): string {
  const asked = questionsToAnswer(asks).filter((one) => one.required)
  const answers = asked.map((one) => ({ question: one.question, answer: `<${formOf(one)}>` }))
  return JSON.stringify({
    ...(answers.length > 0 && { answers }),
    ...(whatIsAsked(asks)?.needs_phone && { phone: '<telephone number>' }),
  })
}
