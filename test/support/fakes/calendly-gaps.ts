/** A field of an answer, below `a.b`, or below `a[].b` where `a` is a list. */
const below = (name: string, path: string) =>
  path.startsWith('[]') ? name + path : `${name}.${path}`

/** Every field of an answer, however deep. */
export function pathsIn(body: unknown): string[] {
  if (Array.isArray(body)) return [...new Set(body.flatMap(pathsIn))].map((path) => `[].${path}`)
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => [
    name,
    ...pathsIn(value).map((path) => below(name, path)),
  ])
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
): { path: string; isLoose: boolean }[] {
  const at = (one: Schema): Schema => (one.$ref === undefined ? one : at(resolve(one.$ref)))
  const { properties = {}, required = [], items, oneOf = [], anyOf = [] } = at(schema)
  return [
    ...(items ? fieldsOf(items, resolve).map((one) => ({ ...one, path: `[].${one.path}` })) : []),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const { type, enum: values } = at(field)
      const isNullable = type?.includes('null') === true || values?.includes(null) === true
      return [
        { path: name, isLoose: isNullable || !required.includes(name) },
        ...fieldsOf(field, resolve).map((one) => ({ ...one, path: below(name, one.path) })),
      ]
    }),
    ...[...oneOf, ...anyOf].flatMap((one) => fieldsOf(one, resolve)),
  ]
}
