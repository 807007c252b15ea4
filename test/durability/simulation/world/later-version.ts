import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import { LATER } from '../../../support/kept-practice/later.ts'
import { randomFrom } from '../../../support/random.ts'
import { redeploy } from '../chaos.ts'
import type { World } from './world.ts'

/** What of all operations a run may give to the later version alone. */
const OPERATIONS = MUTATIONS.map(({ name }) => name)

/**
 * The version after this one, in a run in which the two take each other's place: with an operation more, a column more
 * in each table, and a field more in everything that is stored.
 */
export interface LaterVersion {
  isDeployed: boolean
  /** This version does not have it. */
  readonly operation: string
  /** A record as the later version reads it. */
  read(record: FlowRecord | undefined): FlowRecord | undefined
  /** A record as it writes it in place of the one before. */
  written(record: FlowRecord, before: FlowRecord | undefined): FlowRecord
}

/** Whether this version must not act on a record. */
export const isNewer = (record: FlowRecord | undefined): boolean =>
  record !== undefined && (record.v as number) === 2

/** What the later version added to a record. */
export const addedTo = (record: FlowRecord | undefined): unknown =>
  record && Reflect.get(record, LATER)

/** The same record with that in its place. */
export function withAdded(record: FlowRecord, added: unknown): FlowRecord {
  const fields: object = { [LATER]: added }
  return { ...record, ...fields }
}

export function laterVersion(seed: number): LaterVersion {
  const own = randomFrom(seed ^ 0x1a7e)
  const raised = OPERATIONS.filter(() => own.chance(0.4))
  return {
    isDeployed: false,
    operation: own.pick(OPERATIONS),
    read: (record) => record && { ...record, v: 1 },
    written(record, before) {
      // What is only acknowledged stays as it was.
      const isMoved = record.id !== before?.id || record.seq !== before.seq
      const v = isNewer(before) || (isMoved && raised.includes(record.operation)) ? 2 : 1
      const added = isMoved ? 'kept' : addedTo(before)
      return { ...withAdded(record, added), v: v as FlowRecord['v'] }
    },
  }
}

/** How often the version changes in a run, of its events. */
const OFTEN = 0.02

/** Once after each event, the other version may be deployed. It has chance of its own. */
export function versionChanges(world: World, seed: number): () => void {
  const own = randomFrom(seed ^ 0x7e45)
  const often = own.pick([OFTEN / 2, OFTEN, 2 * OFTEN])
  return () => {
    if (world.later && own.chance(often)) changeVersion(world, world.later)
  }
}

/** What is under way ends where it is; the storage is changed while no instance uses it. */
export function changeVersion(world: World, later: LaterVersion): void {
  const { auditor, timeline, tally, objects, records, audit, events } = world
  later.isDeployed = !later.isDeployed
  const name = later.isDeployed ? 'the later version' : 'this version'
  timeline.note(`${name} is deployed`)
  tally.count(`deployed: ${name}`)
  redeploy(world)
  events.restart()
  for (const { disk } of objects.values())
    if (isNewer(disk.record)) tally.count(`records of a later version, when deployed: ${name}`)
  for (const lost of [records, audit, events].flatMap((one) => one.addLater()))
    auditor.report('I43', `the field of the later version is gone from ${lost}`)
}
