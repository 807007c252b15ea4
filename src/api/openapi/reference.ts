import { PROBLEMS, type ProblemCode } from '../../core/domain/problem/problems.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import { isTool } from '../../practice/operations/operation.ts'

type Limit = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum'
type Texts<Name extends string> = Partial<Record<Name, string>>

/** An OpenAPI schema, as far as the reference reads it. */
export interface Schema
  extends Partial<Record<Limit, number>>, Texts<'$ref' | 'type' | 'format' | 'description'> {
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
  default?: unknown
  examples?: unknown[]
}

export type Example = Texts<'$ref' | 'summary'> & { value?: unknown }

type Content = { schema: Schema; example?: unknown; examples?: Record<string, Example> }
type Answer = { description: string; headers?: object; content?: Record<string, Content> }

export interface Documented
  extends Record<'operationId' | 'summary', string>, Texts<'description'> {
  tags: string[]
  security: Record<string, string[]>[]
  'x-openai-isConsequential'?: boolean
  parameters?: {
    name: string
    in: string
    required: boolean
    schema: Schema
    description?: string
  }[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, Partial<Answer> & { $ref?: string }>
}

export interface OpenApi {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Example>
    responses: Record<string, Answer>
    headers: Record<string, object>
  }
  paths: Record<string, Record<string, Documented>>
  webhooks: Record<string, Record<string, Documented>>
}

/** A route of the document, or an event that is sent to webhooks. */
export type Entry = { method: string; path: string; route: Documented }

/** A part of a page: a table, an example, or Markdown, in which a heading begins with ###. */
export type Block = string | { head: string[]; rows: string[][] } | { code: string; label: string }

/** All routes and events, in the order of their groups. */
export function entriesOf({ tags, paths, webhooks }: OpenApi): Entry[] {
  const all = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ method, path, route })),
  )
  return tags.flatMap(({ name }) => all.filter(({ route }) => route.tags.includes(name)))
}

/** Replaces each reference by its component; a field beside the reference overrides the component's. */
function withoutReferences(node: unknown, components: OpenApi['components']): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutReferences(one, components))
  if (typeof node !== 'object' || node === null) return node
  const { $ref = '', ...own } = node as { $ref?: string }
  const [, , kind, name = ''] = $ref.split('/')
  const whole = kind ? { ...components[kind as keyof typeof components][name], ...own } : own
  return Object.fromEntries(
    Object.entries(whole).map(([key, inner]) => [key, withoutReferences(inner, components)]),
  )
}

const quoted = (text: string): string => `\`${text}\``

/** Method and path of a route, or the name of an event. */
export const addressOf = ({ method, path }: Entry): string =>
  path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path

/** The blocks of the page of a route: its fields, how to call it, its answers and its refusals. */
export function blocksOf({ route, ...place }: Entry, { servers, components }: OpenApi): Block[] {
  const entry = { ...place, route: withoutReferences(route, components) as Documented }
  const {
    description,
    operationId,
    parameters = [],
    requestBody,
    responses,
    summary,
    security,
  } = entry.route
  const body = requestBody?.content['application/json']
  if (!entry.path.startsWith('/'))
    return [
      description ?? summary,
      '### Body',
      ...exampleBlock(body?.example),
      ...fieldBlocks(body?.schema),
    ]
  const fields = [
    ...parameters.map(({ name, in: place, required, schema, description: notes }) =>
      fieldRow(name, { ...schema, ...(notes && { description: notes }) }, [
        place,
        required && 'required',
      ]),
    ),
    ...fieldRows(body?.schema, 'body'),
  ]
  const tool = OPERATIONS.find(({ name }) => name === operationId)
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))]
    .map(quoted)
    .join(' or ')
  const credential = scopes
    ? `scope ${scopes}`
    : security.length > 0
      ? 'any credential'
      : 'no credential'
  const overMcp = tool && isTool(tool) ? ` Over MCP it is the tool ${quoted(tool.name)}.` : ''
  const call = (sent: unknown) => callBlocks(entry, servers[0]?.url ?? '', sent)
  const answered = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const { schema, example, examples } = answered[0]?.[1].content?.['application/json'] ?? {}
  const refusals = Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}).map(
      (code) => code as ProblemCode,
    ),
  )
  const sent = body && (body.example ?? body.examples?.['example']?.value ?? sampleOf(body.schema))
  return [
    description ?? summary,
    `${quoted(addressOf(entry))}, ${credential}.${overMcp}`,
    '### Request',
    fields.length > 0 ? { head: FIELD, rows: fields } : 'It takes no fields.',
    ...(tool?.kind === 'mutation'
      ? [
          '### Preview',
          ...call(body?.examples?.['preview']?.value),
          ...exampleBlock(examples?.['preview']?.value),
          ...fieldBlocks(schema?.oneOf?.[0]),
          '### Commit',
          ...call(body?.examples?.['commit']?.value),
          ...exampleBlock(examples?.['committed']?.value),
          ...fieldBlocks(schema?.oneOf?.[1]),
        ]
      : [
          ...call(sent),
          '### Answer',
          answered.map(([status, one]) => `${quoted(status)}: ${one.description}`).join(' '),
          ...exampleBlock(schema && (example ?? sampleOf(schema))),
          ...fieldBlocks(schema),
        ]),
    '### Refusals',
    {
      head: ['status', 'code', 'what it means'],
      rows: refusals.map((code) => {
        const { status, title } = PROBLEMS[code]
        return [String(status), `[${quoted(code)}](/docs/errors#${code})`, title]
      }),
    },
  ]
}

