import { PROBLEMS, PROBLEM_CODES } from '../../domain/problem/problems.ts'
import { OPERATIONS, READS } from '../../operations/index.ts'
import { type Operation, isTool, problemsOf } from '../../operations/operation.ts'
import { GENERATED, code, markdownPage, markdownTable } from './markdown.ts'
import type { Documented, OpenApi, Schema } from './served.ts'

const FIELDS = ['field', 'type', 'required', 'notes'] as const

/** All operations: what each takes, what it answers and how it refuses. */
export const operationsPage = (openApi: OpenApi): string =>
  markdownPage(
    '# Operations',
    GENERATED,
    `Every operation can be called over REST and, as a tool of the same name, over MCP; the answers are the same. The full definition is [openapi.json](openapi.json).`,
    OPERATIONS.map(({ name, title }) => `- [${code(name)}](#${name}): ${title}`).join('\n'),
    ...OPERATIONS.map((operation) => section(operation, openApi)),
  )

/** All that can be read besides. */
export const readsPage = (openApi: OpenApi): string =>
  markdownPage(
    '# Reads',
    GENERATED,
    `Reads of the current state. Each can be read over REST; [docs/reading.md](../reading.md) says how over MCP. Besides the fields a GET takes the header ${code('If-None-Match')}, and answers 304 where nothing changed.`,
    READS.map(({ name, title }) => `- [${code(name)}](#${name}): ${title}`).join('\n'),
    ...READS.map((read) => section(read, openApi)),
  )

function section(operation: Operation, { paths, components }: OpenApi): string {
  const { name, http, description, scope } = operation
  const documented = paths[http.path]?.[http.method]
  if (!documented) throw new Error(`${name} is not in the OpenAPI document`)
  const schemas = components.schemas
  return markdownPage(
    `## ${name}`,
    description,
    `${code(`${http.method.toUpperCase()} ${http.path}`)}, scope ${code(scope)}.${isTool(operation) ? ` Over MCP: ${hints(operation)}.` : ''}`,
    '### Request',
    markdownTable(['field', 'in', ...FIELDS.slice(1)], requestRows(documented, schemas)),
    ...(operation.kind === 'mutation' ? answers(documented, schemas) : readAnswer(documented, schemas)),
    '### Refusals',
    markdownTable(['status', 'codes'], refusalRows(operation)),
  ).trimEnd()
}

const hints = (operation: Operation): string => {
  if (operation.kind === 'read') return 'reads only'
  const harm = operation.destructive ? 'can end something that exists' : 'adds something and ends nothing'
  return `takes ${code('idempotency_key')} in place of the header; ${harm}`
}

function requestRows({ parameters = [], requestBody }: Documented, schemas: Schemas): string[][] {
  const body = requestBody?.content['application/json']?.schema
  return [
    ...parameters
      .filter(({ in: place }) => place !== 'header' || requestBody)
      .map(({ name, in: place, required, schema, description }) => [
        code(name),
        place,
        ...described({ ...schema, ...(description ? { description } : {}) }, required, schemas),
      ]),
    ...fieldRows(body, schemas).map(([name = '', ...rest]) => [name, 'body', ...rest]),
  ]
}

function readAnswer({ responses }: Documented, schemas: Schemas): string[] {
  const schema = responses['200']?.content?.['application/json']?.schema
  return ['### Answer', markdownTable(FIELDS, fieldRows(schema, schemas))]
}

function answers({ responses }: Documented, schemas: Schemas): string[] {
  const either = responses['200']?.content?.['application/json']?.schema.oneOf ?? []
  const [preview, committed] = either.map((one) => resolved(one, schemas))
  return [
    `### Preview`,
    `In ${code('preview')}; beside it: ${names(preview)}.`,
    markdownTable(FIELDS, fieldRows(preview?.properties?.['preview'], schemas)),
    `### Commit`,
    `In ${code('result')}; beside it: ${names(committed)}.`,
    markdownTable(FIELDS, fieldRows(committed?.properties?.['result'], schemas)),
  ]
}

const names = (schema: Schema | undefined): string =>
  Object.keys(schema?.properties ?? {})
    .filter((name) => name !== 'preview' && name !== 'result')
    .map(code)
    .join(', ')

function refusalRows(operation: Operation): string[][] {
  const codes = problemsOf(operation)
  const statuses = [...new Set(codes.map((one) => PROBLEMS[one].status))].toSorted((a, b) => a - b)
  return statuses.map((status) => [
    String(status),
    PROBLEM_CODES.filter((one) => codes.includes(one) && PROBLEMS[one].status === status)
      .map((one) => `[${code(one)}](problems.md#${one})`)
      .join(', '),
  ])
}

type Schemas = OpenApi['components']['schemas']

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1)!] ?? schema)

/** A row for each field; the fields of an inner object follow it, as `answers.notes`. */
function fieldRows(schema: Schema | undefined, schemas: Schemas, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema ? resolved(schema, schemas) : {}
  return Object.entries(properties).flatMap(([name, field]) => {
    const whole = resolved(field, schemas)
    const inner = whole.properties ? whole : whole.items && resolved(whole.items, schemas)
    const path = `${prefix}${name}${whole.items ? '[]' : ''}`
    const row = [code(path), ...described({ ...whole, ...field }, required.includes(name), schemas)]
    return [row, ...(inner?.properties ? fieldRows(inner, schemas, `${path}.`) : [])]
  })
}

const described = (schema: Schema, required: boolean, schemas: Schemas): string[] => [
  typeOf(schema, schemas),
  required ? 'yes' : 'no',
  [resolved(schema, schemas).description ?? '', limits(schema)].filter((part) => part !== '').join(' '),
]

function typeOf(schema: Schema, schemas: Schemas): string {
  const whole = resolved(schema, schemas)
  if (whole.anyOf) return whole.anyOf.map((one) => typeOf(one, schemas)).join(' or ')
  if (whole.enum) return whole.enum.map((value) => code(String(value))).join(', ')
  if (whole.items) return `list of ${typeOf(whole.items, schemas)}`
  return `${whole.type ?? 'any'}${whole.format ? ` (${whole.format})` : ''}`
}

function limits({ minimum, maximum, minLength, maxLength, default: fallback }: Schema): string {
  const said = []
  if (minLength !== undefined) said.push(`At least ${minLength} characters.`)
  if (maxLength !== undefined) said.push(`At most ${maxLength} characters.`)
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) said.push(`At least ${minimum}.`)
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) said.push(`At most ${maximum}.`)
  if (fallback !== undefined)
    said.push(`Default ${code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))}.`)
  return said.join(' ')
}
