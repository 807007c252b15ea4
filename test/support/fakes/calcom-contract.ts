import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv, type ValidateFunction } from 'ajv'

import type { FakeAnswer, FakeRequest } from './http.ts'
import type { ContractCheck } from './provider-contract.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string; default?: string }
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
interface Schema {
  properties?: Record<string, object>
  items?: object
  anyOf?: object[]
}

/**
 * Compares what the adapter sends, and what the fake answers, with `calcom.json` in the folder that PROVIDER_CONTRACTS
 * names; without that variable nothing is compared, and the suite says so.
 */
export function calcomContract(): ContractCheck | undefined {
  const folder = process.env['PROVIDER_CONTRACTS']
  if (folder === undefined || folder === '') {
    console.log('PROVIDER_CONTRACTS is not set: nothing was compared with calcom.json.')
    return undefined
  }
  const contract = JSON.parse(readFileSync(join(folder, 'calcom.json'), 'utf8')) as Contract
  for (const { correct } of EXCEPTIONS) correct(contract)
  return checkAgainst(readable(contract) as Contract)
}

/** Where the file is not what Cal.com does, and why that is known. */
const EXCEPTIONS: { reason: string; correct(contract: Contract): void }[] = [
  {
    reason:
      'Slots: the schema has the map of days without the envelope that its own example and the service have, and bare starts where both have objects.',
    correct(contract) {
      const slot = {
        type: 'object',
        properties: { start: { type: 'string' } },
        required: ['start'],
      }
      const day = { type: 'array', items: { oneOf: [slot, { type: 'string' }] } }
      contract.paths['/v2/slots']!['get']!.responses['200']!.content['application/json'].schema = {
        type: 'object',
        required: ['status', 'data'],
        properties: { data: { type: 'object', additionalProperties: day } },
      }
    },
  },
  {
    reason:
      'Event types: a setting that is off comes as { disabled: true }, which only the inputs of the file have.',
    correct(contract) {
      const off = {
        type: 'object',
        properties: { disabled: { enum: [true] } },
        required: ['disabled'],
      }
      for (const name of ['EventTypeOutput_2024_06_14', 'TeamEventTypeOutput_2024_06_14']) {
        const fields = contract.components.schemas[name]!.properties!
        for (const key of ['seats', 'bookerActiveBookingsLimit', 'recurrence'])
          fields[key] = { oneOf: [fields[key], off] }
      }
    },
  },
  {
    reason:
      'Event types: users are objects; the file says strings, which its generator made of a type it could not read.',
    correct({ components }) {
      components.schemas['EventTypeOutput_2024_06_14']!.properties!['users'] = {
        type: 'array',
        items: { type: 'object' },
      }
    },
  },
  {
    reason:
      'Booking questions: isDefault, and required of the email address, are booleans; the file says object.',
    correct({ components }) {
      for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
        if (!name.includes('FieldOutput_')) continue
        for (const key of ['isDefault', 'required'])
          if (key in properties) properties[key] = { type: 'boolean' }
      }
    },
  },
  {
    reason:
      'Booking questions: one for which the API has no form comes as a text (`internal-to-api/booking-fields.ts` of its source), which the file leaves out.',
    correct({ components: { schemas } }) {
      const properties = {
        type: { enum: ['unknown'] },
        slug: { enum: ['unknown'] },
        bookingField: { type: 'string' },
      }
      schemas['UrlFieldOutput_2024_06_14'] = {
        anyOf: [
          schemas['UrlFieldOutput_2024_06_14']!,
          { type: 'object', properties, required: Object.keys(properties) },
        ],
      }
    },
  },
  {
    reason:
      'Answers to requests: the file leaves out the two paths; they are as in Cal.com’s own OpenAPI description (`docs/api-reference/v2/openapi.json` of github.com/calcom/companion), and in `bookings.controller.ts` of its source.',
    correct({ paths }) {
      const { parameters = [], responses } = paths['/v2/bookings/{bookingUid}']!['get']!
      const reason = { type: 'object', properties: { reason: { type: 'string' } } }
      const requestBody = { content: { 'application/json': { schema: reason } } }
      paths['/v2/bookings/{bookingUid}/confirm'] = { post: { parameters, responses } }
      paths['/v2/bookings/{bookingUid}/decline'] = { post: { parameters, requestBody, responses } }
    },
  },
]

function checkAgainst(contract: Contract): ContractCheck {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  const compiled = new Map<object, ValidateFunction>()
  const violations: string[] = []
  let compared = 0

  function conform(what: string, schema: object, value: unknown): void {
    const validate =
      compiled.get(schema) ?? ajv.compile({ ...schema, components: contract.components })
    compiled.set(schema, validate)
    if (validate(value)) return
    for (const { instancePath, message } of validate.errors ?? [])
      violations.push(`${what}${instancePath}: ${message}`)
  }

  function sent(
    name: string,
    { parameters = [], requestBody }: Operation,
    request: FakeRequest,
  ): void {
    for (const one of parameters) {
      if (one.in === 'path') continue
      const text =
        one.in === 'query' ? request.query.get(one.name) : request.headers[one.name.toLowerCase()]
      if (typeof text === 'string')
        conform(`${name} ${one.name}`, one.schema, valueOf(text, one.schema.type))
      else if (one.required) violations.push(`${name} lacks ${one.name}`)
    }
    for (const key of request.query.keys()) {
      if (!parameters.some((one) => one.in === 'query' && one.name === key))
        violations.push(`${name} knows no ${key}`)
    }
    if (requestBody) conform(name, requestBody.content['application/json'].schema, request.body)
    else if (request.text !== '') violations.push(`${name} takes no body`)
  }

  return {
    violations,
    compared: () => compared,
    watch(request: FakeRequest, answer: FakeAnswer) {
      // The file documents no error answers, and a request that is refused may well be wrong.
      if (answer.status >= 400) return
      const path = Object.keys(contract.paths).find((template) =>
        new RegExp(`^${template.replaceAll(/{\w+}/g, '[^/]+')}$`).test(request.path),
      )
      const operation = contract.paths[path ?? '']?.[request.method.toLowerCase()]
      const name = `${request.method} ${path ?? request.path}`
      if (!operation) return void violations.push(`${name} is not in the contract`)
      const version = operation.parameters?.find((one) => one.name === 'cal-api-version')?.schema
        .default
      // The file knows one version of each endpoint; the others have no contract to compare with.
      if (version !== undefined && request.headers['cal-api-version'] !== version) return
      compared += 1
      sent(name, operation, request)
      const response = operation.responses[answer.status]
      if (!response) return void violations.push(`${name} never answers ${answer.status}`)
      conform(`${name} ${answer.status}`, response.content['application/json'].schema, answer.body)
    },
  }
}

function valueOf(text: string, type: string | undefined): unknown {
  if (type === 'number') return Number(text)
  return type === 'array' ? text.split(',') : text
}

/**
 * OpenAPI 3.0 as JSON Schema: `nullable` may be null, and `oneOf` is read as `anyOf`, since the alternatives of the
 * generated file overlap (a booking of a series is a booking).
 */
function readable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readable)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema)
    .filter(([key]) => key !== 'example' && key !== 'nullable')
    .map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, readable(value)] as const)
  const rest = Object.fromEntries(entries)
  return 'nullable' in schema && schema.nullable === true
    ? { anyOf: [{ type: 'null' }, rest] }
    : rest
}
