import { PINNED_CLIENTS } from '../../owner/access/pinned-clients.ts'
import { type Check, NotChecked } from '../../owner/health/check-runner.ts'
import { type ProbeAnswer, type Probe, mustHold, objectIn } from './probe.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const RESOURCE_OF_MCP = `${RESOURCE}/mcp`
const SERVER = '/.well-known/oauth-authorization-server'

const DEPLOY_AGAIN =
  'Deploy again; if it still fails, a rule in front of the connector changes what it ' +
  'serves under /.well-known.'

/** Throws `NotChecked` without an owner, since the connector then serves no OAuth. */
async function mustBeOffered({ ask }: Probe): Promise<void> {
  const answers = await Promise.all([RESOURCE, RESOURCE_OF_MCP, SERVER].map((path) => ask(path)))
  if (answers.every(({ status }) => status === 404))
    throw new NotChecked(
      'The owner has no passkey yet. Run npm run enrol. Claude and ChatGPT need it to sign in.',
    )
}

const resourceCheck = (id: string, what: string, path: string): Check<Probe> => ({
  id,
  what,
  fix: DEPLOY_AGAIN,
  async run(probe) {
    const document = objectIn(await probe.ask(path), path)
    const resource = String(document['resource'])
    mustHold(resource === `${probe.origin}/mcp`, `It names another resource: ${resource}.`)
    const servers = [document['authorization_servers']].flat()
    mustHold(servers.join() === probe.origin, 'It names another authorization server.')
    mustHold(Array.isArray(document['scopes_supported']), 'It names no scopes.')
    return `For ${resource}.`
  },
})

const has = (list: unknown, one: string): boolean => Array.isArray(list) && list.includes(one)

/** The authorization request of a client without PKCE, so that the connector refuses it. */
function authorizeAs(clientId: string, redirectUri: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'doctor',
  })
  return `/authorize?${query.toString()}`
}

const CLAUDE = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
const CLAUDE_REDIRECT = 'https://claude.ai/api/mcp/auth_callback'

const redirectsTo = ({ status, headers }: ProbeAnswer, redirectUri: string): boolean =>
  status === 302 && (headers.get('Location') ?? '').startsWith(`${redirectUri}?`)

