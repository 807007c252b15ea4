import { distance } from 'fastest-levenshtein'
import * as z from 'zod'

import { type FieldError, problem } from '../../core/domain/problem/problem.ts'
import type { SensitiveKind } from '../../core/domain/sensitive-data/part.ts'
import type { SensitiveIssue } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { fast } from './schemas.ts'

/** The checked input. Raises `sensitive_data_refused` or `validation_failed`; never echoes a value. */
export function parseInput<S extends z.ZodObject>(
  schema: S,
  fields: unknown,
  place: Place = {},
): z.infer<S> {
  const { input, errors } = checkInput(schema, fields, place)
  if (errors === undefined) return input
  const isSensitive = errors.some(({ kind }) => kind !== undefined)
  throw problem(isSensitive ? 'sensitive_data_refused' : 'validation_failed', { errors })
}

interface Place {
  path?: Record<string, string> | undefined
  besides?: string
  isEmptyAbsent?: boolean
}

type Checked<T> = { input: T; errors?: undefined } | { input?: undefined; errors: FieldError[] }

/** The input, or all that is wrong with it. */
export function checkInput<S extends z.ZodObject>(
  schema: S,
  fields: unknown,
  { path = {}, besides, isEmptyAbsent = false }: Place = {},
): Checked<z.infer<S>> {
  const inPath = Object.keys(path)
  const isObject = fields !== null && typeof fields === 'object' && !Array.isArray(fields)
  const raw = withoutAbsent(
    schema,
    isObject && inPath.length > 0 ? { ...fields, ...path } : fields,
    isEmptyAbsent,
  )
  const parsed = fast(schema).safeParse(raw)
  const namesAt = (place: readonly PropertyKey[]) =>
    fieldsAt(schema, place).filter((name) => place.length > 0 || !inPath.includes(name))
  const unknownFields = (unknown: readonly string[], place: readonly PropertyKey[]): string => {
    const names = namesAt(place)
    const count = unknown.length === 1 ? 'A field here is' : `${unknown.length} fields here are`
    const meant = [...new Set(unknown.flatMap((name) => nearest(name, names) ?? []))]
    const hint = meant.length === 0 ? '' : `: did you mean ${meant.join(', ')}?`
    const more = besides !== undefined && place.length === 0 ? `, besides ${besides}` : ''
    const takes =
      names.length === 0 ? 'It takes none here.' : `It takes: ${names.join(', ')}${more}.`
    return `${count} not known to this operation${hint || '.'} ${takes}`
  }
  const errors = parsed.success
    ? brokenTexts(parsed.data).map((pointer) => ({
        pointer,
        detail: 'Expected text that is valid Unicode.',
      }))
    : parsed.error.issues
        .filter(isFirstFault)
        .flatMap(unionIssues)
        .map((issue) => ({ ...issue, path: knownPath(schema, issue.path) }))
        .map((issue) => fieldError(issue, raw, unknownFields))
  if (isObject && inPath.some((name) => Object.hasOwn(fields, name)))
    errors.push({ pointer: '', detail: 'A field here belongs in the path only.' })
  return parsed.success && errors.length === 0 ? { input: parsed.data } : { errors }
}

/** Zod also measures a text where it wants a list: of what has the wrong type, the length does not matter. */
const isFirstFault = (issue: z.core.$ZodIssue, _index: number, all: z.core.$ZodIssue[]): boolean =>
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

const MOST_COMPARED = 40

/** The known name that an unknown one resembles: nearly the same letters, or one of its words. */
function nearest(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MOST_COMPARED) return undefined
  const letters = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const wanted = letters(unknown)
  const ranked = known
    .map((name) => ({ name, far: distance(wanted, letters(name)) }))
    .toSorted((a, b) => a.far - b.far)
  const [first] = ranked
  if (first && first.far <= Math.max(1, letters(first.name).length / 4)) return first.name
  const byWord = known.filter((name) => name.split('_').includes(wanted))
  return byWord.length === 1 ? byWord[0] : undefined
}

