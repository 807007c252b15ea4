import type { Scope } from '../domain/scopes.ts'
import type { AuditNote } from '../ports/audit.ts'
import type { Ports, Services } from '../ports/services.ts'
import { RULES_TIMEOUT_MS, pauseRefusal } from '../domain/rules/house-rules.ts'
import { Problem } from '../domain/problem/problem.ts'
import { withTimeout } from '../with-timeout.ts'

/** Who calls, and through what; the same for REST and MCP. */
export interface Context {
  /** Stays the same for as long as the caller does; idempotency keys belong to it. */
  caller: string
  label: string
  app: string | null
  requestId: string
  scopes: readonly Scope[]
  /** Those of them that the owner granted this credential by name. */
  granted: readonly Scope[]
  /** Looks at the credential again, past every cache. Gives its end (epoch ms, or null). Raises `unauthenticated`. */
  requireCredential(): Promise<{ expiresAt: number | null }>
  services: Pick<
    Services,
    keyof Ports | 'confirmations' | 'events' | 'houseRules' | 'modes' | 'subscriptions'
  >
  origin: string
  /** Writes an entry of a call that changed nothing to the audit log, after the answer and as well as it can. */
  audit(note: AuditNote): void
}

/** What came in, unchecked. */
export interface Request {
  fields: unknown
  path?: Record<string, string>
  key?: string | undefined
  /** How long a commit that nobody has approved waits for a person to decide, in milliseconds. */
  approvalWaitMs?: number | undefined
  /** Whether its host can open the page of an approval, and was not asked to by this call. */
  opensPages?: boolean
  /** A page of ours asks, on which a person may go back: a preview takes the place of the one before. */
  revisable?: true
}

/** What a read brings, asked for beside the house rules. Raises `paused`, whatever the read brought. */
export async function unlessPaused<T>(
  { caller, services: { houseRules, practice } }: Pick<Context, 'caller' | 'services'>,
  read: () => Promise<T>,
): Promise<T> {
  const asked = withTimeout(
    houseRules.copyOf(caller).catch(() => []),
    RULES_TIMEOUT_MS,
  )
  const [sets, [outcome]] = await Promise.all([asked, Promise.allSettled([read()])])
  const paused = sets === 'late' ? undefined : pauseRefusal(sets, practice.timezone)
  if (paused) throw new Problem(paused)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
