import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

import type { FakeAnswer, FakeRequest, Watch } from './http.ts'
import { formTree } from './stripe-form.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string; default?: string }
}
interface Content {
  content?: Record<string, { schema: object }>
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content | { $ref: string }>
}
export interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { properties?: Record<string, object>; anyOf?: object[] }>
    responses?: Record<string, Content>
  }
}

/** Compares what an adapter sends, and what a fake answers, with the contract file of the provider. */
export interface ContractCheck {
  watch: Watch
  /** Each difference in words; values are left out. */
  violations: string[]
  /** How many exchanges were compared. */
  compared(): number
}

interface Options {
  /** Mends the file where it is not what the provider does. */
  correct?(contract: Contract): void
  /** Whether a request is of another version than the file describes, so that it is not compared. */
  isOther?(operation: Operation, request: FakeRequest): boolean
}

/**
 * The check against a file in the folder that PROVIDER_CONTRACTS names; without that variable there is none, and the
 * suite says so once.
 */
export function contractCheck(file: string, options: Options = {}): ContractCheck | undefined {
  const folder = process.env['PROVIDER_CONTRACTS']
  if (folder === undefined || folder === '') {
    console.log(`PROVIDER_CONTRACTS is not set: nothing was compared with ${file}.`)
    return undefined
  }
  const text = readFileSync(join(folder, file), 'utf8')
  const contract = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Contract
  options.correct?.(contract)
  return checkAgainst(readable(contract) as Contract, options)
}

function checkAgainst(contract: Contract, { isOther }: Options): ContractCheck {
  // A query, a header and a form have only texts, so numbers and booleans are read out of them as the contract says.
  const texts = compiler(contract, true)
  const values = compiler(contract, false)
  const violations: string[] = []
  let compared = 0

  function conform(compile: Compile, what: string, schema: object, value: unknown): void {
    const validate = compile(schema)
    if (validate(structuredClone(value))) return
    for (const { instancePath, message } of validate.errors ?? [])
      violations.push(`${what}${instancePath}: ${message}`)
  }

  function sent(name: string, { parameters = [], requestBody }: Operation, request: FakeRequest) {
    const { query, headers, text, body } = request
    for (const [key, given] of query) {
      const isList = key.endsWith('[]')
      const named = isList ? key.slice(0, -2) : key
      const parameter = parameters.find((one) => one.in === 'query' && one.name === named)
      if (!parameter) {
        violations.push(`${name} knows no ${key}`)
        continue
      }
      const { schema } = parameter
      const list = schema.type === 'array' ? given.split(',') : given
      conform(texts, `${name} ?${key}`, schema, isList ? [given] : list)
    }
    for (const one of parameters.filter((parameter) => parameter.in === 'header')) {
      const given = headers[one.name.toLowerCase()]
      if (given !== undefined) conform(texts, `${name} ${one.name}`, one.schema, given)
    }
    const isGiven = (one: Parameter) =>
      one.in === 'query' ? query.has(one.name) : one.name.toLowerCase() in headers
    for (const one of parameters)
      if (one.required && one.in !== 'path' && !isGiven(one))
        violations.push(`${name} lacks ${one.name}`)
    const { 'application/json': json, 'application/x-www-form-urlencoded': form } =
      requestBody?.content ?? {}
    if (text === '') {
      if (requestBody?.required) violations.push(`${name} lacks a body`)
    } else if (json) conform(values, name, json.schema, body)
    else if (form) conform(texts, name, form.schema, formTree(text))
    else violations.push(`${name} takes no body`)
  }

  function answered(name: string, { responses }: Operation, { status, body }: FakeAnswer): void {
    const response = responses[status] ?? responses['default']
    if (!response) {
      // The files leave many errors out, but no success.
      if (status < 400) violations.push(`${name} never answers ${status}`)
      return
    }
    const shared = '$ref' in response ? response.$ref.split('/').at(-1)! : undefined
    const { content } = (
      shared === undefined ? response : contract.components.responses![shared]
    ) as Content
    const json = content?.['application/json']
    if (json) conform(values, `${name} ${status}`, json.schema, body)
  }

  return {
    violations,
    compared: () => compared,
    watch(request, answer) {
      const path = templateOf(contract, request)
      const operation = contract.paths[path ?? '']?.[request.method.toLowerCase()]
      if (operation && isOther?.(operation, request)) return
      compared += 1
      const name = `${request.method} ${path ?? request.path.replaceAll(/\/[\w-]{16,}/g, '/…')}`
      if (!operation) return void violations.push(`${name} is not in the contract`)
      // A request that the provider refuses may well be wrong; that is the point of some tests.
      if (answer.status < 400) sent(name, operation, request)
      answered(name, operation, answer)
    },
  }
}

type Compile = (schema: object) => ValidateFunction

/** Compiles each schema of the contract once. */
function compiler({ components }: Contract, coerceTypes: boolean): Compile {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, coerceTypes })
  addFormats.default(ajv)
  const compiled = new Map<object, ValidateFunction>()
  return (schema) => {
    const known = compiled.get(schema)
    if (known) return known
    const validate = ajv.compile({ ...schema, components })
    compiled.set(schema, validate)
    return validate
  }
}

function templateOf(contract: Contract, { path }: FakeRequest): string | undefined {
  const matches = (template: string) =>
    new RegExp(`^${template.replaceAll(/{[^}]+}/g, '[^/]+')}$`).test(path)
  // A path without a placeholder comes before one with.
  return Object.keys(contract.paths)
    .filter(matches)
    .sort((one, other) => one.split('{').length - other.split('{').length)[0]
}

/**
 * OpenAPI 3.0 as JSON Schema: `nullable` may be null, and `oneOf` is read as `anyOf`, since the alternatives of these
 * files overlap (a booking of a series is a booking).
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
