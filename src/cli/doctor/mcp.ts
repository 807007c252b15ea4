import { MCP_REVISIONS as ERAS, VERSION } from '../../core/version.ts'
import { type Check, Failed, NotChecked } from '../../owner/health/check-runner.ts'
import { type Probe, mustHold, withKey } from './probe.ts'

type Era = typeof ERAS.newest | typeof ERAS.newest2025

const INFO = { name: 'consult-connector-doctor', version: VERSION }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': ERAS.newest,
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HELLO = { protocolVersion: ERAS.newest2025, capabilities: {}, clientInfo: INFO }

/** Sends one message as a client of that era does. */
function send(
  { ask }: Probe,
  era: Era,
  method: string,
  params: object,
  more: Record<string, string>,
) {
  const modern = era === ERAS.newest
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
    ...(modern && { 'Mcp-Method': method }),
    ...more,
  }
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, ...(modern && { _meta: ENVELOPE }) },
  }
  return ask('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
}

/** The result of a message with the key. Throws `NotChecked` if the key is missing and needed. */
async function resultOf(probe: Probe, era: Era, method: string, params: object = {}) {
  const { status, json } = await send(probe, era, method, params, withKey(probe))
  if (status === 401 && probe.key === undefined)
    throw new NotChecked('This check needs a key in CONNECTOR_API_KEY.')
  const { result } = (json ?? {}) as { result?: Record<string, unknown> }
  if (result === undefined) throw new Failed(`${method} answers ${status} and no result.`)
  return result
}

const toolsIn = (result: Record<string, unknown>): number =>
  Array.isArray(result['tools']) ? result['tools'].length : 0

const onlyPost = (method: string): Check<Probe> => ({
  id: `mcp_${method.toLowerCase()}`,
  what: `${method} on /mcp`,
  fix: 'Let GET requests through to the connector: hosts try them, and give up unless the answer is 405.',
  async run({ ask }) {
    const { status, headers } = await ask('/mcp', { method })
    const allow = headers.get('Allow') ?? ''
    mustHold(
      status === 405 && allow.includes('POST'),
      `It answers ${status}, not 405 with Allow: POST.`,
    )
    return '405, with Allow: POST.'
  },
})

/** Checks the calls of an MCP client, in both eras of the protocol. */
export const MCP_CHECKS: readonly Check<Probe>[] = [
  {
    id: 'challenge',
    what: 'Calls without a credential',
    fix:
      'Deploy again, without ALLOW_ANONYMOUS; a proxy in front must not change the header ' +
      'WWW-Authenticate.',
    async run(probe) {
      const calls = await Promise.all([
        send(probe, ERAS.newest2025, 'initialize', HELLO, {}),
        send(
          probe,
          ERAS.newest2025,
          'tools/call',
          { name: 'list_availability', arguments: {} },
          {},
        ),
        send(probe, ERAS.newest, 'server/discover', {}, {}),
        send(probe, ERAS.newest, 'tools/list', {}, { Authorization: 'Bearer doctor' }),
      ])
      const [first] = calls
      if (probe.isLoopback && first?.status === 200) throw new NotChecked('Allowed: a local trial.')
      const isOffered =
        (await probe.ask('/.well-known/oauth-protected-resource/mcp')).status === 200
      for (const { status, headers } of calls) {
        mustHold(status === 401, `One is answered with ${status}, not 401.`)
        const challenge = headers.get('WWW-Authenticate') ?? ''
        mustHold(challenge.startsWith('Bearer '), 'A 401 has no WWW-Authenticate.')
        const where = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
        const named = where === `${probe.origin}/.well-known/oauth-protected-resource/mcp`
        mustHold(named || !isOffered, 'A 401 does not say where the resource document is.')
      }
      return isOffered ? '401, with the address of the resource document.' : '401.'
    },
  },
  onlyPost('GET'),
  onlyPost('HEAD'),
  {
    id: 'origin',
    what: 'Foreign origins',
    fix: 'Deploy again; a proxy in front must not change the header Origin.',
    async run(probe) {
      const from = async (Origin: string) =>
        (await send(probe, ERAS.newest2025, 'initialize', HELLO, { Origin, ...withKey(probe) }))
          .status
      const foreign = await from('https://doctor.invalid')
      mustHold(foreign === 403, `A page of another site gets ${foreign}, not 403.`)
      mustHold((await from(probe.origin)) !== 403, 'A page of the connector itself is refused.')
      return 'Refused with 403.'
    },
  },
  {
    id: 'key',
    what: 'API key',
    fix: 'Make another with npm run keys, and put it into CONNECTOR_API_KEY.',
    async run(probe) {
      if (probe.key === undefined) throw new NotChecked('CONNECTOR_API_KEY is not set.')
      const { status, json } = await probe.ask('/v1/me', { headers: withKey(probe) })
      mustHold(status === 200, `It is not accepted: ${status}.`)
      const { label, scopes } = json as { label: string; scopes: string[] }
      return `“${label}”: ${scopes.join(', ')}.`
    },
  },
  {
    id: 'mcp_2025',
    what: 'MCP of 2025',
    fix: 'Deploy again; Claude, Cursor and most others speak this.',
    async run(probe) {
      const { protocolVersion } = await resultOf(probe, ERAS.newest2025, 'initialize', HELLO)
      mustHold(protocolVersion === ERAS.newest2025, 'It negotiates no version.')
      const tools = toolsIn(await resultOf(probe, ERAS.newest2025, 'tools/list'))
      mustHold(tools > 0, 'It lists no tool for this key.')
      return `initialize, tools/list: ${tools} tools.`
    },
  },
  {
    id: 'mcp_2026',
    what: 'MCP of 2026',
    fix: 'Deploy again; a proxy in front must not change headers that begin with Mcp-.',
    async run(probe) {
      const { supportedVersions } = await resultOf(probe, ERAS.newest, 'server/discover')
      const speaks = Array.isArray(supportedVersions) && supportedVersions.includes(ERAS.newest)
      mustHold(speaks, `It does not announce ${ERAS.newest}.`)
      const listed = await resultOf(probe, ERAS.newest, 'tools/list')
      mustHold(
        listed['resultType'] === 'complete' && toolsIn(listed) > 0,
        'It lists no tool for this key.',
      )
      return `server/discover, tools/list: ${toolsIn(listed)} tools.`
    },
  },
]
