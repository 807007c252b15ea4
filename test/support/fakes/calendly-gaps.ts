/** What a field of an answer becomes: null, left out, or a text that was cut. */
export const GAPS = ['null', 'missing', 'empty', 'half', 'all but the last letter'] as const
export type Gap = (typeof GAPS)[number]

/** Where in an answer; `*` stands for every item of a list. */
export type Path = readonly string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every field of an answer, however deep. */
export function pathsIn(body: unknown): Path[] {
  const below = (key: string, value: unknown): Path[] =>
    pathsIn(value).map((path) => [key, ...path])
  if (Array.isArray(body)) {
    const found = body.flatMap((item) => below('*', item))
    return [...new Map(found.map((path) => [path.join('.'), path])).values()]
  }
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([key, value]) => [[key], ...below(key, value)])
}

/** The answer with this gap in it. */
export function withGap(body: unknown, [key, ...rest]: Path, gap: Gap): unknown {
  if (key === undefined) return body
  if (Array.isArray(body))
    return body.map((item) => withGap(item, key === '*' ? rest : [key, ...rest], gap))
  if (!isObject(body) || !(key in body)) return body
  if (rest.length > 0) return { ...body, [key]: withGap(body[key], rest, gap) }
  const { [key]: value, ...others } = body
  return gap === 'missing' ? others : { ...others, [key]: gap === 'null' ? null : cut(value, gap) }
}

function cut(value: unknown, gap: Exclude<Gap, 'null' | 'missing'>): unknown {
  if (typeof value !== 'string') return value
  if (gap === 'empty') return ''
  return value.slice(0, gap === 'all but the last letter' ? -1 : value.length / 2)
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

/** Every field of a schema; `isLoose`: it may be null or left out. `resolve` gives what a reference names. */
export function fieldsOf(
  schema: Schema,
  resolve: (reference: string) => Schema = () => ({}),
): { path: Path; isLoose: boolean }[] {
  const at = (one: Schema): Schema => (one.$ref === undefined ? one : at(resolve(one.$ref)))
  const below = (key: string, one: Schema) =>
    fieldsOf(one, resolve).map(({ path, isLoose }) => ({ path: [key, ...path], isLoose }))
  const { properties = {}, required = [], items, oneOf = [], anyOf = [] } = at(schema)
  return [
    ...(items ? below('*', items) : []),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const { type, enum: values } = at(field)
      const isNullable = type?.includes('null') === true || values?.includes(null) === true
      return [
        { path: [name], isLoose: isNullable || !required.includes(name) },
        ...below(name, field),
      ]
    }),
    ...[...oneOf, ...anyOf].flatMap((one) => fieldsOf(one, resolve)),
  ]
}
