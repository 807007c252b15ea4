import * as ajvFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Documented {
  /** Instead of all else: the answer stands with the components. */
  $ref?: string
  content?: Record<string, { examples?: Record<string, unknown> }>
}

export interface OpenApi {
  components: { schemas: Record<string, object>; responses: Record<string, Documented> }
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>
}

/** Makes of each text what it is read as only once: the connectors of a run nearly all say the same of themselves. */
export function onceForEach<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const made = known.get(text) ?? read(text)
    known.set(text, made)
    return made
  }
}

export interface Exchange {
  method: string
  path: string
  status: number
  contentType: string
  /** The parsed body where it is JSON, else the text. */
  body: unknown
}

const validator = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default.default(ajv)
  return ajv
}

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

const codeIn = ($ref: string): string => $ref.replace('#/components/responses/', '')

/** Says what an answer has that the OpenAPI document of the service does not allow; nothing where all is well. */
export function contractOf(document: OpenApi): (exchange: Exchange) => string | undefined {
  const ajv = validator()
  ajv.addSchema({ ...document, $id: 'openapi' })
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const checks = new Map<string, ValidateFunction>()
  const faultIn = (pointer: string, body: unknown): string | undefined => {
    const check = checks.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    checks.set(pointer, check)
    return check(body) ? undefined : ajv.errorsText(check.errors)
  }

  return ({ method, path, status, contentType, body }) => {
    const type = contentType.split(';')[0]!
    if (type === 'application/problem+json' && method !== 'HEAD') {
      const fault = faultIn('/components/schemas/Problem', body)
      if (fault) return `not a Problem: ${fault}`
    }
    const pathname = new URL(path, 'http://connector').pathname
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    // A path without a variable comes before one with (OpenAPI 3.1, Paths Object).
    const fitting = templates
      .filter(({ pattern }) => pattern.test(pathname))
      .map(({ path }) => path)
    const served = fitting.filter((one) => document.paths[one]?.[verb])
    const template = fitting.find((one) => one === pathname) ?? served[0] ?? fitting[0]
    if (template === undefined) return undefined
    const operation = document.paths[template]?.[verb]
    if (!operation) return status === 405 ? undefined : `${method} ${template} is not documented`
    const named = operation.responses[status]
    const documented =
      named?.$ref === undefined ? named : document.components.responses[codeIn(named.$ref)]
    if (!documented) return `${method} ${template} answers ${status}, which is not documented`
    if (method === 'HEAD' || !documented.content)
      return body === '' ? undefined : 'a body where there is none'
    const content = documented.content[type]
    if (!content)
      return `${method} ${template} answers ${status} as ${type}, which is not documented`
    if (type === 'application/problem+json') {
      const { code } = body as { code: string }
      if (!content.examples?.[code])
        return `${method} ${template} answers ${code}, which is not documented`
    }
    const place =
      named?.$ref === undefined
        ? ['paths', template, verb, 'responses', String(status)]
        : ['components', 'responses', codeIn(named.$ref)]
    const steps = [...place, 'content', type, 'schema']
    return faultIn(steps.map((step) => `/${escaped(step)}`).join(''), body)
  }
}

/**
 * Says what a tool result has that the tool's output schema does not allow. A tool that this caller is not shown can only
 * refuse, as any tool may.
 */
export function toolContractOf(
  tools: readonly { name: string; outputSchema?: object | undefined }[],
) {
  const ajv = validator()
  const checks = new Map<string, ValidateFunction>(
    tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema ?? false)]),
  )
  return (tool: string, structured: unknown): string | undefined => {
    const check = checks.get(tool)
    if (check) return check(structured) ? undefined : ajv.errorsText(check.errors)
    const { status } = (structured ?? {}) as { status?: unknown }
    if (status !== 403) return 'an answer of a tool that is not listed'
    return [...checks.values()].some((shown) => shown(structured)) ? undefined : 'not a problem'
  }
}
