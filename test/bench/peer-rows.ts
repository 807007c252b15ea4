import { mcpRows } from './floor-rows.ts'
import type { Row } from './rows.ts'

/** The MCP servers that others offer for Workers, with the eras that they speak. */
export const PEERS = [
  {
    name: '@modelcontextprotocol/server',
    entry: 'peers/server-2.ts',
    eras: ['2026-07-28', '2025-11-25'],
  },
  { name: '@modelcontextprotocol/sdk 1.x', entry: 'peers/sdk-1.ts', eras: ['2025-11-25'] },
  { name: '@hono/mcp', entry: 'peers/hono-mcp.ts', eras: ['2025-11-25'] },
  { name: 'agents', entry: 'peers/agents.ts', eras: ['2026-07-28', '2025-11-25'] },
] as const

export const peerRows = (): Row[] =>
  PEERS.flatMap(({ name, eras }) =>
    eras.flatMap((era) => mcpRows({ id: name, server: `peer: ${name}`, kind: 'peer' }, era)),
  )
