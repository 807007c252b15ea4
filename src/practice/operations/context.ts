import { Problem } from '../../core/domain/problem/problem.ts'
import {
  type KeptRules,
  RULES_TIMEOUT_MS,
  pauseRefusal,
} from '../../core/domain/rules/house-rules.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import type { AuditNote } from '../../core/ports/audit.ts'
import type { SentAs } from '../../core/ports/confirmation.ts'
import type { HouseRules } from '../../core/ports/house-rules.ts'
import type { Ports, Services } from '../../core/ports/services.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { SentKey } from './idempotency-key.ts'

/** Who calls, and through what; the same for REST and MCP. */
export interface Context {
  /** Stays the same as long as the caller does; idempotency keys belong to it. */
  caller: string
  label: string
  app: string | null
  requestId: string
  scopes: readonly Scope[]
  granted: readonly Scope[]
  /** Looks at the credential past every cache, for its end in epoch ms. Raises `unauthenticated`. */
  requireCredential(): Promise<{ expiresAt: number | null }>
  services: Pick<
    Services,
    | keyof Ports
    | 'confirmations'
    | 'events'
    | 'houseRules'
    | 'modes'
    | 'providerQuota'
    | 'subscriptions'
  >
  origin: string
  /** Writes an audit entry of a call that changed nothing, after the answer and best effort. */
  audit(note: AuditNote): void
}

/** A request, unchecked. */
export interface Request {
  fields: unknown
  path?: Record<string, string>
  key?: SentKey | undefined
  /** A tool was called: its key is an argument, it reads local times, and long answers are cut. */
  isTool?: true
  /** What the host of a tool sent in another type than the field's. */
  sentAs?: SentAs
  /** The fields are those of a query, in which numbers are digits. */
  isQuery?: true
  /** How long a commit waits for its approval, in milliseconds. */
  approvalWaitMs?: number | undefined
  /** The host can open the page of an approval, and was not asked to by this call. */
  opensPages?: boolean
  /** One of our pages asks, where a person may go back: a preview replaces the one before. */
  revisable?: true
  /** The owner tightens something: preview and commit are one call. */
  atOnce?: true | undefined
}

/** The rules of a caller; as they were last seen here, where they do not come soon. Never rejects. */
export async function rulesSoon(
  { lastCopyOf, copyOf }: HouseRules,
  caller: string,
): Promise<KeptRules[]> {
  const seen = lastCopyOf(caller)
  const asked = copyOf(caller).catch(() => seen)
  const sets = await withTimeout(asked, RULES_TIMEOUT_MS)
  return sets === 'late' ? seen : sets
}

/**
 * The result of a read, made while the house rules are asked, or after them where they paused the
 * caller when they were last seen. What it costs at the providers counts for the caller. Raises
 * `paused` whatever the read brought, and `rate_limited`.
 */
export async function unlessPaused<T>(
  {
    caller,
    services: { houseRules, practice, providerQuota },
  }: Pick<Context, 'caller' | 'services'>,
  read: () => Promise<T>,
): Promise<T> {
  const isSeenPaused = pauseRefusal(houseRules.lastCopyOf(caller), practice.timezone)
  const asked = rulesSoon(houseRules, caller)
  const refuseIfPaused = async () => {
    const paused = pauseRefusal(await asked, practice.timezone, 'read')
    if (paused) throw new Problem(paused)
  }
  if (isSeenPaused) await refuseIfPaused()
  const [rules, outcome] = await Promise.allSettled([
    refuseIfPaused(),
    providerQuota.use({ caller, use: 'read' }, read),
  ])
  if (rules.status === 'rejected') throw rules.reason
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
