import { setTimeout } from 'node:timers/promises'

import * as z from 'zod'

import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { type AdminClient, rulesOf, signedIn } from '../admin-client.ts'
import { CliError, type Terminal, cliErrorOf } from '../command.ts'
import type { Prompts } from '../prompts.ts'

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

interface LiveCheck {
  path: string
  name?: string
  key?: string
  isGood(response: Response): boolean | Promise<boolean>
  /** What is wrong with an answer that is not good, where its status does not say it. */
  fault?: string
}

/** The JSON of a response; an empty object for any other. */
const json = (response: Response) => response.json().catch(() => ({})) as Promise<unknown>

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
      async isGood(response) {
        health = healthSchema.safeParse(await json(response)).data
        return health !== undefined
      },
    },
    {
      path: '/openapi.json',
      fault: 'does not show this address yet',
      async isGood(response) {
        const { servers } = (await json(response)) as { servers?: { url?: string }[] }
        return servers?.[0]?.url === url
      },
    },
    { path: '/llms.txt', isGood: ({ status }) => status === 200 },
    {
      path: '/.well-known/oauth-protected-resource/mcp',
      name: 'the sign-in for apps',
      async isGood(response) {
        const { resource } = (await json(response)) as { resource?: string }
        return resource === `${url}/mcp`
      },
    },
    { path: '/v1/me', name: '/v1/me without a key', isGood: ({ status }) => status === 401 },
  ]
  if (key !== undefined)
    checks.push({
      path: '/v1/me',
      name: '/v1/me with the new key',
      key,
      isGood: ({ status }) => status === 200,
    })
  for (const check of checks) {
    for (let pause = 500; ; pause = Math.min(pause * 2, 5 * SECOND)) {
      const response = await fetch(new URL(check.path, base), {
        headers: signedIn(check.key),
        redirect: 'manual',
        signal: AbortSignal.timeout(10 * SECOND),
      }).catch(() => undefined)
      if (response && (await check.isGood(response))) break
      if (Date.now() + pause > until) {
        const fault = response
          ? (check.fault ?? `answers ${response.status}`)
          : 'does not answer yet'
        throw new CliError(
          `It is deployed, but ${check.name ?? check.path} ${fault}.`,
          'A new address can take some minutes: run npm run deploy again then, or npm run ' +
            `doctor -- --url ${url}`,
        )
      }
      await setTimeout(pause)
    }
  }
  if (!health) throw new Error('unreachable: /health was checked')
  return health
}

interface Review {
  unreviewed: { kind: string; id: string; name: string; created_at: string }[]
}

/**
 * Lists the keys and apps from before a provider was live, and ends those that the person does not know.
 * The doctor still lists those without a decision. It raises an error only if the person cancels.
 */
export async function reviewAccess(
  api: AdminClient,
  terminal: Terminal,
  prompts: Prompts | undefined,
): Promise<void> {
  const review = async (body: { end?: string[]; keep?: string[] }) =>
    ((await api.post('/v1/admin/access-review', body)) as Review).unreviewed
  const failed = (thrown: unknown) =>
    terminal.warn('Access', `not reviewed: ${cliErrorOf(thrown).message}`)
  const found = await review({}).catch(failed)
  if (!found || found.length === 0) return
  terminal.heading('Added while every provider was a mock; now they act on the real ones')
  const labelled = found.map(({ kind, id, name, created_at }) => ({
    value: id,
    label: `${kind} “${name}”, since ${created_at.slice(0, 10)}`,
  }))
  for (const { label } of labelled) terminal.line(`  ${label}`)
  if (!prompts)
    return terminal.warn(
      'Access',
      'end those that you do not recognize: run this at a terminal, or open the console',
    )
  const end = await prompts.pick(
    'Which of them do you not recognize? They lose their access.',
    labelled,
  )
  const keep = found.flatMap(({ id }) => (end.includes(id) ? [] : [id]))
  const left = await review({ end, keep }).catch(failed)
  if (left) terminal.done('Access', `${end.length} ended, ${keep.length} kept`)
}

/** A practice makes fewer changes in a day; an agent in a loop makes more. */
const PROPOSED_CHANGES_A_DAY = 100

/** Limits the changes of a day if the connector has no rules yet. It never throws. */
export async function proposeRules(api: AdminClient, terminal: Terminal): Promise<void> {
  try {
    const { rules, allows } = await rulesOf(api, EVERYBODY)
    if (allows.length > 0) return
    await api.put(`/v1/rules/${EVERYBODY}`, { ...rules, changes_a_day: PROPOSED_CHANGES_A_DAY })
    const most = `at most ${PROPOSED_CHANGES_A_DAY} changes a day in total; you can change this`
    terminal.done('Rules', most)
  } catch {
    terminal.warn(
      'Rules',
      'the daily limit could not be set: docs/operate/house-rules.md says how to set it',
    )
  }
}

interface Registered {
  webhooks: { provider: string; state: string; detail?: string }[]
}

/** Has the connector register its webhooks. It never throws: the connector also tries every day. */
export async function registerWebhooks(api: AdminClient, terminal: Terminal): Promise<void> {
  try {
    const { webhooks } = (await api.post('/v1/admin/provider-webhooks')) as Registered
    for (const { provider, state, detail } of webhooks) {
      if (state === 'active') terminal.done('Webhooks', `${provider} reports changes at once`)
      else terminal.warn('Webhooks', `${provider}: ${detail ?? state}`)
    }
  } catch {
    terminal.warn(
      'Webhooks',
      'not registered at the providers: the connector tries again by itself',
    )
  }
}
