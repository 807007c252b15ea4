import { csvLine } from '../../core/domain/audit/entry.ts'
import { RETENTION_DAYS } from '../../core/domain/audit/leaf.ts'
import { merkleTreeOf } from '../../core/domain/audit/merkle-tree.ts'
import { FormatError } from '../../core/domain/audit/signed-note.ts'
import { counted } from '../../core/domain/plural.ts'
import { changeOf, checkChanges } from './changes.ts'
import { type Log, checkHeld, checkNewest } from './checkpoints.ts'
import { type Hidden, checkDropped } from './dropped.ts'
import { compareKeys, keysOf } from './keys.ts'
import { type NumberedLeaf, hashesOf, isPack, readLeaves, readPack } from './pack.ts'
import { type PackFinding, type PackReport, type Tally, bad, dayOf, remark } from './report.ts'

/** What a pack is compared with; none of it comes from the pack. */
export interface Compared {
  /** The key of the log, a vkey; empty if you have none. */
  key?: string | undefined
  held?: readonly { name: string; text: string }[]
  /** For how many days the log has to keep an entry; by default as long as a connector does. */
  retentionDays?: number | undefined
}

/** Recomputes a pack and compares it with what others hold. It never throws for the content of files. */
export async function verifyPack(bytes: Uint8Array, compared: Compared = {}): Promise<PackReport> {
  try {
    return await reportOn(bytes, compared)
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown
    const [headline, why] = isPack(bytes)
      ? [NOT_GOOD, `The pack cannot be read, or was changed. ${thrown.message}`]
      : ['This file is no pack', NO_PACK]
    const nothing = { counts: [], csv: '', notProved: notProved(false, false, undefined) }
    return { about: 'No pack', headline, isGood: false, findings: [bad('Form', why)], ...nothing }
  }
}

const NOT_GOOD = 'This pack is not good'
const NO_PACK =
  'It does not begin as every pack of an audit log does, so nothing was checked. Take the file that the ' +
  'export of the log as a pack gives, as it is: docs/audit.md says how to make one.'

async function reportOn(
  bytes: Uint8Array,
  { key = '', held = [], retentionDays = RETENTION_DAYS }: Compared,
): Promise<PackReport> {
  const pack = readPack(bytes)
  const { leaves, findings: form } = readLeaves(pack)
  const keys = await keysOf(pack, leaves, key.trim())
  const hashes = await hashesOf(pack)
  const byNumber = new Map(leaves.map(({ i, leaf }) => [i, leaf]))
  const tree = merkleTreeOf(hashes)
  const log: Log = {
    origin: pack.origin,
    hashes,
    tree,
    keys: keys.all,
    leafAt: (i) => byNumber.get(i),
  }

  const [whole, newest] = await checkNewest(log, pack.checkpoint)
  const others = await checkHeld(log, held)
  const checkpoints = newest ? [newest, ...others.checkpoints] : others.checkpoints
  const dropped = checkDropped(pack, leaves, { retentionDays, now: Date.now() })
  const findings = [
    ...form,
    whole,
    ...keys.faults,
    ...compareKeys(keys, checkpoints, newest),
    ...others.findings,
    dropped.finding,
    ...(await checkChanges(leaves, dropped.hidden?.until)),
    reviewsIn(leaves),
  ]
  const isGood = findings.every(({ verdict }) => verdict !== 'bad')
  const all = counted(hashes.length, 'entry')
  const last = leaves.at(-1)
  const reach = last ? `, the last of ${dayOf(last.leaf.at)}` : ''
  return {
    about: `${pack.origin}, ${all}${reach}; according to the pack, made on ${pack.madeAt}`,
    headline: headlineOf(isGood, hashes.length, dropped.hidden),
    isGood,
    findings: findings.toSorted(
      (one, other) => Number(other.verdict === 'bad') - Number(one.verdict === 'bad'),
    ),
    counts: countsOf(leaves, pack.names),
    csv: changesAsCsv(leaves, pack.names),
    notProved: notProved(keys.given !== undefined, others.checkpoints.length > 0, dropped.hidden),
  }
}

