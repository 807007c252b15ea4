import { setTimeout } from 'node:timers/promises'

import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { isFields, jsonIn } from '../../core/json.ts'
import { type AdminClient, type Health, healthSchema, rulesOf, signedIn } from '../admin-client.ts'
import { CliError, type Terminal, cliErrorOf } from '../command.ts'
import type { Prompts } from '../prompts.ts'

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

/** A request to the new connector, and the answer that a good one gives. */
interface LiveCheck {
  path: string
  /** The request as a person calls it, if not by its path. */
  name?: string
  key?: string
  /** The status that it has to have. */
  status: number
  /** What is wrong with an answer of this status; undefined if nothing is. */
  wrong?(body: unknown): string | undefined
  /** What else to do where it stays wrong; it ends with a blank. */
  nextStep?: string
}

/** Checks health, documents and the refusal of calls without a key. Raises `CliError` once the time is up. */
export async function checkLive({ url, base, key, patienceMs }: LiveConnector): Promise<Health> {
  const until = Date.now() + patienceMs
  let health: Health | undefined
  const checks: LiveCheck[] = [
    {
      path: '/health',
      status: 200,
      wrong(body) {
        health = healthSchema.safeParse(body).data
        return health ? undefined : 'is not that of a consult connector'
      },
    },
    {
      path: '/openapi.json',
      status: 200,
      wrong: (body) => (serverIn(body) === url ? undefined : ANOTHER_ADDRESS),
    },
    { path: '/llms.txt', status: 200 },
    {
      name: 'the sign-in for apps',
      path: '/.well-known/oauth-protected-resource/mcp',
      status: 200,
      wrong: (body) =>
        isFields(body) && body['resource'] === `${url}/mcp` ? undefined : ANOTHER_ADDRESS,
    },
    {
      name: '/v1/me without a key',
      path: '/v1/me',
      status: 401,
      nextStep: 'A call without a key has to be refused. ',
    },
  ]
  if (key !== undefined)
    checks.push({
      name: '/v1/me with the new key',
      path: '/v1/me',
      key,
      status: 200,
      nextStep: 'If the key above stays refused, npm run deploy -- --new-key makes another. ',
    })
  // What only a first run does is done then: it needs the key.
  const again = `${key === undefined ? '' : 'CONNECTOR_API_KEY=<the key above> '}npm run deploy`
  for (const check of checks) {
    for (let pause = 500; ; pause = Math.min(pause * 2, 5 * SECOND)) {
      const fault = await faultOf(check, base)
      if (fault === undefined) break
      if (Date.now() + pause > until) {
        const { path, name = path, nextStep = '' } = check
        throw new CliError(
          `It is deployed, but ${name} ${fault}.`,
          `${nextStep}A new address can take some minutes: run ${again} again then, or ` +
            `npm run doctor -- --url ${url}`,
        )
      }
      await setTimeout(pause)
    }
  }
  if (!health) throw new Error('unreachable: /health was checked')
  return health
}

const ANOTHER_ADDRESS = 'does not show this address yet'

/** The address that an OpenAPI document names first. */
function serverIn(document: unknown): unknown {
  const servers = isFields(document) ? document['servers'] : undefined
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  return isFields(first) ? first['url'] : undefined
}

/** What is wrong with the answer to a check; undefined if nothing is. */
async function faultOf({ path, key, status, wrong }: LiveCheck, base: string) {
  const response = await fetch(new URL(path, base), {
    headers: signedIn(key),
    redirect: 'manual',
    signal: AbortSignal.timeout(10 * SECOND),
  }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined) return 'does not answer yet'
  if (response.status !== status) return `answers ${response.status}`
  return wrong?.(jsonIn(text))
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
  const failed = (thrown: unknown) => {
    const { message, nextStep = '' } = cliErrorOf(thrown)
    terminal.warn('Access', `not reviewed: ${message} ${nextStep}`.trimEnd())
  }
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

/**
 * Limits the changes of a day if no one has set a rule yet: the first deploy may have ended before the
 * connector answered. What the owner has lifted stays lifted. It never throws.
 */
export async function proposeRules(api: AdminClient, terminal: Terminal) {
  try {
    const { rules, allows } = await rulesOf(api, EVERYBODY)
    const { rows } = await api.list('/v1/audit', 'entries', { event: 'rules' })
    // The log keeps its entries for some time alone, and the rules stay.
    if (allows.length > 0 || rows.length > 0) return
    await api.put(`/v1/rules/${EVERYBODY}`, { ...rules, changes_a_day: PROPOSED_CHANGES_A_DAY })
    const most = `at most ${PROPOSED_CHANGES_A_DAY} changes a day in total; you can change this`
    terminal.done('Rules', most)
  } catch {
    // A key of a later run may lack the scopes for it, and there may be a limit.
    terminal.warn(
      'Rules',
      'no daily limit could be proposed: docs/operate/house-rules.md says how to set one',
    )
  }
}

interface Registered {
  webhooks: { provider: string; state: string; detail?: string }[]
}

/** Has the connector register its webhooks. It never throws: the connector also tries every day. */
export async function registerWebhooks(api: AdminClient, terminal: Terminal) {
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