const CHECKS: readonly Check<Probe>[] = [
  resourceCheck('resource', 'Resource document, at the root', RESOURCE),
  resourceCheck('resource_mcp', 'Resource document, for /mcp', RESOURCE_OF_MCP),
  {
    id: 'cors',
    what: 'CORS of the documents',
    fix: DEPLOY_AGAIN,
    async run(probe) {
      const headers = { Origin: 'https://claude.ai' }
      for (const path of [RESOURCE, RESOURCE_OF_MCP, SERVER]) {
        const open = (await probe.ask(path, { headers })).headers.get('Access-Control-Allow-Origin')
        mustHold(
          open === '*' || open === headers.Origin,
          `${path} cannot be read by pages of other sites.`,
        )
      }
      return 'All three.'
    },
  },
  {
    id: 'server',
    what: 'Authorization server',
    fix: 'Set PUBLIC_URL to the address of this service: issuer and endpoints are made from it.',
    async run(probe) {
      const document = objectIn(await probe.ask(SERVER), SERVER)
      const issuer = String(document['issuer'])
      mustHold(issuer === probe.origin, `Its issuer is ${issuer}.`)
      for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
        const endpoint = String(document[name])
        mustHold(
          endpoint.startsWith(`${issuer}/`),
          `${name} is not on the same origin: ${endpoint}.`,
        )
      }
      return 'Issuer and endpoints on one origin.'
    },
  },
  {
    id: 'pkce',
    what: 'PKCE and public clients',
    fix: DEPLOY_AGAIN,
    async run(probe) {
      const document = objectIn(await probe.ask(SERVER), SERVER)
      mustHold(has(document['code_challenge_methods_supported'], 'S256'), 'S256 is not offered.')
      const withoutSecret = has(document['token_endpoint_auth_methods_supported'], 'none')
      mustHold(withoutSecret, 'Clients without a secret are not accepted.')
      const byDocument = document['client_id_metadata_document_supported'] === true
      mustHold(byDocument, 'Clients with a metadata document are not accepted.')
      return 'S256; clients without a secret, and by metadata document.'
    },
  },
  {
    id: 'iss',
    what: 'iss in the redirect',
    fix: 'Deploy again: without iss ChatGPT uses another redirect URI, which is refused.',
    async run(probe) {
      const document = objectIn(await probe.ask(SERVER), SERVER)
      mustHold(
        document['authorization_response_iss_parameter_supported'] === true,
        'It is not announced.',
      )
      const { headers } = await probe.ask(authorizeAs(CLAUDE, CLAUDE_REDIRECT))
      const location = headers.get('Location') ?? ''
      const iss = URL.canParse(location) ? new URL(location).searchParams.get('iss') : null
      const how = iss === null ? 'without it' : 'with another'
      mustHold(iss === probe.origin, `A refusal is redirected ${how}.`)
      return 'Announced, and in the refusal of a request.'
    },
  },
  {
    id: 'redirects',
    what: 'Redirect URIs',
    fix: 'Update the connector: its copy of the redirect URIs that the hosts publish is out of date.',
    async run(probe) {
      for (const { clientId, clientName, redirectUris } of PINNED_CLIENTS.values()) {
        for (const uri of redirectUris) {
          const answer = await probe.ask(authorizeAs(clientId, uri))
          mustHold(redirectsTo(answer, uri), `${clientName} is not redirected to ${uri}.`)
        }
        const foreign = await probe.ask(authorizeAs(clientId, 'https://doctor.invalid/callback'))
        mustHold(foreign.status === 400, `${clientName} is redirected to a foreign address.`)
      }
      const names = [...PINNED_CLIENTS.values()].map(({ clientName }) => clientName)
      return `${names.join(', ')}: only their own.`
    },
  },
  {
    id: 'registration',
    what: 'Dynamic client registration',
    fix:
      'Let POST /oauth/register through to the connector: Cursor, VS Code and Copilot Studio ' +
      'register there.',
    async run(probe) {
      // The connector never allows a redirect URI over plain http, so this registers nothing.
      const [name, uris] = ['Doctor', ['http://doctor.invalid/']]
      const client = { client_name: name, redirect_uris: uris, token_endpoint_auth_method: 'none' }
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(client) }
      const { status, json } = await probe.ask('/oauth/register', init)
      if (status === 429) throw new NotChecked('Too many registrations from here in this hour.')
      mustHold(status !== 201, 'A redirect URI over plain http is accepted.')
      const { error } = (json ?? {}) as { error?: string }
      mustHold(status === 400 && typeof error === 'string', `It answers ${status}.`)
      return 'An invalid registration is refused; nothing was registered.'
    },
  },
  {
    id: 'token',
    what: 'Token endpoint',
    fix: 'Let POST /oauth/token through to the connector.',
    async run(probe) {
      const grant = { grant_type: 'authorization_code', client_id: CLAUDE, code: 'doctor' }
      const body = new URLSearchParams(grant)
      const { status, json } = await probe.ask('/oauth/token', { method: 'POST', body })
      const { error } = (json ?? {}) as { error?: string }
      mustHold(
        (status === 400 || status === 401) && typeof error === 'string',
        `It answers ${status}.`,
      )
      return `A wrong code is refused: ${error}.`
    },
  },
]

/** Checks the steps of a client before the owner gives consent. Without an owner they are not checked. */
export const SIGN_IN_CHECKS: readonly Check<Probe>[] = CHECKS.map(({ run, ...check }) => ({
  ...check,
  async run(probe) {
    await mustBeOffered(probe)
    return run(probe)
  },
}))
