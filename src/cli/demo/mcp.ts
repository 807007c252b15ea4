import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { MCP_REVISIONS } from '../../domain/service.ts'
import { VERSION } from '../../version.ts'
import { type Body, type Caller, codeOrStatus } from './caller.ts'
import { CliError } from '../cli-error.ts'
import type { Rows } from './transcript.ts'

const PROTOCOL = MCP_REVISIONS.newest
const LONGEST_LINE = 86

/** Calls the connector as an agent would, in the newest revision of the protocol. */
export async function overMcp(
  origin: string,
  apiKey: string | undefined,
): Promise<Caller & { introduction: Rows }> {
  const client = new Client(
    { name: 'consult-connector-demo', version: VERSION },
    { versionNegotiation: { mode: { pin: PROTOCOL } } },
  )
  const headers: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {}
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } }),
  )
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
    sent: ({ fields, key }) => ({ ...(key === undefined ? {} : { idempotency_key: key }), ...fields }),
    async call({ operation, fields, key }) {
      const given = { ...fields, ...(key === undefined ? {} : { idempotency_key: key }) }
      const result = await client.callTool({ name: operation, arguments: given })
      const body = result.structuredContent as Body | undefined
      if (body === undefined) throw new CliError(`The tool ${operation} answered without structuredContent.`)
      const refused = result.isError === true
      const replayed = result._meta?.['idempotent_replayed'] === true
      return {
        body,
        refused,
        replayed,
        line: `${refused ? 'isError ' : ''}${codeOrStatus(body)}${replayed ? '   _meta.idempotent_replayed: true' : ''}`,
        rows: result.content.flatMap((part) => (part.type === 'text' ? linesOf(part.text) : [])),
      }
    },
    close: () => client.close(),
  }
}

/** The text of an answer, one row a line, long lines cut short. */
const linesOf = (text: string): Rows =>
  text
    .split('\n')
    .map((line, index) => [
      index === 0 ? 'text' : '',
      line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line,
    ])
