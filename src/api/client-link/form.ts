import type { Given } from '../../core/domain/booking-asks.ts'
import { caselessEmail } from '../../core/domain/email.ts'
import type { Asked } from '../../core/domain/event-type.ts'
import { trimmed } from '../../core/domain/name.ts'
import { type FieldError, problem } from '../../core/domain/problem/problem.ts'
import { sensitivePart } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { dateTimeSchema, instantOf } from '../../core/domain/time/time.ts'
import { completeClientLink } from '../../practice/operations/complete-client-link.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'
import { checkInput } from '../../practice/operations/validation.ts'
import { readForm } from '../http/body.ts'
import { controlOf, isAskedField, isTicked, wrongInAsked } from './asked.ts'
import {
  ANSWERS,
  EVERY_FIELD,
  type FieldName,
  type TypedForm,
  type Wrong,
  fieldsOf,
  isOptional,
} from './fields.ts'
import type { Words } from './words-en.ts'

/** The box under the notice of the owner. */
export const ACKNOWLEDGED = 'acknowledged'

/** The fields of our pages: what is typed, and what their buttons and choices add. */
const KNOWN: readonly string[] = [...EVERY_FIELD, ACKNOWLEDGED, 'step', 'sealed', 'day', 'zone']

/** What was typed, the version of the notice above it, and the token of the preview that showed it. */
export interface Typed {
  form: TypedForm
  /** Of what was typed, what the kind of consult asks, as the review shows it. */
  said?: Given
  notice: string | null
  token?: string
  /** How long what was typed stands, in epoch ms. */
  until?: number
}

/** The fields of a form. Raises a problem for a form that our pages do not send. */
export async function sentForm(request: Request): Promise<Map<string, string>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw problem('unsupported_media_type')
  const sent = await readForm(request)
  const form = new Map<string, string>()
  for (const [name, value] of sent) {
    // Browsers send a line end as two characters, and count it as one.
    const text = value.replaceAll('\r\n', '\n').trim()
    const before = form.get(name)
    const isKnown = KNOWN.includes(name) || isAskedField(name)
    if (!isKnown || (before !== undefined && !isTicked(name))) throw problem('validation_failed')
    form.set(name, before === undefined ? text : `${before}\n${text}`)
  }
  return form
}

/** Of what was sent, what a person typed or pressed. */
export const typedIn = (sent: ReadonlyMap<string, string>): TypedForm =>
  Object.fromEntries(
    [...sent].filter(
      ([name]) =>
        name === ACKNOWLEDGED ||
        isAskedField(name) ||
        (EVERY_FIELD as readonly string[]).includes(name),
    ),
  )

/**
 * What may be shown again to the person who typed it: no field that holds a sensitive number, or
 * broken text.
 */
export const withoutSensitive = (form: TypedForm): TypedForm =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([, value]) => sensitivePart(value) === undefined && !value.includes('\uFFFD'),
    ),
  )

/** The moment of the time that was pressed, in epoch ms; undefined where that is none. */
export function pressedTime({ start_time }: TypedForm): number | undefined {
  if (start_time === undefined || !dateTimeSchema.safeParse(start_time).success) return undefined
  return instantOf(start_time)
}

/** What the change gets besides what was typed: the zone and the language of the page. */
interface Around {
  timezone: string
  language: 'en' | 'es'
}

/** The details as the change takes them. `said`: what the kind of consult asks. */
export function fieldsOfChange(form: TypedForm, said: Given, link: KeptLink, around: Around) {
  const given = (name: FieldName) => form[name] || undefined
  const asked = <T>(one: (typeof link.ask)[number], value: T) =>
    link.ask.includes(one) ? value : undefined
  const answers = ANSWERS.map((name) => [name, answerOf(name, given(name))])
  return {
    ...around,
    link_id: link.link_id,
    name: given('name'),
    email: given('email'),
    entity_type: asked('details', given('entity_type')),
    answers: asked('intake', Object.fromEntries(answers) as object),
    start_time: asked('time', given('start_time')),
    said,
    acknowledged: ACKNOWLEDGED in form,
  }
}

/**
 * What is missing or wrong, by control, in the order of the page and in the words of a language;
 * never with a value.
 */
export function wrongIn(
  form: TypedForm,
  fields: ReturnType<typeof fieldsOfChange>,
  { link, asks, words }: { link: KeptLink; asks: Asked | undefined; words: Words },
): Map<string, Wrong> {
  const given = (name: FieldName) => form[name] || undefined
  const found = checkInput(completeClientLink.input, fields).errors ?? []
  const own = found.filter(({ pointer }) => !pointer.startsWith('/said/'))
  // A keyboard writes the first letter large, and contacts put signs around it that show nothing.
  const mailbox = (name: FieldName) => caselessEmail(trimmed(given(name) ?? ''))
  const wrongAt = (name: FieldName): [FieldName, Wrong][] => {
    const [label, expected] = words.fields[name]
    const wrong = own.find(({ pointer }) => pointer.split('/').at(-1) === name)
    // Two that are empty do not differ: the first of them is missing.
    const isLacking =
      name === 'email_again'
        ? mailbox('email_again') !== mailbox('email')
        : !isOptional(name) && given(name) === undefined
    // Decoders put this character in the place of one that is half or broken.
    if (given(name)?.includes('\uFFFD')) return [[name, { label, text: words.broken }]]
    if (!wrong && !isLacking) return []
    const text = wrong?.kind === undefined ? expected : words.sensitive
    return [[name, { label, text }]]
  }
  const names = fieldsOf(link)
  return new Map<string, Wrong>([
    ...names.filter((name) => !isOptional(name)).flatMap(wrongAt),
    ...(asks ? wrongInAsked(form, asks, found, words) : []),
    ...names.filter(isOptional).flatMap(wrongAt),
  ])
}

/** What the calendar did not accept, by control; empty where the page has none for it. */
export function notAcceptedIn(
  faults: readonly FieldError[],
  { asks, words }: { asks: Asked | undefined; words: Words },
): Map<string, Wrong> {
  const { notAccepted: text } = words
  const { name, email } = words.fields
  const own: Readonly<Record<string, [control: FieldName, label: string]>> = {
    '/invitee_name': ['name', name[0]],
    '/invitee_email': ['email', email[0]],
  }
  return new Map(
    faults.flatMap((fault): [string, Wrong][] => {
      const found = own[fault.pointer] ?? (asks && controlOf(fault, asks, words))
      return found ? [[found[0], { label: found[1], text }]] : []
    }),
  )
}

function answerOf(name: FieldName, value: string | undefined): unknown {
  if (name === 'has_existing_cpa' && (value === 'yes' || value === 'no')) return value === 'yes'
  // Number() also reads 0x3, 3e0 and white space.
  return name === 'household_members' && value !== undefined && /^[0-9]+$/.test(value)
    ? Number(value)
    : value
}
