import { createConfig, lintFromString } from '@redocly/openapi-core'
import * as ajvFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'

import { groupOf } from '../../../../src/api/openapi/groups.ts'
import { TOPIC_NAMES } from '../../../../src/core/domain/events/topics.ts'
import { effectsOf } from '../../../../src/core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../../src/core/domain/problem/problems.ts'
import { SCOPES } from '../../../../src/core/domain/scopes.ts'
import { type Route, isGet, methodAndPath } from '../../../../src/practice/operations/endpoint.ts'
import { MUTATIONS, OPERATIONS } from '../../../../src/practice/operations/index.ts'
import { problemsOf } from '../../../../src/practice/operations/operation.ts'
import {
  type Documented,
  type OpenApi,
  type Schema,
  servedDocuments,
} from '../../../support/openapi.ts'

let document: OpenApi
let ajv: Ajv2020

beforeAll(async () => {
  const { openApi } = await servedDocuments({ PUBLIC_URL: 'https://connector.practice.example' })
  document = openApi
  ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default.default(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' })
})

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
const isPublic = (path: string): boolean => !/^\/(v1\/|mcp$)/.test(path)

function documentedAs(described: { route: Route }): Documented {
  const { path, method } = methodAndPath(described)
  const found = document.paths[path]?.[method]
  if (!found) throw new Error(`${path} is not documented`)
  const { responses } = document.components
  const answers = Object.entries(found.responses).map(([status, answer]) => [
    status,
    answer.$ref === undefined
      ? answer
      : responses[answer.$ref.replace('#/components/responses/', '')]!,
  ])
  return { ...found, responses: Object.fromEntries(answers) as Documented['responses'] }
}

const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!) : schema

const validators = new Map<string, ValidateFunction>()

/** What a value has that a schema within the document does not allow. */
function faultIn(pointer: readonly string[], value: unknown): string {
  const $ref = `openapi#/${pointer.map(escaped).map(encodeURIComponent).join('/')}`
  const check = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, check)
  return check(value) ? 'none' : ajv.errorsText(check.errors)
}

/** Every object schema of the document, by its place. */
function objectSchemas(): { place: string; schema: Schema }[] {
  const found: { place: string; schema: Schema }[] = []
  const walk = (node: unknown, place: string): void => {
    // Examples hold values, which may look like schemas.
    if (node === null || typeof node !== 'object' || /\/examples?(\/|$)/.test(place)) return
    const schema = node as Schema
    const isObject =
      schema.type === 'object' || (schema.properties && !place.endsWith('/properties'))
    if (isObject && !Array.isArray(node)) found.push({ place, schema })
    for (const [name, inner] of Object.entries(node)) walk(inner, `${place}/${name}`)
  }
  walk(document, '')
  return found
}

