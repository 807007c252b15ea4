import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv, type ValidateFunction } from 'ajv'

import type { FakeAnswer, FakeRequest } from './http.ts'
import type { ContractCheck } from './provider-contract.ts'
import { formTree } from './stripe-form.ts'

interface Operation {
  parameters?: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: object
}

/**
 * Compares what the adapter sends, and what the fake answers, with `stripe.json` in the folder that PROVIDER_CONTRACTS
 * names; without that variable nothing is compared, and the suite says so.
 */
export function stripeContract(): ContractCheck | undefined {
  const folder = process.env['PROVIDER_CONTRACTS']
  if (folder === undefined || folder === '') {
    console.log('PROVIDER_CONTRACTS is not set: nothing was compared with stripe.json.')
    return undefined
  }
  const text = readFileSync(join(folder, 'stripe.json'), 'utf8')
  return checkAgainst(withLeftOut(withNull(JSON.parse(text)) as Contract))
}

/**
 * What the file leaves out and the adapter asks: the list of invoices, whose entries are compared with a single invoice
 * and whose query with what `stripe` 23.1.0 (npm) lets it have; one PaymentIntent, which is asked for by an id that
 * never exists, so that it only ever answers with an error; and the search of them by their metadata.
 */
function withLeftOut(contract: Contract): Contract {
  const { responses } = contract.paths['/v1/invoices/{invoice}']!['get']!
  const { '200': found, ...errors } = responses
  const schema = {
    type: 'object',
    required: ['object', 'data', 'has_more', 'url'],
    properties: {
      object: { enum: ['list'] },
      data: { type: 'array', items: found!.content['application/json'].schema },
      has_more: { type: 'boolean' },
      url: { type: 'string' },
    },
  }
  const parameters = [
    { name: 'status', schema: { enum: ['draft', 'open', 'paid', 'uncollectible', 'void'] } },
    { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    { name: 'starting_after', schema: { type: 'string' } },
  ].map((parameter) => ({ ...parameter, in: 'query' }))
  const list = {
    parameters,
    responses: { ...errors, '200': { content: { 'application/json': { schema } } } },
  }
  const searched = {
    type: 'object',
    required: ['object', 'data', 'has_more'],
    properties: { object: { enum: ['search_result'] }, data: { type: 'array' } },
  }
  const leftOut = {
    '/v1/invoices': { get: list },
    '/v1/payment_intents/search': {
      get: {
        parameters: [
          { name: 'query', in: 'query', schema: { pattern: '^metadata\\["\\w+"\\]:"[^"]+"$' } },
        ],
        responses: { ...errors, '200': { content: { 'application/json': { schema: searched } } } },
      },
    },
    '/v1/payment_intents/{intent}': { get: { responses: errors } },
  }
  return { ...contract, paths: { ...contract.paths, ...leftOut } }
}

function checkAgainst(contract: Contract): ContractCheck {
  // A form has only texts, so numbers and booleans are read out of them as the contract says.
  const forms = compiler(contract, true)
  const answers = compiler(contract, false)
  const violations: string[] = []
  let compared = 0

  function conform(compile: Compile, what: string, schema: object, value: unknown): void {
    const validate = compile(schema)
    if (validate(structuredClone(value))) return
    for (const { instancePath, message } of validate.errors ?? [])
      violations.push(`${what}${instancePath}: ${message}`)
  }

  function sent(name: string, operation: Operation, request: FakeRequest): void {
    const parameters = operation.parameters ?? []
    for (const [key, value] of request.query) {
      const isList = key.endsWith('[]')
      const named = isList ? key.slice(0, -2) : key
      const parameter = parameters.find((one) => one.in === 'query' && one.name === named)
      if (parameter) conform(forms, `${name} ?${key}`, parameter.schema, isList ? [value] : value)
      else violations.push(`${name} knows no ${key}`)
    }
    const form = operation.requestBody?.content['application/x-www-form-urlencoded']
    if (form) conform(forms, name, form.schema, formTree(request.text))
    else if (request.text !== '') violations.push(`${name} takes no body`)
  }

  function answered(name: string, operation: Operation, { status, body }: FakeAnswer): void {
    const response = operation.responses[status] ?? operation.responses['default']
    if (!response) return void violations.push(`${name} never answers ${status}`)
    conform(answers, `${name} ${status}`, response.content['application/json'].schema, body)
  }

  return {
    violations,
    compared: () => compared,
    watch(request, answer) {
      compared += 1
      const path = Object.keys(contract.paths).find((template) =>
        new RegExp(`^${template.replaceAll(/{\w+}/g, '[^/]+')}$`).test(request.path),
      )
      const operation = contract.paths[path ?? '']?.[request.method.toLowerCase()]
      const name = `${request.method} ${path ?? request.path}`
      if (!operation) return void violations.push(`${name} is not in the contract`)
      // A request that is refused may well be wrong; that is the point of some tests.
      if (answer.status < 400) sent(name, operation, request)
      answered(name, operation, answer)
    },
  }
}

type Compile = (schema: object) => ValidateFunction

/** Compiles each schema of the contract once. */
function compiler({ components }: Contract, coerceTypes: boolean): Compile {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes })
  const compiled = new Map<object, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema)
    if (known) return known
    const validate = ajv.compile({ ...schema, components })
    compiled.set(schema, validate)
    return validate
  }
}

/** OpenAPI 3.0 says `nullable` where JSON Schema says that it may be null. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, withNull(value)] as const)
  if (!('nullable' in schema) || schema.nullable !== true) return Object.fromEntries(entries)
  const rest = Object.fromEntries(entries.filter(([key]) => key !== 'nullable'))
  return { anyOf: [{ type: 'null' }, rest] }
}
