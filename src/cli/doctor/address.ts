import { DAY, MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import { type Check, Failed, NotChecked } from '../../owner/health/check-runner.ts'
import { type Probe, isChallenge, mustHold, notOnLoopback, objectIn } from './probe.ts'

const MIN_DAYS = 7
/** Passkeys and codes are valid for minutes, so sign-ins fail with a larger skew. */
const MAX_SKEW = MINUTE

/** User-Agents of host servers, which rules against bots match. */
const AGENTS = ['Claude-User', 'openai-mcp/1.0.0', 'python-httpx/0.28.1', 'node']

/** Checks that the address is right, and that programs can reach it. */
export const ADDRESS_CHECKS: readonly Check<Probe>[] = [
  {
    id: 'answers',
    what: 'It answers',
    fix: 'Check the address; start a connector with npm start, or deploy it.',
    async run({ ask }) {
      const { status, json, headers } = await ask('/health')
      const { version, code, detail, next_step } = (json ?? {}) as Record<string, unknown>
      if (code === 'not_configured') throw new Failed(String(detail), String(next_step))
      if (isChallenge({ status, headers }))
        throw new Failed('A browser challenge answers.', NO_CHALLENGE)
      mustHold(
        status === 200 && typeof version === 'string',
        `No connector: /health answers ${status}.`,
      )
      return `Version ${String(version)}.`
    },
  },
  {
    id: 'health',
    what: 'Health',
    fix:
      'Look at the rows of the providers below; without a key, run this again with one that ' +
      'has the scope admin.',
    async run({ ask }) {
      const { status, reasons, adapters } = objectIn(await ask('/health'), '/health')
      const { scheduling, payments } = (adapters ?? {}) as Record<string, unknown>
      mustHold(status === 'ok', `It says ${String(status)}: ${[reasons].flat().join(', ')}.`)
      return `Scheduling is ${String(scheduling)}, payments are ${String(payments)}.`
    },
  },
  {
    id: 'tls',
    what: 'TLS certificate',
    fix:
      'Serve it over https with a certificate that browsers trust; ' +
      'on workers.dev or a zone of Cloudflare that is done for you.',
    async run(probe) {
      notOnLoopback(probe)
      mustHold(probe.origin.startsWith('https:'), 'It is called over http.')
      const { distrusted, validTo } = await probe.certificate()
      mustHold(distrusted === undefined, `It is not trusted: ${distrusted}.`)
      const days = Math.floor((validTo.getTime() - probe.now()) / DAY)
      mustHold(days >= MIN_DAYS, `It ends in ${days} days and was not renewed.`)
      return `The certificate is valid for ${days} more days.`
    },
  },
  {
    id: 'http',
    what: 'Plain http',
    fix: 'Turn on “Always Use HTTPS” for the zone at Cloudflare.',
    async run(probe) {
      notOnLoopback(probe)
      const { origin, ask } = probe
      const { protocol, host, port } = new URL(origin)
      if (protocol !== 'https:' || port !== '')
        throw new NotChecked('Checked only if https uses port 443.')
      const answer = await ask(`http://${host}/health`, {}).catch(() => undefined)
      if (answer === undefined) return 'No answer over http.'
      const location = answer.headers.get('Location') ?? ''
      mustHold(
        location.startsWith(`https://${host}/`),
        `It is served over plain http: ${answer.status}.`,
      )
      return `Redirects to https with ${answer.status}.`
    },
  },
  {
    id: 'clock',
    what: 'Clock',
    fix: 'Synchronise the clock of this computer; if it is right, the host has the wrong time.',
    async run({ ask, now }) {
      const date = (await ask('/health')).headers.get('Date')
      if (date === null) throw new NotChecked('The responses have no Date header.')
      const skew = Math.round((Date.parse(date) - now()) / SECOND)
      mustHold(
        Math.abs(skew) * SECOND <= MAX_SKEW,
        `The two clocks are ${Math.abs(skew)} seconds apart.`,
      )
      return Math.abs(skew) <= 1
        ? 'The same as here.'
        : `${Math.abs(skew)} seconds from the one here.`
    },
  },
  {
    id: 'bots',
    what: 'Bot protection',
    fix:
      'At Cloudflare, let a rule skip Bot Fight Mode and managed challenges for this host ' +
      'name: agents are programs and cannot answer them.',
    async run({ ask }) {
      for (const agent of AGENTS) {
        const headers = { 'User-Agent': agent, 'Content-Type': 'application/json' }
        const answers = await Promise.all([
          ask('/mcp', { method: 'POST', headers, body: '{}' }),
          ask('/.well-known/oauth-protected-resource/mcp', { headers }),
          ask('/oauth/token', { method: 'POST', headers, body: '{}' }),
        ])
        mustHold(!answers.some(isChallenge), `“${agent}” gets a browser challenge.`)
      }
      return 'No browser challenge.'
    },
  },
  {
    id: 'public_url',
    what: 'PUBLIC_URL',
    fix: 'Set PUBLIC_URL to the address that people and agents use, and use that address here.',
    async run({ ask, origin }) {
      const { servers } = objectIn(await ask('/openapi.json'), '/openapi.json')
      const published = (servers as { url?: string }[] | undefined)?.[0]?.url
      mustHold(published !== '/', 'It is not set.')
      mustHold(published === origin, `It is ${published ?? 'unknown'}, not the address called.`)
      return 'The address called.'
    },
  },
  {
    id: 'documents',
    what: 'Documents',
    fix: 'Deploy again; if it still fails, a rule in front of the connector changes what it serves.',
    async run({ ask }) {
      const documents: Record<string, string> = {
        '/openapi.json': 'application/json',
        '/llms.txt': 'text/plain',
        '/docs/errors': 'text/html',
        '/docs/example-prompts.md': 'text/markdown',
      }
      for (const [path, type] of Object.entries(documents)) {
        const { status, headers } = await ask(path)
        const given = headers.get('Content-Type') ?? 'no type'
        mustHold(status === 200 && given.startsWith(type), `${path} answers ${status}, ${given}.`)
      }
      return `${Object.keys(documents).length} are there.`
    },
  },
]

const NO_CHALLENGE = ADDRESS_CHECKS.find(({ id }) => id === 'bots')?.fix
