import { Problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, type ProblemCode } from '../../core/domain/problem/problems.ts'

/** A condition that must hold for the connector to work. */
export interface Check<Seen> {
  id: string
  what: string
  fix: string
  /** The checks that must pass first; if one does not, this check is not made. */
  needs?: readonly string[]
  /** Returns what it found. Throws `Failed`, `Missing` or `NotChecked`; any other error counts as failed. */
  run(seen: Seen): Promise<string>
}

export interface Finding {
  id: string
  what: string
  /** `missing`: it works, and something that only the owner can set up is not there. */
  state: 'ok' | 'failed' | 'missing' | 'not_checked'
  found: string
  /** What to do about a failure, or about what is missing. */
  fix?: string
  /** The code with which a provider or the settings refused. */
  code?: ProblemCode
}

/** The condition does not hold; `fix` replaces that of the check. */
export class Failed extends Error {
  readonly state: 'failed' | 'missing' = 'failed'
  readonly fix: string | undefined

  constructor(found: string, fix?: string) {
    super(found)
    this.fix = fix
  }
}

/** It works, and something that only the owner can set up is not there. */
export class Missing extends Failed {
  override readonly state = 'missing'
}

/** The check could not run, and why; that is no failure. */
export class NotChecked extends Error {}

/** Runs all checks at once, each after those that it needs, some of them from `earlier`. It never throws. */
export async function runChecks<Seen>(
  checks: readonly Check<Seen>[],
  seen: Seen,
  earlier: readonly Finding[] = [],
): Promise<Finding[]> {
  const running = new Map<string, Promise<Finding>>()
  const findingOf = (check: Check<Seen>): Promise<Finding> => {
    const known = running.get(check.id) ?? examined(check)
    running.set(check.id, known)
    return known
  }
  const examined = async (check: Check<Seen>): Promise<Finding> => {
    const { id, what } = check
    const needed = checks.filter((other) => check.needs?.includes(other.id)).map(findingOf)
    const known = earlier.filter((finding) => check.needs?.includes(finding.id))
    const bad = [...known, ...(await Promise.all(needed))].find(({ state }) => state !== 'ok')
    if (bad) return { id, what, state: 'not_checked', found: `Not without “${bad.what}”.` }
    try {
      return { id, what, state: 'ok', found: await check.run(seen) }
    } catch (thrown) {
      return { id, what, ...failureOf(thrown, check.fix) }
    }
  }
  return Promise.all(checks.map(findingOf))
}

/** What was thrown, in our words; an unexpected error is not described. */
function failureOf(thrown: unknown, fix: string): Omit<Finding, 'id' | 'what'> {
  if (thrown instanceof NotChecked) return { state: 'not_checked', found: thrown.message }
  if (thrown instanceof Failed)
    return { state: thrown.state, found: thrown.message, fix: thrown.fix ?? fix }
  if (!(thrown instanceof Problem)) return { state: 'failed', found: 'It could not be done.', fix }
  const { code, detail } = thrown.refusal
  return { state: 'failed', found: detail ?? PROBLEMS[code].detail, fix, code }
}
