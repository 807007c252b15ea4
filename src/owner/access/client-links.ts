import type { AppContext } from '../../api/http/app-env.ts'
import { Problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'
import { DAY } from '../../core/domain/time/duration.ts'
import { instantOf } from '../../core/domain/time/time.ts'
import { withdrawClientLink } from '../../practice/operations/complete-client-link.ts'
import { type KeptLink, isUsable, keptLinkOf } from '../../practice/operations/invite-client.ts'
import { practiceMode } from '../../practice/operations/operation.ts'
import { performUnderLink } from '../../practice/operations/perform.ts'

/** The longest that a link is open, with a day to spare. */
const OPEN_FOR = 15 * DAY
const PAGE = 200
/** What one request withdraws; each is a call of its own, and the platform bounds those of a request. */
export const MOST_LINKS = 300
const AT_ONCE = 6

/** The links of a caller that can still be used, the newest first, `MOST_LINKS` at most. */
export async function openLinksOf(c: AppContext, caller: string): Promise<KeptLink[]> {
  const { records, modes, now } = c.var.services
  const open: KeptLink[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const page = await records.newest('client_link', practiceMode(modes), before, PAGE)
    for (const { value, ended } of page) {
      const link = keptLinkOf(value)
      const isOpen = !ended && isUsable(link, now())
      if (isOpen && link.made_by === caller && open.length < MOST_LINKS) open.push(link)
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE || open.length === MOST_LINKS) return open
    if (instantOf(keptLinkOf(last.value).expires_at) < now() - OPEN_FOR) return open
    before = last.seq
  }
}

/**
 * Ends a link at once; false if it was used, has ended, or a commit is running. Raises what is no
 * such refusal.
 */
export async function withdraw(c: AppContext, link_id: string): Promise<boolean> {
  try {
    await performUnderLink(withdrawClientLink, { link_id }, c.var, { atOnce: true })
    return true
  } catch (thrown) {
    if (thrown instanceof Problem && PROBLEMS[thrown.refusal.code].status < 500) return false
    throw thrown
  }
}

/**
 * Ends the open links of a caller; how many it ended. One that cannot be ended just now keeps no
 * other from its end.
 */
export async function withdrawLinksOf(c: AppContext, caller: string): Promise<number> {
  const links = (await openLinksOf(c, caller)).map(({ link_id }) => link_id)
  let count = 0
  while (links.length > 0) {
    const some = links.splice(0, AT_ONCE)
    const done = await Promise.allSettled(some.map((one) => withdraw(c, one)))
    count += done.filter((one) => one.status === 'fulfilled' && one.value).length
  }
  return count
}
