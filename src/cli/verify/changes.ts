import { APPROVED_BY, type ApprovedBy } from '../../core/domain/audit/entry.ts'
import type { AuditLeaf } from '../../core/domain/audit/leaf.ts'
import { counted, nounFor } from '../../core/domain/plural.ts'
import type { NumberedLeaf } from './pack.ts'
import { checkApproval, passkeysOf } from './passkeys.ts'
import { type PackFinding, bad, good, remark, numbersOf } from './report.ts'

/** A preview can be this much older than its commit entry: for so long the outcome was looked for. */
const PREVIEW_BEFORE = 30 * 86_400_000

/** A preview that waits for a person goes by rules that were read up to this long before it. */
const RULES_BEFORE = 3_600_000

/**
 * Checks that each change was previewed, and approved where that was needed. Where entries were dropped, all
 * entries from `keptSince` (epoch ms) on are there.
 */
export async function checkChanges(
  leaves: readonly NumberedLeaf[],
  keptSince: number | undefined,
): Promise<PackFinding[]> {
  const commits = leaves.filter(({ leaf }) => leaf.event === 'commit')
  const previews = new Map<string, AuditLeaf>()
  const uncounted = new Set<string | null>()
  for (const { leaf } of leaves)
    if (leaf.event === 'preview') {
      previews.set(changeOf(leaf), leaf)
      // A flow that could not deliver its entries for long counts repeated previews in one entry.
      if (leaf.times > 1) uncounted.add(leaf.operation_id)
    }
  const isPreviewed = (leaf: AuditLeaf) =>
    previews.has(changeOf(leaf)) || uncounted.has(leaf.operation_id)
  const mayBeDropped = ({ leaf }: NumberedLeaf) =>
    keptSince !== undefined && leaf.at - PREVIEW_BEFORE < keptSince
  const lacking = commits.filter(({ leaf }) => !isPreviewed(leaf))
  return [
    ...found(lacking, mayBeDropped, {
      check: 'Previews',
      fault: 'Committed without a preview',
      allIsWell: 'Each commit has the preview that it was made from.',
    }),
    ...(await approvals(leaves, commits, previews, mayBeDropped)),
  ]
}

async function approvals(
  leaves: readonly NumberedLeaf[],
  commits: readonly NumberedLeaf[],
  previews: ReadonlyMap<string, AuditLeaf>,
  mayBeDropped: (one: NumberedLeaf) => boolean,
): Promise<PackFinding[]> {
  const made = commits.filter(({ leaf }) => leaf.code === 'committed')
  const by = (level: ApprovedBy): NumberedLeaf[] =>
    made.filter(({ leaf }) => leaf.about?.['approved'] === level)
  const levels = Object.keys(APPROVED_BY) as ApprovedBy[]
  const approvedBy = levels.map((level) => `${by(level).length} ${APPROVED_BY[level]}`)
  const unsaid = made.length - levels.reduce((sum, level) => sum + by(level).length, 0)
  if (unsaid > 0) approvedBy.push(`${unsaid} by someone whom this verifier does not know`)

  const needed = made.filter(
    ({ leaf }) =>
      previews.get(changeOf(leaf))?.code === 'approval_needed' &&
      leaf.about?.['approved'] !== 'person',
  )
  const lifted = changesOf(leaves.filter(({ leaf }) => isLifted(leaf)))
  const unasked = by('agent').filter(({ leaf }) => lifted.has(changeOf(leaf)))
  const noCause =
    'Said that no rule asks for a person any more, and no rules were changed before it'
  const refused = leaves.filter(({ leaf }) => leaf.event === 'approval' && leaf.code === 'declined')
  const declined = changesOf(refused)
  const despite = made.filter(({ leaf }) => declined.has(changeOf(leaf)))
  const given = leaves.filter(({ leaf }) => leaf.event === 'approval' && leaf.code === 'approved')
  const approved = changesOf(given)
  const people = commits.filter(({ leaf }) => leaf.about?.['approved'] === 'person')
  const alone = people.filter(({ leaf }) => !approved.has(changeOf(leaf)))
  const unapproved = {
    check: 'Approval',
    fault: 'Marked as approved by a person, but there is no approval',
    allIsWell: 'Each change that is marked as approved has the approval of a person.',
  }
  const findings = [
    remark('Approval', `${counted(made.length, 'change')} made: ${approvedBy.join('; ')}.`),
    ...noted(
      bad('Approval', 'A person had to approve, and the commit says that no one did:'),
      needed,
    ),
    ...noted(
      remark(
        'Approval',
        'A person had to approve at first, and no one did: the log says that no rule asked ' +
          'for it any more. Compare the rules before',
      ),
      unasked,
    ),
    ...found(liftedWithoutCause(leaves), mayBeDropped, { check: 'Approval', fault: noCause }),
    ...noted(bad('Approval', 'Made although a person had declined:'), despite),
    ...(people.length > 0 ? found(alone, mayBeDropped, unapproved) : []),
  ]

  const passkeys = passkeysOf(leaves.map(({ leaf }) => leaf))
  const hosts = new Set<string>()
  let faults = 0
  for (const { i, leaf } of given) {
    const checked = await checkApproval(leaf, passkeys)
    if ('host' in checked) hosts.add(checked.host)
    else if ((faults += 1) <= 10)
      findings.push(bad('Passkeys', `Approval ${i} proves nothing: ${checked.fault}.`))
  }
  const are = given.length === 1 ? 'is' : 'are'
  const signed = `${counted(given.length, 'approval')} ${are} signed by a passkey of this log`
  if (given.length > 0 && faults === 0)
    findings.push(
      good('Passkeys', `${signed} for exactly what was shown, on ${[...hosts].join(', ')}.`),
    )
  return findings
}

