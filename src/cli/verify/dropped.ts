import { KEPT_EVENTS } from '../../core/domain/audit/leaf.ts'
import { counted } from '../../core/domain/plural.ts'
import { DAY } from '../../core/domain/time/duration.ts'
import type { NumberedLeaf, Pack } from './pack.ts'
import { type PackFinding, bad, dayOf, good, numbersOf, remark } from './report.ts'

/** The entries of which a pack has only hashes: how many, and a time (epoch ms) that all are older than. */
export type Hidden = { count: number; until: number }

/** For how many days the log has to keep an entry, and the time now, in epoch ms. */
type Expected = { retentionDays: number; now: number }

const CLOCKS_DIFFER = DAY

/** Checks that each hidden entry was dropped: a `retention` entry says so, and nothing contradicts it. */
export function checkDropped(
  { entries }: Pack,
  leaves: readonly NumberedLeaf[],
  expected: Expected,
): { finding: PackFinding; hidden?: Hidden } {
  const hidden = [...entries.keys()].filter((i) => 'hash' in entries[i]!)
  if (hidden.length === 0) return { finding: good('Dropped', 'No entry was dropped.') }
  const claims = leaves
    .filter(({ leaf }) => leaf.event === 'retention')
    .map((one) => ({ i: one.i, ...claimOf(one, leaves, expected) }))
  const sound = claims.filter(({ fault }) => fault === undefined)
  // The log drops the oldest entries first, so that no entry that it can drop comes before a dropped one.
  const firstWhole = leaves.find((one) => !isNeverDropped(one))?.i ?? Infinity
  const end = sound.reduce((most, { below }) => Math.max(most, below), 0)
  const wrong = hidden.filter((i) => i >= end || i > firstWhole)
  const claim = sound.find(({ below }) => hidden.every((i) => i < below))
  if (wrong.length > 0 || !claim) {
    const faults = claims.flatMap(({ i, fault }) =>
      fault === undefined ? [] : [`Entry ${i} ${fault}.`],
    )
    const text = `These entries are hidden, and the log has not dropped them: ${numbersOf(wrong)}.`
    return { finding: bad('Dropped', [text, ...faults.slice(-1)].join(' ')) }
  }
  const are = hidden.length === 1 ? 'is' : 'are'
  const text =
    `The oldest ${counted(hidden.length, 'entry')} ${are} hidden, until ${dayOf(claim.olderThan)}. ` +
    `Entry ${claim.i} says that they were dropped, and they had been kept for at least ` +
    `${counted(expected.retentionDays, 'day')}.`
  return {
    finding: remark('Dropped', text),
    hidden: { count: hidden.length, until: claim.olderThan },
  }
}

const isNeverDropped = ({ leaf }: NumberedLeaf) => KEPT_EVENTS.includes(leaf.event)

/** What a `retention` entry says, and its fault, if any, which continues a sentence about it. */
function claimOf(
  { i, leaf: { at, about } }: NumberedLeaf,
  leaves: readonly NumberedLeaf[],
  { retentionDays, now }: Expected,
): { below: number; olderThan: number; fault?: string } {
  const { dropped_below: below, older_than: olderThan, kept } = about ?? {}
  if (typeof below !== 'number' || typeof olderThan !== 'number' || below > i)
    return { below: 0, olderThan: 0, fault: 'does not say which entries before it were dropped' }
  const claim = { below, olderThan }
  if (at > now + CLOCKS_DIFFER)
    return { ...claim, fault: 'is of a day that has not come yet, by the clock of this computer' }
  if (!(olderThan <= at - retentionDays * DAY))
    return {
      ...claim,
      fault:
        `lets entries be dropped that were younger than ${counted(retentionDays, 'day')}; ` +
        'if the log need not keep them for so long, say for how many days',
    }
  const there = leaves.filter((one) => one.i < below)
  if (there.some(({ leaf }) => leaf.at >= olderThan))
    return { ...claim, fault: 'calls entries older than they are' }
  if (kept !== undefined && kept !== there.filter(isNeverDropped).length)
    return { ...claim, fault: 'says that more entries are never dropped than are there' }
  return claim
}
