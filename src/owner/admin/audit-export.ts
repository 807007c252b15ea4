import { csvLine } from '../../core/domain/audit/entry.ts'
import { callerOfCredential } from '../../core/domain/audit/entry.ts'
import { KEPT_EVENTS, parseLeaf } from '../../core/domain/audit/leaf.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { ApiKey, Approver } from '../../core/ports/access.ts'
import type {
  AuditLog,
  AuditQuery,
  NumberedEntry,
  KeptLeaf,
  LogState,
} from '../../core/ports/audit.ts'

export const shownEntry = ({ index, at, ...entry }: NumberedEntry) => ({
  index,
  occurred_at: new Date(at).toISOString(),
  ...entry,
})

type Shown = ReturnType<typeof shownEntry>

const COLUMNS = [
  'index',
  'occurred_at',
  'event',
  'caller',
  'app',
  'operation',
  'code',
  'record_id',
  'operation_id',
  'request_id',
  'times',
  'id',
  'shown',
] as const satisfies readonly (keyof Shown)[]

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${COLUMNS.join(',')}\r\n`,
    line: (entry: Shown) => csvLine(COLUMNS.map((column) => entry[column])),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (entry: Shown) => `${JSON.stringify(entry)}\n`,
  },
} as const

type Format = keyof typeof FORMATS

const AT_ONCE = 2000

/**
 * All entries that are asked for, as lines, read page by page while they are sent. What fails
 * breaks it off.
 */
export function linesOf(
  audit: AuditLog,
  query: Omit<AuditQuery, 'limit'>,
  format: Format,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const { head, line } = FORMATS[format]
  let after = query.after
  let begun = false
  return new ReadableStream({
    async pull(controller) {
      if (!begun) {
        begun = true
        if (head !== '') return controller.enqueue(encoder.encode(head))
      }
      for (;;) {
        const page = await audit.page({ ...query, ...(after && { after }), limit: AT_ONCE })
        after = page.next
        if (page.entries.length > 0)
          controller.enqueue(
            encoder.encode(page.entries.map((one) => line(shownEntry(one))).join('')),
          )
        if (!after) return controller.close()
        if (page.entries.length > 0) return
      }
    },
  })
}

export const asFile = (lines: ReadableStream<Uint8Array>, format: Format | 'pack'): Response =>
  new Response(lines, {
    headers: {
      'Content-Type': FORMATS[format === 'pack' ? 'jsonl' : format].type,
      'Content-Disposition': `attachment; filename="audit.${format === 'pack' ? 'pack.jsonl' : format}"`,
      'Cache-Control': 'no-store',
    },
  })

const PROOFS_AT_ONCE = 5000

/**
 * The whole audit log as one file that anybody can check offline: JSON lines with a head, each
 * entry as the tree has it, and the signed checkpoint over them. What fails breaks it off,
 * and then its last line is missing.
 */
export function packOf(
  audit: AuditLog,
  { origin, vkeys, size, droppedBelow, checkpoint }: LogState,
  callers: readonly object[],
  now: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const written = (lines: readonly object[]) =>
    encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const head = {
    pack: 1,
    origin,
    vkeys,
    size,
    made_at: isoSeconds(now),
    callers,
    not_covered: ['callers'],
  }
  let next = -1
  let isDropped = true
  return new ReadableStream({
    async pull(controller) {
      if (next < 0) {
        next = 0
        return controller.enqueue(written([head]))
      }
      if (next >= size) {
        controller.enqueue(written([{ checkpoint }]))
        return controller.close()
      }
      const count = Math.min(PROOFS_AT_ONCE, size - next)
      const leaves = await audit.leaves(next, count)
      // The log of an object that was restored to an earlier time is shorter.
      if (leaves.length < count) throw new Error('entries are missing')
      for (const leaf of leaves) {
        // Entries that are dropped while it is sent would look as if someone had hidden them.
        if (!('leaf' in leaf) && (!isDropped || leaf.i >= droppedBelow))
          throw new Error('entries were dropped meanwhile')
        if (isDropped) isDropped = !isFirstWhole(leaf)
      }
      next += leaves.length
      controller.enqueue(written(leaves))
    },
  })
}

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

/** A person who approves, or did, for the same readers. */
export const approverOfPack = ({ credential, name, since, until }: Approver) => ({
  caller: callerOfCredential(credential),
  name,
  from: isoSeconds(since),
  until: until === null ? null : isoSeconds(until),
})
