import * as z from 'zod'
import { type FieldError, problem } from '../domain/problem.ts'

/** The input, if it is as the schema says. Raises `sensitive_data_refused` or `validation_failed`; never echoes a value. */
export function parseInput<S extends z.ZodObject>(
  schema: S,
  fields: unknown,
  path?: Record<string, string>,
): z.infer<S> {
  const { input, errors } = checkInput(schema, fields, path)
  if (errors === undefined) return input
  const isSensitive = errors.some(({ kind }) => kind !== undefined)
  throw problem(isSensitive ? 'sensitive_data_refused' : 'validation_failed', { errors })
}

type Checked<T> = { input: T; errors?: undefined } | { input?: undefined; errors: FieldError[] }

/** The input, or all that is wrong with it. */
export function checkInput<S extends z.ZodObject>(
  schema: S,
  fields: unknown,
  path: Record<string, string> = {},
): Checked<z.infer<S>> {
  const inPath = Object.keys(path)
  const isObject = fields !== null && typeof fields === 'object' && !Array.isArray(fields)
  const raw: unknown = isObject && inPath.length > 0 ? { ...fields, ...path } : fields
  const parsed = schema.safeParse(raw)
  const namesAt = (place: readonly PropertyKey[]) =>
    fieldsAt(schema, place).filter((name) => place.length > 0 || !inPath.includes(name))
  const errors = parsed.success
    ? brokenTexts(parsed.data).map((pointer) => ({ pointer, detail: 'Expected text that is valid Unicode.' }))
    : parsed.error.issues.map((issue) => fieldError(issue, raw, namesAt(issue.path)))
  if (isObject && inPath.some((name) => Object.hasOwn(fields, name)))
    errors.push({ pointer: '', detail: 'A field here belongs into the path only.' })
  return parsed.success && errors.length === 0 ? { input: parsed.data } : { errors }
}

/** The position of half a surrogate pair in a text: no hash or signature over it would be well defined. */
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
    (value, part) => (value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined),
    raw,
  )

const KINDS: Record<string, string> = {
  ssn: 'a Social Security number',
  itin: 'an individual taxpayer identification number',
  ein: 'an employer identification number',
  card: 'a card number',
  bank_account: 'a bank account number',
  routing_number: 'a bank routing number',
  iban: 'an international bank account number',
  document: 'the body of a document',
}

/** The names of the fields that an object at this place may have. */
function fieldsAt(schema: z.ZodType | undefined, place: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap() as z.ZodType, place)
  if (!(schema instanceof z.ZodObject)) return []
  const [name, ...rest] = place
  if (name === undefined) return Object.keys(schema.shape)
  return fieldsAt((schema.shape as Record<PropertyKey, z.ZodType | undefined>)[name], rest)
}

function fieldError(issue: z.core.$ZodIssue, raw: unknown, known: string[]): FieldError {
  const pointer = pointerTo(issue.path)
  if (issue.code === 'custom') {
    const { sensitive, expected } = (issue.params ?? {}) as { sensitive?: string; expected?: string }
    if (sensitive)
      return {
        pointer,
        detail: `Contains what looks like ${KINDS[sensitive] ?? 'sensitive data'}.`,
        kind: sensitive,
      }
    return { pointer, detail: expected ?? 'Expected another value.' }
  }
  return { pointer, detail: expectation(issue, valueAt(raw, issue.path) === undefined, known) }
}

/** What was expected, in words; Zod's own messages can repeat a field name that the caller made up. */
function expectation(issue: z.core.$ZodIssue, missing: boolean, known: string[]): string {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const many = issue.keys.length > 1
      const takes = known.length === 0 ? 'It takes none here.' : `It takes: ${known.join(', ')}.`
      return `${many ? `${issue.keys.length} fields here are` : 'A field here is'} not known to this operation. ${takes}`
    }
    case 'invalid_type':
      if (missing && issue.path.length === 0) return 'Expected a JSON object; what was sent is not JSON.'
      return `${missing ? 'Required: expected' : 'Expected'} ${article(issue.expected)}.`
    case 'invalid_value':
      return `${missing ? 'Required: expected' : 'Expected'} one of: ${issue.values.map(String).join(', ')}.`
    case 'too_big':
      return `Expected at most ${String(issue.maximum)}${unit(issue.origin)}.`
    case 'too_small':
      return `Expected at least ${String(issue.minimum)}${unit(issue.origin)}.`
    case 'invalid_format':
      return issue.format === 'email'
        ? 'Expected an email address, such as name@example.com.'
        : `Expected the format ${issue.format}.`
    default:
      return 'Expected another value.'
  }
}

const article = (type: string): string => {
  if (type === 'object') return 'a JSON object'
  if (type === 'boolean') return 'true or false'
  if (type === 'int' || type === 'integer') return 'a whole number'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

const unit = (origin: string): string => (origin === 'string' ? ' characters' : '')
