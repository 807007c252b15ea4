// @module-tag slow

import { describe, expect, it } from 'vitest'

import type { Invariant, Violation } from './auditor/invariants.ts'
import { simulate } from './simulate.ts'
import type { Policy } from './world/world.ts'
import { CAUGHT_BY, WRONG_POLICIES } from './wrong-policies.ts'

/** The first violation of one of these within so many seeds from the first one on. */
async function caught(
  policy: Policy,
  expected: readonly Invariant[],
  seeds: number,
  ignore: readonly Invariant[] = [],
  first = 1,
): Promise<Violation | undefined> {
  for (let seed = first; seed < first + seeds; seed++) {
    const { violation } = await simulate(seed, { policy, ignore })
    if (violation && expected.includes(violation.invariant)) return violation
  }
  return undefined
}

/**
 * The seed that is known to catch each, with which the search begins; the first one where there is none. When the faults change, a
 * seed means another run, and the search is longer.
 */
const SEEN_AT: Partial<Record<keyof typeof WRONG_POLICIES, number>> = {
  recordAfterCall: 4,
  sendAgainAtOnce: 12,
  timeoutIsFailure: 15,
  emptyLookIsFailure: 12,
  sharedMarker: 24,
  auditedOnce: 22,
  countsEntries: 26,
  remembersLength: 67,
  leavesGuests: 19,
  hidesLength: 17,
  forgetsLimit: 19,
  alertsNobody: 37,
  leavesFlows: 9,
  publishedOnce: 21,
  publishedBackwards: 642,
  believesWebhooks: 11,
  readsNothing: 8,
  resolvesByWebhook: 283,
  sendsOnAfterGone: 18,
  ignoresEndedKeys: 31,
  ignoresPauses: 11,
  approvesItself: 18,
  takesAnyDigest: 671,
  sendsWhatCame: 12,
  dropsAddedFields: 4,
  newerIsAbsent: 12,
}

describe('the auditor catches what looks right and is wrong', () => {
  const names = Object.keys(WRONG_POLICIES) as (keyof typeof WRONG_POLICIES)[]
  it.each(names)('%s, by the invariant it breaks', async (name) => {
    const found = await caught(WRONG_POLICIES[name], CAUGHT_BY[name], 1000, [], SEEN_AT[name])
    expect(found).toBeDefined()
  })

  it('a record after the call, by a doubled or denied effect alone', async () => {
    const ignore = ['I2', 'I6', 'I10', 'I11', 'I18'] as const
    expect(
      await caught(WRONG_POLICIES.recordAfterCall, ['I1', 'I8'], 300, ignore, 11),
    ).toBeDefined()
  })

  it('a change that is reconciled for a webhook, by a failure without any mutation', async () => {
    expect(await caught(WRONG_POLICIES.resolvesByWebhook, ['I10'], 1000, ['I3'], 855)).toBeDefined()
  })

  it.each([
    ['timeoutIsFailure', 30],
    ['emptyLookIsFailure', 135],
  ] as const)('%s, by an effect that was denied alone', async (name, first) => {
    const ignore = ['I1', 'I10', 'I16'] as const
    expect(await caught(WRONG_POLICIES[name], ['I8'], 300, ignore, first)).toBeDefined()
  })
})
