import type { Amounts } from './changes.ts'
import { type Era, httpRequest, mcpRequest } from './requests.ts'
import { type Row, steady, whileCold } from './rows.ts'

export const ERAS: readonly Era[] = ['2026-07-28', '2025-11-25']

/**
 * The floors of the targets: all the work of ours. They hash the API key and the name of the object, make two MACs, ask
 * the coordinator, write records and audit log, send headers and a request id, and log a line.
 */
export const FLOORS = {
  preview: 'new object, one row, one alarm, one audit row',
  previewAfter1: 'new object, after a read of another',
  previewAfter2: 'new object, after two reads of another',
  previewAfter3: 'new object, after three reads of another',
  previewNoted: 'new object, noted in another',
  replay: 'warm object read',
  commit: 'every write of a commit without a provider',
  provider: 'every write of a commit with a provider',
  link: 'every write of a payment link, one connection',
  move: 'every write of a move',
  document: '8 KB with headers, a request id and a line of log',
  longDocument: '275 KB with headers, a request id and a line of log',
  availability: 'a week of times, with headers, a request id and a line of log',
} as const

/** What the floors with objects are served with. */
export const FLOOR_OBJECTS = { objects: { FLOWS: 'Flow', CALENDAR: 'Calendar' }, kv: ['RECORDS'] }

/** About as long as the record of a flow. */
const NOTE = 'x'.repeat(800)

/**
 * The hand-written Workers that ours is compared with. `others` is how many objects ours makes in a round besides those
 * of one row: a process that has more of them open makes a new one more slowly, so the floor has as many.
 */
export function floorRows({ keys, replays }: Omit<Amounts, 'watched'>, others: number): Row[] {
  const floor = (id: string, server: string) => ({
    id: `floor: ${id}`,
    server,
    kind: 'floor' as const,
  })
  const write = (path: string, key: string) =>
    httpRequest('POST', path, {
      body: { key, start: Math.floor(Math.random() * 2 ** 40), note: NOTE },
    })
  const newKeys = (amount: number) => Array.from({ length: amount }, () => crypto.randomUUID())
  const all = (path: string, over: readonly string[]) => ({
    requests: over.map((key) => write(path, key)),
    status: 200,
    contains: '"ok":"',
  })
  const fresh = (id: string, path: string): Row => ({
    ...floor(id, 'floor: objects'),
    stays: true,
    batch: () => all(path, newKeys(keys)),
  })
  /** The same objects again and again, the same ones for every row. */
  const known = newKeys(keys)
  const warm = (id: string, path: string, times: number, over?: number): Row => ({
    ...floor(id, 'floor: objects'),
    over,
    before: () => all('/write', known),
    batch: () => all(path, Array.from({ length: times }, () => known).flat()),
  })
  const availability = steady(floor(FLOORS.availability, 'floor: mcp'), httpRequest('GET', '/'), {
    contains: '"slots":[{',
  })
  return [
    steady(floor('empty Worker', 'floor: empty'), httpRequest('GET', '/'), { contains: 'ok' }),
    {
      ...fresh(FLOORS.preview, '/preview'),
      before: () => all('/write', newKeys(Math.max(0, others - 3 * keys))),
    },
    fresh(FLOORS.previewAfter1, '/preview-after-1'),
    fresh(FLOORS.previewAfter2, '/preview-after-2'),
    fresh(FLOORS.previewAfter3, '/preview-after-3'),
    fresh(FLOORS.previewNoted, '/preview-noted'),
    warm(FLOORS.replay, '/read', replays),
    warm(FLOORS.commit, '/every-write', replays),
    warm(FLOORS.provider, '/every-write-around', replays),
    warm(FLOORS.link, '/every-write-of-link', replays, 1),
    warm(FLOORS.move, '/every-write-of-move', replays),
    steady(floor(FLOORS.document, 'floor: empty'), httpRequest('GET', '/document')),
    steady(floor(FLOORS.longDocument, 'floor: empty'), httpRequest('GET', '/long-document')),
    availability,
    whileCold(availability, 'floor: cold'),
    ...ERAS.flatMap((era) => mcpRows({ ...floor('', 'floor: mcp'), id: 'floor: JSON-RPC' }, era)),
  ]
}

/** The two calls that every MCP server is measured with. */
export function mcpRows(
  row: Pick<Row, 'id' | 'server' | 'kind'>,
  era: Era,
  credential: Record<string, string> = {},
): Row[] {
  const call = { name: 'list_availability', arguments: {} }
  const named = (what: string) => ({ ...row, id: `${row.id} ${era.slice(0, 4)}: ${what}` })
  return [
    steady(named('tools/list'), mcpRequest(era, 'tools/list', {}, credential), {
      contains: 'create_payment_link',
    }),
    steady(named('tools/call list_availability'), mcpRequest(era, 'tools/call', call, credential), {
      contains: '"slots":[{',
    }),
  ]
}
