import * as z from 'zod'

import { type MaybeLazy, built } from '../../core/domain/lazy.ts'
import { standsForNothing, trimmed, uncapitalised } from '../../core/domain/name.ts'
import { nounFor } from '../../core/domain/plural.ts'
import { type FieldError, problem } from '../../core/domain/problem/problem.ts'
import type { SensitiveKind } from '../../core/domain/sensitive-data/detectors.ts'
import { type SensitiveIssue, freeTexts } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { DATE_TOO, timeRoles } from '../../core/domain/time/time.ts'
import { whatTimeLacks } from '../../core/domain/time/written-time.ts'
import { type Fields, isFields } from '../../core/json.ts'
import {
  JsonMistake,
  belongIn,
  cameAsOther,
  cameAsValue,
  didYouMean,
  lettersOf,
  neighboursOf,
  optionSpelled,
} from './hints.ts'
import { fast } from './schemas.ts'

/** The checked input. Raises `sensitive_data_refused` or `validation_failed`; never echoes a value. */
export function parseInput<S extends z.ZodObject>(
  schema: MaybeLazy<S>,
  fields: unknown,
  place: Place = {},
): z.infer<S> {
  const { input, errors } = checkInput(schema, fields, place)
  if (errors === undefined) return input
  const isSensitive = errors.some(({ kind }) => kind !== undefined)
  throw problem(isSensitive ? 'sensitive_data_refused' : 'validation_failed', { errors })
}

/** Where the fields come from. */
interface Place {
  path?: Record<string, string> | undefined
  /** A tool call: a local time is read with the zone beside it. */
  isTool?: boolean | undefined
  /** A query: its numbers are digits. */
  isQuery?: boolean | undefined
  /** Fields of a change: its idempotency key is an argument of a tool, and a header of a request. */
  isChange?: boolean
  /** Fields that are taken and not named. */
  unlisted?: readonly string[] | undefined
}

type Checked<T> = { input: T; errors?: undefined } | { input?: undefined; errors: FieldError[] }

/** The input, or all that is wrong with it. */
export function checkInput<S extends z.ZodObject>(
  schema: MaybeLazy<S>,
  fields: unknown,
  { path = {}, isTool = false, isQuery = false, isChange = false, unlisted = [] }: Place = {},
): Checked<z.infer<S>> {
  if (fields instanceof JsonMistake)
    return { errors: [{ pointer: '', detail: `${NOT_JSON}${fields.why}.` }] }
  const inPath = Object.keys(path)
  const unnamed = [...inPath, ...unlisted]
  const whole = isFields(fields) && inPath.length > 0 ? { ...fields, ...path } : fields
  const raw = cleaned(schema, whole, isQuery)
  const parsed = parsedBy(fast(schema), raw)
  const checking = { schema, raw, isTool, isQuery, isChange, unnamed }
  const errors = parsed.success
    ? textErrors(parsed.data, inPath)
    : parsed.error.issues
        .filter(isFirstFault)
        .flatMap(unionIssues)
        .map((issue) => ({ ...issue, path: knownPath(schema, issue.path) }))
        .map((issue) => fieldError(issue, checking))
  if (isFields(fields) && inPath.some((name) => Object.hasOwn(fields, name)))
    errors.push({ pointer: '', detail: 'A field here belongs in the path only.' })
  return parsed.success && errors.length === 0 ? { input: parsed.data } : { errors }
}

/**
 * What is said of fields that are not known at a place: what each may have meant, and what the
 * place takes.
 */
function unknownFields(
  unknown: readonly string[],
  place: readonly PropertyKey[],
  { schema, raw, isTool, isChange, unnamed }: Checking,
) {
  const names = fieldsAt(schema, place).filter(
    (name) => place.length > 0 || !unnamed.includes(name),
  )
  const count = unknown.length === 1 ? 'A field here is' : `${unknown.length} fields here are`
  const meant = [...new Set(unknown.flatMap((name) => neighboursOf(name, names)))]
  const inside = unknown.flatMap((name) => Object.keys(objectAt(raw, [...place, name])))
  const deeper = belongIn([...unknown, ...inside], innerFields(schema, place))
  const belongs = deeper.map(({ name, parent }) => ` ${name} belongs in ${parent}.`).join('')
  const isWrapped = unknown.some((name) => holdsFields(valueAt(raw, [...place, name]), names))
  const wrapped = isWrapped
    ? ` ${unknown.length === 1 ? 'The field' : 'One of the fields'} ${WRAPPED}`
    : ''
  const isOfChange = isChange && place.length === 0
  const more = isOfChange && isTool ? `, besides ${KEY_ARGUMENT}` : ''
  const takes =
    names.length === 0
      ? `${placeIn(place)} takes no fields here.`
      : `${placeIn(place)} takes: ${names.join(', ')}${more}.`
  const isKey = unknown.some((name) => lettersOf(name) === lettersOf(KEY_ARGUMENT))
  const key = isOfChange && isKey ? ` ${isTool ? KEY_NAME : KEY_HEADER}` : ''
  const hint = deeper.length > 0 ? '.' : didYouMean(meant)
  return `${count} not known to this operation${hint}${belongs}${wrapped}${key} ${takes}`
}

