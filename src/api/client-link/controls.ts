import { html, raw } from 'hono/html'

import { phoneWanted } from '../../core/domain/booking-asks.ts'
import { LONGEST_EMAIL } from '../../core/domain/email.ts'
import type { Asked } from '../../core/domain/event-type.ts'
import { LONGEST_NOTES, MOST_HOUSEHOLD_MEMBERS } from '../../core/domain/intake.ts'
import { LONGEST_OUTGOING_NAME, capitalised } from '../../core/domain/name.ts'
import { LONGEST_PHONE } from '../../core/domain/phone.ts'
import { LONGEST_ANSWER } from '../../practice/operations/booking/questions.ts'
import type { Html } from '../http/html.ts'
import {
  type AskedQuestion,
  PHONE,
  PLACE,
  TITLE,
  asksOnPage,
  placesOn,
  questionsOn,
} from './asked.ts'
import { type FieldName, OPTIONS, type OptionWords, isOptional } from './fields.ts'
import { type DetailsView, type LinkPage, placeOf } from './link-page.ts'
import type { Words } from './words-en.ts'

/* The controls of the details page: our own fields, and what the kind of consult asks besides. */

const EMAIL = `type="email" inputmode="email" autocapitalize="none" spellcheck="false" maxlength="${LONGEST_EMAIL}"`
const ATTRIBUTES: Readonly<Partial<Record<FieldName, string>>> = {
  name: `autocomplete="name" maxlength="${LONGEST_OUTGOING_NAME}"`,
  email: `${EMAIL} autocomplete="email"`,
  email_again: `${EMAIL} autocomplete="off"`,
  household_members: `type="number" min="1" max="${MOST_HOUSEHOLD_MEMBERS}" inputmode="numeric"`,
}

/** The words for the choices of a field; undefined for a field without choices. */
export const wordsFor = (
  name: FieldName,
  { options }: Words,
): Readonly<Record<string, string>> | undefined =>
  Object.hasOwn(options, name) ? options[name as keyof OptionWords] : undefined

interface Field {
  name: string
  /** The id of its control, where that is not its name. */
  control?: string
  label: string
  isOptional?: boolean
  /** Whether a browser wants it filled in: where it is not optional, unless given. */
  isRequired?: boolean
  hint?: string | undefined
}

/** What stands above a control: its label, a hint, and what is wrong with it. */
function aboveOf(
  { errors, words }: DetailsView,
  { name, control = name, label, isOptional, hint }: Field,
) {
  const wrong = errors.get(control)
  const title = `${label}${isOptional ? ` (${words.details.optional})` : ''}`
  const notes = html`${hint !== undefined && html`<p class="soft" id="${control}-hint">${hint}</p>`}
    ${wrong && html`<p class="error" id="${control}-error">${words.error}: ${wrong.text}</p>`}`
  const ids = [wrong && `${control}-error`, hint && `${control}-hint`].filter(Boolean).join(' ')
  return { control, wrong, title, notes, describedBy: ids && `aria-describedby="${ids}"` }
}

/** A label and its control, which gets the marks that tie it to what stands above it. */
function fieldOf(view: DetailsView, field: Field, input: (marks: Html) => Html) {
  const { name, isRequired = !field.isOptional } = field
  const { control, wrong, title, notes, describedBy } = aboveOf(view, field)
  const invalid = wrong && 'aria-invalid="true"'
  const tied = [invalid, describedBy, isRequired && 'required'].filter(Boolean).join(' ')
  const marks = html`id="${control}" name="${name}" ${raw(tied)}`
  return html`<div class="field">
    <label for="${control}">${title}</label>
    ${notes}${input(marks)}
  </div>`
}

/** A field of ours: a label, what is wrong with it, and its control. */
export function control(view: DetailsView, name: FieldName) {
  const field = { name, label: view.words.fields[name][0], isOptional: isOptional(name) }
  return fieldOf(view, field, (marks) => inputOf(view, name, marks, view.form[name] ?? ''))
}

/** What the kind of consult asks besides; its questions are in the words of the practice. */
export function asked(view: DetailsView) {
  const { asks, words } = view
  if (!asksOnPage(asks)) return ''
  return html`<section aria-labelledby="${TITLE}">
    <h2 id="${TITLE}">${words.asked.title}</h2>
    ${place(view, asks)}${phone(view, asks)}${questionsOn(asks).map((one) => questionField(view, one))}
  </section>`
}

function place(view: DetailsView, asks: Asked) {
  const { form, words } = view
  const places = placesOn(asks)
  if (places.length === 0) return ''
  const choices = places.map(({ name, location }): [string, string] => {
    const text = placeOf(location.text, words)
    return [name, capitalised(text)]
  })
  return fieldOf(view, { name: PLACE, label: words.asked.place }, (marks) =>
    choiceOf(marks, choices, { chosen: form[PLACE] ?? '', none: words.details.choose }),
  )
}

