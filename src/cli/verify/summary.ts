import { csvLine } from '../../domain/audit/entry.ts'
import { changeOf } from './changes.ts'
import type { NumberedLeaf } from './leaves.ts'
import type { PackReport, Tally } from './report.ts'

/** How often each event, caller and month occurs. */
export const countsOf = (
  leaves: readonly NumberedLeaf[],
  names: ReadonlyMap<string, string>,
): PackReport['counts'] => [
  { title: 'By event', rows: tally(leaves, ({ leaf }) => leaf.event) },
  {
    title: 'By caller',
    rows: tally(leaves, ({ leaf: { caller } }) => named(caller, names)),
  },
  {
    title: 'By month',
    rows: tally(leaves, ({ leaf }) => isoOf(leaf.at).slice(0, 7)).sort(([one], [other]) =>
      one < other ? 1 : -1,
    ),
  },
]

const named = (caller: string, names: ReadonlyMap<string, string>): string =>
  names.has(caller) ? `${caller} (${names.get(caller)})` : caller

function tally(leaves: readonly NumberedLeaf[], nameOf: (one: NumberedLeaf) => string): Tally {
  const times = new Map<string, number>()
  for (const one of leaves) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + one.leaf.times)
  return [...times].sort(([, one], [, other]) => other - one)
}

const COLUMNS = [
  'index',
  'occurred_at',
  'operation',
  'record_id',
  'caller',
  'app',
  'approved',
  'approved_by',
  'request_id',
]

/** The changes that were made, as CSV: one line each, to be compared with exports of calendar and payment provider. */
export function changesAsCsv(leaves: readonly NumberedLeaf[], names: ReadonlyMap<string, string>): string {
  const approvals = leaves.filter(({ leaf }) => leaf.event === 'approval' && leaf.code === 'approved')
  const approvedBy = new Map(approvals.map(({ leaf }) => [changeOf(leaf), named(leaf.caller, names)]))
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

const isoOf = (at: number): string => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at))
