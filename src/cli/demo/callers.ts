import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { MINUTE } from '../../core/domain/time/duration.ts'
import { MCP_REVISIONS, VERSION } from '../../core/version.ts'
import { methodAndPath } from '../../practice/operations/endpoint.ts'
import { OPERATIONS } from '../../practice/operations/index.ts'
import { noAnswer, signedIn } from '../admin-client.ts'
import { CliError } from '../command.ts'
import type { Rows } from './transcript.ts'

/** One call of an operation, independent of the transport. */
export interface DemoCall {
  operation: string
  /** All fields of the request, with those of the path. */
  fields: Readonly<Record<string, unknown>>
  key?: string
}

export type Body = Readonly<Record<string, unknown>>

export interface CallResult {
  body: Body
  refused: boolean
  replayed: boolean
  /** The response as the transport shows it, such as `200 preview`. */
  line: string
  rows: Rows
}

/** A way to call the connector. */
export interface Caller {
  name: string
  /** The call as the transport shows it, such as `POST /v1/bookings`. */
  line(ask: DemoCall): string
  /** The fields as the transport sends them. */
  sent(ask: DemoCall): Readonly<Record<string, unknown>>
  call(ask: DemoCall): Promise<CallResult>
}

/** The outcome in one word: `preview`, `committed`, the code of a refusal, or `OK`. */
export function codeOrStatus(body: Body): string {
  const outcome = body['code'] ?? body['status']
  return typeof outcome === 'string' ? outcome : 'OK'
}

/** Calls the connector as curl would, with an API key if there is one. */
export function overRest(origin: string, apiKey: string | undefined): Caller {
  const authorization = signedIn(apiKey)
  return {
    name: 'REST',
    line: (ask) => `${routed(ask).method} ${routed(ask).path}`,
    sent: (ask) => ({
      ...(ask.key !== undefined && { 'Idempotency-Key': ask.key }),
      ...routed(ask).rest,
    }),
    async call(ask) {
      const { method, path, rest } = routed(ask)
      const headers = {
        ...authorization,
        'Content-Type': 'application/json',
        'Idempotency-Key': ask.key ?? '',
      }
      const change = { method, headers, body: JSON.stringify(rest) }
      const init = method === 'GET' ? { headers: authorization } : change
      const signal = AbortSignal.timeout(MINUTE)
      const response = await fetch(new URL(path, origin), { ...init, signal }).catch(
        (thrown: unknown) => {
          throw noAnswer(origin, method, thrown)
        },
      )
      const body = (await response.json().catch(() => {
        throw new CliError(`${method} ${path} answered ${response.status} without JSON.`)
      })) as Body
      const replayed = response.headers.get('Idempotent-Replayed') === 'true'
      const line = `${response.status} ${codeOrStatus(body)}${replayed ? '   Idempotent-Replayed: true' : ''}`
      return { body, refused: !response.ok, replayed, line, rows: [] }
    },
  }
}

/** The route of an operation, filled in; fields of the path are not in the body. */
function routed({ operation, fields }: DemoCall) {
  const found = OPERATIONS.find((one) => one.name === operation)
  if (!found) throw new CliError(`There is no operation ${operation}.`)
  const rest = { ...fields }
  const { path: template, method } = methodAndPath(found)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  return { method: method.toUpperCase(), path, rest }
}

const PROTOCOL = MCP_REVISIONS.newest
const LONGEST_LINE = 86

/** Calls the connector as an agent would, in the newest revision of the protocol. */
export async function overMcp(
  origin: string,
  apiKey?: string,
): Promise<Caller & { introduction: Rows; close(): Promise<void> }> {
  const client = new Client(
    { name: 'consult-connector-demo', version: VERSION },
    { versionNegotiation: { mode: { pin: PROTOCOL } } },
  )
  const requestInit = { headers: signedIn(apiKey) }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }))
  const sent = ({ fields, key }: DemoCall) => ({
    idempotency_key: key,
    ...fields,
  })
  const { tools } = await client.listTools()
  const { prompts } = await client.listPrompts()
  return {
    name: 'MCP',
    introduction: [
      ['address', `${origin}/mcp`],
      ['protocol', PROTOCOL],
      ['tools', tools.map((tool) => tool.name).join(', ')],
      ['prompts', prompts.map((prompt) => prompt.name).join(', ')],
    ],
    line: ({ operation }) => `tools/call ${operation}`,
    sent,
    async call(ask) {
      const { operation } = ask
      const result = await client.callTool({ name: operation, arguments: sent(ask) })
      const body = result.structuredContent as Body | undefined
      if (body === undefined)
        throw new CliError(`The tool ${operation} answered without structuredContent.`)
      const refused = result.isError === true
      const replayed = result._meta?.['idempotent_replayed'] === true
      const error = refused ? 'isError ' : ''
      const again = replayed ? '   _meta.idempotent_replayed: true' : ''
      return {
        body,
        refused,
        replayed,
        line: `${error}${codeOrStatus(body)}${again}`,
        rows: result.content.flatMap((part) => (part.type === 'text' ? linesOf(part.text) : [])),
      }
    },
    close: () => client.close(),
  }
}

const cut = (line: string) =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line

/** The text of an answer, one row for each line; long lines are cut. */
const linesOf = (text: string): Rows =>
  text.split('\n').map((line, index) => [index === 0 ? 'text' : '', cut(line)])
