interface PinnedClient {
  clientId: string
  clientName: string
  clientUri: string
  redirectUris: string[]
  grantTypes: string[]
  responseTypes: string[]
  tokenEndpointAuthMethod: 'none'
}

const pinned = (
  clientId: string,
  clientName: string,
  clientUri: string,
  redirectUris: string[],
): [string, PinnedClient] => [
  clientId,
  {
    clientId,
    clientName,
    clientUri,
    redirectUris,
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    tokenEndpointAuthMethod: 'none',
  },
]

/** Documents of well-known hosts, as of autumn 2026; some refuse a server's fetch. Loopback redirects match any port. */
export const PINNED_CLIENTS: ReadonlyMap<string, PinnedClient> = new Map([
  pinned('https://claude.ai/oauth/mcp-oauth-client-metadata', 'Claude', 'https://claude.ai', [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ]),
  pinned('https://claude.ai/oauth/claude-code-client-metadata', 'Claude Code', 'https://claude.ai', [
    'http://localhost/callback',
    'http://127.0.0.1/callback',
  ]),
  pinned('https://chatgpt.com/oauth/client.json', 'ChatGPT', 'https://chatgpt.com', [
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ]),
])
