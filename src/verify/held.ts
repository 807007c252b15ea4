import type { Checkpoint } from '../domain/signed-note.ts'
import { type CheckpointFault, type GoodCheckpoint, type Log, checkCheckpoint } from './checkpoints.ts'
import type { PackAnchor } from './pack.ts'
import { checkReceipt, isReceipt } from './receipts.ts'
import { type PackFinding, bad, counted, dayOf, good, remark } from './report.ts'

/** What was found, and the checkpoints that are good. */
interface Checked {
  findings: PackFinding[]
  checkpoints: GoodCheckpoint[]
}

/** Checks the checkpoint at the end of the pack, which has to cover all entries. */
export async function checkNewest(
  log: Log,
  text: string,
): Promise<[PackFinding, GoodCheckpoint | CheckpointFault]> {
  const size = log.hashes.length
  const found = await checkCheckpoint(log, text)
  const whole =
    'fault' in found || found.size === size
      ? found
      : { fault: `covers ${found.size} entries, and the pack has ${size}` }
  const finding =
    'fault' in whole
      ? bad('Checkpoint', `The one at the end of the pack ${whole.fault}.`)
      : good(
          'Checkpoint',
          `Signed over exactly these ${counted(size, 'entry', 'entries')}${reachOf(log, whole)}: none is missing, changed, added or in another place.`,
        )
  return [finding, whole]
}

/** Checks the checkpoints that left the house, as the pack has them. */
export async function checkAnchors(log: Log, anchors: readonly PackAnchor[]): Promise<Checked> {
  if (anchors.length === 0)
    return {
      findings: [remark('Anchors', 'There are none, so no anchor says how long these entries have been so.')],
      checkpoints: [],
    }
  const named = anchors.map(({ kind, at, note: text }, nth) => ({
    name: `Anchor ${nth + 1} (${kind}${at === null ? '' : `, ${dayOf(at)}`})`,
    text,
  }))
  return checkEach(log, 'Anchors', named)
}

/** Checks the checkpoints and receipts that somebody kept. */
export const checkHeld = (log: Log, held: readonly { name: string; text: string }[]): Promise<Checked> =>
  checkEach(log, 'Held', held)

async function checkEach(
  log: Log,
  check: string,
  texts: readonly { name: string; text: string }[],
): Promise<Checked> {
  const checked: Checked = { findings: [], checkpoints: [] }
  for (const { name, text } of texts) {
    const found = await (isReceipt(text) ? checkReceipt(log, text) : checkCheckpoint(log, text))
    if ('fault' in found) checked.findings.push(bad(check, `${name} ${found.fault}.`))
    else {
      checked.checkpoints.push(found)
      const first = counted(found.size, 'entry is', 'entries are')
      checked.findings.push(
        good(check, `${name}: the first ${first} unchanged since it was made${reachOf(log, found)}.`),
      )
    }
  }
  return checked
}

/** The day of the last entry below a checkpoint, in words. */
function reachOf(log: Log, { size }: Checkpoint): string {
  const last = size === 0 ? undefined : log.leafAt(size - 1)
  return last ? `, the last of ${dayOf(last.at)}` : ''
}
