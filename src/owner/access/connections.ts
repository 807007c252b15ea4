import type { Scope } from '../../core/domain/scopes.ts'
import { utcDay } from '../../core/domain/time/time.ts'
import { type Connection, MOST_CONNECTIONS } from '../../core/ports/access.ts'
import { isDocumentAddress } from './oauth-documents.ts'

/** The values of a choice that name no single connection: it replaces none, or all of them. */
export const ANOTHER = 'none'
export const ALL = 'all'

/**
 * The grants that a new sign-in of an app replaces; undefined if the owner still has to choose. That
 * is so, too, where connections stand, of this app or of another that it may be, and the choice names
 * none of this app's.
 *
 * Several computers share one id where the app is known by a document, so a new sign-in is another
 * computer, unless the owner says otherwise. By default it replaces what may do more, since the owner
 * who allows less means all of the app; what has the same registration, since each copy registers
 * itself; and, where there are too many, what was not used for longest.
 */
export function replacedBy(
  { clientId, scopes }: { clientId: string; scopes: readonly Scope[] },
  { standing, hasAny }: { standing: readonly Connection[]; hasAny: boolean },
  choice: string | null,
): string[] | undefined {
  const replaced = new Set(
    standing.filter((one) =>
      choice === null
        ? mayMore(one, scopes) || isSameRegistration(one, clientId)
        : choice === ALL || choice === one.grantId,
    ),
  )
  const stay = standing.filter((one) => !replaced.has(one)).toSorted(byLastUse)
  const tooMany = stay.slice(0, Math.max(0, stay.length + 1 - MOST_CONNECTIONS))
  if (choice === null) for (const one of tooMany) replaced.add(one)
  else if (tooMany.length > 0) return undefined
  else if (choice !== ANOTHER && replaced.size === 0 && hasAny) return undefined
  return [...replaced].map(({ grantId }) => grantId)
}

/** Whether a connection may do all of this and more. */
const mayMore = (one: Connection, scopes: readonly string[]) =>
  one.scopes.length > scopes.length && scopes.every((scope) => one.scopes.includes(scope))

const isSameRegistration = (one: Connection, clientId: string) =>
  one.clientId === clientId && !isDocumentAddress(clientId)

const lastDay = ({ lastUsedOn, since }: Connection) => lastUsedOn ?? utcDay(since)

const byLastUse = (a: Connection, b: Connection) =>
  lastDay(a).localeCompare(lastDay(b)) || a.since - b.since
