import * as z from 'zod'

import { LOOPBACK_HOSTS } from '../../core/domain/origin.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { CliError } from '../command.ts'

const healthSchema = z.looseObject({
  status: z.string(),
  adapters: z.object({ scheduling: z.enum(['mock', 'live']), payments: z.enum(['mock', 'live']) }),
})

export type DeployedHealth = z.infer<typeof healthSchema>

interface LiveConnector {
  /** The public address, which the documents must show. */
  url: string
  /** The address for the requests: the public address, or this machine in tests. */
  base: string
  /** The owner's key, if this run made one. */
  key: string | undefined
  /** How long a new address may take to answer. */
  patienceMs: number
}

/** The address for the requests: the connector's, or one of this machine in tests. Raises `CliError`. */
export function askedAt(url: string, override: string | undefined): string {
  if (!override) return url
  if (LOOPBACK_HOSTS.includes(new URL(override).hostname)) return new URL(override).origin
  const wrong = 'DEPLOY_CHECK_URL is for tests, and only for an address of this machine.'
  throw new CliError(wrong, 'Unset DEPLOY_CHECK_URL.')
}

/** Returns what is wrong with a response; undefined if nothing is. */
type Assess = (response: Response) => string | undefined | Promise<string | undefined>
type LiveCheck = { path: string; name?: string; headers?: Record<string, string>; assess: Assess }

const json = async (response: Response): Promise<unknown> => response.json().catch(() => undefined)

const mustBe =
  (wanted: number, otherwise = ''): Assess =>
  ({ status }) =>
    status === wanted ? undefined : `answers ${status}${otherwise}`

/** Checks health, documents and the refusal of calls without a key. Raises `CliError` once the time is up. */
export async function checkLive({
  url,
  base,
  key,
  patienceMs,
}: LiveConnector): Promise<DeployedHealth> {
  const until = Date.now() + patienceMs
  let health: DeployedHealth | undefined
  const checks: LiveCheck[] = [
    {
      path: '/health',
      async assess(response) {
        const parsed = healthSchema.safeParse(await json(response))
        health = parsed.data
        return parsed.success ? undefined : `answers ${response.status}`
      },
    },
    {
      path: '/openapi.json',
      async assess(response) {
        const parsed = z.looseObject({ servers: z.array(z.looseObject({ url: z.string() })) })
        const servers = parsed.safeParse(await json(response)).data?.servers
        return servers?.[0]?.url === url ? undefined : 'does not show this address yet'
      },
    },
    { path: '/llms.txt', assess: mustBe(200) },
    {
      path: '/.well-known/oauth-protected-resource/mcp',
      name: 'the sign-in for apps',
      async assess(response) {
        const parsed = z.looseObject({ resource: z.string() }).safeParse(await json(response))
        return parsed.data?.resource === `${url}/mcp` ? undefined : `answers ${response.status}`
      },
    },
    { path: '/v1/me', name: '/v1/me without a key', assess: mustBe(401, ' instead of 401') },
  ]
  if (key !== undefined) {
    const headers = { Authorization: `Bearer ${key}` }
    checks.push({ path: '/v1/me', name: '/v1/me with the new key', headers, assess: mustBe(200) })
  }
  for (const { path, name = path, headers = {}, assess } of checks) {
    for (let pause = 500; ; pause = Math.min(pause * 2, 5 * SECOND)) {
      const response = await fetch(new URL(path, base), {
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(10 * SECOND),
      }).catch(() => undefined)
      const wrong = response ? await assess(response) : 'does not answer yet'
      if (wrong === undefined) break
      if (Date.now() + pause > until)
        throw new CliError(
          `It is deployed, but ${name} ${wrong}.`,
          'A new address can take some minutes: run npm run deploy again then, or npm run ' +
            `doctor -- --url ${url}`,
        )
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  if (!health) throw new Error('unreachable: /health was checked')
  return health
}
