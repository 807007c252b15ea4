import {
  Client as Client2,
  type OAuthClientProvider as Provider2,
  StreamableHTTPClientTransport as Transport2,
  UnauthorizedError as Unauthorized2,
} from '@modelcontextprotocol/client'
import {
  type OAuthClientProvider as Provider1,
  UnauthorizedError as Unauthorized1,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'

import { decide, returnAddress } from '../../support/browser.ts'
import { sharedPractice } from '../../support/started.ts'
import { CALLBACK } from './app.ts'

const practice = sharedPractice()

const INFO = { name: 'oauth-tests', version: '1.0.0' }
const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'

/** What a host keeps of its connection, and where it wanted to send its user. */
interface Host {
  sentTo: URL | undefined
  kept: Map<string, unknown>
}

/** The part of a host that both clients ask; with a document it does not register. */
function host(name: string, document?: string): { state: Host; provider: Provider1 & Provider2 } {
  const state: Host = { sentTo: undefined, kept: new Map() }
  const keep = (key: string) => (value: unknown) => void state.kept.set(key, value)
  const provider = {
    get redirectUrl() {
      return CALLBACK
    },
    get clientMetadata() {
      return { client_name: name, redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
    },
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    state: () => 'state-of-the-host',
    clientInformation: () => state.kept.get('client') as { client_id: string } | undefined,
    saveClientInformation: keep('client'),
    tokens: () =>
      state.kept.get('tokens') as { access_token: string; token_type: string } | undefined,
    saveTokens: keep('tokens'),
    codeVerifier: () => String(state.kept.get('verifier')),
    saveCodeVerifier: keep('verifier'),
    discoveryState: () => state.kept.get('discovery') as undefined,
    saveDiscoveryState: keep('discovery'),
    redirectToAuthorization: (url: URL) => void (state.sentTo = url),
  }
  return { state, provider: provider as unknown as Provider1 & Provider2 }
}

/** The owner follows where the host sent them, and answers; the parameters of the way back. */
async function answer(state: Host, scopes?: string[]): Promise<URLSearchParams> {
  if (!state.sentTo) throw new Error('the host sent no one anywhere')
  const { pathname, search } = state.sentTo
  const { web } = practice
  const back = returnAddress(await decide(web, await web.open(pathname + search), 'allow', scopes))
  expect(back.searchParams.get('state')).toBe('state-of-the-host')
  return back.searchParams
}

const endpoint = (): URL => new URL('/mcp', practice.url)
const availability = { name: 'list_availability', arguments: {} }

describe('the MCP client 1.x', () => {
  test('finds the server, registers, is allowed, calls a tool and refreshes', async () => {
    const { state, provider } = host('Host of yesterday')
    const first = new Transport1(endpoint(), { authProvider: provider })
    await expect(new Client1(INFO).connect(first)).rejects.toThrow(Unauthorized1)
    await first.finishAuth((await answer(state)).get('code') ?? '')
    const client = new Client1(INFO)
    await client.connect(new Transport1(endpoint(), { authProvider: provider }))
    const served = await client.callTool(availability)
    expect(served.isError ?? false).toBe(false)
    const before = state.kept.get('tokens') as { access_token: string }
    state.kept.set('tokens', { ...before, access_token: 'worn-out' })
    expect((await client.callTool(availability)).isError ?? false).toBe(false)
    const after = state.kept.get('tokens') as { access_token: string }
    expect(after.access_token).not.toBe(before.access_token)
    await client.close()
  })
})

describe.each([
  ['registered', undefined],
  ['known by its document', CLAUDE_CODE],
])('the client 2.x, %s', (_, document) => {
  test.each(['legacy', 'auto'] as const)('is allowed and calls a tool (%s era)', async (mode) => {
    const { state, provider } = host('Host of today', document)
    const first = new Transport2(endpoint(), { authProvider: provider })
    const versions = { versionNegotiation: { mode } }
    await expect(new Client2(INFO, versions).connect(first)).rejects.toThrow(Unauthorized2)
    expect(state.sentTo?.searchParams.get('resource')).toBe(`${practice.url}/mcp`)
    if (document !== undefined) expect(state.sentTo?.searchParams.get('client_id')).toBe(document)
    await first.finishAuth(await answer(state))
    const client = new Client2(INFO, versions)
    await client.connect(new Transport2(endpoint(), { authProvider: provider }))
    const served = await client.callTool(availability)
    expect(served.isError ?? false).toBe(false)
    await client.close()
  })
})

describe('a tool call without its scope', () => {
  test('makes the client 2.x ask the owner for the missing scope', async () => {
    const { state, provider } = host('Host that wants more')
    const first = new Transport2(endpoint(), { authProvider: provider })
    await expect(new Client2(INFO).connect(first)).rejects.toThrow(Unauthorized2)
    await first.finishAuth(await answer(state, ['availability:read']))
    const client = new Client2(INFO)
    const transport = new Transport2(endpoint(), { authProvider: provider })
    await client.connect(transport)
    state.sentTo = undefined
    const payment = {
      name: 'create_payment_link',
      arguments: {
        invoice_id: 'in_mock_open',
        confirm: false,
        idempotency_key: 'step-up-key-0001',
      },
    }
    await expect(client.callTool(payment)).rejects.toThrow(Unauthorized2)
    expect((state.sentTo as URL | undefined)?.searchParams.get('scope')).toBe(
      'availability:read payments:write',
    )
    await transport.finishAuth(await answer(state))
    expect((await client.callTool(payment)).structuredContent).toMatchObject({ status: 'preview' })
    await client.close()
  })
})