describe('the document', () => {
  async function lint(one: object) {
    const config = await createConfig({ extends: ['recommended'] })
    return lintFromString({ source: JSON.stringify(one), absoluteRef: 'openapi.json', config })
  }

  it('is valid and clean by the recommended rules of Redocly', { tags: 'slow' }, async () => {
    const problems = await lint(document)
    const found = problems.map(({ ruleId, message, location }) => [
      ruleId,
      message,
      location[0]?.pointer,
    ])
    expect(found).toEqual([])
  })

  it('has the paths of the specification, under the names of the operations', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [
        one.operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    )
    expect(Object.fromEntries(operations)).toMatchObject({
      list_availability: 'GET /v1/availability',
      book_consult: 'POST /v1/bookings',
      reschedule_booking: 'POST /v1/bookings/{booking_id}/reschedule',
      cancel_booking: 'POST /v1/bookings/{booking_id}/cancel',
      create_client_profile: 'POST /v1/clients',
      submit_intake_answers: 'POST /v1/clients/{client_id}/intake',
      create_payment_link: 'POST /v1/payment-links',
      health: 'GET /health',
      openapi: 'GET /openapi.json',
      llms: 'GET /llms.txt',
      example_prompts: 'GET /docs/example-prompts.md',
    })
    expect(new Set(operations.map(([operationId]) => operationId)).size).toBe(operations.length)
  })

  it('says what changes something, for hosts that ask a person first', () => {
    for (const operation of OPERATIONS) {
      const isConsequential = documentedAs(operation)['x-openai-isConsequential']
      expect(isConsequential, operation.name).toBe(operation.kind === 'mutation')
    }
  })

  it('asks for a credential everywhere but at the public documents, and for the scope of each operation', () => {
    const scopesOf = ({ operationId, security }: Documented) => {
      const scopes = security.flatMap((one) => (one['bearer'] ? [one['bearer']] : []))
      // The API key goes into either of two headers, and may do the same in both.
      const either = scopes.flatMap((one) => [{ bearer: one }, { apiKey: one }])
      expect(security, operationId).toEqual(either)
      return scopes
    }
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((documented) => ({ path, documented })),
    )
    for (const { path, documented } of routes) {
      const { operationId } = documented
      const isForAuditors = scopesOf(documented).flat().includes('audit:read')
      const wanted = isPublic(path) ? 0 : isForAuditors ? 2 : 1
      expect([operationId, scopesOf(documented).length]).toEqual([operationId, wanted])
    }
    for (const operation of OPERATIONS) {
      expect(Object.keys(SCOPES)).toContain(operation.scope)
      expect(scopesOf(documentedAs(operation)), operation.name).toEqual([[operation.scope]])
    }
  })
})

describe('webhooks', () => {
  it('are the topics of the events, each with an example that is one of the events that can be listed', () => {
    const { webhooks } = document as unknown as {
      webhooks: Record<
        string,
        { post: { requestBody: { content: Record<string, { example: object }> } } }
      >
    }
    const { 'webhook.test': test, ...topics } = webhooks
    const { example } = test!.post.requestBody.content['application/json']!
    expect(faultIn(['components', 'schemas', 'WebhookTestEvent'], example)).toBe('none')
    expect(Object.keys(topics)).toEqual(TOPIC_NAMES)
    for (const [topic, { post }] of Object.entries(topics)) {
      const { example } = post.requestBody.content['application/json']!
      expect(example).toMatchObject({ type: topic, mode: 'mock' })
      const events = { operation: 'list_events', mode: 'mock', events: [example], next_cursor: 'x' }
      const listed = { ...events, truncated: false }
      expect([topic, faultIn(['components', 'schemas', 'Events'], listed)]).toEqual([topic, 'none'])
      const unknown = { ...listed, events: [{ ...example, data: { display_name: 'J. D.' } }] }
      expect([topic, faultIn(['components', 'schemas', 'Events'], unknown)]).not.toEqual([
        topic,
        'none',
      ])
    }
  })
})

describe('schemas', () => {
  it('of events say what happened', () => {
    const events = Object.entries(document.components.schemas as Record<string, Schema>).filter(
      ([name]) => name.endsWith('Event'),
    )
    expect(events.length).toBeGreaterThan(TOPIC_NAMES.length)
    expect(events.filter(([, { description }]) => !description)).toEqual([])
  })

  it('are closed, but for the one of this very document', () => {
    // An OpenAPI document is described by its own specification.
    const open = ['/paths//openapi.json/get/responses/200/content/application/json/schema']
    // A map says what its values are.
    const isClosed = (more: unknown) =>
      more === false || (typeof more === 'object' && more !== null && Object.keys(more).length > 0)
    const found = objectSchemas()
    expect(found.length).toBeGreaterThan(30)
    const left = found.filter(({ schema }) => !isClosed(schema.additionalProperties))
    expect(left.map(({ place }) => place)).toEqual(open)
  })

  it('have names wherever a request or an answer is described', () => {
    for (const { route, kind } of OPERATIONS) {
      const { requestBody, responses } = documentedAs({ route })
      const bodies = [requestBody, ...Object.values(responses)].flatMap((one) =>
        Object.values(one?.content ?? {}).map(({ schema }) => schema),
      )
      expect(bodies.length).toBeGreaterThan(kind === 'read' ? 1 : 2)
      for (const schema of bodies.flatMap((one) => one.oneOf ?? [one])) {
        expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
      }
    }
    for (const operation of MUTATIONS) {
      const either =
        documentedAs(operation).responses['200']?.content?.['application/json']?.schema.oneOf ?? []
      const [preview, committed] = either.map((one) => resolved(one).properties)
      expect(preview?.['preview']?.$ref).toBeDefined()
      expect(committed?.['result']?.$ref).toBeDefined()
    }
  })
})

