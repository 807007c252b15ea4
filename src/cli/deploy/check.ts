import * as z from 'zod'
import { LOOPBACK_HOSTS } from '../../domain/origin.ts'
import { CliError } from '../cli-error.ts'
import { SECOND } from '../../domain/time/duration.ts'

const healthSchema = z.looseObject({
  status: z.string(),
  adapters: z.object({ scheduling: z.enum(['mock', 'live']), payments: z.enum(['mock', 'live']) }),
})

export type DeployedHealth = z.infer<typeof healthSchema>

interface LiveCheck {
  /** The public address, which the documents must show. */
  url: string
  /** Where to send the requests: the public address, or this machine in tests. */
  askedAt: string
  /** The owner's key, where it was made in this run. */
  key: string | undefined
  /** How long a new address may take to answer. */
  patienceMs: number
}

/** The address for the requests: the connector's, or one of this machine that a test names. Raises `CliError`. */
export function askedAt(url: string, override: string | undefined): string {
  if (!override) return url
  if (LOOPBACK_HOSTS.includes(new URL(override).hostname)) return new URL(override).origin
  throw new CliError(
    'DEPLOY_CHECK_URL is for tests, and only for an address of this machine.',
    'Unset DEPLOY_CHECK_URL.',
  )
}

/** What is wrong with a response; undefined if nothing is. */
type Assess = (response: Response) => Promise<string | undefined>

const json = async (response: Response): Promise<unknown> => response.json().catch(() => undefined)

/**
 * Checks the health and the public documents of a deployed connector, and that it refuses calls without a key. Raises
 * `CliError` for the first check that still fails when the time is up.
 */
export async function checkLive({ url, askedAt: base, key, patienceMs }: LiveCheck): Promise<DeployedHealth> {
  const until = Date.now() + patienceMs
  let health: DeployedHealth | undefined
  const checks: [name: string, path: string, init: RequestInit, assess: Assess][] = [
    [
      '/health',
      '/health',
      {},
      async (response) => {
        const parsed = healthSchema.safeParse(await json(response))
        health = parsed.data
        return parsed.success ? undefined : `answers ${response.status}`
      },
    ],
    [
      '/openapi.json',
      '/openapi.json',
      {},
      async (response) => {
        const parsed = z.looseObject({ servers: z.array(z.looseObject({ url: z.string() })) })
        const servers = parsed.safeParse(await json(response)).data?.servers
        return servers?.[0]?.url === url ? undefined : 'does not show this address yet'
      },
    ],
    ['/llms.txt', '/llms.txt', {}, async ({ ok, status }) => (ok ? undefined : `answers ${status}`)],
    [
      'the sign-in for apps',
      '/.well-known/oauth-protected-resource/mcp',
      {},
      async (response) => {
        const parsed = z.looseObject({ resource: z.string() }).safeParse(await json(response))
        return parsed.data?.resource === `${url}/mcp` ? undefined : `answers ${response.status}`
      },
    ],
    [
      '/v1/me without a key',
      '/v1/me',
      {},
      async ({ status }) => (status === 401 ? undefined : `answers ${status} instead of 401`),
    ],
    ...(key === undefined ? [] : [meWith(key)]),
  ]
  for (const [name, path, init, assess] of checks) {
    for (let pause = 500; ; pause = Math.min(pause * 2, 5 * SECOND)) {
      const wrong = await assessAt(new URL(path, base), init, assess)
      if (wrong === undefined) break
      if (Date.now() + pause > until)
        throw new CliError(
          `It is deployed, but ${name} ${wrong}.`,
          `A new address can take some minutes: run npm run deploy again then, or npm run doctor -- --url ${url}`,
        )
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  if (!health) throw new Error('unreachable: /health was checked')
  return health
}

const meWith = (key: string): [string, string, RequestInit, Assess] => [
  '/v1/me with the new key',
  '/v1/me',
  { headers: { Authorization: `Bearer ${key}` } },
  async ({ status }) => (status === 200 ? undefined : `answers ${status}`),
]

async function assessAt(url: URL, init: RequestInit, assess: Assess): Promise<string | undefined> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(10 * SECOND),
  }).catch(() => undefined)
  return response ? assess(response) : 'does not answer yet'
}
