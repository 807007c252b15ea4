import * as z from 'zod'

import { trimmed } from '../../core/domain/name.ts'
import { freeTexts } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { timeRoles, whyNoMoment } from '../../core/domain/time/time.ts'
import { readDate, readTime } from '../../core/domain/time/written-time.ts'
import { type Fields, hasDoubledName, isFields, jsonIn } from '../../core/json.ts'
import type { SentAs } from '../../core/ports/confirmation.ts'
import { JSON_NUMBER, nearest, optionSpelled } from '../../practice/operations/hints.ts'
import { hostForms } from '../../practice/operations/schemas.ts'
import { formsOf } from '../../practice/operations/validation.ts'

/**
 * The arguments of a tool with what a host wrote otherwise, where only one meaning is possible: a
 * missing field as the default that its schema names, null, scalars, objects and lists that came as
 * text, a text of JSON where one is wanted, numbers and lists where a text says the same, and local
 * times with the zone beside them. The keys of hosts are left out. Everything else stays as it is,
 * and validation refuses it. A host and not a person writes these, so it is done here alone: REST
 * takes the forms of the specification. `choices` are what the practice names for fields. `sentAs`
 * says which texts came in another type, for what depends on more than the form of the field.
 */
export function readArguments(
  schema: z.ZodObject,
  given: Fields,
  practiceZone: string,
  choices: Record<string, readonly string[]> = {},
): { fields: Fields; sentAs: SentAs } {
  const sentAs: Record<string, SentAs[string]> = {}
  const at: Place = { pointer: '', sentAs }
  const own = withoutHostKeys(given, Object.keys(schema.shape))
  for (const [name, options] of Object.entries(choices)) {
    const value = own[name]
    if (typeof value === 'string') own[name] = optionSpelled(value, options) ?? value
  }
  return { fields: readObject(schema, own, practiceZone, at), sentAs }
}

/** Where a value lies, and where it is noted that it came in another type. */
interface Place {
  pointer: string
  sentAs: Record<string, SentAs[string]>
}

const below = ({ pointer, sentAs }: Place, name: string | number): Place => ({
  pointer: `${pointer}/${name}`,
  sentAs,
})

/**
 * The arguments without the keys that a host puts beside them and no model can remove: `_meta`, and
 * names that begin with one underscore. One that is near a field stays, and is refused.
 */
function withoutHostKeys(given: Fields, fields: readonly string[]): Fields {
  const isOfHost = (name: string) =>
    /^_[^_]/.test(name) && nearest(name.slice(1), fields) === undefined
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isOfHost(name)))
}

/** What the schema of an object says about all its fields. It is read once: no call changes a schema. */
interface ObjectForm {
  shape: ReadonlyMap<string, z.ZodType>
  /** The field that names the zone of the times beside it. */
  zoneField: string | undefined
  defaults: readonly (readonly [name: string, value: unknown])[]
}

const objectForms = new WeakMap<z.ZodObject, ObjectForm>()

function objectForm(schema: z.ZodObject): ObjectForm {
  const known = objectForms.get(schema)
  if (known) return known
  const fields = Object.entries(schema.shape) as [string, z.ZodType][]
  const form = {
    shape: new Map(fields),
    zoneField: fields.find(([, field]) => formsOf(field).some(isZone))?.[0],
    defaults: fields
      .map(([name, field]) => [name, field.meta()?.['default']] as const)
      .filter(([, value]) => value !== undefined),
  }
  objectForms.set(schema, form)
  return form
}

function readObject(schema: z.ZodObject, given: Fields, practiceZone: string, at: Place): Fields {
  const { shape, zoneField, defaults } = objectForm(schema)
  const zone = (zoneField !== undefined && unquoted(given[zoneField])) || undefined
  const missing = defaults.filter(([name]) => (given[name] ?? undefined) === undefined)
  const read = Object.entries(given).flatMap(([name, value]) => {
    const field = shape.get(name)
    if (!field) return [[name, value] as const]
    if (isNullAsText(field, value)) return []
    return [[name, readValue(field, value, { zone, practiceZone }, below(at, name))] as const]
  })
  return Object.fromEntries([...read, ...missing])
}

/** Whether null came as the text of it, in a place that may be left out and takes no free text. */
const isNullAsText = (field: z.ZodType, value: unknown): boolean =>
  field instanceof z.ZodOptional &&
  typeof value === 'string' &&
  trimmed(value) === 'null' &&
  formsOf(field).every((form) => freeTexts.get(form) === undefined)