/** What takes fields, as the subject of a sentence. All names of the path are the schema's own. */
function placeIn(path: readonly PropertyKey[]) {
  const field = path.findLast((part) => typeof part === 'string')
  if (field === undefined) return 'The operation'
  return typeof path.at(-1) === 'number' ? `Each entry of ${field}` : `The field ${field}`
}

const NOT_JSON = 'Expected a JSON object; what was sent is not JSON'
const WRAPPED =
  'is an object with fields of this operation: send them without that object around them.'

/** The fields that lie in an object or in the entries of a list, each with its parent. */
const innerFields = (schema: z.ZodType, place: readonly PropertyKey[]) =>
  fieldsAt(schema, place).flatMap((parent) =>
    fieldsAt(schema, [...place, parent]).map((name) => ({ name, parent })),
  )

/** Whether a value is an object, or the text of one, with at least one of these fields in it. */
function holdsFields(value: unknown, names: readonly string[]) {
  if (typeof value === 'string') return names.some((name) => value.includes(`"${name}"`))
  return isFields(value) && names.some((name) => Object.hasOwn(value, name))
}

const objectAt = (raw: unknown, path: readonly PropertyKey[]): Fields => {
  const value = valueAt(raw, path)
  return isFields(value) ? value : {}
}

/**
 * Zod measures everything that has a `length`, before it looks at the type. JSON can hold an object
 * whose `length` is `{"toString": 1}`, of which no number can be made, so that the comparison throws.
 */
function parsedBy<S extends z.ZodType>(schema: S, raw: unknown): z.ZodSafeParseResult<z.infer<S>> {
  try {
    return schema.safeParse(raw)
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    return schema.safeParse(withLengthsAsNull(raw))
  }
}

/** No field of any operation lies deeper: below it nothing is measured. */
const DEEPEST_FIELD = 16

/**
 * The same value, with each `length` that is an object made null. No text or list has such a length,
 * so what is refused for it stays refused.
 */
function withLengthsAsNull(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object' || depth > DEEPEST_FIELD) return value
  const inside = (member: unknown) => withLengthsAsNull(member, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const isUnreadable = name === 'length' && typeof member === 'object'
    return [name, isUnreadable ? null : inside(member)]
  })
  return Object.fromEntries(members)
}

/** Zod also measures a text where it wants a list: of what has the wrong type, the length does not matter. */
const isFirstFault = (issue: z.core.$ZodIssue, _index: number, all: z.core.$ZodIssue[]) =>
  !issue.code.startsWith('too_') ||
  !all.some(
    (other) => other.code === 'invalid_type' && pointerTo(other.path) === pointerTo(issue.path),
  )

/** The issues of the first form of a union that fits the value's type; the union's own if none does. */
function unionIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isOtherType = ({ code, path }: z.core.$ZodIssue) =>
    code === 'invalid_type' && path.length === 0
  const form = issue.errors.find((issues) => !issues.some(isOtherType))
  return (
    form?.flatMap((inner) => unionIssues({ ...inner, path: [...issue.path, ...inner.path] })) ?? [
      issue,
    ]
  )
}

const KEY_ARGUMENT = 'idempotency_key'
const KEY_HEADER = 'Send the idempotency key as the header Idempotency-Key.'
const KEY_NAME = `Send the idempotency key as the argument ${KEY_ARGUMENT}.`

/**
 * The fields as they are checked. What counts as left out is gone: null, which hosts with strict
 * schemas send, and a text that shows nothing. So is white space around a text that has a fixed
 * form. The digits of a query are numbers.
 */
