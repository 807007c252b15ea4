import { csvLine } from '../domain/csv.ts'
import type { AuditLog, AuditQuery, NumberedEntry } from '../ports/audit.ts'

/** An entry as it is shown. */
export const shownEntry = ({ index, at, ...entry }: NumberedEntry) => ({
  index,
  time: new Date(at).toISOString(),
  ...entry,
})

type Shown = ReturnType<typeof shownEntry>

const COLUMNS = [
  'index',
  'time',
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

/** How entries become lines: the first line, and the line of an entry. */
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

/** So many entries are read at once, however many there are. */
const AT_ONCE = 2000

/** All entries that are asked for, as lines, read page by page while they are sent. What fails breaks it off. */
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
          controller.enqueue(encoder.encode(page.entries.map((one) => line(shownEntry(one))).join('')))
        if (!after) return controller.close()
        if (page.entries.length > 0) return
      }
    },
  })
}

/** An export as a file that a browser saves. */
export const asFile = (lines: ReadableStream<Uint8Array>, format: Format | 'pack'): Response =>
  new Response(lines, {
    headers: {
      'Content-Type': FORMATS[format === 'pack' ? 'jsonl' : format].type,
      'Content-Disposition': `attachment; filename="audit.${format === 'pack' ? 'pack.jsonl' : format}"`,
      'Cache-Control': 'no-store',
    },
  })