interface Zones {
  /** The zone that the call names beside its times, unchecked. */
  zone: unknown
  practiceZone: string
}

function readValue(field: z.ZodType, value: unknown, zones: Zones, at: Place): unknown {
  const forms = formsOf(field)
  const [form] = forms
  if (form === undefined || forms.length > 1) return value
  if (form instanceof z.ZodObject) {
    const whole = isFields(value) ? value : parsedAs(value, isFields)
    return isFields(whole) ? readObject(form, whole, zones.practiceZone, at) : value
  }
  if (form instanceof z.ZodArray) {
    const list = parsedAs(value, Array.isArray)
    if (!Array.isArray(list)) return optionsIn(form.element, value) ?? value
    return list.map((one, i) => readValue(form.element as z.ZodType, one, zones, below(at, i)))
  }
  if (typeof value !== 'string') return readHostForm(form, value, at)
  if (form instanceof z.ZodBoolean) {
    const [known, words] = at.pointer === '/confirm' ? [BOOLEANS, value] : [ANSWERS, wordsIn(value)]
    return known.get(words.toLowerCase()) ?? value
  }
  if (form instanceof z.ZodEnum) return optionSpelled(value, form.options) ?? value
  const text = freeTexts.get(form) ? value : unquoted(value)
  if (form instanceof z.ZodEmail)
    return MAILBOX_OF_PERSON.exec(trimmed(text))?.slice(1).join('') || text
  if (form instanceof z.ZodNumber) {
    const digits = trimmed(text)
    return JSON_NUMBER.test(digits) ? Number(digits) : value
  }
  return readTimeOf(form, text, zones) ?? text
}

/** A text of a fixed form as it is where a host made JSON of it before: `"America/New_York"`. */
const unquoted = <T>(value: T): T =>
  typeof value === 'string' && value.startsWith('"')
    ? (parsedAs(value, (one) => typeof one === 'string') as T)
    : value

/** A value of another type as a text, if the field reads one. */
function readHostForm(form: z.ZodType, value: unknown, { pointer, sentAs }: Place): unknown {
  const text = hostForms.get(form)?.read(value)
  if (text === undefined) return value
  const type = typeof value
  sentAs[pointer] = type === 'boolean' || type === 'number' ? type : 'list'
  return text
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
])
/** An answer without its end: `Yes.`; not `Yes?`, which is none. */
const wordsIn = (answer: string) => trimmed(answer).replace(/[.!]$/, '')

/** What people answer to a question; it confirms nothing. */
const ANSWERS = new Map([
  ...BOOLEANS,
  ...['yes', 'y', 'si', 'sí'].map((yes) => [yes, true] as const),
  ...['no', 'n'].map((no) => [no, false] as const),
])

/**
 * `Jordan Doe <jordan@example.com>`, as mail programs write it, and a link to an address, also in
 * Markdown.
 */
const MAILBOX_OF_PERSON =
  /^(?:[^<>@]*<|mailto:|<mailto:)([^<>\s@]+@[^<>\s@?]+)>?$|^\[([^\s@\]]+@[^\s@\]]+)\]\(mailto:\2\)$/i

/** The options of a list that came as `time, details`; undefined where a part of the text is none. */
function optionsIn(element: unknown, value: unknown): unknown[] | undefined {
  if (!(element instanceof z.ZodEnum) || typeof value !== 'string') return undefined
  const { options } = element
  const read = value.split(',').map((one) => optionSpelled(trimmed(one), options))
  return read.includes(undefined) ? undefined : read
}

/** The JSON value of a text, if it is of the wanted kind; a name that comes twice would have two meanings. */
export function parsedAs(text: unknown, isWanted: (value: unknown) => boolean): unknown {
  if (typeof text !== 'string') return text
  const value = jsonIn(text)
  return isWanted(value) && !hasDoubledName(text) ? value : text
}

const isZone = (form: z.ZodType) => timeRoles.get(form)?.is === 'zone'

function readTimeOf(form: z.ZodType, text: string, { zone, practiceZone }: Zones) {
  const role = timeRoles.get(form)?.is
  if (role === undefined || role === 'zone') return undefined
  // Nearly all come as they are wanted.
  if (whyNoMoment(text) === undefined) return text
  const date = role === 'from' || role === 'to' ? readDate(text, practiceZone, role) : undefined
  return date ?? readTime(text, zone)
}
