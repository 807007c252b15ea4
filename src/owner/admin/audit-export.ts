import { callerOfCredential, csvLine } from '../../core/domain/audit/entry.ts'
import { KEPT_EVENTS, parseLeaf } from '../../core/domain/audit/leaf.ts'
import { isoOrNull, isoSeconds } from '../../core/domain/time/time.ts'
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
  'about',
] as const satisfies readonly (keyof Shown)[]

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${COLUMNS.join(',')}\r\n`,
    line: (entry: Shown) => {
      const about = entry.about && JSON.stringify(entry.about)
      return csvLine(COLUMNS.map((column) => (column === 'about' ? about : entry[column])))
    },
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (entry: Shown) => written([entry]),
  },
} as const

type Format = keyof typeof FORMATS

const AT_ONCE = 2000

/** All entries that are asked for, as lines, read page by page while they are sent. */
export async function* linesOf(
  audit: AuditLog,
  query: Omit<AuditQuery, 'limit'>,
  format: Format,
): AsyncGenerator<string> {
  const { head, line } = FORMATS[format]
  if (head !== '') yield head
  for (let { after } = query; ;) {
    const page = await audit.page({ ...query, after, limit: AT_ONCE })
    if (page.entries.length > 0) yield page.entries.map((one) => line(shownEntry(one))).join('')
    after = page.next
    if (!after) return
  }
}

/**
 * A file of these texts, each made when it is asked for. What fails breaks it off, so that it never
 * ends as if it were complete.
 */
export function asFile(texts: AsyncGenerator<string>, format: Format | 'pack') {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': FORMATS[format === 'pack' ? 'jsonl' : format].type,
      'Content-Disposition': `attachment; filename="audit.${format === 'pack' ? 'pack.jsonl' : format}"`,
      'Cache-Control': 'no-store',
    },
  })
}

const PROOFS_AT_ONCE = 5000

/**
 * The whole audit log as one file that anyone can check offline: JSON lines with a head, each
 * entry as the tree has it, and the signed checkpoint over them, which is missing where it was
 * broken off.
 */
export async function* packOf(
  audit: AuditLog,
  { origin, vkeys, size, droppedBelow, checkpoint }: LogState,
  callers: readonly object[],
  now: number,
): AsyncGenerator<string> {
  const made_at = isoSeconds(now)
  yield written([{ pack: 1, origin, vkeys, size, made_at, callers, not_covered: ['callers'] }])
  let isDropped = true
  for (let next = 0; next < size; next += PROOFS_AT_ONCE) {
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
    yield written(leaves)
  }
  yield written([{ checkpoint }])
}

const written = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Whether this entry is whole because it is not old enough to be dropped. */
const isFirstWhole = (leaf: KeptLeaf) =>
  'leaf' in leaf && !KEPT_EVENTS.includes(parseLeaf(leaf.leaf).event)

/** A caller with an API key, for those who read the log: its entries have no names. */
export const callerOfPack = ({ id, name, scopes, created_at, revoked_at }: ApiKey) => ({
  caller: `key:${id}`,
  name,
  scopes,
  created_at: isoSeconds(created_at),
  revoked_at: isoOrNull(revoked_at),
})

/** A person who approves, or did, for the same readers. */
export const approverOfPack = ({ credential, name, since, until }: Approver) => ({
  caller: callerOfCredential(credential),
  name,
  from: isoSeconds(since),
  until: isoOrNull(until),
})