describe('answers', () => {
  it('are documented for every status with every code of it, as problems with an example that is valid', () => {
    for (const operation of OPERATIONS) {
      const { responses } = documentedAs(operation)
      const codes = problemsOf(operation)
      const statuses = new Set(codes.map((code) => String(PROBLEMS[code].status)))
      const unchanged = isGet(operation) ? ['304'] : []
      expect(new Set(Object.keys(responses))).toEqual(new Set(['200', ...unchanged, ...statuses]))
      for (const status of statuses) {
        const content = responses[status]?.content ?? {}
        expect(Object.keys(content)).toEqual(['application/problem+json'])
        const { examples = {} } = content['application/problem+json']!
        const ofStatus = codes.filter((code) => String(PROBLEMS[code].status) === status)
        expect([operation.name, Object.keys(examples)]).toEqual([operation.name, ofStatus])
        for (const code of ofStatus) {
          expect(responses[status]?.description).toContain(`\`${code}\``)
          expect(examples[code]).toEqual({ $ref: `#/components/examples/${code}` })
          const { value } = document.components.examples[code] ?? {}
          expect(value).toMatchObject({ code, status: Number(status), effect: effectsOf(code)[0] })
          expect([code, faultIn(['components', 'schemas', 'Problem'], value)]).toEqual([
            code,
            'none',
          ])
        }
      }
    }
  })

  it('of a status are told apart by status, and by the operation of the answer', () => {
    const { OperationStatus, CommittedStatus } = document.components.schemas as Record<
      string,
      { discriminator: { mapping: object }; properties: { answer: { anyOf: object[] } } }
    >
    expect(Object.keys(OperationStatus!.discriminator.mapping)).toHaveLength(8)
    expect(CommittedStatus!.properties.answer.anyOf).toEqual([
      ...MUTATIONS.map(({ name }) => ({
        $ref: expect.stringMatching(
          new RegExp(`/${name.replaceAll('_', '')}Committed$`, 'i'),
        ) as string,
      })),
      { type: 'null' },
    ])
  })

  it('have examples of a preview and of a commit, both ways, that are valid', () => {
    for (const operation of MUTATIONS) {
      const { name } = operation
      const { path, method } = methodAndPath(operation)
      const { requestBody, responses } = documentedAs(operation)
      const place = ['paths', path, method]
      const asked = requestBody?.content['application/json']?.examples ?? {}
      const answered = responses['200']?.content?.['application/json']?.examples ?? {}
      expect(Object.keys(asked)).toEqual(['preview', 'commit'])
      expect(Object.keys(answered)).toEqual(['preview', 'committed'])
      expect(asked['preview']?.value).toMatchObject({ confirm: false })
      expect(asked['commit']?.value).toMatchObject({
        confirm: true,
        confirmation_token: expect.any(String),
      })
      for (const { value } of Object.values(asked)) {
        const fault = faultIn(
          [...place, 'requestBody', 'content', 'application/json', 'schema'],
          value,
        )
        expect([name, fault]).toEqual([name, 'none'])
      }
      for (const [status, { value }] of Object.entries(answered)) {
        expect(value).toMatchObject({ status, operation: name, mode: 'mock' })
        const fault = faultIn(
          [...place, 'responses', '200', 'content', 'application/json', 'schema'],
          value,
        )
        expect([name, fault]).toEqual([name, 'none'])
      }
    }
  })

  it('have an example of the availability that is valid', () => {
    const [read] = OPERATIONS
    const { example } = documentedAs(read!).responses['200']?.content?.['application/json'] ?? {}
    expect(example).toBeDefined()
    expect(faultIn(['components', 'schemas', 'Availability'], example)).toBe('none')
  })
})

