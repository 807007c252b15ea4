/**
 * Programs that talk to agents or make calls for them: what each is called, and how it is
 * connected, by the name of its page in `docs/connect`, which has the same steps.
 */
export const HOSTS: Record<string, readonly [name: string, ...steps: string[]]> = {
  claude: [
    'Claude: web, desktop, mobile',
    'Settings > Connectors > Add custom connector.',
    'Give <PUBLIC_URL>/mcp. Leave client ID and secret empty.',
    'Press Connect, sign in with your passkey, press Allow.',
  ],
  chatgpt: [
    'ChatGPT',
    'Switch on developer mode in the settings of apps and connectors.',
    'Create an app or connector with the address <PUBLIC_URL>/mcp and OAuth. ' +
      'Leave client ID and secret empty.',
    'Press Connect, sign in with your passkey, press Allow.',
  ],
  'claude-code': [
    'Claude Code',
    'claude mcp add --transport http consult <PUBLIC_URL>/mcp',
    'Then, inside Claude Code: /mcp, consult, Authenticate.',
    'The browser opens: sign in with your passkey and press Allow.',
  ],
  cursor: [
    'Cursor',
    'Put this into .cursor/mcp.json of the project, or into ~/.cursor/mcp.json for all projects:',
    '{ "mcpServers": { "consult": { "url": "<PUBLIC_URL>/mcp" } } }',
    "Then, in Cursor's settings under MCP: Connect, sign in with the passkey, Allow.",
  ],
  'vs-code': [
    'VS Code',
    'Run MCP: Add Server from the command palette, choose HTTP, and give <PUBLIC_URL>/mcp.',
    'VS Code opens the browser; sign in with the passkey, Allow.',
  ],
  'copilot-studio': [
    'Copilot Studio',
    'In the agent: Tools > Add a tool > Model Context Protocol, with the address <PUBLIC_URL>/mcp.',
    'Authentication: OAuth 2.0, kind Dynamic discovery. No client id, no secret.',
    'Create the connection, sign in with the passkey, Allow.',
  ],
  n8n: [
    'n8n',
    'Make a key named n8n with only the scopes that the workflow needs.',
    'Make a credential Header Auth: name X-API-Key, value the key.',
    'Test it: HTTP Request, GET <PUBLIC_URL>/v1/me, with that credential.',
  ],
  zapier: [
    'Zapier',
    'Make a key named Zapier with only the scopes that the Zap needs, for example ' +
      'bookings:write and bookings:read.',
    'Test it with Webhooks by Zapier > GET: URL <PUBLIC_URL>/v1/me, header X-API-Key with the key.',
    'Use the same header in every step of the Zap that calls the connector.',
  ],
}
