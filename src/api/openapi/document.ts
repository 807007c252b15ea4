import type { RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'

import { credentialWith } from '../../core/domain/scopes.ts'
import { MCP_REVISIONS, SERVICE_SUMMARY, VERSION } from '../../core/version.ts'
import { isGet, methodAndPath } from '../../practice/operations/endpoint.ts'
import { idempotencyKeyFor } from '../../practice/operations/idempotency-key.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import {
  type MutationOperation,
  type Operation,
  type Read,
  problemsOf,
} from '../../practice/operations/operation.ts'
import {
  committedSchema,
  confirmationFields,
  previewSchema,
  requestName,
} from '../../practice/operations/schemas.ts'
import { type App, type Site, createRoute } from '../http/app-env.ts'
import { TAGS, groupOf } from './groups.ts'
import {
  answerHeaders,
  ifNoneMatch,
  problemResponses,
  readResponses,
  sharedComponents,
} from './responses.ts'

const MCP_MESSAGE = {
  schema: z.unknown(),
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
}
const EXAMPLE_TOKEN = 'ct_AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** The route of an operation in the OpenAPI document. */
export function operationRoute(operation: Operation): RouteConfig {
  return {
    ...methodAndPath(operation),
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    security: credentialWith(operation.scope),
    'x-openai-isConsequential': operation.kind === 'mutation',
    ...(operation.kind === 'read'
      ? { request: readRequest(operation), responses: readAnswers(operation) }
      : { request: mutationRequest(operation), responses: mutationResponses(operation) }),
  }
}

function fieldsOf({ input, route }: Operation) {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const part = (wanted: boolean): z.ZodRawShape =>
    Object.fromEntries(
      Object.entries(input.shape).filter(([name]) => names.includes(name) === wanted),
    )
  return { inPath: part(true), own: part(false) }
}

const pathParameters = (inPath: z.ZodRawShape) =>
  Object.keys(inPath).length > 0 ? { params: z.object(inPath) } : {}

function readRequest(read: Read) {
  const { inPath, own } = fieldsOf(read)
  if (!isGet(read)) {
    const schema = z.strictObject(own).meta({ id: requestName(read) })
    const example = { value: read.example.input }
    return {
      body: { required: true, content: { 'application/json': { schema, examples: { example } } } },
    }
  }
  return { query: z.strictObject(own), ...pathParameters(inPath), headers: ifNoneMatch }
}

const readAnswers = (read: Read) => ({
  ...readResponses({
    description: read.output.description ?? read.title,
    schema: read.output,
    example: read.example.result,
    isListing: 'next_cursor' in read.output.shape,
    isCacheable: isGet(read),
  }),
  ...problemResponses(problemsOf(read)),
})

function mutationRequest(operation: MutationOperation) {
  const { inPath, own } = fieldsOf(operation)
  const body = z
    .strictObject({ ...own, ...confirmationFields })
    .meta({ id: requestName(operation) })
  const given = Object.fromEntries(
    Object.entries(operation.example.input).filter(([name]) => !Object.hasOwn(inPath, name)),
  )
  return {
    headers: z.object({ 'Idempotency-Key': idempotencyKeyFor(operation.name) }),
    ...pathParameters(inPath),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: body,
          examples: {
            preview: { summary: 'First: a preview', value: { ...given, confirm: false } },
            commit: {
              summary: 'Then: the commit of what was shown',
              value: { ...given, confirm: true, confirmation_token: EXAMPLE_TOKEN },
            },
          },
        },
      },
    },
  }
}

function mutationResponses(operation: MutationOperation) {
  const { preview, result } = operation.example
  const answer = { operation: operation.name, mode: 'mock', summary: operation.title }
  return {
    200: {
      description:
        'A preview (confirm=false), or the committed result (confirm=true, and every later repeat).',
      headers: answerHeaders('Idempotent-Replayed'),
      content: {
        'application/json': {
          schema: z.discriminatedUnion('status', [
            previewSchema(operation),
            committedSchema(operation),
          ]),
          examples: {
            preview: {
              summary: 'A preview',
              value: {
                status: 'preview',
                ...answer,
                preview,
                warnings: [],
                confirmation_token: EXAMPLE_TOKEN,
                expires_at: '2037-11-23T14:15:00Z',
                next_step: 'Show this preview to a person.',
              },
            },
            committed: {
              summary: 'A committed result',
              value: {
                status: 'committed',
                ...answer,
                result,
                committed_at: '2037-11-23T14:03:10Z',
              },
            },
          },
        },
      },
    },
    ...problemResponses(problemsOf(operation)),
  }
}

