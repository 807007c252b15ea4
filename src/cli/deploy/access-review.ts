import * as z from 'zod'
import { SECOND } from '../../domain/time/duration.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompts } from './account.ts'

const answerSchema = z.object({
  unreviewed: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string(), since: z.string() })),
})

interface Review {
  /** Where to send the requests. */
  base: string
  key: string
  terminal: Terminal
  /** Undefined if nobody is at a terminal. */
  prompts: Prompts | undefined
}

/**
 * Names the keys and apps that were let in while every provider was a mock, and ends those that the person at the terminal
 * does not know. What nobody decides here the doctor goes on to name. Never raises but for a person who cancels it.
 */
export async function reviewAccess({ base, key, terminal, prompts }: Review): Promise<void> {
  const ask = async (body: { end?: string[]; keep?: string[] }) => {
    const response = await fetch(new URL('/v1/admin/access-review', base), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60 * SECOND),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answerSchema.parse(answer).unreviewed
    const { detail, next_step } = z.looseObject({ detail: z.string(), next_step: z.string() }).parse(answer)
    throw new Error(`${detail} ${next_step}`)
  }
  const failed = (thrown: unknown) =>
    terminal.warn('Access', `not reviewed: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  const found = await ask({}).catch(failed)
  if (!found || found.length === 0) return
  terminal.heading('Let in while every provider was a mock; now they act on the real ones')
  const labelled = found.map(({ kind, id, name, since }) => ({
    value: id,
    label: `${kind} “${name}”, since ${since.slice(0, 10)}`,
  }))
  for (const { label } of labelled) terminal.line(`  ${label}`)
  if (!prompts)
    return terminal.warn(
      'Access',
      'end those whom you do not know: run this at a terminal, or open the console',
    )
  const end = await prompts.pick('Which of them do you not know? They are ended.', labelled)
  const keep = found.flatMap(({ id }) => (end.includes(id) ? [] : [id]))
  const left = await ask({ end, keep }).catch(failed)
  if (left) terminal.done('Access', `${end.length} ended, ${keep.length} kept`)
}