const exampleBlock = (value: unknown): Block[] =>
  value === undefined ? [] : [{ code: JSON.stringify(value, null, 2), label: 'Answer' }]

const CREDENTIAL = 'Bearer $CONNECTOR_API_KEY'

/** A request with curl, and in TypeScript. */
function callBlocks({ method, path, route }: Entry, origin: string, body: unknown): Block[] {
  const { parameters = [], responses, security } = route
  const exampleOf = (name: string): string => {
    const [found] = parameters.find((one) => one.name === name)?.schema.examples ?? []
    return typeof found === 'string' ? found : ''
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(exampleOf(name)),
  )
  const url = `${origin.replace(/^\/$/, '')}${filled}`
  const media = Object.keys(Object.values(responses)[0]?.content ?? {})
  const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0)
  const key = exampleOf('Idempotency-Key')
  const headers = {
    ...(!isOpen && { Authorization: CREDENTIAL }),
    ...(media.length > 1 && { Accept: media.join(', ') }),
    ...(key !== '' && { 'Idempotency-Key': key }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const curl = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${url}'`,
    ...Object.entries(headers).map(([name, value]) =>
      value === CREDENTIAL ? `-H "${name}: ${value}"` : `-H '${name}: ${value}'`,
    ),
    ...(body === undefined
      ? []
      : [`-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`]),
  ]
  const literal = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  const options = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${literal(headers)}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body)})`]),
  ].map(
    (option) =>
      `  ${option.replace(`"${CREDENTIAL}"`, '`Bearer ${process.env.CONNECTOR_API_KEY}`')},\n`,
  )
  const given = options.length === 0 ? '' : `, {\n${options.join('')}}`
  const read = media.includes('application/json')
    ? 'await response.json()'
    : 'await response.text()'
  return [
    { code: curl.join(' \\\n  '), label: 'curl' },
    {
      code: `const response = await fetch('${url}'${given})\nconst answer = ${read}`,
      label: 'TypeScript',
    },
  ]
}

/** An example value with the fields that a schema requires. */
function sampleOf({ examples, default: fallback, ...schema }: Schema): unknown {
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
  if (type === 'boolean' || type === 'null') return type === 'null' ? null : false
  return format === 'date-time' ? '2037-11-23T14:15:00Z' : format === 'date' ? '2037-11-23' : '…'
}

const FIELD = ['field', 'type', 'notes']

/** The fields of an object, or of each variant of it; the first field tells variants apart. */
function fieldBlocks(schema: Schema = {}): Block[] {
  return (schema.oneOf ?? [schema.items ?? schema]).flatMap((one) => {
    const rows = fieldRows(one)
    const [name, type] = rows[0] ?? []
    return [
      ...(schema.oneOf ? [`With ${name} ${type}:`] : []),
      ...(name ? [{ head: FIELD, rows }] : []),
    ]
  })
}

/** The fields of an object in this place of a request; those of an inner one follow, as `answers.notes`. */
function fieldRows(schema: Schema | undefined, place?: string, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties).flatMap(([key, field]) => {
    const kinds = [field, ...(field.anyOf ?? [])]
    const name = `${prefix}${key}${kinds.some(({ items }) => items) ? '[]' : ''}`
    const inner = kinds.map((one) => one.items ?? one).find((one) => one.properties)
    const isRequired = required.includes(key)
    const marks =
      place === undefined ? [!isRequired && 'optional'] : [place, isRequired && 'required']
    return [fieldRow(name, field, marks), ...fieldRows(inner, place, `${name}.`)]
  })
}

const fieldRow = (name: string, schema: Schema, marks: (string | false)[]): string[] => [
  quoted(name),
  [typeOf(schema), ...marks].filter((mark) => mark !== false).join(', '),
  [schema.description ?? '', ...rulesOf(schema)].join(' ').trim(),
]

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
