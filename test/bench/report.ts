import type { BackedUp } from './backups.ts'
import { type Measured, type Ratio, ratio } from './measure.ts'
import type { Startup } from './start.ts'
import { type Judged, START_AT_MOST } from './targets.ts'
import type { Weight } from './weight.ts'

const intervalOf = (found: Ratio | undefined): string =>
  found === undefined ? '' : found.interval.map((end) => end.toFixed(2)).join(' to ')

const number = (value: number | undefined, digits: number): string =>
  value === undefined ? 'not measured' : value.toFixed(digits)

/** A Markdown table, aligned so that it can be read in a terminal too. */
function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((line) => line[column]!.length)),
  )
  const line = (cells: readonly string[], pad: string) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!, pad) : cell.padStart(widths[column]!, pad))).join(' | ')} |`
  return [
    line(head, ' '),
    line(
      head.map((_, column) => (column === 0 ? '-' : ':').padStart(widths[column]!, '-')),
      '-',
    ),
    ...body.map((cells) => line(cells, ' ')),
  ].join('\n')
}

/** One line for each row, with its CPU time as a multiple of the empty Worker. */
export function table(rows: readonly Measured[]): string {
  const empty = rows.find(({ id }) => id === 'floor: empty Worker')
  return markdownTable(
    ['row', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'x empty', 'bytes'],
    rows.map((row) => [
      row.id,
      number(row.perSecond, 0),
      number(row.p50, 2),
      number(row.p99, 2),
      number(row.cpu, 0),
      number(empty && ratio(row, empty)?.median, 1),
      String(row.bytes),
    ]),
  )
}

/** The targets, met or not. */
export function targetTable(judged: readonly Judged[]): string {
  return markdownTable(
    ['row', 'compared with', 'target for its CPU time', 'ratio', 'half of the rounds', ''],
    judged.map(({ of, to, atMost, ratio: found, met }) => [
      of,
      to,
      `at most ${number(atMost, 2)}`,
      number(found?.median, 2),
      intervalOf(found),
      met === undefined ? '' : met ? 'met' : 'missed',
    ]),
  )
}

/** What the bundle weighs and how it starts, against the targets. */
export function weightTable(
  { gzip, packages, schemas }: Weight,
  startup: Startup | undefined,
): string {
  const all = packages.reduce((sum, { bytes }) => sum + bytes, 0)
  const kib = (bytes: number) => number(bytes / 1024, 1)
  const lines = [
    markdownTable(
      ['in the bundle', 'minified KiB', 'share of the gzip KiB'],
      [
        ...packages.map(({ name, bytes }) => [name, kib(bytes), kib((gzip * bytes) / all)]),
        ['in all', kib(all), kib(gzip)],
      ],
    ),
    '',
    `Bundle: ${kib(gzip)} KiB gzip, target at most 530: ${gzip <= 530 * 1024 ? 'met' : 'missed'}.`,
    `Zod schemas that a start builds: ${schemas.all}, target at most 1,250: ${schemas.all <= 1250 ? 'met' : 'missed'}; ${schemas.ours} of ours.`,
  ]
  if (startup) {
    const { ours, empty, sdk, ratio: found } = startup
    lines.push(
      `Start, CPU until it listens: ${number(ours, 0)} ms; an empty Worker ${number(empty, 0)} ms, a bare server of the MCP SDK 2.x ${number(sdk, 0)} ms; ratio to that ${number(found.median, 2)} (${intervalOf(found)}), target at most ${number(START_AT_MOST, 2)}: ${found.interval[0] <= START_AT_MOST ? 'met' : 'missed'}.`,
    )
  }
  return lines.join('\n')
}

/** At most so many times as long may one commit in a hundred take during a backup. */
const MOST_SLOWER = 2

/** What a backup and a restore take, and what they cost the commits meanwhile. */
export const backupsTable = ({ flows, entries, bytes, taken, beside }: BackedUp): string =>
  [
    `${flows} flows and ${entries} audit entries, in a file of ${number(bytes / 1e6, 1)} MB.`,
    markdownTable(
      ['of all', 'seconds', 'MiB before', 'MiB at most', 'MiB after'],
      taken.map(({ what, seconds, before, peak, after }) => [
        what,
        number(seconds, 1),
        ...[before, peak, after].map((memory) => number(memory, 0)),
      ]),
    ),
    markdownTable(
      [
        'callers that commit',
        'seconds of the backup',
        'commits without a backup',
        'p50 ms',
        'p99 ms',
        'commits during one',
        'p50 ms',
        'p99 ms',
        'x p99',
        `at most ${MOST_SLOWER}`,
      ],
      beside.map(({ callers, seconds, alone, during }) => [
        String(callers),
        number(seconds, 1),
        ...[alone, during].flatMap(({ commits, p50, p99 }) => [
          String(commits),
          number(p50, 1),
          number(p99, 1),
        ]),
        number(during.p99 / alone.p99, 2),
        during.p99 <= MOST_SLOWER * alone.p99 ? 'met' : 'missed',
      ]),
    ),
  ].join('\n\n')
