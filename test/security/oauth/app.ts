import { createHash, randomBytes } from 'node:crypto'

import { askMcp } from '../../support/agents.ts'
import { type Browser, type Page, decide, returnAddress } from '../../support/browser.ts'

export const CALLBACK = 'http://localhost:49152/callback'

/** Registrations are limited by address, so each app has its own. */
let addresses = 0

interface Registered {
  client_id: string
  client_secret?: string
}

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
  error?: string
}

export interface TokenReply {
  status: number
  body: Tokens
}

/** An app that connects by hand, so that each step can go wrong. `ask` is the way to `url`. */
export function app(
  url: string,
  address = `198.51.100.${(addresses += 1)}`,
  ask: (request: Request) => Promise<Response> = (one) => fetch(one),
) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')

  const token = async (fields: Record<string, string>): Promise<TokenReply> => {
    const body = new URLSearchParams(fields)
    const response = await ask(new Request(new URL('/oauth/token', url), { method: 'POST', body }))
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Tokens }
  }

  return {
    register: (metadata: object = {}): Promise<Response> =>
      ask(
        new Request(new URL('/oauth/register', url), {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
          body: JSON.stringify({
            client_name: 'Test app',
            redirect_uris: [CALLBACK],
            token_endpoint_auth_method: 'none',
            ...metadata,
          }),
        }),
      ),
    async registered(metadata: object = {}): Promise<string> {
      const response = await this.register(metadata)
      if (response.status !== 201) throw new Error(`not registered: ${await response.text()}`)
      return ((await response.json()) as Registered).client_id
    },
    /** The path to which the app sends the owner; an empty value leaves a parameter out. */
    authorizePath(clientId: string, change: Record<string, string> = {}): string {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: CALLBACK,
        state: 'state-of-the-app',
        scope: 'availability:read bookings:write',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource: `${url}/mcp`,
        ...change,
      })
      for (const [name, value] of Object.entries(change)) if (value === '') query.delete(name)
      return `/authorize?${query}`
    },
    token,
    redeem: (
      clientId: string,
      code: string,
      change: Record<string, string> = {},
    ): Promise<TokenReply> =>
      token({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
        resource: `${url}/mcp`,
        ...change,
      }),
    refresh: (clientId: string, refreshToken: string): Promise<TokenReply> =>
      token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
    async revoke(clientId: string, one: string): Promise<number> {
      return (await token({ client_id: clientId, token: one })).status
    },
    /** Asks the owner and gets the answer: the address to which the browser is sent back. */
    async askOwner(
      web: Browser,
      clientId: string,
      { decision = 'allow', scopes, change }: Asking = {},
    ): Promise<{ asked: Page; back: URL }> {
      const asked = await web.open(this.authorizePath(clientId, change))
      return { asked, back: returnAddress(await decide(web, asked, decision, scopes)) }
    },
    /** The whole way: registered, allowed, and with tokens. */
    async connected(web: Browser, { metadata, ...asking }: Asking & { metadata?: object } = {}) {
      const clientId = await this.registered(metadata)
      const { back } = await this.askOwner(web, clientId, asking)
      const code = back.searchParams.get('code') ?? ''
      const { status, body } = await this.redeem(clientId, code)
      if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
      return { clientId, code, tokens: body }
    },
  }
}

interface Asking {
  decision?: 'allow' | 'deny'
  scopes?: string[]
  change?: Record<string, string>
}

/** Calls a tool with an access token. */
export function callTool(url: string, accessToken: string, name: string, given: object) {
  const call = { name, arguments: given }
  return askMcp(url, '2025-11-25', 'tools/call', call, { Authorization: `Bearer ${accessToken}` })
}

export const listAvailability = (url: string, accessToken: string) =>
  callTool(url, accessToken, 'list_availability', {})
