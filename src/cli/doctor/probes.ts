import { isLoopback } from '../../core/domain/origin.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { type Fields, isFields, jsonIn } from '../../core/json.ts'
import { MCP_REVISIONS, VERSION } from '../../core/version.ts'
import { type Check, Failed, NotChecked } from '../../owner/health/check-runner.ts'
import { reasonOf, signedIn } from '../admin-client.ts'

interface ProbeAnswer {
  status: number
  headers: Headers
  text: string
  /** The JSON value of the body, or of the last message of an event stream; undefined without JSON. */
  json: unknown
}

/** The connector as hosts reach it. */
export interface Probe {
  /** Scheme, host and port. */
  origin: string
  key: string | undefined
  /** Sends a request and follows no redirect; the same GET only once. Throws `Failed` without a response. */
  ask(address: string, init?: RequestInit): Promise<ProbeAnswer>
}

const DEADLINE = 15 * SECOND

/** A probe of the connector at this URL, with this key. `reach` is the network, which tests replace. */
export function probeOf(url: URL, key: string | undefined, reach = fetch): Probe {
  const { origin } = url
  const asked = new Map<string, Promise<ProbeAnswer>>()
  const ask = async (address: string, init: RequestInit): Promise<ProbeAnswer> => {
    const signal = AbortSignal.timeout(DEADLINE)
    try {
      const response = await reach(new URL(address, origin), {
        ...init,
        redirect: 'manual',
        signal,
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: lastJsonIn(text) }
    } catch (thrown) {
      throw new Failed(`No answer: ${reasonOf(thrown)}.`)
    }
  }
  return {
    origin,
    key,
    ask(address, init) {
      if (init !== undefined) return ask(address, init)
      const known = asked.get(address) ?? ask(address, {})
      asked.set(address, known)
      return known
    },
  }
}

/** The object in a JSON response. Throws `Failed` for any other response. */
function objectIn({ status, json, headers }: ProbeAnswer, from: string): Fields {
  if (isChallenge({ status, headers }))
    throw new Failed(`${from} answers with a browser challenge.`)
  if (status !== 200) throw new Failed(`${from} answers ${status}.`)
  if (!isFields(json)) throw new Failed(`${from} answers no JSON.`)
  return json
}

/** Throws `Failed` with this text unless the condition holds. */
function mustHold(holds: boolean, otherwise: string) {
  if (!holds) throw new Failed(otherwise)
}

/** Whether this is Cloudflare's challenge page, which only a person in a browser passes. */
const isChallenge = ({ status, headers }: Pick<ProbeAnswer, 'status' | 'headers'>) =>
  headers.get('cf-mitigated') === 'challenge' ||
  ((status === 403 || status === 503) &&
    (headers.get('Content-Type') ?? '').startsWith('text/html'))

function lastJsonIn(text: string): unknown {
  const streamed = text.split('\n').filter((line) => line.startsWith('data: {'))
  return jsonIn(streamed.at(-1)?.slice('data: '.length) ?? text)
}

/** User-Agents of host servers, which rules against bots match. */
const AGENTS = ['Claude-User', 'openai-mcp/1.0.0', 'python-httpx/0.28.1', 'node']

const NO_CHALLENGE =
  'At Cloudflare, let a rule skip Bot Fight Mode and managed challenges for this host ' +
  'name: agents are programs and cannot answer them.'

const RESOURCE = '/.well-known/oauth-protected-resource/mcp'
const SERVER = '/.well-known/oauth-authorization-server'

type Era = typeof MCP_REVISIONS.newest | typeof MCP_REVISIONS.newest2025

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MCP_REVISIONS.newest,
  'io.modelcontextprotocol/clientInfo': { name: 'consult-connector-doctor', version: VERSION },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Asks for the tools as a client of that era does. */
function listTools({ ask }: Probe, era: Era, more: Record<string, string>) {
  const method = 'tools/list'
  const isModern = era === MCP_REVISIONS.newest
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
    ...(isModern && { 'Mcp-Method': method }),
    ...more,
  }
  const params = isModern ? { _meta: ENVELOPE } : {}
  const message = { jsonrpc: '2.0', id: 1, method, params }
  return ask('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
}

/** What a connector cannot see of itself: its address, its sign-in and its tools, as others reach them. */
export const PROBES: readonly Check<Probe>[] = [
  {
    id: 'address',
    what: 'Its address',
    fix: 'Check the address; start a connector with npm start, or deploy it with npm run deploy.',
    async run({ ask, origin }) {
      const { status, json, headers } = await ask('/health')
      const health = (json ?? {}) as Record<string, unknown>
      if (health['code'] === 'not_configured')
        throw new Failed(String(health['detail']), String(health['next_step']))
      if (isChallenge({ status, headers }))
        throw new Failed('A browser challenge answers.', NO_CHALLENGE)
      const { version, adapters } = health
      mustHold(
        status === 200 && typeof version === 'string',
        `No connector: /health answers ${status}.`,
      )
      const { servers } = objectIn(await ask('/openapi.json'), '/openapi.json')
      const published = (servers as { url?: string }[] | undefined)?.[0]?.url ?? 'unknown'
      if (published !== origin)
        throw new Failed(
          published === '/' ? 'PUBLIC_URL is not set.' : `PUBLIC_URL is ${published}.`,
          'Set PUBLIC_URL to the address that people and agents use, and use that address here.',
        )
      const { scheduling, payments } = (adapters ?? {}) as Record<string, unknown>
      const modes = `scheduling is ${String(scheduling)}, payments are ${String(payments)}`
      return `Version ${String(version)}; ${modes}.`
    },
  },
  {
    id: 'health',
    what: 'Health',
    fix: 'Run this again with a key that has the scope admin in CONNECTOR_API_KEY: it says why.',
    needs: ['address'],
    async run({ ask }) {
      const { status, reasons } = objectIn(await ask('/health'), '/health')
      mustHold(status === 'ok', `It says ${String(status)}: ${[reasons].flat().join(', ')}.`)
      return 'It says ok.'
    },
  },
  {
    id: 'sign_in',
    what: 'Sign-in of apps',
    fix:
      'Deploy again with npm run deploy; if it still fails, a rule in front of the connector ' +
      'changes what it serves under /.well-known.',
    needs: ['address'],
    async run({ ask, origin }) {
      const answers = await Promise.all([RESOURCE, SERVER].map((path) => ask(path)))
      if (answers.every(({ status }) => status === 404))
        throw new NotChecked(
          'The owner has no passkey yet. Run npm run enrol. Claude and ChatGPT need it to sign in.',
        )
      const resource = objectIn(await ask(RESOURCE), RESOURCE)
      const servers = [resource['authorization_servers']].flat()
      mustHold(
        resource['resource'] === `${origin}/mcp` && servers.join() === origin,
        `${RESOURCE} names another address.`,
      )
      const server = objectIn(await ask(SERVER), SERVER)
      mustHold(server['issuer'] === origin, 'The authorization server has another issuer.')
      return 'Its documents name this address.'
    },
  },
  {
    id: 'agents',
    what: 'Agents',
    fix:
      'Deploy again with npm run deploy; a proxy in front must change no header: not ' +
      'WWW-Authenticate, and none that begins with Mcp-.',
    needs: ['address'],
    run: async (probe) => {
      for (const agent of AGENTS) await challenged(probe, agent)
      if (probe.key === undefined && !isLoopback(probe.origin))
        throw new NotChecked('Its tools are listed for a key in CONNECTOR_API_KEY only.')
      const counts = []
      for (const era of [MCP_REVISIONS.newest2025, MCP_REVISIONS.newest] as const) {
        const { status, json } = await listTools(probe, era, signedIn(probe.key))
        if (status === 401)
          throw new Failed(
            'The key in CONNECTOR_API_KEY is not accepted.',
            'Make another with npm run keys, and put it into CONNECTOR_API_KEY.',
          )
        const { tools } = ((json ?? {}) as { result?: { tools?: unknown[] } }).result ?? {}
        mustHold(
          Array.isArray(tools) && tools.length > 0,
          `tools/list of ${era} answers ${status} and no tool.`,
        )
        counts.push(tools?.length)
      }
      return `They are offered ${[...new Set(counts)].join(' or ')} tools.`
    },
  },
]

/**
 * A call without a credential by this program: it gets 401 with the address of the resource
 * document, or in a local trial an answer.
 */
async function challenged(probe: Probe, agent: string) {
  const answer = await listTools(probe, MCP_REVISIONS.newest, { 'User-Agent': agent })
  if (isChallenge(answer)) throw new Failed(`“${agent}” gets a browser challenge.`, NO_CHALLENGE)
  if (isLoopback(probe.origin) && answer.status === 200) return
  mustHold(answer.status === 401, `A call without a credential is answered ${answer.status}.`)
  const challenge = answer.headers.get('WWW-Authenticate') ?? ''
  const isOffered = (await probe.ask(RESOURCE)).status === 200
  mustHold(
    challenge.startsWith('Bearer ') &&
      (!isOffered || challenge.includes(`resource_metadata="${probe.origin}${RESOURCE}"`)),
    'A 401 does not say where apps sign in.',
  )
}