const ANY_JSON = { 'application/json': { schema: z.unknown() } }
const protocolRefusal = {
  description: 'The call was refused, with an error of the protocol (JSON-RPC).',
  headers: answerHeaders(),
  content: ANY_JSON,
}

/** The MCP endpoint in the OpenAPI document. */
export const mcpRoute = createRoute({
  method: 'post',
  path: '/mcp',
  operationId: 'mcp',
  summary: 'MCP Streamable HTTP endpoint',
  description:
    'The same operations as tools, and three prompts, for agents. ' +
    `Stateless; ${MCP_REVISIONS.text}.`,
  security: credentialWith(),
  request: { body: { required: true, content: { 'application/json': MCP_MESSAGE } } },
  responses: {
    200: {
      description: 'An MCP message, or a stream of them.',
      headers: answerHeaders(),
      content: { ...ANY_JSON, 'text/event-stream': { schema: z.string() } },
    },
    202: { description: 'The notification was accepted.' },
    ...Object.fromEntries([400, 403, 404, 406].map((status) => [status, protocolRefusal])),
    ...problemResponses([
      'unauthenticated',
      'payload_too_large',
      'unsupported_media_type',
      'rate_limited',
      'internal_error',
      'not_configured',
    ]),
  },
})

/** The OpenAPI 3.1 document of an app, with the defaults and choices that the settings give. */
export function openApiDocument(app: App, { origin, practice, allowAnonymous }: Site): object {
  app.describeAll()
  const document = app.getOpenAPI31Document(
    {
      openapi: '3.1.0',
      info: {
        title: 'Consult connector',
        version: VERSION,
        description:
          `What it does: ${SERVICE_SUMMARY}. Every change is previewed first (confirm=false) ` +
          'and committed with the confirmation_token of its preview. ' +
          'Personal data is returned masked.',
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
        contact: { name: practice.name, ...(origin !== '' && { url: origin }) },
      },
      externalDocs: {
        description: 'This document as pages, with each call in many languages.',
        url: `${origin}/docs/api`,
      },
      servers: [{ url: origin === '' ? '/' : origin }],
      tags: TAGS.map(([name, description]) => ({ name, description })),
    },
    { sortComponents: 'alphabetically' },
  )
  for (const described of OPERATIONS) {
    const { path, method } = methodAndPath(described)
    const { parameters = [] } = document.paths?.[path]?.[method] ?? {}
    const defaults = described.defaults?.(practice) ?? {}
    const choices = described.choices?.(practice) ?? {}
    const examplesOf = (name: string) => choices[name] && { examples: [...choices[name]] }
    for (const parameter of parameters)
      if ('name' in parameter) {
        const { name } = parameter
        const set = name in defaults && { default: defaults[name] }
        parameter.schema = { ...parameter.schema, ...set, ...examplesOf(name) }
      }
    const body = document.components?.schemas?.[requestName(described)] as
      | { properties?: Record<string, object> }
      | undefined
    // Of requests alone: an answer has only fields that its schema names.
    const { input: unlisted = [] } = described.unlisted?.(practice) ?? {}
    if (body?.properties)
      body.properties = Object.fromEntries(
        Object.entries(body.properties)
          .filter(([name]) => !unlisted.includes(name))
          .map(([name, field]) => [name, { ...field, ...examplesOf(name) }]),
      )
  }
  for (const [path, methods] of Object.entries({ ...document.paths, ...document.webhooks }))
    for (const route of Object.values(methods) as { tags?: string[] }[])
      route.tags = [groupOf(path)]
  if (allowAnonymous) allowAnonymousIn(document.paths ?? {})
  return {
    ...document,
    components: { ...document.components, ...sharedComponents(document.paths ?? {}) },
  }
}

/** In a local trial, each route also accepts a call without a credential. */
function allowAnonymousIn(paths: object) {
  for (const methods of Object.values(paths) as Record<string, { security?: object[] }>[])
    for (const route of Object.values(methods))
      if (route.security?.length) route.security = [...route.security, {}]
}

/** Adds the two headers that carry an API key to the OpenAPI document. */
export function documentCredentials({ openAPIRegistry }: App) {
  const bearer = 'An API key of the practice.'
  const apiKey = 'The same API key, for programs that cannot send it as a bearer token.'
  const add = openAPIRegistry.registerComponent.bind(openAPIRegistry, 'securitySchemes')
  add('bearer', { type: 'http', scheme: 'bearer', description: bearer })
  add('apiKey', { type: 'apiKey', in: 'header', name: 'X-API-Key', description: apiKey })
}
