import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

import type { FakeAnswer, FakeRequest, Watch } from './http.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, object> }
  responses: Record<string, object>
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
}

/** Compares what an adapter sends, and what a fake answers, with the contract file of the provider. */
export interface ContractCheck {
  watch: Watch
  /** Each difference in words; values are left out. */
  violations: string[]
  /** How many exchanges were compared. */
  compared(): number
}

/**
 * The check against a file in the folder that PROVIDER_CONTRACTS names; without that variable there is none, and the
 * suite says so once.
 */
export function contractCheck(file: string): ContractCheck | undefined {
  const folder = process.env['PROVIDER_CONTRACTS']
  if (folder === undefined || folder === '') {
    console.log(`PROVIDER_CONTRACTS is not set: nothing was compared with ${file}.`)
    return undefined
  }
  const contract: unknown = parse(readFileSync(join(folder, file), 'utf8'))
  return checkAgainst(looser(contract) as Contract)
}

function checkAgainst(contract: Contract): ContractCheck {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    coerceTypes: false,
    allErrors: true,
  })
  addFormats.default(ajv)
  ajv.addSchema(contract, 'contract')
  const validators = new Map<string, ValidateFunction>()
  const violations: string[] = []
  let compared = 0

  /** Checks a value against the schema at a place in the contract, `#/…`. */
  function conform(what: string, pointer: string, value: unknown): void {
    let validate = validators.get(pointer)
    if (!validate) {
      validate = ajv.compile({ $ref: `contract${pointer}` })
      validators.set(pointer, validate)
    }
    if (validate(value)) return
    for (const { instancePath, message } of validate.errors ?? [])
      violations.push(`${what}${instancePath}: ${message}`)
  }

  function sent(name: string, pointer: string, operation: Operation, request: FakeRequest): void {
    const parameters = operation.parameters ?? []
    for (const [index, parameter] of parameters.entries()) {
      if (parameter.in === 'path') continue
      const given =
        parameter.in === 'query'
          ? request.query.get(parameter.name)
          : request.headers[parameter.name.toLowerCase()]
      if (typeof given !== 'string') {
        if (parameter.required) violations.push(`${name} lacks ${parameter.name}`)
        continue
      }
      conform(
        `${name} ${parameter.in} ${parameter.name}`,
        `${pointer}/parameters/${index}/schema`,
        typed(contract, pointer, index, given),
      )
    }
    for (const key of request.query.keys()) {
      if (!parameters.some((one) => one.in === 'query' && one.name === key))
        violations.push(`${name} knows no ${key}`)
    }
    if (request.body === undefined) {
      if (operation.requestBody?.required) violations.push(`${name} lacks a body`)
      return
    }
    if (!operation.requestBody) return void violations.push(`${name} takes no body`)
    // The fields of a form nest by their names; its contract is left to the tests of that adapter.
    if (!('application/json' in operation.requestBody.content)) return
    conform(name, `${pointer}/requestBody/content/application~1json/schema`, request.body)
  }

  function answered(
    name: string,
    pointer: string,
    operation: Operation,
    { status, body }: FakeAnswer,
  ): void {
    if (!(status in operation.responses)) {
      // The files leave many errors out, but no success.
      if (status < 400) violations.push(`${name} never answers ${status}`)
      return
    }
    const place = resolved(contract, `${pointer}/responses/${status}`)
    const json = at(contract, `${place}/content/application~1json/schema`)
    if (json !== undefined)
      conform(`${name} ${status}`, `${place}/content/application~1json/schema`, body)
  }

  return {
    violations,
    compared: () => compared,
    watch(request, answer) {
      compared += 1
      const name = `${request.method} ${request.path.replaceAll(/\/[\w-]{16,}/g, '/…')}`
      const path = templateOf(contract, request)
      const operation = path && contract.paths[path]?.[request.method.toLowerCase()]
      if (!operation) return void violations.push(`${name} is not in the contract`)
      const pointer = `#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${request.method.toLowerCase()}`
      // A request that the provider refuses may well be wrong; that is the point of some tests.
      if (answer.status < 400) sent(name, pointer, operation, request)
      answered(name, pointer, operation, answer)
    },
  }
}

/** The alternatives in these files overlap, so that one of them is often two: `oneOf` is read as `anyOf`. */
function looser(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(looser)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, looser(value)]),
  )
}

function templateOf(contract: Contract, { path }: FakeRequest): string | undefined {
  const matches = (template: string) =>
    new RegExp(`^${template.replaceAll(/{[^}]+}/g, '[^/]+')}$`).test(path)
  // A path without a placeholder comes before one with.
  return Object.keys(contract.paths)
    .filter(matches)
    .sort((one, other) => one.split('{').length - other.split('{').length)[0]
}

/** What stands at a JSON pointer of the contract. */
const at = (contract: object, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (place, key) =>
        typeof place === 'object' && place !== null
          ? (place as Record<string, unknown>)[key]
          : undefined,
      contract,
    )

/** The pointer itself, or where the reference leads that stands there. */
function resolved(contract: object, pointer: string): string {
  const reference = (at(contract, pointer) as { $ref?: string } | undefined)?.$ref
  return reference === undefined ? pointer : resolved(contract, reference)
}

/** A query value in the type that its schema names. */
function typed(contract: object, pointer: string, index: number, text: string): unknown {
  const schema = at(contract, `${pointer}/parameters/${index}/schema`) as
    | { type?: string }
    | undefined
  if (schema?.type === 'integer' || schema?.type === 'number') return Number(text)
  if (schema?.type === 'boolean') return text === 'true'
  return text
}
