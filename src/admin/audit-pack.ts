import type { Anchor } from '../ports/anchors.ts'
import type { ApiKey } from '../ports/access.ts'
import type { AuditLog, KeptLeaf, LogState } from '../ports/audit.ts'
import { KEPT_EVENTS, parseLeaf } from '../domain/audit-leaf.ts'
import { base64 } from '../domain/signed-note.ts'
import { isoSeconds } from '../domain/time.ts'

/** So many entries are read at once, however many there are. */
const AT_ONCE = 5000
const ANCHORS_AT_ONCE = 500

/**
 * The whole audit log as one file that anybody can check offline: JSON lines with a head, each entry as it stands in the
 * tree, and the signed checkpoint over them. What fails breaks it off, and then its last line is missing.
 */
export function packOf(
  audit: AuditLog,
  { origin, vkeys, size, checkpoint }: LogState,
  callers: readonly object[],
  now: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const written = (lines: readonly object[]) =>
    encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const head = { pack: 1, origin, vkeys, size, made_at: isoSeconds(now), callers, not_covered: ['callers'] }
  let next = -1
  let isDropped = true
  let anchored = 0
  return new ReadableStream({
    async pull(controller) {
      if (next < 0) {
        next = 0
        return controller.enqueue(written([head]))
      }
      if (next >= size) {
        const anchors = await audit.anchors(anchored, ANCHORS_AT_ONCE)
        const covered = anchors.filter((one) => one.size <= size)
        controller.enqueue(written(covered.map(anchorLine)))
        anchored = covered.at(-1)?.size ?? size
        if (covered.length === ANCHORS_AT_ONCE) return
        controller.enqueue(written([{ checkpoint }]))
        return controller.close()
      }
      const count = Math.min(AT_ONCE, size - next)
      const leaves = await audit.leaves(next, count)
      // The log of an object that was restored to an earlier time is shorter.
      if (leaves.length < count) throw new Error('entries are missing')
      for (const leaf of leaves) {
        // Entries that are dropped while it is sent would look as if they had been taken out.
        if (!('leaf' in leaf) && !isDropped) throw new Error('entries were dropped meanwhile')
        if (isDropped) isDropped = !isFirstWhole(leaf)
      }
      next += leaves.length
      controller.enqueue(written(leaves))
    },
  })
}

const anchorLine = ({ size, note, kind, at, proof }: Anchor) => ({
  anchor: { size, note, kind, at, proof: base64(proof) },
})

/** Whether this entry is whole because it is not old enough to be dropped. */
const isFirstWhole = (leaf: KeptLeaf): boolean =>
  'leaf' in leaf && !KEPT_EVENTS.includes(parseLeaf(leaf.leaf).event)

/** A caller with an API key, for those who read the log: its entries have no names. */
export const callerOfPack = ({ id, name, scopes, created_at, revoked_at }: ApiKey) => ({
  caller: `key:${id}`,
  name,
  scopes,
  created_at: isoSeconds(created_at),
  revoked_at: revoked_at === null ? null : isoSeconds(revoked_at),
})
