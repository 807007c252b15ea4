// @module-tag slow

import { beforeAll, describe, expect, inject, it } from 'vitest'

import { backups } from './backups.ts'
import { type Benched, bench } from './bench.ts'
import { backupsTable, table, targetTable } from './report.ts'

describe('the benchmark', () => {
  let benched: Benched

  // A few requests only: it shows that every row can still be measured, and says nothing about speed.
  beforeAll(async () => {
    benched = await bench({
      measuring: {
        rounds: 1,
        seconds: 30,
        effort: { microseconds: 0, first: 2, least: 2, most: 2 },
        warmups: 1,
      },
      amounts: { keys: 2, replays: 1, watched: 0 },
      connections: 2,
      built: { script: inject('workerScript'), inputs: inject('workerInputs') },
      peers: false,
    })
  })

  it('measures every operation over REST and both eras of MCP, from preview to replay', () => {
    const ids = benched.rows.map(({ id }) => id)
    const changes = ids.filter((id) => /: (preview|commit|replay)$/.test(id))
    expect(changes).toHaveLength(7 * 3 * 3)
    expect(ids).toEqual(
      expect.arrayContaining(['GET /v1/availability', 'GET /openapi.json', 'GET /health']),
    )
    for (const era of ['2025', '2026'])
      expect(ids).toEqual(
        expect.arrayContaining([
          `MCP ${era}: tools/list`,
          `MCP ${era}: tools/call list_availability`,
        ]),
      )
  })

  it('measures time, bytes and, where the system tells it, CPU', () => {
    for (const { id, perSecond, p99, bytes, cpu } of benched.rows) {
      expect(perSecond, id).toBeGreaterThan(0)
      expect(p99, id).toBeGreaterThan(0)
      expect(bytes, id).toBeGreaterThan(0)
      if (process.platform === 'linux') expect(cpu, id).toBeGreaterThan(0)
    }
  })

  it('holds every row for which there is a target against it, and prints both tables', () => {
    const judged = new Set(benched.targets.map(({ of }) => of))
    const wanted = benched.rows.filter(
      ({ id, kind }) =>
        kind === 'replay' ||
        (['preview', 'commit'].includes(kind) && id.startsWith('REST')) ||
        id === 'GET /llms.txt' ||
        id.startsWith('MCP 2026: tools'),
    )
    expect(wanted.filter(({ id }) => !judged.has(id))).toEqual([])
    expect(table(benched.rows).split('\n')).toHaveLength(benched.rows.length + 2)
    const [first] = benched.targets
    expect(targetTable(benched.targets)).toContain(`at most ${first!.atMost.toFixed(2)}`)
  })

  it('measures a backup, a restore, and commits without and during a backup', async () => {
    const script = inject('workerScript')
    const backedUp = await backups({ flows: 3, callers: [2], alone: 100, script })
    const { flows, entries, bytes, taken, beside } = backedUp
    expect([flows >= 3, entries >= 6, bytes > 1000]).toEqual([true, true, true])
    expect(taken.map(({ what }) => what)).toEqual(['backup', 'restore'])
    for (const { seconds, before = 1, peak = 1 } of taken) {
      expect(seconds).toBeGreaterThan(0)
      expect(peak).toBeGreaterThanOrEqual(before)
    }
    for (const { commits, p99 } of [beside[0]!.alone, beside[0]!.during]) {
      expect(commits).toBeGreaterThanOrEqual(2)
      expect(p99).toBeGreaterThan(0)
    }
    expect(backupsTable(backedUp)).toContain('at most 2')
  })
})
