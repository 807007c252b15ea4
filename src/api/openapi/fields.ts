import type { Limit, Schema } from './reference.ts'

/** A field of a request or an answer, as a page shows it. */
export interface Field {
  /** An inner field has the names of those around it, as `answers.notes`. */
  name: string
  type: string
  /** Where it is sent, where that is not the body. */
  place?: string
  mark: 'required' | 'optional' | ''
  notes: string
}

/** The fields of a request body; a field that has to be sent is marked. */
export const sentFields = (schema: Schema | undefined): Field[] =>
  fieldsOf(schema, { whenRequired: 'required', whenNot: '' })

/** The fields of an answer; a field that may be missing is marked. */
export const answeredFields = (schema: Schema | undefined): Field[] =>
  fieldsOf(schema, { whenRequired: '', whenNot: 'optional' })

/** The fields of an answer, or of each variant of it under what tells it apart. */
export function variantsOf(schema: Schema = {}): { label: string; fields: Field[] }[] {
  const variants = schema.oneOf ?? [schema.items ?? schema]
  return variants
    .map((one) => {
      const fields = answeredFields(one)
      const [first] = fields
      const label = schema.oneOf && first ? `With \`${first.name}\` ${first.type}` : ''
      return { label, fields }
    })
    .filter(({ fields }) => fields.length > 0)
}

interface Marks {
  whenRequired: Field['mark']
  whenNot: Field['mark']
}

function fieldsOf(schema: Schema | undefined, marks: Marks, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties).flatMap(([key, field]) => {
    const kinds = [field, ...(field.anyOf ?? [])]
    const isList = kinds.some(({ items }) => items)
    const name = `${prefix}${key}${isList ? '[]' : ''}`
    const inner = kinds.map((one) => one.items ?? one).find((one) => one.properties)
    const mark = required.includes(key) ? marks.whenRequired : marks.whenNot
    return [fieldOf(name, field, mark), ...fieldsOf(inner, marks, `${name}.`)]
  })
}

/** A field of this schema. */
export const fieldOf = (name: string, schema: Schema, mark: Field['mark']): Field => ({
  name,
  type: typeOf(schema),
  mark,
  notes: [schema.description ?? '', ...rulesOf(schema)].join(' ').trim(),
})

const quoted = (text: string): string => `\`${text}\``

function typeOf({
  anyOf,
  oneOf = anyOf,
  items,
  additionalProperties: more,
  ...schema
}: Schema): string {
  if (oneOf) return [...new Set(oneOf.map(typeOf))].join(' or ')
  if (schema.enum) return schema.enum.map((value) => quoted(String(value))).join(', ')
  if (items) return `list of ${typeOf(items)}`
  if (typeof more === 'object') return `map of ${typeOf(more)}`
  return `${schema.type ?? 'any'}${schema.format ? ` (${schema.format})` : ''}`
}

const LIMITS: Record<Limit, string> = {
  minLength: 'At least # characters.',
  maxLength: 'At most # characters.',
  minItems: 'At least # in the list.',
  maxItems: 'At most # in the list.',
  minimum: 'At least #.',
  maximum: 'At most #.',
}

function rulesOf({ default: fallback, ...schema }: Schema): string[] {
  const limits = Object.entries(LIMITS).flatMap(([name, text]) => {
    const limit = schema[name as Limit]
    // Zod gives every whole number the limit of safe integers.
    const isOwn = limit !== undefined && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
    return isOwn ? [text.replace('#', String(limit))] : []
  })
  if (fallback === undefined) return limits
  return [
    ...limits,
    `Default ${quoted(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))}.`,
  ]
}

/** An example value with the fields that a schema requires. */
export function sampleOf({ examples, default: fallback, ...schema }: Schema): unknown {
  const { type, format, properties, required = [], items, minimum = 0 } = schema
  const [known] = examples ?? schema.enum ?? [fallback]
  if (known !== undefined) return known
  // Of a schema that allows null, the example is null.
  const either = schema.oneOf?.[0] ?? schema.anyOf?.at(-1)
  if (either) return sampleOf(either)
  if (items) return [sampleOf(items)]
  if (properties)
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  if (type === 'integer' || type === 'number') return Math.max(minimum, 0)
  if (type === 'null') return null
  if (type === 'boolean') return false
  if (format === 'date-time') return '2037-11-23T14:15:00Z'
  return format === 'date' ? '2037-11-23' : '…'
}