describe('what holds in this installation', () => {
  const methodsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap(Object.values<Documented>)

  it('is the zone that stands in where none is sent, as a default of every read and of the tools', async () => {
    const settings = {
      PUBLIC_URL: 'https://connector.practice.example',
      PRACTICE_TIMEZONE: 'Europe/Lisbon',
    }
    const { openApi } = await servedDocuments(settings)
    const zones = methodsOf(openApi).flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'timezone').map(({ schema }) => schema.default),
    )
    expect(zones).toEqual(['Europe/Lisbon', 'Europe/Lisbon', 'Europe/Lisbon'])
    const text = JSON.stringify(
      methodsOf(openApi).map(({ parameters, requestBody }) => [parameters, requestBody]),
    )
    expect(text).not.toContain('"default":"America/New_York"')
  })

  it('is what kinds of consult there are, where a request names one', async () => {
    const EVENT_TYPES = JSON.stringify({ intro: { id: '1' }, 'tax-review': { id: '2' } })
    const { openApi } = await servedDocuments({ PUBLIC_URL: '', EVENT_TYPES })
    // Examples and no enum: generated types live on when the practice adds a kind.
    const kinds = { examples: ['intro', 'tax-review'] }
    const inQuery = openApi.paths['/v1/availability']!['get']!.parameters?.find(
      ({ name }) => name === 'event_type',
    )
    const inBody = openApi.components.schemas['BookConsultRequest']?.properties?.['event_type']
    for (const schema of [inQuery?.schema, inBody]) {
      expect(schema).toMatchObject(kinds)
      expect(schema).not.toHaveProperty('enum')
    }
    const { components } = (await servedDocuments({ PUBLIC_URL: '' })).openApi
    const usual = components.schemas['BookConsultRequest']?.properties?.['event_type']
    expect(usual).toMatchObject({ examples: ['consult'] })
  })

  it('is whether a credential is needed', async () => {
    const { openApi } = await servedDocuments({ PUBLIC_URL: '', ALLOW_ANONYMOUS: 'true' })
    for (const [path, methods] of Object.entries(openApi.paths))
      for (const { security, operationId } of Object.values(methods))
        expect(
          security.some((one) => Object.keys(one).length === 0),
          operationId,
        ).toBe(!isPublic(path))
    for (const { security } of methodsOf(document))
      for (const one of security) expect(Object.keys(one)).toHaveLength(1)
  })
})

describe('what a reader meets', () => {
  it('is groups that hold every route, and no group without one', () => {
    const groups = new Map(document.tags.map(({ name }) => [name, 0]))
    for (const { operationId, tags } of [document.paths, document.webhooks].flatMap((all) =>
      Object.values(all).flatMap(Object.values<Documented>),
    )) {
      const [tag = '', ...more] = tags
      expect([operationId, groups.has(tag), more]).toEqual([operationId, true, []])
      groups.set(tag, groups.get(tag)! + 1)
    }
    expect(groups.size).toBeGreaterThan(10)
    expect([...groups].filter(([, size]) => size === 0)).toEqual([])
  })

  it('is not made with a route that no group names', () => {
    expect(groupOf('/v1/bookings/search')).toBe('Bookings')
    for (const path of ['/v1/new-thing', '/somewhere', 'New_Topic'])
      expect(() => groupOf(path)).toThrow('TAGS in src/api/openapi/groups.ts')
  })

  it('is what each parameter of a path is', () => {
    for (const { parameters = [], operationId } of Object.values(document.paths).flatMap(
      Object.values<Documented>,
    ))
      for (const { in: place, name, description, schema } of parameters)
        if (place === 'path')
          for (const said of [description ?? schema.description, schema.examples?.[0]])
            expect(said, `${operationId} ${name}`).toEqual(expect.stringMatching(/\S/))
  })
})
