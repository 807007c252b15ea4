import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a field is omitted: as null, not at all, or with its text cut, to half of it or otherwise. */
export const OMISSIONS = ['null', 'missing', 'cut', 'empty', 'all but the last letter'] as const
type Omission = (typeof OMISSIONS)[number]

/** A field of an answer by its path, `a.b`, or `a[].b` for that field of every item of a list. */
export interface OmittedField {
  path: string
  how: Omission
}

/** The answer with a field omitted; unchanged where there is no such field. */
export function withOmitted(body: unknown, { path, how }: OmittedField): unknown {
  const [first = '', ...others] = path.split('.')
  const name = first.replace(/\[\]$/, '')
  if (typeof body !== 'object' || body === null || !(name in body)) return body
  const { [name]: value, ...rest } = body as Record<string, unknown>
  if (others.length > 0) {
    const inner = { path: others.join('.'), how }
    const within = Array.isArray(value)
      ? value.map((one) => withOmitted(one, inner))
      : withOmitted(value, inner)
    return { ...rest, [name]: within }
  }
  if (how === 'missing') return rest
  if (how === 'null') return { ...rest, [name]: null }
  return { ...rest, [name]: cut(value, how) }
}

/** A part of a text, or of each text inside. */
function cut(value: unknown, how: Omission): unknown {
  if (typeof value === 'string') {
    if (how === 'empty') return ''
    return value.slice(0, how === 'cut' ? Math.ceil(value.length / 2) : -1)
  }
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, how)]))
}

interface Schema {
  $ref?: string
  allOf?: Schema[]
  type?: string
  enum?: unknown[]
  nullable?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/**
 * Every field that the contract file lets a provider omit in answers of this schema, in each way it allows;
 * undefined without PROVIDER_CONTRACTS. Where a field may be missing, its text may as well be cut.
 */
export function fieldsOfContract(file: string, schema: string): OmittedField[] | undefined {
  const folder = process.env['PROVIDER_CONTRACTS']
  if (folder === undefined || folder === '') return undefined
  const contract = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = contract.components
  const resolved = (one: Schema): Schema =>
    one.$ref === undefined
      ? (one.allOf?.map(resolved).find(({ properties }) => properties) ?? one)
      : resolved(schemas[one.$ref.split('/').at(-1) ?? ''] ?? {})
  const fieldsIn = (given: Schema, prefix: string, depth: number): OmittedField[] => {
    const { properties = {}, required = [] } = resolved(given)
    return Object.entries(properties).flatMap(([name, property]) => {
      const path = prefix + name
      const { type, items, enum: values } = resolved(property)
      const isOptional = !required.includes(name)
      const isNullable = property.nullable === true
      const isText = type === 'string' && values === undefined
      return [
        ...(isOptional ? [{ path, how: 'missing' as const }] : []),
        ...(isNullable ? [{ path, how: 'null' as const }] : []),
        ...((isOptional || isNullable) && (isText || type === 'object')
          ? [{ path, how: 'cut' as const }]
          : []),
        ...(depth > 0
          ? fieldsIn(items ?? property, `${path}${items ? '[]' : ''}.`, depth - 1)
          : []),
      ]
    })
  }
  return fieldsIn(schemas[schema] ?? {}, '', 1)
}
