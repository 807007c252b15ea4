import * as z from 'zod'

import { toolOf } from '../../../src/api/mcp/tools.ts'
import { EXAMPLE_ORIGIN } from '../../../src/api/openapi/responses.ts'
import { createdColumns } from '../../../src/cli/reference/storage.ts'
import stored from '../../../src/cli/reference/stored.json' with { type: 'json' }
import { TOPIC_NAMES, topicRow } from '../../../src/core/domain/events/topics.ts'
import { effectsOf } from '../../../src/core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../../../src/core/domain/problem/problems.ts'
import { BY_NAME_SCOPES, SCOPES, type Scope } from '../../../src/core/domain/scopes.ts'
import { schema } from '../../../src/core/settings-schema.ts'
import { settingsFrom } from '../../../src/core/settings.ts'
import { TOOLS } from '../../../src/practice/operations/index.ts'
import { PROMPTS } from '../../../src/practice/operations/prompts.ts'
import { type Documented, type OpenApi, servedDocuments } from '../openapi.ts'
import {
  type Facts,
  type JsonSchema,
  type Section,
  type Shapes,
  type Side,
  addSchema,
} from './shape.ts'

/** A practice whose kinds of consult ask everything that can be asked, so that all fields are listed. */
const ASKS_ALL = { PUBLIC_URL: EXAMPLE_ORIGIN, BOOKING_ASKS: 'answers,phone,location' }

const CODES = /#\/components\/examples\/(\w+)/g
const REFERENCE = /#\/components\/schemas\/(\w+)/g

/** The shapes that this code serves, writes and takes as settings, from the sources that serve them. */
export async function servedShapes(): Promise<Shapes> {
  const { openApi } = await servedDocuments(ASKS_ALL)
  const shapes: Shapes = new Map()
  for (const [path, methods] of Object.entries(openApi.paths))
    for (const [method, route] of Object.entries(methods))
      addRoute(shapes, `${method.toUpperCase()} ${path}`, route, openApi)
  for (const [topic, { post }] of Object.entries(openApi.webhooks))
    shapes.set(
      `webhook ${topic}`,
      section('answer', (rows) => addBody(rows, 'body', post!)),
    )
  addComponents(shapes, openApi)
  addTools(shapes)
  addNames(shapes)
  addStored(shapes)
  return shapes
}

function section(side: Side, add: (rows: Section['rows']) => void): Section {
  const rows: Section['rows'] = new Map()
  add(rows)
  return { side, rows }
}

const schemaIn = (content: Record<string, { schema: unknown }>, type: string): JsonSchema =>
  content[type]!.schema as JsonSchema

/** JSON is what nearly all is, so it needs no name. */
const ofType = (at: string, type: string): string => (type.endsWith('json') ? at : `${at}<${type}>`)

function addBody(rows: Section['rows'], at: string, { requestBody }: Documented): void {
  if (!requestBody) return
  for (const type of Object.keys(requestBody.content))
    addSchema(rows, ofType(at, type), schemaIn(requestBody.content, type), requestBody.required)
}

function addRoute(shapes: Shapes, name: string, route: Documented, document: OpenApi): void {
  shapes.set(
    `${name} request`,
    section('request', (rows) => {
      const scopes = route.security.flatMap((one) => Object.values(one)).flat()
      rows.set('scopes', { needs: [...new Set(scopes)] })
      for (const { name: field, in: place, schema, required } of route.parameters ?? [])
        addSchema(rows, `${place}.${field}`, schema as JsonSchema, required)
      addBody(rows, 'body', route)
    }),
  )
  shapes.set(
    `${name} answer`,
    section('answer', (rows) => addAnswers(rows, route, document)),
  )
}

/** The answers by their status, and the codes of all refusals together: `codes` has their status. */
function addAnswers(
  rows: Section['rows'],
  { responses }: Documented,
  { components }: OpenApi,
): void {
  const codes: string[] = []
  for (const [status, answer] of Object.entries(responses)) {
    const { headers = {}, content = {} } =
      answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/').at(-1)!]!
    const named = [...JSON.stringify(content).matchAll(CODES)].map(([, code]) => code!)
    codes.push(...named)
    const isRefusalAlone = named.length > 0 && Object.keys(content).length === 1
    if (isRefusalAlone) continue
    rows.set(`${status}.headers`, { list: Object.keys(headers) })
    for (const type of Object.keys(content).filter((one) => one !== PROBLEM))
      addSchema(rows, ofType(status, type), schemaIn(content, type))
  }
  rows.set('refusals', { list: codes })
}