function phone(view: DetailsView, asks: Asked) {
  const { asked: say } = view.words
  const wanted = phoneWanted(asks)
  if (wanted === 'no') return ''
  const isByPlace = wanted === 'by_place'
  const field = {
    name: PHONE,
    label: say.phone,
    hint: isByPlace ? say.ifCalled : undefined,
    isOptional: wanted === 'optional',
    isRequired: wanted === 'required',
  }
  return fieldOf(
    view,
    field,
    (marks) => html`<input ${marks} ${raw(TELEPHONE)} value="${view.form[PHONE] ?? ''}" />`,
  )
}

const TELEPHONE = `type="tel" autocomplete="tel" maxlength="${LONGEST_PHONE}"`

function questionField(view: DetailsView, question: AskedQuestion) {
  const { control, answer, required, several, kind, takesOther } = question
  const field = {
    control,
    name: answer,
    label: question.question,
    isOptional: !required,
    isRequired: required && !takesOther,
    hint: several && kind !== 'choice' ? view.words.asked.perLine : undefined,
  }
  if (kind === 'choice' && several) return choicesField(view, question, field)
  return fieldOf(view, field, (marks) =>
    answerControl(view, question, marks, view.form[answer] ?? ''),
  )
}

function answerControl(view: DetailsView, question: AskedQuestion, marks: Html, value: string) {
  const { details: say } = view.words
  const { kind, several, required, choices = [] } = question
  if (kind === 'choice') {
    const none = required ? say.choose : say.noAnswer
    const named = choices.map((one): [string, string] => [one, choiceWord(one, question, view)])
    return html`${choiceOf(marks, named, { chosen: value, none })}${otherAnswer(view, question)}`
  }
  // A browser drops the first line break.
  if (kind === 'text' || several)
    return html`<textarea ${marks} maxlength="${LONGEST_ANSWER}">${'\n'}${value}</textarea>`
  return html`<input ${marks} ${raw(ANSWER_ATTRIBUTES[kind])} value="${value}" />`
}

const ANSWER_ATTRIBUTES = {
  // Not of the type number: browsers empty a field of that type that holds a comma.
  number: 'inputmode="decimal" maxlength="40"',
  phone: `type="tel" maxlength="${LONGEST_PHONE}"`,
  email: EMAIL,
} as const

/** A choice is in the words of the practice, but for yes and no, which are ours. */
function choiceWord(choice: string, { choices = [] }: AskedQuestion, { words }: LinkPage): string {
  const isYesOrNo = choices.join() === 'yes,no'
  return isYesOrNo ? (wordsFor('has_existing_cpa', words)?.[choice] ?? choice) : choice
}

function choicesField(view: DetailsView, question: AskedQuestion, field: Field) {
  const { form, words } = view
  const { answer, control, choices = [] } = question
  const { title, notes, describedBy } = aboveOf(view, { ...field, hint: words.asked.several })
  const ticked = (form[answer] ?? '').split('\n')
  const box = (one: string, at: number) =>
    html`<label class="tick"><input type="checkbox" id="${at === 0 ? control : `${control}-${at + 1}`}" name="${answer}" value="${one}" ${ticked.includes(one) && 'checked'} />${choiceWord(one, question, view)}</label>`
  return html`<fieldset class="field" ${raw(describedBy)}>
    <legend>${title}</legend>
    ${notes}${choices.map(box)}${otherAnswer(view, question)}
  </fieldset>`
}

/** The field of an answer that is none of the choices. */
function otherAnswer(view: DetailsView, { takesOther, control, other }: AskedQuestion) {
  if (!takesOther) return ''
  return html`<label for="${control}-other">${view.words.asked.other}</label
    ><input id="${control}-other" name="${other}" maxlength="${LONGEST_ANSWER}" value="${view.form[other] ?? ''}" />`
}

/** A choice of one. `none`: what it shows before something is chosen. */
function choiceOf(
  marks: Html,
  choices: readonly (readonly [value: string, text: string])[],
  { chosen, none }: { chosen: string; none: string },
) {
  const option = ([value, text]: readonly [string, string]) =>
    html`<option value="${value}" ${value === chosen && 'selected'}>${text}</option>`
  return html`<select ${marks}>
    ${[['', none] as const, ...choices].map(option)}
  </select>`
}

function inputOf({ words }: DetailsView, name: FieldName, marks: Html, value: string) {
  const { details: say } = words
  const choices = wordsFor(name, words)
  if (choices) {
    const named = OPTIONS[name as keyof OptionWords].map(
      (one) => [one, choices[one] ?? one] as const,
    )
    const none = isOptional(name) ? say.noAnswer : say.choose
    return choiceOf(marks, named, { chosen: value, none })
  }
  // A browser drops the first line break.
  if (name === 'notes')
    return html`<textarea ${marks} maxlength="${LONGEST_NOTES}">${'\n'}${value}</textarea>`
  return html`<input ${marks} ${raw(ATTRIBUTES[name] ?? '')} value="${value}" />`
}
