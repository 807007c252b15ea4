import * as z from 'zod'

import { EVERYBODY } from '../../core/domain/rules/house-rules.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import { type RulesShown, rulesIn } from '../rules-shown.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompts } from './target.ts'

/** The address for the requests, and the key of the owner. */
type Owner = { base: string; key: string }

/** Sends a request of the owner to the deployed connector, which has a minute to answer. */
const ask = (
  { base, key }: Owner,
  method: string,
  path: string,
  body?: object,
): Promise<Response> =>
  fetch(new URL(path, base), {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(MINUTE),
  })

const reviewSchema = z.object({
  unreviewed: z.array(
    z.object({ kind: z.string(), id: z.string(), name: z.string(), created_at: z.string() }),
  ),
})

type Review = Owner & { terminal: Terminal; prompts: Prompts | undefined }

/**
 * Lists the keys and apps from before a provider was live, and ends those that the person does not know.
 * The doctor still lists those without a decision. It raises an error only if the person cancels.
 */
export async function reviewAccess({ terminal, prompts, ...owner }: Review): Promise<void> {
  const review = async (body: { end?: string[]; keep?: string[] }) => {
    const response = await ask(owner, 'POST', '/v1/admin/access-review', body)
    const answer: unknown = await response.json()
    if (response.ok) return reviewSchema.parse(answer).unreviewed
    const { detail, next_step } = z
      .looseObject({ detail: z.string(), next_step: z.string() })
      .parse(answer)
    throw new Error(`${detail} ${next_step}`)
  }
  const failed = (thrown: unknown) =>
    terminal.warn(
      'Access',
      `not reviewed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    )
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
export const PROPOSED_CHANGES_A_DAY = 100

/** Limits the changes of a day if the connector has no rules yet; else `as it was`. It never throws. */
export async function proposeRules(owner: Owner): Promise<'set' | 'as it was' | 'failed'> {
  try {
    const listed = await ask(owner, 'GET', '/v1/rules')
    if (!listed.ok) return 'failed'
    const { rules } = (await listed.json()) as { rules: RulesShown[] }
    const everybody = rules.find(({ caller }) => caller === EVERYBODY)
    if (!everybody || everybody.allows.length > 0) return 'as it was'
    const wanted = { ...rulesIn(everybody), changes_a_day: PROPOSED_CHANGES_A_DAY }
    return (await ask(owner, 'PUT', `/v1/rules/${EVERYBODY}`, wanted)).ok ? 'set' : 'failed'
  } catch {
    return 'failed'
  }
}

const webhooksSchema = z.object({
  webhooks: z.array(
    z.object({ provider: z.string(), state: z.string(), detail: z.string().optional() }),
  ),
})

/** The state of the webhook of each provider that is no mock. */
export type RegisteredWebhooks = z.infer<typeof webhooksSchema>['webhooks']

/** Has the connector register its webhooks. It never throws: the connector also tries every day. */
export async function registerWebhooks(owner: Owner): Promise<RegisteredWebhooks | 'failed'> {
  try {
    const response = await ask(owner, 'POST', '/v1/admin/provider-webhooks')
    return response.ok ? webhooksSchema.parse(await response.json()).webhooks : 'failed'
  } catch {
    return 'failed'
  }
}