const changesOf = (entries: readonly NumberedLeaf[]): Set<string> =>
  new Set(entries.map(({ leaf }) => changeOf(leaf)))

const isLifted = (leaf: AuditLeaf) => leaf.event === 'preview' && leaf.code === 'approval_lifted'

/** Lifted approvals without a change of rules since the preview; a change is logged before it holds. */
function liftedWithoutCause(leaves: readonly NumberedLeaf[]): NumberedLeaf[] {
  const askedAt = new Map<string, number>()
  let changedAt = -Infinity
  return leaves.filter(({ leaf }) => {
    if (leaf.event === 'rules') changedAt = Math.max(changedAt, leaf.at)
    if (leaf.code === 'approval_needed') askedAt.set(changeOf(leaf), leaf.at)
    const since = (askedAt.get(changeOf(leaf)) ?? -Infinity) - RULES_BEFORE
    return isLifted(leaf) && changedAt < since
  })
}

/**
 * A finding for entries that lack something, and one for those whose counterpart may have been
 * dropped; `allIsWell` where there are none.
 */
function found(
  lacking: readonly NumberedLeaf[],
  mayBeDropped: (one: NumberedLeaf) => boolean,
  { check, fault, allIsWell }: { check: string; fault: string; allIsWell?: string },
): PackFinding[] {
  const dropped = 'What came before was dropped, so this cannot be compared:'
  const certain = lacking.filter((one) => !mayBeDropped(one))
  const findings = [
    ...noted(bad(check, `${fault}:`), certain),
    ...noted(remark(check, dropped), lacking.filter(mayBeDropped)),
  ]
  return findings.length > 0 || allIsWell === undefined ? findings : [good(check, allIsWell)]
}

/** A finding with the numbers of the entries that it is about; nothing where there are none. */
function noted(finding: PackFinding, about: readonly NumberedLeaf[]): PackFinding[] {
  if (about.length === 0) return []
  const entries = nounFor(about.length, 'entry')
  return [{ ...finding, text: `${finding.text} ${entries} ${numbersOf(about.map(({ i }) => i))}.` }]
}

/** The link between a preview, its approval and its commit: the change, and the digest of what was shown. */
export const changeOf = ({ operation_id, about }: AuditLeaf) =>
  `${operation_id}|${String(about?.['shown'] ?? '')}`
