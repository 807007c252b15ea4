import { setTimeout } from 'node:timers/promises'

import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { isFields } from '../../core/json.ts'
import { type Check, Failed, runChecks } from '../../owner/health/check-runner.ts'
import { type AdminClient, type Health, healthOf, rulesOf, signedIn } from '../admin-client.ts'
import { CliError, type Terminal, cliErrorOf } from '../command.ts'
import { PROBES, type Probe, probeOf } from '../doctor/probes.ts'
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

/** That apps sign in at this address, and that calls need a key, of which the new one is good. */
const ADMISSION: Check<Probe> = {
  id: 'admission',
  what: 'Who is let in',
  fix: '',
  needs: ['address'],
  async run({ ask, key, origin }) {
    const { json } = await ask('/.well-known/oauth-protected-resource/mcp')
    if (!isFields(json) || json['resource'] !== `${origin}/mcp`)
      throw new Failed('The sign-in for apps does not show this address.')
    const { status } = await ask('/v1/me')
    if (status !== 401) throw new Failed(`A call without a key has to be refused: ${status}.`)
    if (key === undefined) return 'It asks for one.'
    const me = await ask('/v1/me', { headers: signedIn(key) })
    if (me.status === 200) return 'It knows the new one.'
    throw new Failed(
      `The key above is answered ${me.status}. ` +
        'If it stays refused, npm run deploy -- --new-key makes another.',
    )
  },
}

/** The address as the doctor checks it. What else it checks may need rules elsewhere, or a passkey. */
const CHECKS = [...PROBES.filter(({ id }) => id === 'address'), ADMISSION]

/** Waits until the connector answers as it should. Raises `CliError` once the time is up. */
export async function checkLive({ url, base, key, patienceMs }: LiveConnector): Promise<Health> {
  const until = Date.now() + patienceMs
  // What only a first run does is done then: it needs the key.
  const again = `${key === undefined ? '' : 'CONNECTOR_API_KEY=<the key above> '}npm run deploy`
  const reach: typeof fetch = (address, init) =>
    fetch(new URL(new URL(address as URL).pathname, base), init)
  for (let pause = 500; ; pause = Math.min(pause * 2, 5 * SECOND)) {
    const found = await runChecks(CHECKS, probeOf(new URL(url), key, reach))
    const fault = found.find(({ state }) => state !== 'ok')
    if (!fault) return healthOf(base)
    if (Date.now() + pause > until)
      throw new CliError(
        `It is deployed, but not all is right yet. ${fault.what}: ${fault.found}`,
        `A new address can take some minutes: run ${again} again then, or ` +
          `npm run doctor -- --url ${url}`,
      )
    await setTimeout(pause)
  }
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