/** Hosts with strict schemas send null for an optional field that is left out. */
function withoutAbsent(schema: z.ZodType, raw: unknown, isEmptyAbsent: boolean): unknown {
  if (schema instanceof z.ZodOptional)
    return withoutAbsent(schema.unwrap() as z.ZodType, raw, isEmptyAbsent)
  if (
    !(schema instanceof z.ZodObject) ||
    raw === null ||
    typeof raw !== 'object' ||
    Array.isArray(raw)
  )
    return raw
  const shape = schema.shape as Record<string, z.ZodType | undefined>
  const kept = Object.entries(raw).flatMap(([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const isAbsent =
      value === '' ? isEmptyAbsent : value === null && !field?.safeParse(null).success
    if (isAbsent && field instanceof z.ZodOptional) return []
    return [[name, field ? withoutAbsent(field, value, isEmptyAbsent) : value]]
  })
  return Object.fromEntries(kept)
}

/** Where a text holds half a surrogate pair: no hash or signature over it would be well defined. */
function brokenTexts(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [pointerTo(path)]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => brokenTexts(inner, [...path, name]))
}

/** RFC 6901. */
const pointerTo = (path: readonly PropertyKey[]): string =>
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
  national_id: 'a national identification number of another country',
  document: 'the body of a document',
}

const formsOf = (schema: z.ZodType | undefined): z.ZodType[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return formsOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => formsOf(option as z.ZodType))
  return schema === undefined ? [] : [schema]
}

const partOf = (form: z.ZodType, name: PropertyKey | undefined): z.ZodType | undefined => {
  if (form instanceof z.ZodArray) return form.element as z.ZodType
  if (!(form instanceof z.ZodObject) || name === undefined) return undefined
  return (form.shape as Record<PropertyKey, z.ZodType | undefined>)[name]
}

const fieldsAt = (
  schema: z.ZodType | undefined,
  [name, ...rest]: readonly PropertyKey[],
): string[] =>
  formsOf(schema).flatMap((form) =>
    form instanceof z.ZodObject && name === undefined
      ? Object.keys(form.shape)
      : fieldsAt(partOf(form, name), rest),
  )

type UnknownFields = (unknown: readonly string[], place: readonly PropertyKey[]) => string

/** The part of a path that a schema names: the keys of a record are the caller's own words. */
function knownPath(
  schema: z.ZodType | undefined,
  [name, ...rest]: readonly PropertyKey[],
): PropertyKey[] {
  if (name === undefined) return []
  return formsOf(schema)
    .filter((form) => form instanceof z.ZodArray || form instanceof z.ZodObject)
    .map((form) => [name, ...knownPath(partOf(form, name), rest)])
    .reduce((one, other) => (other.length > one.length ? other : one), [])
}

function fieldError(
  issue: z.core.$ZodIssue,
  raw: unknown,
  unknownFields: UnknownFields,
): FieldError {
  const pointer = pointerTo(issue.path)
  if (issue.code === 'custom') {
    const { sensitive, characters, expected } = (issue.params ?? {}) as Partial<SensitiveIssue> & {
      expected?: string
    }
    if (sensitive && characters) {
      const [first, last] = characters
      const detail = `Contains what looks like ${KINDS[sensitive]}: characters ${first} to ${last}.`
      return { pointer, detail, kind: sensitive }
    }
    return { pointer, detail: expected ?? 'Expected another value.' }
  }
  return { pointer, detail: expectation(issue, valueAt(raw, issue.path), unknownFields) }
}

/** What was expected, in words; Zod's own messages can repeat a field name that the caller made up. */
function expectation(
  issue: z.core.$ZodIssue,
  value: unknown,
  unknownFields: UnknownFields,
): string {
  const missing = value === undefined
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownFields(issue.keys, issue.path)
    case 'invalid_type':
      if (missing && issue.path.length === 0)
        return 'Expected a JSON object; what was sent is not JSON.'
      return `${missing ? 'Required: expected' : 'Expected'} ${article(issue.expected)}.`
    case 'invalid_value':
      return `${missing ? 'Required: expected' : 'Expected'} one of: ${issue.values.map(String).join(', ')}.`
    case 'too_big':
      return `Expected at most ${String(issue.maximum)}${unit(issue.origin)}.`
    case 'too_small':
      return `Expected at least ${String(issue.minimum)}${unit(issue.origin)}.`
    case 'invalid_format':
      if (issue.format !== 'email') return `Expected the format ${issue.format}.`
      return `Expected an email address, such as name@example.com.${isMasked(value) ? ' A masked address cannot be used; ask the person for the address.' : ''}`
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

const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes('***@')

const article = (type: string): string => {
  if (type === 'object') return 'a JSON object'
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  if (type === 'int' || type === 'integer') return 'a whole number'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

const unit = (origin: string): string => (origin === 'string' ? ' characters' : '')