const PROBLEM = 'application/problem+json'

/** Each named schema: it is sent, read, or both, as the routes refer to it. */
function addComponents(shapes: Shapes, { paths, webhooks, components }: OpenApi): void {
  const routes = Object.values(paths).flatMap((methods) => Object.values(methods))
  const sent = reachable(
    routes.map(({ requestBody, parameters }) => [requestBody, parameters]),
    components,
  )
  const answered = reachable(
    [routes.map(({ responses }) => responses), webhooks, components.responses],
    components,
  )
  for (const [name, schema] of Object.entries(components.schemas)) {
    const only = sent.has(name) ? 'request' : 'answer'
    const side = sent.has(name) && answered.has(name) ? 'both' : only
    shapes.set(
      `schema ${name}`,
      section(side, (rows) => addSchema(rows, 'it', schema as JsonSchema)),
    )
  }
}

function reachable(from: unknown, { schemas }: OpenApi['components']): Set<string> {
  const found = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(REFERENCE)) {
      if (found.has(name)) continue
      found.add(name)
      follow(schemas[name])
    }
  }
  follow(from)
  return found
}

function addTools(shapes: Shapes): void {
  const { practice } = settingsFrom(ASKS_ALL)
  for (const operation of TOOLS) {
    const { name, inputSchema, outputSchema, annotations } = toolOf(operation, practice)
    const { title: _words, ...hints } = annotations
    shapes.set(
      `tool ${name} request`,
      section('request', (rows) => addSchema(rows, 'input', inputSchema as JsonSchema)),
    )
    shapes.set(
      `tool ${name} answer`,
      section('answer', (rows) => addSchema(rows, 'output', outputSchema as JsonSchema)),
    )
    shapes.set(
      `tool ${name} hints`,
      section('fact', (rows) => rows.set('hints', hints)),
    )
  }
  for (const { name, arguments: given } of PROMPTS)
    shapes.set(
      `prompt ${name}`,
      section('request', (rows) => {
        for (const one of given) rows.set(one.name, { type: ['string'] })
      }),
    )
}

/** What callers and owners name: codes, topics, scopes and settings, with what each setting takes. */
function addNames(shapes: Shapes): void {
  const named = (name: string, all: readonly string[], factsOf: (one: string) => Facts): void => {
    const add = (rows: Section['rows']) => all.forEach((one) => rows.set(one, factsOf(one)))
    shapes.set(name, section('fact', add))
  }
  named('codes', PROBLEM_CODES, (one) => {
    const code = one as (typeof PROBLEM_CODES)[number]
    const { status, retryable = false } = PROBLEMS[code]
    return { status, retryable, effects: effectsOf(code) }
  })
  named('topics', TOPIC_NAMES, (one) => {
    const { scope, path } = topicRow(one as (typeof TOPIC_NAMES)[number])
    return { scope, path }
  })
  named('scopes', Object.keys(SCOPES), (one) => ({
    byName: BY_NAME_SCOPES.includes(one as Scope),
  }))
  const addSettings = (rows: Section['rows']): void => {
    for (const [name, setting] of Object.entries(schema.shape)) {
      addSchema(rows, name, z.toJSONSchema(setting, { unrepresentable: 'any' }) as JsonSchema)
      // A default that is transformed stands in no schema.
      const { data } = setting.safeParse(undefined)
      if (data !== undefined) rows.set(name, { ...rows.get(name), default: data })
    }
  }
  shapes.set('settings', section('request', addSettings))
}

interface Place {
  keys?: object
  values?: object
  fields?: object
  tables?: Record<string, { columns: object }>
}

/** The tables, columns, fields and keys that are stored. */
function addStored(shapes: Shapes): void {
  const declared = createdColumns()
  const places: Record<string, Place> = stored
  for (const [name, { keys = {}, values = {}, fields = {}, tables = {} }] of Object.entries(
    places,
  )) {
    const others = Object.keys({ ...keys, ...values, ...fields })
    if (others.length > 0)
      shapes.set(
        `stored ${name}`,
        section('stored', (rows) =>
          others.forEach((one) => rows.set(one.replaceAll(' ', '_'), {})),
        ),
      )
    for (const [table, { columns }] of Object.entries(tables))
      shapes.set(
        `stored ${name}.${table}`,
        section('stored', (rows) => {
          for (const column of Object.keys(columns))
            rows.set(column, { column: declared.get(`${table}.${column}`) })
        }),
      )
  }
}