function cleaned(schema: z.ZodType, raw: unknown, isQuery: boolean): unknown {
  const forms = formsOf(schema)
  if (typeof raw === 'string') return cleanText(forms, raw, isQuery)
  const form = forms.length === 1 ? forms[0] : undefined
  if (form instanceof z.ZodArray && Array.isArray(raw))
    return raw.map((one) => cleaned(form.element as z.ZodType, one, isQuery))
  if (!(form instanceof z.ZodObject) || !isFields(raw)) return raw
  const shape = form.shape as Record<string, z.ZodType>
  const kept = Object.entries(raw).flatMap(([name, sent]: [string, unknown]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const value = field ? cleaned(field, sent, isQuery) : sent
    const isAbsent = value === '' || (value === null && !field?.safeParse(null).success)
    return isAbsent && field?.isOptional() ? [] : [[name, value]]
  })
  return Object.fromEntries(kept)
}

/** A number in a query, which may have a zero before it. */
const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/

function cleanText(forms: readonly z.ZodType[], text: string, isQuery: boolean): string | number {
  const value = trimmed(text)
  if (value === '') return ''
  if (forms.some((form) => freeTexts.get(form) !== undefined)) return text
  const isNumber = isQuery && forms.some((form) => form instanceof z.ZodNumber)
  return isNumber && DIGITS.test(value) ? Number(value) : value
}

const REQUIRED_TEXT = 'Required: expected a text that shows something.'

/**
 * What is wrong with texts that the schema takes: half a surrogate pair, over which no hash or
 * signature would be well defined; and a field of the request that is empty and may not be left out,
 * as automations send it where nothing is mapped. An empty id in the path passes: the answer is that
 * there is no such thing.
 */
function textErrors(
  value: unknown,
  inPath: readonly string[],
  path: readonly string[] = [],
): FieldError[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      return [{ pointer: pointerTo(path), detail: 'Expected text that is valid Unicode.' }]
    const isEmptyField = value === '' && path.length === 1 && !inPath.includes(path[0]!)
    return isEmptyField ? [{ pointer: pointerTo(path), detail: REQUIRED_TEXT }] : []
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) =>
    textErrors(inner, inPath, [...path, name]),
  )
}

/** RFC 6901. */
const pointerTo = (path: readonly PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const valueAt = (raw: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined,
    raw,
  )

const KINDS: Record<SensitiveKind, string> = {
  ssn: 'a Social Security number',
  itin: 'an individual or adoption taxpayer identification number',
  ein: 'an employer identification number',
  card: 'a card number',
  bank_account: 'a bank account number',
  routing_number: 'a bank routing number',
  iban: 'an international bank account number',
  national_id: 'a passport, licence or other national identification number',
  document: 'the body of a document',
}

/** What is said of a part of a text that is refused. */
export const sensitiveError = ({ sensitive, characters: [first, last] }: SensitiveIssue) => ({
  detail: `Contains what looks like ${KINDS[sensitive]}: characters ${first} to ${last}.`,
  kind: sensitive,
})

const formsBySchema = new WeakMap<z.ZodType, readonly z.ZodType[]>()

/** What a value can be: the schema without what wraps it, or all of a union. Found once for each schema. */
export function formsOf(schema: z.ZodType): readonly z.ZodType[] {
  const known = formsBySchema.get(schema)
  if (known) return known
  const forms = unwrapped(built(schema))
  formsBySchema.set(schema, forms)
  return forms
}

function unwrapped(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return formsOf(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodUnion)) return [schema]
  return schema.options.flatMap((option) => formsOf(option as z.ZodType))
}

/** The entries of a list, or the field of this name of an object. */
function partOf(form: z.ZodType, name: PropertyKey): z.ZodType | undefined {
  if (form instanceof z.ZodArray) return form.element as z.ZodType
  if (!(form instanceof z.ZodObject)) return undefined
  return (form.shape as Record<PropertyKey, z.ZodType | undefined>)[name]
}

/** The schemas of the field at this path. */
const schemasAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly z.ZodType[] =>
  path.reduce((forms, name) => {
    const parts = forms.flatMap((form) => partOf(form, name) ?? [])
    return parts.flatMap(formsOf)
  }, formsOf(schema))

/** The fields of an object, or of the entries of a list. */
function fieldsIn(form: z.ZodType): string[] {
  if (form instanceof z.ZodArray) return formsOf(form.element as z.ZodType).flatMap(fieldsIn)
  return form instanceof z.ZodObject ? Object.keys(form.shape) : []
}

