/** An agent host, and what the owner does there to connect it. */
interface HostLines {
  name: string
  /** Where in the host. */
  where: string
  /** Exactly what is pasted. */
  paste: string
  /** Its page in docs/connect. */
  page: string
}

const mcpOf = (url: string): string => `${url}/mcp`

/** What to paste into each agent host; docs/connect shows the same lines with `<PUBLIC_URL>`. */
export const hostLines = (url: string): HostLines[] => [
  {
    name: 'Claude',
    page: 'claude.md',
    where: 'Settings > Connectors > Add custom connector',
    paste: mcpOf(url),
  },
  {
    name: 'ChatGPT',
    page: 'chatgpt.md',
    where: 'developer mode, new app or connector, OAuth',
    paste: mcpOf(url),
  },
  {
    name: 'Claude Code',
    page: 'claude-code.md',
    where: 'in a terminal',
    paste: `claude mcp add --transport http consult ${mcpOf(url)}`,
  },
  {
    name: 'Cursor',
    page: 'cursor.md',
    where: '.cursor/mcp.json',
    paste: `{
  "mcpServers": {
    "consult": { "url": "${mcpOf(url)}" }
  }
}`,
  },
  {
    name: 'VS Code',
    page: 'vs-code.md',
    where: '.vscode/mcp.json',
    paste: `{
  "servers": {
    "consult": { "type": "http", "url": "${mcpOf(url)}" }
  }
}`,
  },
]
