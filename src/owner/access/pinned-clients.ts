const PUBLIC = {
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  tokenEndpointAuthMethod: 'none',
}

const pinned = (clientId: string, clientName: string, clientUri: string, redirectUris: string[]) =>
  [clientId, { clientId, clientName, clientUri, redirectUris, ...PUBLIC }] as const

/** Documents of well-known hosts, as of autumn 2026: some refuse a fetch. Loopback matches any port. */
export const PINNED_CLIENTS: ReadonlyMap<string, ReturnType<typeof pinned>[1]> = new Map([
  pinned('https://claude.ai/oauth/mcp-oauth-client-metadata', 'Claude', 'https://claude.ai', [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ]),
  pinned(
    'https://claude.ai/oauth/claude-code-client-metadata',
    'Claude Code',
    'https://claude.ai',
    ['http://localhost/callback', 'http://127.0.0.1/callback'],
  ),
  pinned('https://chatgpt.com/oauth/client.json', 'ChatGPT', 'https://chatgpt.com', [
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ]),
])
