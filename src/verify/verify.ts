import { sha256Bytes } from '../crypto/encoding.ts'
import { FormatError } from '../domain/signed-note.ts'
import { merkleTreeOf } from '../domain/merkle-tree.ts'
import { checkAnchors } from './anchors.ts'
import { checkChanges } from './changes.ts'
import type { Log } from './checkpoints.ts'
import { checkHeld, checkNewest } from './held.ts'
import { compareKeys, keysOf } from './keys.ts'
import { type NumberedLeaf, checkDropped, firstKept, hashesOf, readLeaves } from './leaves.ts'
import { readPack } from './pack.ts'
import { type PackFinding, type PackReport, bad, counted, dayOf, remark } from './report.ts'
import { changesAsCsv, countsOf } from './summary.ts'

/** What a pack is compared with; none of it comes from the pack. */
export interface Compared {
  /** The key of the log, a vkey; empty where there is none to compare with. */
  key?: string | undefined
  /** Checkpoints and receipts that somebody kept, under names for the report. */
  held?: readonly { name: string; text: string }[]
}

/** Recomputes all that a pack says, and compares it with what others hold. Throws on nothing that the files contain. */
export async function verifyPack(bytes: Uint8Array, compared: Compared = {}): Promise<PackReport> {
  try {
    return await reportOn(bytes, compared)
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown
    const findings = [bad('Form', `The pack cannot be read, or was changed. ${thrown.message}`)]
    return {
      about: 'No pack',
      isGood: false,
      findings,
      counts: [],
      csv: '',
      timestamps: [],
      notProved: notProved(false, false),
    }
  }
}

async function reportOn(bytes: Uint8Array, { key = '', held = [] }: Compared): Promise<PackReport> {
  const pack = readPack(bytes)
  const { leaves, findings: form } = readLeaves(pack)
  const keys = await keysOf(pack, leaves, key.trim())
  const hashes = await hashesOf(pack)
  const byNumber = new Map(leaves.map(({ i, leaf }) => [i, leaf]))
  const tree = merkleTreeOf(sha256Bytes, hashes)
  const log: Log = { origin: pack.origin, hashes, tree, keys: keys.all, leafAt: (i) => byNumber.get(i) }

  const [whole, newest] = await checkNewest(log, pack.checkpoint)
  const anchors = await checkAnchors(log, pack.anchors)
  const others = await checkHeld(log, held)
  const outside = [...anchors.checkpoints, ...others.checkpoints]
  const checkpoints = 'fault' in newest ? outside : [newest, ...outside]
  const isPartial = pack.entries.some((entry) => 'hash' in entry)
  const findings = [
    ...form,
    whole,
    ...keys.faults,
    ...compareKeys(keys, checkpoints, newest),
    ...anchors.findings,
    ...others.findings,
    checkDropped(pack, leaves),
    ...(await checkChanges(leaves, isPartial ? (firstKept(leaves)?.leaf.at ?? Infinity) : undefined)),
    reviewsIn(leaves),
  ]
  const all = counted(hashes.length, 'entry', 'entries')
  return {
    about: `${pack.origin}, ${all}, said to be made on ${pack.madeAt}`,
    isGood: findings.every(({ verdict }) => verdict !== 'bad'),
    // What is wrong comes first.
    findings: findings.toSorted(
      (one, other) => Number(other.verdict === 'bad') - Number(one.verdict === 'bad'),
    ),
    counts: countsOf(leaves, pack.names),
    csv: changesAsCsv(leaves),
    timestamps: anchors.timestamps,
    notProved: notProved(keys.given !== undefined, others.checkpoints.length > 0),
  }
}

function reviewsIn(leaves: readonly NumberedLeaf[]): PackFinding {
  const all = leaves.filter(({ leaf }) => leaf.event === 'review')
  const last = all.at(-1)?.leaf
  if (!last) return remark('Reviews', 'Nobody has noted a review of this log.')
  const upTo = last.about?.['up_to']
  const reach = typeof upTo === 'number' ? `, up to entry ${upTo}` : ''
  return remark('Reviews', `${counted(all.length, 'review')} noted, the last on ${dayOf(last.at)}${reach}.`)
}

/** What no pack proves, in plain words. */
const notProved = (isKeyCompared: boolean, hasHeld: boolean): string[] => [
  ...(isKeyCompared ? [] : ['Whose log this is: the key was not compared with one that you trust.']),
  hasHeld
    ? 'What came after the newest checkpoint that you gave: the owner, who has the key, can still write that anew.'
    : 'That the owner, who has the key, did not write the whole log anew: only checkpoints that others hold show that. An anchor in the pack counts once its timestamp was checked, or whoever made it was asked.',
  'That the log is complete: what somebody did at the calendar or payment provider, past the connector, is not in it, and a changed program could have written nothing. Compare the list of changes with exports from the providers.',
  'That no second log is kept beside this one: compare your checkpoints with those of others.',
  'That a person agreed, where the caller confirmed alone; and who held a passkey, where one was used.',
  'When exactly something happened: the times are by the connector’s own clock. An anchor shows that what it covers is not younger.',
  'Which program ran; and the names and dates of callers in the head of the pack, which no signature covers.',
]
