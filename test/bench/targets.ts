import { ERAS, LIMITS } from './floor-rows.ts'
import { type Measured, ratio } from './measure.ts'

/** A ratio that is promised, between two rows of one run. */
export interface Target {
  of: string
  to: string
  by: 'perSecond' | 'cpu'
  /** At least so much of the throughput, or at most so much of the CPU time. */
  bound: number
}

export interface Judged extends Target {
  ratio: number | undefined
  met: boolean | undefined
}

/** A row that missed its target, beside a floor that does all that it must do. */
export interface Limit {
  of: string
  to: string
  /** Ratios: throughput, and CPU time. */
  perSecond: number | undefined
  cpu: number | undefined
}

const NEW = 'floor: new object, one row, one alarm'
const WARM = 'floor: warm object, one row, one alarm'
const AROUND = 'floor: warm object written twice around a second one'
const AROUND_ALONE = 'floor: the same, one connection'

/** Documents that never change while a version is served. */
const isDocument = (id: string): boolean =>
  id.startsWith('GET /') && !id.startsWith('GET /v1/') && !id.includes('{') && id !== 'GET /health'

const WITHOUT_PROVIDER = ['create_client_profile', 'submit_intake_answers']

/** The targets that apply to the rows that were measured. */
export function targets(rows: readonly Measured[]): Target[] {
  return rows.flatMap(({ id, kind }): Target[] => {
    if (kind === 'preview') return [{ of: id, to: NEW, by: 'perSecond', bound: 0.9 }]
    if (kind === 'replay') return [{ of: id, to: WARM, by: 'perSecond', bound: 2 }]
    if (kind === 'commit') {
      if (WITHOUT_PROVIDER.some((name) => id.includes(name)))
        return [{ of: id, to: WARM, by: 'perSecond', bound: 0.8 }]
      const to = id.includes('create_payment_link') ? AROUND_ALONE : AROUND
      return [{ of: id, to, by: 'perSecond', bound: 0.7 }]
    }
    if (isDocument(id) && kind === 'read')
      return [{ of: id, to: 'floor: empty Worker', by: 'cpu', bound: 1.5 }]
    if (id === 'GET /v1/availability')
      return [{ of: id, to: 'floor: validated body and one RPC', by: 'cpu', bound: 2 }]
    return ERAS.flatMap((era) => mcpTargets(id, era.slice(0, 4), rows))
  })
}

function mcpTargets(id: string, era: string, rows: readonly Measured[]): Target[] {
  const list = `MCP ${era}: tools/list`
  const call = `MCP ${era}: tools/call list_availability`
  if (id !== list && id !== call) return []
  const [handWritten, overPeers] = id === list ? [3, 1 / 3] : [4, 1]
  const what = id.slice('MCP '.length)
  const peers = rows.filter((row) => row.kind === 'peer' && row.id.endsWith(what))
  return [
    { of: id, to: `floor: JSON-RPC ${what}`, by: 'cpu', bound: handWritten },
    ...peers.map((peer): Target => ({ of: id, to: peer.id, by: 'cpu', bound: overPeers })),
  ]
}

/**
 * The ratios to the fuller floors, for the rows whose target was missed: what is near 1 here is at the limit of the
 * platform.
 */
export function limits(rows: readonly Measured[], judged: readonly Judged[]): Limit[] {
  const missed = new Set(judged.filter(({ met }) => met === false).map(({ of }) => of))
  return rows.flatMap((row) => {
    const limit = limitOf(row)
    const floor = rows.find(({ id }) => id === `floor: ${limit}`)
    if (!missed.has(row.id) || !floor) return []
    const [perSecond, cpu] = [ratio(row, floor, 'perSecond'), ratio(row, floor, 'cpu')]
    return [{ of: row.id, to: floor.id, perSecond, cpu }]
  })
}

function limitOf({ id, kind }: Measured): string | undefined {
  if (kind === 'replay') return LIMITS.replay
  if (kind === 'preview') {
    if (id.includes('submit_intake_answers')) return LIMITS.previewNoted
    if (id.includes('reschedule_booking')) return LIMITS.previewAfter3
    return /book_consult|cancel_booking/.test(id) ? LIMITS.previewAfter1 : undefined
  }
  if (kind === 'commit') {
    if (WITHOUT_PROVIDER.some((name) => id.includes(name))) return LIMITS.commit
    if (id.includes('create_payment_link')) return LIMITS.link
    return id.includes('reschedule_booking') ? LIMITS.move : LIMITS.provider
  }
  if (id === 'GET /v1/availability') return LIMITS.availability
  if (id === 'GET /openapi.json') return LIMITS.longDocument
  return isDocument(id) ? LIMITS.document : undefined
}

/** Whether each target is met in this run. */
export function judge(rows: readonly Measured[]): Judged[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return targets(rows).flatMap((target) => {
    const [a, b] = [byId.get(target.of), byId.get(target.to)]
    if (!a || !b) return []
    const found = ratio(a, b, target.by)
    const met =
      found === undefined ? undefined : target.by === 'cpu' ? found <= target.bound : found >= target.bound
    return [{ ...target, ratio: found, met }]
  })
}