function reviewsIn(leaves: readonly NumberedLeaf[]): PackFinding {
  const all = leaves.filter(({ leaf }) => leaf.event === 'review')
  const last = all.at(-1)?.leaf
  if (!last) return remark('Reviews', 'No review of this log was noted.')
  const upTo = last.about?.['up_to']
  const reach = typeof upTo === 'number' ? `, up to entry ${upTo}` : ''
  return remark(
    'Reviews',
    `${counted(all.length, 'review')} noted, the last on ${dayOf(last.at)}${reach}.`,
  )
}

function headlineOf(isGood: boolean, size: number, hidden?: Hidden) {
  if (!isGood) return NOT_GOOD
  const whole = 'Nothing is wrong with this pack'
  if (!hidden) return whole
  const are = hidden.count === 1 ? 'is' : 'are'
  return (
    `${whole}; ${hidden.count} of its ${counted(size, 'entry')} ${are} hidden, ` +
    `until ${dayOf(hidden.until)}`
  )
}

const HIDDEN_NOT_PROVED =
  'What the hidden entries say, and that they are as old as the log says: an earlier pack ' +
  'or a receipt shows that.'

const notProved = (isKeyCompared: boolean, hasHeld: boolean, hidden: Hidden | undefined) => [
  ...(isKeyCompared
    ? []
    : ['Whose log this is: the key was not compared with one that you trust.']),
  hasHeld
    ? 'What came after the newest checkpoint that you gave: the owner, who has the key, can ' +
      'still rewrite that.'
    : 'That the owner, who has the key, did not rewrite the whole log: only checkpoints that ' +
      'others hold show that.',
  'That the pack is the newest: it can be cut back to any earlier checkpoint, and a ' +
    'checkpoint has no date. Export it yourself, or compare it with the newest checkpoint ' +
    'that anyone has.',
  ...(hidden ? [HIDDEN_NOT_PROVED] : []),
  'That the log is complete: changes made directly at the calendar or payment provider are ' +
    'not in it, and a changed program could have written nothing. ' +
    'Compare the list of changes with exports from the providers.',
  'That no second log is kept beside this one: compare your checkpoints with those of others.',
  'That a person agreed, where the caller confirmed alone; and who held a passkey, where one was used.',
  'When exactly something happened: the times are by the connector’s own clock. ' +
    'A checkpoint that you kept shows that what it covers is not younger than the day on which you got it.',
  'Which program ran; and the names and dates of callers in the head of the pack, which no signature covers.',
]

/** How often each event, caller and month occurs. */
const countsOf = (
  leaves: readonly NumberedLeaf[],
  names: ReadonlyMap<string, string>,
): PackReport['counts'] => [
  { title: 'By event', rows: tally(leaves, ({ leaf }) => leaf.event) },
  { title: 'By caller', rows: tally(leaves, ({ leaf: { caller } }) => named(caller, names)) },
  {
    title: 'By month',
    rows: tally(leaves, ({ leaf }) => isoOf(leaf.at).slice(0, 7)).sort(([one], [other]) =>
      one < other ? 1 : -1,
    ),
  },
]

const named = (caller: string, names: ReadonlyMap<string, string>) =>
  names.has(caller) ? `${caller} (${names.get(caller)})` : caller

function tally(leaves: readonly NumberedLeaf[], nameOf: (one: NumberedLeaf) => string): Tally {
  const times = new Map<string, number>()
  for (const one of leaves) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + one.leaf.times)
  return [...times].sort(([, one], [, other]) => other - one)
}

const COLUMNS =
  'index occurred_at operation record_id caller app approved approved_by request_id'.split(' ')

/** The changes that were made, as CSV, to compare them with exports of calendar and payment provider. */
function changesAsCsv(leaves: readonly NumberedLeaf[], names: ReadonlyMap<string, string>) {
  const approvals = leaves.filter(
    ({ leaf }) => leaf.event === 'approval' && leaf.code === 'approved',
  )
  const approvedBy = new Map(
    approvals.map(({ leaf }) => [changeOf(leaf), named(leaf.caller, names)]),
  )
  const rows = leaves
    .filter(({ leaf }) => leaf.event === 'commit' && leaf.code === 'committed')
    .map(({ i, leaf }) => {
      const { at, operation, record_id, caller, app, about, request_id } = leaf
      const approved = about?.['approved']
      const by = approved === 'person' ? approvedBy.get(changeOf(leaf)) : null
      return [i, isoOf(at), operation, record_id, caller, app, approved, by, request_id]
    })
  return [COLUMNS, ...rows].map(csvLine).join('')
}

const isoOf = (at: number) => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at))