const fieldsAt = (schema: z.ZodType, path: readonly PropertyKey[]): string[] =>
  schemasAt(schema, path).flatMap(fieldsIn)

/** A request whose errors are put into words. */
interface Checking {
  schema: z.ZodType
  raw: unknown
  isTool: boolean
  isQuery: boolean
  isChange: boolean
  /** Fields of the whole that are taken and not named. */
  unnamed: readonly string[]
}

const hasParts = (form: z.ZodType) => form instanceof z.ZodArray || form instanceof z.ZodObject

/** The part of a path that a schema names: the keys of a record are the caller's own words. */
const knownPath = (schema: z.ZodType, path: readonly PropertyKey[]): PropertyKey[] =>
  path.filter((_name, at) => schemasAt(schema, path.slice(0, at)).some(hasParts))

function fieldError(issue: z.core.$ZodIssue, checking: Checking): FieldError {
  const pointer = pointerTo(issue.path)
  if (checking.isQuery && Array.isArray(valueAt(checking.raw, issue.path)))
    return { pointer, detail: 'Expected one value; this parameter was sent more than once.' }
  const more = `${unseenIn(issue, checking)}${leftOutIn(issue, checking)}`
  if (issue.code === 'custom') {
    const { sensitive, characters, expected } = (issue.params ?? {}) as Partial<SensitiveIssue> & {
      expected?: string
    }
    if (sensitive && characters) return { pointer, ...sensitiveError({ sensitive, characters }) }
    const detail = timeDetail(issue.path, checking) ?? expected ?? 'Expected another value.'
    return { pointer, detail: `${detail}${more}` }
  }
  return { pointer, detail: `${expectation(issue, checking)}${more}` }
}

/** What is said of a value that looks right because no one sees a sign in it. */
function unseenIn({ code, path }: z.core.$ZodIssue, { raw }: Checking): string {
  const value = valueAt(raw, path)
  const isUnseen = code !== 'too_big' && typeof value === 'string' && /\p{Cf}/u.test(value)
  return isUnseen ? ' It holds a sign that shows nothing.' : ''
}

/** What is said where `N/A` or the like came for an optional field. */
function leftOutIn({ path }: z.core.$ZodIssue, { schema, raw }: Checking): string {
  const value = valueAt(raw, path)
  const around = schemasAt(schema, path.slice(0, -1))
  const isOptional = around.some((form) => partOf(form, path.at(-1) ?? '')?.isOptional())
  const isNothing = typeof value === 'string' && standsForNothing(value)
  return isOptional && isNothing ? ' It may be left out.' : ''
}

/** What a refused time lacks, with the offset of the zone beside it. */
function timeDetail(path: readonly PropertyKey[], checking: Checking): string | undefined {
  const { schema, raw, isTool } = checking
  const [role] = timeRolesAt(schema, path)
  if (role === undefined || role === 'zone') return undefined
  const text = valueAt(raw, path)
  if (typeof text !== 'string') return undefined
  const { zone, zoneField } = zoneBeside(path, checking)
  const lacks = whatTimeLacks(text, { zone, zoneField: isTool ? zoneField : undefined })
  if (lacks === undefined) return undefined
  const takesDate = role === 'bound' || (isTool && role !== 'moment')
  return takesDate ? `${lacks} ${DATE_TOO}` : lacks
}

/** The field that holds the zone of the time at this path, and what the caller sent in it. */
function zoneBeside(
  path: readonly PropertyKey[],
  { schema, raw }: Checking,
): { zone?: unknown; zoneField: string | undefined } {
  const around = path.slice(0, -1)
  const zoneField = fieldsAt(schema, around).find((name) =>
    timeRolesAt(schema, [...around, name]).includes('zone'),
  )
  if (zoneField === undefined) return { zoneField }
  return { zone: valueAt(raw, [...around, zoneField]), zoneField }
}

/** What the field at this path is to a time, in each of its schemas that says so. */
const timeRolesAt = (schema: z.ZodType, path: readonly PropertyKey[]) =>
  schemasAt(schema, path).flatMap((form) => timeRoles.get(form)?.is ?? [])

const NO_MASKED_EMAIL = 'A masked address cannot be used; ask the person for the address.'

