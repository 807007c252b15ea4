import { OPERATIONS } from '../../practice/operations/index.ts'
import type { DocPage, TriedField, TryForm } from './doc-page.ts'
import { bodyOf, pathOfPage } from './reference-page.ts'
import { type Entry, type OpenApi, type Schema, entriesOf, resolvedEntry } from './reference.ts'

/**
 * If it is empty, the first free time is taken: that of the example belongs to another calendar.
 */
export const START_TIME = 'start_time'

/** No form has these: what it sends is a preview. */
const OF_THE_COMMIT: readonly string[] = ['confirm', 'confirmation_token']

/** An operation that has a form on its page. */
export interface Tried {
  entry: Entry
  form: TryForm
}

/** The operation of this name with its form; undefined for a route that is no operation. */
export function triedOperation(
  name: string,
  document: OpenApi,
  needsKey: boolean,
): Tried | undefined {
  const operation = OPERATIONS.find((one) => one.name === name)
  const found = entriesOf(document).find(({ route }) => route.operationId === name)
  if (!operation || !found) return undefined
  const entry = resolvedEntry(found, document)
  const { kind } = operation
  const fields = [...parameterFields(entry), ...bodyFields(entry)]
  return { entry, form: { path: pathOfPage(found), kind, fields: fields.map(filled), needsKey } }

  function filled(field: TriedField): TriedField {
    if (kind === 'read' || field.name !== START_TIME) return field
    return { ...field, value: '', hint: 'Leave it empty for the first free time.' }
  }
}

/** The page with this form under the text of its first part. */
export const withForm = ({ pairs = [], ...page }: DocPage, form: TryForm): DocPage => ({
  ...page,
  pairs: pairs.map((pair, index) => (index === 0 ? { ...pair, form } : pair)),
})

function parameterFields({ route: { parameters = [] } }: Entry): TriedField[] {
  return parameters.flatMap(({ name, in: place, required, schema, example }) => {
    if (place !== 'path' && place !== 'query') return []
    const value = example === undefined ? '' : String(example)
    return [fieldOf({ name, place, schema, value, required })]
  })
}

function bodyFields(entry: Entry): TriedField[] {
  const { properties = {}, required = [] } =
    entry.route.requestBody?.content['application/json']?.schema ?? {}
  const example = new Map(Object.entries(bodyOf(entry) ?? {}))
  return Object.entries(properties)
    .filter(([name]) => !OF_THE_COMMIT.includes(name))
    .map(([name, schema]) => {
      const given: unknown = example.get(name)
      const json = JSON.stringify(given, null, Array.isArray(given) ? 0 : 2) ?? ''
      const value = typeof given === 'string' ? given : json
      return fieldOf({ name, place: 'body', schema, value, required: required.includes(name) })
    })
}

type Given = Pick<TriedField, 'name' | 'place' | 'value'> & { schema: Schema; required: boolean }

const fieldOf = ({ name, place, value, schema, required }: Given): TriedField => ({
  name,
  place,
  value,
  ...(schema.enum && { choices: schema.enum.map(String) }),
  isText: [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'string'),
  isUsual: required || value !== '',
})

/** The request that a form asks for. */
export interface TriedRequest {
  method: string
  /** Path and query. */
  target: string
  body: Record<string, unknown> | undefined
}

/**
 * The request with these values of its fields. Of a change it is the preview, whatever was sent.
 * Empty fields are left out.
 */
export function triedRequest(
  { entry, form }: Tried,
  values: ReadonlyMap<string, string>,
): TriedRequest {
  const given = form.fields
    .map((field) => ({ ...field, value: values.get(field.name) ?? '' }))
    .filter(({ value, place }) => value !== '' || place === 'path')
  const of = (place: TriedField['place']) => given.filter((field) => field.place === place)
  let path = entry.path
  for (const { name, value } of of('path')) path = path.replace(`{${name}}`, segmentOf(value))
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value])).toString()
  const fields = of('body').map((field): [string, unknown] => [field.name, valueOf(field)])
  const isChange = form.kind === 'mutation'
  return {
    method: entry.method.toUpperCase(),
    target: query === '' ? path : `${path}?${query}`,
    body: entry.route.requestBody && {
      ...Object.fromEntries(fields),
      ...(isChange && { confirm: false }),
    },
  }
}

/** A value as one segment of a path. A URL drops `.` and `..`, so they would name another route. */
const segmentOf = (value: string): string =>
  /^\.{0,2}$/.test(value) ? '-' : encodeURIComponent(value)

/**
 * What was typed, as JSON where the field takes no text. What is not JSON is sent as it is, and the
 * operation says what it expects.
 */
function valueOf({ isText, value }: TriedField): unknown {
  if (isText) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
