import { RULES_PATIENCE, pauseRefusal } from '../domain/house-rules.ts'
import { Problem } from '../domain/problem.ts'
import { within } from '../domain/within.ts'
import type { Context } from './perform.ts'

/** What a read brings, asked for beside the house rules. Raises `paused`, whatever the read brought. */
export async function unlessPaused<T>(
  { caller, services: { houseRules, practice } }: Pick<Context, 'caller' | 'services'>,
  read: () => Promise<T>,
): Promise<T> {
  const asked = within(
    houseRules.setsOf(caller).catch(() => []),
    RULES_PATIENCE,
  )
  const [sets, [outcome]] = await Promise.all([asked, Promise.allSettled([read()])])
  const paused = sets === 'late' ? undefined : pauseRefusal(sets, practice.timezone)
  if (paused) throw new Problem(paused)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
