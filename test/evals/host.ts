import { client2 } from '../support/agents.ts'
import type { Agent } from './agents.ts'

/** What the model is shown of an answer. */
export interface Shown {
  seen: string
  is: 'answer' | 'error' | 'lost'
}

/** The host of one agent: it calls tools over MCP, shows the model its view of each answer, and loses what the run loses. */
export interface Host {
  /** The names of the input fields of each tool. */
  tools: ReadonlyMap<string, readonly string[]>
  call(tool: string, given: Record<string, unknown>): Promise<Shown>
  /** Reads a resource; nothing where the host shows models no resources. */
  read(uri: string): Promise<Shown | undefined>
  close(): Promise<void>
}

/** Whether the person, asked by the host, lets a commit go out. */
export type Asked = (tool: string, given: Record<string, unknown>) => boolean

const LOST: Shown = { is: 'lost', seen: 'The request timed out.' }
const DECLINED: Shown = { is: 'error', seen: 'The user declined this call.' }

interface ToolResult {
  isError?: boolean
  content: { text?: string }[]
  structuredContent?: object
}

/** Connects as the caller with this key. `lost` names the answers that never arrive, each the first of its kind. */
export async function connectHost(
  url: string,
  apiKey: string,
  agent: Agent,
  lost: ReadonlySet<string>,
  asked: Asked,
): Promise<Host> {
  const client = await client2(url, 'auto', { Authorization: `Bearer ${apiKey}` })
  const { tools } = await client.listTools()
  const seenKinds = new Set<string>()
  const seenKeys = new Set<string>()

  /** The call is made in full; only its answer is thrown away, so nothing hangs on timing. */
  function isLost(
    tool: string,
    { confirm, idempotency_key: key }: Record<string, unknown>,
  ): boolean {
    const stage = confirm === undefined ? 'read' : confirm === true ? 'commit' : 'preview'
    if (agent.loses === 'every first') {
      const first = !seenKeys.has(`${stage}:${String(key)}`)
      seenKeys.add(`${stage}:${String(key)}`)
      return stage !== 'read' && first
    }
    const kind = `${tool}:${stage}`
    const first = !seenKinds.has(kind)
    seenKinds.add(kind)
    return first && lost.has(kind)
  }

  return {
    tools: new Map(
      tools.map(
        ({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})] as const,
      ),
    ),
    async call(tool, given) {
      if (agent.hostAsks && given['confirm'] === true && !asked(tool, given)) return DECLINED
      const answer = (await client.callTool({ name: tool, arguments: given })) as ToolResult
      if (isLost(tool, given)) return LOST
      const text = answer.content.map((part) => part.text ?? '').join('\n')
      const seen = agent.sees === 'text' ? text : JSON.stringify(answer.structuredContent)
      return { seen, is: answer.isError ? 'error' : 'answer' }
    },
    async read(uri) {
      // Of the hosts that give models the text alone, one in three shows them no resources either.
      if (agent.sees === 'text') return undefined
      const { contents } = await client.readResource({ uri })
      const seen = contents.map((content) => ('text' in content ? content.text : '')).join('\n')
      return { seen, is: 'answer' }
    },
    close: () => client.close(),
  }
}
