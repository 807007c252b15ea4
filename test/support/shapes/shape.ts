/**
 * Who has to be ready for a shape. `request`: callers send it. `answer`: they read it. `both`: they do both. `fact`: it
 * is named by callers, owners or stored data, and never changes. `stored`: an older version reads and writes it again
 * after a rollback.
 */
const SIDES = ['request', 'answer', 'both', 'fact', 'stored'] as const
export type Side = (typeof SIDES)[number]

/** What is promised of one place: its type, whether it is required, its limits. */
export type Facts = Record<string, unknown>

export interface Section {
  side: Side
  /** By the place within the section: `body.start_time`, `200.slots[].end_time`. */
  rows: Map<string, Facts>
}

/** All that is promised, by what it is of: `POST /v1/bookings`, `tool book_consult`, `schema Booking`. */
export type Shapes = Map<string, Section>

/** A JSON Schema as far as a caller depends on it. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  additionalProperties?: boolean | JsonSchema
  [fact: string]: unknown
}

const KEPT =
  'format pattern minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems default'.split(
    ' ',
  )
const isNull = (schema: JsonSchema): boolean => schema.type === 'null'
const refOf = (ref: string): string => `#${ref.split('/').at(-1)}`
/** The values to choose from; nothing where they are words for people, which may change. */
function valuesOf({ const: one, enum: values }: JsonSchema): unknown[] | undefined {
  const all = one === undefined ? values : [one]
  return all?.some((value) => typeof value === 'string' && value.includes(' ')) ? undefined : all
}

/** Adds the rows of a schema at a place. Words for people are left out. */
export function addSchema(
  rows: Section['rows'],
  at: string,
  schema: JsonSchema,
  required = false,
): void {
  const isRequired = required ? { required: true } : {}
  const members = schema.anyOf ?? schema.oneOf ?? []
  const others = members.filter((one) => !isNull(one))
  const orNull = others.length < members.length ? ['null'] : []
  if (schema.$ref !== undefined) {
    rows.set(at, { type: [refOf(schema.$ref)], ...isRequired })
  } else if (others.length === 1) {
    addSchema(rows, at, { ...others[0]!, ...factsOf(schema) }, required)
    const facts = rows.get(at)!
    rows.set(at, { ...facts, type: [...(facts['type'] as string[]), ...orNull] })
  } else if (others.length > 1 && others.every(({ $ref }) => $ref !== undefined)) {
    rows.set(at, { type: [...others.map(({ $ref }) => refOf($ref!)), ...orNull], ...isRequired })
  } else if (others.length > 1) {
    rows.set(at, { type: ['union', ...orNull], ...isRequired })
    for (const [label, member] of labelled(others)) addSchema(rows, `${at}<${label}>`, member)
    addProperties(rows, at, schema)
  } else {
    const values = valuesOf(schema)
    const { additionalProperties: more } = schema
    rows.set(at, {
      type: [schema.type ?? 'any'].flat(),
      ...isRequired,
      ...(values && { enum: values }),
      ...factsOf(schema),
      ...(more === false && { closed: true }),
    })
    addProperties(rows, at, schema)
    if (schema.items) addSchema(rows, `${at}[]`, schema.items)
    if (typeof more === 'object') addSchema(rows, `${at}.*`, more)
  }
}

function addProperties(rows: Section['rows'], at: string, schema: JsonSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    addSchema(rows, `${at}.${name}`, property, schema.required?.includes(name))
}

const factsOf = (schema: JsonSchema): Facts =>
  Object.fromEntries(KEPT.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])))

/** The members of a union by a name of each that does not depend on their order, where there is one. */
function labelled(members: readonly JsonSchema[]): [label: string, member: JsonSchema][] {
  return members.map((member, i) => {
    const [value, ...more] = valuesOf(member.properties?.['status'] ?? {}) ?? []
    if (typeof value === 'string' && more.length === 0) return [value, member]
    const types = [member.type ?? []].flat()
    const isAlone = members.filter((one) => [one.type ?? []].flat()[0] === types[0]).length === 1
    return [isAlone && types[0] !== undefined ? types[0] : String(i), member]
  })
}

/** The name by which a section begins in the file, with its side. */
const heading = (name: string, side: Side): string => `${name} (${side})`
const HEADING = /^(.*) \((\w+)\)$/

/** The shapes as the text that is kept: a line for each place. */
export function written(version: string, shapes: Shapes): string {
  const lines = [...shapes].flatMap(([name, { side, rows }]) => [
    heading(name, side),
    ...[...rows].map(([at, facts]) => `  ${at}:${textOf(facts)}`),
  ])
  return [`Shapes of version ${version}`, ...lines, ''].join('\n')
}

/** Space marks the end of a fact, so none is within one. */
const jsonOf = (value: unknown): string => JSON.stringify(value).replaceAll(' ', '\\u0020')

const textOf = ({ type, required, ...facts }: Facts): string =>
  [
    ...(type === undefined ? [] : [(type as string[]).join('|')]),
    ...(required ? ['required'] : []),
    ...Object.entries(facts).map(([name, value]) => `${name}=${jsonOf(value)}`),
  ]
    .map((word) => ` ${word}`)
    .join('')

/** The version and the shapes of a kept text. */
export function read(text: string): { version: string; shapes: Shapes } {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '')
  const shapes: Shapes = new Map()
  let rows: Section['rows'] = new Map()
  for (const line of lines) {
    if (line.startsWith('  ')) {
      const end = `${line} `.indexOf(': ')
      rows.set(line.slice(2, end), factsIn(line.slice(end + 2).split(' ')))
      continue
    }
    const [, name = '', side = ''] = HEADING.exec(line) ?? []
    rows = new Map()
    shapes.set(name, { side: side as Side, rows })
  }
  return { version: first.split(' ').at(-1) ?? '', shapes }
}

function factsIn(words: readonly string[]): Facts {
  const facts = words.map((word): [string, unknown] => {
    const equals = word.indexOf('=')
    if (equals >= 0) return [word.slice(0, equals), JSON.parse(word.slice(equals + 1))]
    if (word === '') return ['', undefined]
    return word === 'required' ? ['required', true] : ['type', word.split('|')]
  })
  return Object.fromEntries(facts.filter(([name]) => name !== ''))
}
