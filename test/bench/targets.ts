import { ERAS, FLOORS } from './floor-rows.ts'
import { type Measured, type Ratio, ratio } from './measure.ts'

/** A ratio of CPU time that is promised, between two rows of one run: to a floor with the same work, or to a peer. */
export interface Target {
  of: string
  to: string
  atMost: number
}

export interface Judged extends Target {
  ratio: Ratio | undefined
  /** False only where the middle half of the rounds lies above the target. */
  met: boolean | undefined
}

/** CPU time of a start, beside that of a bare server of the MCP SDK 2.x with the same tools. */
export const START_AT_MOST = 1.2

/** Documents that never change while a version is served. */
const isDocument = (id: string): boolean =>
  id.startsWith('GET /') && !id.startsWith('GET /v1/') && !id.includes('{') && id !== 'GET /health'

const WITHOUT_PROVIDER = ['create_client_profile', 'submit_intake_answers']

/** The floor that does all the work of a row, and what a row over REST may take of it. */
function floorOf({ id, kind }: Measured): [floor: string, atMost: number] | undefined {
  if (kind === 'replay') return [FLOORS.replay, 1.6]
  if (kind === 'preview') {
    if (id.includes('submit_intake_answers')) return [FLOORS.previewNoted, 1.25]
    if (id.includes('reschedule_booking')) return [FLOORS.previewAfter3, 1.25]
    // A payment link's reads its invoice and the links that were made for it before.
    if (/book_consult|create_payment_link/.test(id)) return [FLOORS.previewAfter2, 1.25]
    return [/cancel_booking|create_client/.test(id) ? FLOORS.previewAfter1 : FLOORS.preview, 1.25]
  }
  if (kind === 'commit') {
    if (WITHOUT_PROVIDER.some((name) => id.includes(name))) return [FLOORS.commit, 1.8]
    if (id.includes('create_payment_link')) return [FLOORS.link, 1.9]
    return [id.includes('reschedule_booking') ? FLOORS.move : FLOORS.provider, 1.9]
  }
  if (id === 'GET /v1/availability') return [FLOORS.availability, 1.4]
  if (id === 'GET /v1/availability, cold') return [`${FLOORS.availability}, cold`, 1.8]
  if (id === 'GET /openapi.json') return [FLOORS.longDocument, 1.5]
  return isDocument(id) ? [FLOORS.document, 1.5] : undefined
}

/** What the MCP SDK needs on top is told by the peers; a repeat shows it beside the floor, too. */
const REPEAT_OVER_MCP = 3.2
/** By era: of a hand-written Worker, of a peer on the SDK 1.x, of one on 2.x. */
const CALLS: Record<string, readonly number[]> = { '2026': [6, 0.7, 0.42], '2025': [4, 0.7, 0.42] }
const LISTS: Record<string, readonly number[]> = {
  '2026': [10, 1 / 3, 1 / 3],
  '2025': [6.5, 1 / 3, 1 / 3],
}
const ON_SDK_1 = ['@modelcontextprotocol/sdk', '@hono/mcp']

/** The targets that apply to the rows that were measured. */
export function targets(rows: readonly Measured[]): Target[] {
  return rows.flatMap((row): Target[] => {
    const { id, kind } = row
    if (kind === 'floor' || kind === 'peer') return []
    const era = ERAS.map((date) => date.slice(0, 4)).find((year) => id.startsWith(`MCP ${year}`))
    if (era !== undefined && kind === 'read') return toPeers(id, era, rows)
    const floor = floorOf(row)
    if (!floor) return []
    const isOverMcp = era !== undefined
    if (isOverMcp && kind !== 'replay') return []
    const [name, atMost] = floor
    return [{ of: id, to: `floor: ${name}`, atMost: isOverMcp ? REPEAT_OVER_MCP : atMost }]
  })
}

function toPeers(id: string, era: string, rows: readonly Measured[]): Target[] {
  const bounds = id.endsWith('tools/list') ? LISTS : CALLS
  const [handWritten, onSdk1, onSdk2] = bounds[era]!
  const what = id.slice('MCP '.length)
  const peers = rows.filter((row) => row.kind === 'peer' && row.id.endsWith(what))
  return [
    { of: id, to: `floor: JSON-RPC ${what}`, atMost: handWritten! },
    ...peers.map((peer) => ({
      of: id,
      to: peer.id,
      atMost: ON_SDK_1.some((name) => peer.id.startsWith(name)) ? onSdk1! : onSdk2!,
    })),
  ]
}

/** Whether each target is met in this run. */
export function judge(rows: readonly Measured[]): Judged[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return targets(rows).flatMap((target) => {
    const [a, b] = [byId.get(target.of), byId.get(target.to)]
    if (!a || !b) return []
    const found = ratio(a, b)
    const met = found === undefined ? undefined : found.interval[0] <= target.atMost
    return [{ ...target, ratio: found, met }]
  })
}
