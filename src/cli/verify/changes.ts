import type { AuditLeaf } from '../../domain/audit/leaf.ts'
import type { NumberedLeaf } from './leaves.ts'
import { checkApproval, passkeysOf } from './passkeys.ts'
import { type PackFinding, bad, counted, good, remark, numbersOf } from './report.ts'

/** The preview of a commit can be older by this much: so long is the longest that its outcome was looked for. */
const PREVIEW_BEFORE = 30 * 86_400_000

/** A preview that waits for a person was made under rules that were read up to so long before it. */
const RULES_BEFORE = 3_600_000

/**
 * Checks what the entries say of the changes: that each was previewed, and that whoever had to approve it did. Where
 * entries were dropped, `keptSince` is the time from which on all are there.
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
      // Where a flow could not deliver its entries for long, repeated previews were counted in one.
      if (leaf.times > 1) uncounted.add(leaf.operation_id)
    }
  const isPreviewed = (leaf: AuditLeaf): boolean =>
    previews.has(changeOf(leaf)) || uncounted.has(leaf.operation_id)
  const mayBeDropped = ({ leaf }: NumberedLeaf): boolean =>
    keptSince !== undefined && leaf.at - PREVIEW_BEFORE < keptSince
  const lacking = commits.filter(({ leaf }) => !isPreviewed(leaf))
  return [
    ...found(
      'Previews',
      lacking,
      mayBeDropped,
      'Committed without a preview',
      'Each commit has the preview that it was made from.',
    ),
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
  const by = (level: string): NumberedLeaf[] => made.filter(({ leaf }) => leaf.about?.['approved'] === level)
  const [byPerson, byAgent] = [by('person'), by('agent')]
  const unsaid = made.length - byPerson.length - byAgent.length
  const findings = [
    remark(
      'Approval',
      `${counted(made.length, 'change')} made: ${byPerson.length} approved by a person with a passkey, ${byAgent.length} confirmed by the caller alone, which does not prove that a person agreed${unsaid > 0 ? `, ${unsaid} without a word about it` : ''}.`,
    ),
  ]

  const needed = made.filter(
    ({ leaf }) =>
      previews.get(changeOf(leaf))?.code === 'approval_needed' && leaf.about?.['approved'] !== 'person',
  )
  if (needed.length > 0)
    findings.push(
      bad('Approval', `A person had to approve, and the commit says that no one did: ${listed(needed)}.`),
    )

  const lifted = changesOf(leaves.filter(({ leaf }) => isLifted(leaf)))
  const unasked = byAgent.filter(({ leaf }) => lifted.has(changeOf(leaf)))
  if (unasked.length > 0)
    findings.push(
      remark(
        'Approval',
        `A person had to approve at first, and no one did: the log says that no rule asked for it any more. Compare the rules before ${listed(unasked)}.`,
      ),
    )
  const causeless = liftedWithoutCause(leaves)
  if (causeless.length > 0)
    findings.push(
      ...found(
        'Approval',
        causeless,
        mayBeDropped,
        'Said that no rule asks for a person any more, and no rules were changed before it',
        '',
      ),
    )

  const refused = leaves.filter(({ leaf }) => leaf.event === 'approval' && leaf.code === 'declined')
  const declined = changesOf(refused)
  const despite = made.filter(({ leaf }) => declined.has(changeOf(leaf)))
  if (despite.length > 0)
    findings.push(bad('Approval', `A person declined, and it was made: ${listed(despite)}.`))

  const given = leaves.filter(({ leaf }) => leaf.event === 'approval' && leaf.code === 'approved')
  const approved = changesOf(given)
  const people = commits.filter(({ leaf }) => leaf.about?.['approved'] === 'person')
  const alone = people.filter(({ leaf }) => !approved.has(changeOf(leaf)))
  if (people.length > 0)
    findings.push(
      ...found(
        'Approval',
        alone,
        mayBeDropped,
        'Said to be approved by a person, and no approval is there',
        'Each change that says so has the approval of a person.',
      ),
    )

  const passkeys = passkeysOf(leaves.map(({ leaf }) => leaf))
  const hosts = new Set<string>()
  let faults = 0
  for (const { i, leaf } of given) {
    const checked = await checkApproval(leaf, passkeys)
    if ('host' in checked) hosts.add(checked.host)
    else if ((faults += 1) <= 10)
      findings.push(bad('Passkeys', `Approval ${i} proves nothing: ${checked.fault}.`))
  }
  if (given.length > 0 && faults === 0)
    findings.push(
      good(
        'Passkeys',
        `${counted(given.length, 'approval is', 'approvals are')} signed by a passkey of this log for exactly what was shown, on ${[...hosts].join(', ')}.`,
      ),
    )
  return findings
}

const changesOf = (entries: readonly NumberedLeaf[]): Set<string> =>
  new Set(entries.map(({ leaf }) => changeOf(leaf)))

const isLifted = (leaf: AuditLeaf): boolean => leaf.event === 'preview' && leaf.code === 'approval_lifted'

/** Where no rules were changed between the preview that waited and this entry: what loosens them is logged before it holds. */
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

/** One finding for what is certainly missing and one for what may have been dropped; otherwise that all is well. */
function found(
  check: string,
  lacking: readonly NumberedLeaf[],
  mayBeDropped: (one: NumberedLeaf) => boolean,
  fault: string,
  allIsWell: string,
): PackFinding[] {
  const certain = lacking.filter((one) => !mayBeDropped(one))
  const perhaps = lacking.filter(mayBeDropped)
  const findings = [
    ...(certain.length > 0 ? [bad(check, `${fault}: ${listed(certain)}.`)] : []),
    ...(perhaps.length > 0
      ? [remark(check, `What came before was dropped, so this cannot be compared: ${listed(perhaps)}.`)]
      : []),
  ]
  return findings.length > 0 ? findings : [good(check, allIsWell)]
}

const listed = (entries: readonly NumberedLeaf[]): string =>
  `${entries.length === 1 ? 'entry' : 'entries'} ${numbersOf(entries.map(({ i }) => i))}`

/** What ties a preview, its approval and its commit together: the change, and the digest of what was shown. */
export const changeOf = ({ operation_id, about }: AuditLeaf): string =>
  `${operation_id}|${String(about?.['shown'] ?? '')}`
