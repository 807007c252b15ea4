import { OPERATIONS } from '../../operations/index.ts'
import { type DemoCall, type Body, type Caller, codeOrStatus } from './caller.ts'
import { CliError } from '../cli-error.ts'

/** Calls the connector as curl would, with an API key if there is one. */
export function overRest(origin: string, apiKey: string | undefined): Caller {
  const signedIn: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {}
  return {
    name: 'REST',
    line: (ask) => {
      const { method, path } = routed(ask)
      return `${method} ${path}`
    },
    sent: (ask) => ({
      ...(ask.key === undefined ? {} : { 'Idempotency-Key': ask.key }),
      ...routed(ask).rest,
    }),
    async call(ask) {
      const { method, path, rest } = routed(ask)
      const change = {
        method,
        headers: { ...signedIn, 'Content-Type': 'application/json', 'Idempotency-Key': ask.key ?? '' },
        body: JSON.stringify(rest),
      }
      const init = method === 'GET' ? { headers: signedIn } : change
      const response = await fetch(new URL(path, origin), init)
      const body = (await response.json().catch(() => {
        throw new CliError(`${method} ${path} answered ${response.status} without JSON.`)
      })) as Body
      const replayed = response.headers.get('Idempotent-Replayed') === 'true'
      const line = `${response.status} ${codeOrStatus(body)}${replayed ? '   Idempotent-Replayed: true' : ''}`
      return { body, refused: !response.ok, replayed, line, rows: [] }
    },
    close: () => Promise.resolve(),
  }
}

/** The route of an operation, filled in; fields of the path are not in the body. */
function routed({ operation, fields }: DemoCall) {
  const found = OPERATIONS.find((one) => one.name === operation)
  if (!found) throw new CliError(`There is no operation ${operation}.`)
  const rest = { ...fields }
  const path = found.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  return { method: found.http.method.toUpperCase(), path, rest }
}
