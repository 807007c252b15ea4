import { sha256Bytes } from '../../core/crypto/encoding.ts'
import { type GoodCheckpoint, type Log, checkCheckpoint } from './checkpoints.ts'
import type { PackAnchor } from './pack.ts'
import { type PackFinding, type Timestamp, bad, counted, dayOf, good, remark } from './report.ts'

const MOST_FAULTS = 10
const NONE = 'There are no anchors, so none shows since when these entries are unchanged.'
const NOT_CHECKED_HERE =
  'Each timestamp names its checkpoint. Whether an authority signed it, and when, openssl ' +
  'says: save the timestamps.'

/** Checks the checkpoints in the pack that left the house; not who signed a timestamp. */
export async function checkAnchors(log: Log, anchors: readonly PackAnchor[]) {
  const faults: string[] = []
  const checkpoints: GoodCheckpoint[] = []
  const fitting: PackAnchor[] = []
  for (const [nth, anchor] of anchors.entries()) {
    const found = await checkCheckpoint(log, anchor.note)
    const fault = 'fault' in found ? found.fault : await faultOf(anchor, found)
    if (fault !== undefined)
      faults.push(`The one of ${dayOf(anchor.at)}, number ${nth + 1}, ${fault}.`)
    else {
      checkpoints.push(found as GoodCheckpoint)
      fitting.push(anchor)
    }
  }
  const timestamps: Timestamp[] = fitting
    .filter(({ kind }) => kind === 'timestamp')
    .map(({ note, proof }) => ({ checkpoint: note, reply: proof }))
  const findings = [
    ...faults.slice(0, MOST_FAULTS).map((fault) => bad('Anchors', fault)),
    ...summary(fitting),
  ]
  if (anchors.length === 0) findings.push(remark('Anchors', NONE))
  if (timestamps.length > 0) findings.push(remark('Anchors', NOT_CHECKED_HERE))
  return { findings, checkpoints, timestamps }
}

async function faultOf({ kind, note, size, proof }: PackAnchor, found: GoodCheckpoint) {
  if (size !== found.size) return 'says another number of entries than its checkpoint'
  if (kind !== 'timestamp') return undefined
  const digest = await sha256Bytes(new TextEncoder().encode(note))
  const holds = proof.some((_, at) => digest.every((byte, i) => proof[at + i] === byte))
  return holds ? undefined : 'has a timestamp of something else'
}

function summary(fitting: readonly PackAnchor[]): PackFinding[] {
  const [first, last] = [fitting[0], fitting.at(-1)]
  if (!first || !last) return []
  const entries = counted(last.size, 'entry is', 'entries are')
  const since = fitting.length === 1 ? '' : `, and the first ${first.size} since ${dayOf(first.at)}`
  const fit =
    `${counted(fitting.length, 'checkpoint')} that left the house ` +
    `${fitting.length === 1 ? 'fits' : 'fit'}`
  const unchanged =
    `If the anchors are genuine, the first ${entries} unchanged since ` +
    `${dayOf(last.at)}${since}`
  return [good('Anchors', `${fit}. ${unchanged}.`)]
}