/** What was expected, in words; Zod's own messages can repeat a field name that the caller made up. */
function expectation(issue: z.core.$ZodIssue, checking: Checking) {
  const { schema, raw, isTool } = checking
  const value = valueAt(raw, issue.path)
  const missing = value === undefined || (value === null && issue.path.length > 0)
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownFields(issue.keys, issue.path, checking)
    case 'invalid_type':
      if (value === undefined && issue.path.length === 0) return `${NOT_JSON}.`
      if (issue.expected === 'string') {
        const forms = schemasAt(schema, issue.path)
        const wanted = formOf(forms)
        if (missing) return `Required: ${uncapitalised(wanted)}`
        return `${wanted}${cameAsValue(value, forms)}`
      }
      return (
        `${missing ? 'Required: expected' : 'Expected'} ${article(issue.expected)}${entriesAt(schema, issue.path)}` +
        `${cameAsOther(value, schemasAt(schema, issue.path), isTool)}.`
      )
    case 'invalid_value':
      return `${missing ? 'Required: expected' : 'Expected'} one of: ${optionsOf(issue.values, value)}${cameAsValue(value, [])}`
    case 'too_big':
      return `Expected at most ${String(issue.maximum)}${unit(issue.origin, issue.maximum)}.`
    case 'too_small':
      if (value === '') return REQUIRED_TEXT
      return `Expected at least ${String(issue.minimum)}${unit(issue.origin, issue.minimum)}.`
    case 'invalid_format':
      // Each schema with a pattern says in words what it expects.
      if (issue.format === 'regex') return issue.message
      if (issue.format !== 'email') return `Expected the format ${issue.format}.`
      return isMasked(value) ? `${EMAIL_WANTED} ${NO_MASKED_EMAIL}` : EMAIL_WANTED
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'Expected other names.'
    case 'invalid_union': {
      const types = issue.errors.flatMap((form) =>
        form.flatMap((one) => (one.code === 'invalid_type' ? [article(one.expected)] : [])),
      )
      if (types.length === 0) return 'Expected another value.'
      return `${missing ? 'Required: expected' : 'Expected'} ${[...new Set(types)].join(' or ')}.`
    }
    default:
      return 'Expected another value.'
  }
}

/** The options of a field, with the one that a text spells otherwise. */
function optionsOf(values: readonly unknown[], value: unknown) {
  const options = values.map(String)
  const meant = typeof value === 'string' ? optionSpelled(value, options) : undefined
  return `${options.join(', ')}${didYouMean(meant === undefined ? [] : [meant])}`
}

/** The fields of the entries of a list, where a list or an entry of it was expected at this path. */
function entriesAt(schema: z.ZodType, path: readonly PropertyKey[]) {
  if (typeof path.at(-1) === 'number') {
    const own = fieldsAt(schema, path)
    return own.length === 0 ? '' : ` with ${own.join(', ')}`
  }
  const isList = schemasAt(schema, path).some((form) => form instanceof z.ZodArray)
  const [entry] = schemasAt(schema, [...path, 0])
  if (isList && entry instanceof z.ZodEnum) return ` of: ${entry.options.join(', ')}`
  const inEntry = isList ? fieldsAt(schema, [...path, 0]) : []
  return inEntry.length === 0 ? '' : ` of JSON objects, each with ${inEntry.join(', ')}`
}

const EMAIL_WANTED = 'Expected one email address, such as name@example.com.'

/** What a text field wants of a value that is no text: the form that it asks of every text, if it has one. */
function formOf(forms: readonly z.ZodType[]) {
  for (const form of forms) {
    const [issue] = form.safeParse('-').error?.issues ?? []
    if (issue?.code === 'invalid_format' && issue.format === 'email') return EMAIL_WANTED
    const expected: unknown = issue?.code === 'custom' && issue.params?.['expected']
    if (typeof expected === 'string') return expected
  }
  return 'Expected a string.'
}

/** `j***@gmail.com`, or `j*e@gmail.com`; a template may have a star elsewhere. */
const isMasked = (value: unknown) => typeof value === 'string' && /\*\*|\w\*\w*@/.test(value)

const article = (type: string) => {
  if (type === 'object' || type === 'record') return 'a JSON object'
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  if (type === 'int' || type === 'integer') return 'a whole number'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

const UNITS: Partial<Record<string, string>> = { string: 'character', array: 'entry' }

function unit(origin: string, count: number | bigint) {
  const one = UNITS[origin]
  return one === undefined ? '' : ` ${nounFor(Number(count), one)}`
}
