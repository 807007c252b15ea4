import type { Context } from 'hono'
import type { Session } from '../access/session.ts'
import { SECOND } from '../domain/duration.ts'
import { within } from '../domain/within.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Clock } from './rules-words.ts'
import type { PagePath, Part, ShellView } from './shell.ts'

/** How long a part of a page may take. */
const DEADLINE = 2 * SECOND

/** Asks for a part of a page: one that fails or takes too long hides no other, since the owner comes when things are broken. */
export async function part<T>(ask: () => Promise<T>): Promise<Part<T>> {
  // Called in here, so that one that throws at once is only a part too.
  const asked = (async () => ask())()
  const found = await within(asked, DEADLINE).catch(() => 'late' as const)
  return found === 'late' ? 'unread' : found
}

/** The clock of the practice, now. */
export const clockOf = (c: Context<AppEnv>): Clock => ({
  now: Date.now(),
  zone: c.var.site().practice.timezone,
})

/** Who looks at a page, and what was done just before. */
export interface Visit {
  session: Session
  done?: string | undefined
}

/** What every page shows besides its own. */
export async function shellOf(
  c: Context<AppEnv>,
  path: PagePath,
  { session, done }: Visit,
): Promise<ShellView> {
  const { practice, modes } = c.var.site()
  const rules = await part(() => c.var.services.houseRules.all())
  const { csrf, isTrial } = session
  return { place: practice.name, path, rules, modes, csrf, clock: clockOf(c), done, isTrial }
}
