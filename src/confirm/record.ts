import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { Refusal } from '../domain/problem.ts'
import type { AuditBy, AuditEntry } from '../ports/audit.ts'
import type { Shown } from '../ports/index.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The waits of the machine, in milliseconds. */
export const SCHEDULE = {
  /** When the alarm looks again at something in doubt, or delivers again; after the last one a person is needed. */
  looks: [15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR],
  /** How many waits a later step that could not be sent gets before the earlier one is undone. */
  patience: 3,
  /** The longest wait that a provider is granted between two tries of a later step. */
  longestWait: 5 * MINUTE,
  /** How long a task may work before the alarm asks whether it is still alive. */
  hold: 15 * SECOND,
  /** When the alarm first delivers what the commit itself could not. */
  deliver: MINUTE,
  /** When entries of the trail set out by themselves; until then they wait for company. */
  trail: MINUTE,
  /** How often it tries once the looks are used up. */
  deliverLate: DAY,
  /** How often the owner is told again until telling worked. */
  tellAgain: HOUR,
  /** How often the alarm asks whether the version that can carry on is deployed. */
  otherVersion: HOUR,
  /** How long a record lives after its end, or after its preview expired. */
  retain: 30 * DAY,
} as const

/** A record that is on its way to the records store; written until it is there. */
export interface Delivery {
  key: string
  value: object
}

/** An entry of the trail that is on its way; written until it is there. Its id is its name in this object. */
export interface TrailRow extends Pick<
  AuditEntry,
  'id' | 'at' | 'event' | 'code' | 'record_id' | 'app' | 'request_id' | 'times'
> {
  /** It was sent and may be there already, so it never changes again. */
  sent?: true
}

export type Answer = { is: 'committed'; body: object } | { is: 'refused'; refusal: Refusal }

/** What is kept about one operation before it begins. */
export interface Fresh {
  operation: string
  mode: Mode
  origin: string
  /** The id of the secret under which fingerprint, token and keyed hashes are made. */
  keyId: string
  fingerprint: string
  /** 128 random bits: the nonce of the token and the root of the markers. */
  id: string
  expiresAt: number
  shown: Shown
  pinned: Facts
}

/**
 * All that is kept about one idempotency key: masked, versioned, one storage key.
 * `tries` counts sends that are not proved without effect.
 */
export interface FlowRecord extends Omit<Fresh, 'shown' | 'pinned'> {
  v: 1
  /** Counts the changes, so that an answer heard for an earlier state is ignored. */
  seq: number
  at: 'previewed' | 'running' | 'done'
  shown?: Shown
  pinned?: Facts
  /** Why the token of this preview is used up. */
  spent?: Refusal
  step: number
  undo: boolean
  tries: number
  firstSent: number
  lastSent: number
  looks: number
  /** When the alarm comes next, while running or while the outbox is not empty. */
  wake?: number | undefined
  /** The looks are used up, and a person has to find out the outcome; `untold` until the owner was told. */
  attention?: 'untold' | 'told' | undefined
  /** Why a later step was given up. */
  setback?: Refusal
  /** What each finished step learnt. */
  learnt: Facts[]
  answer?: Answer
  endedAt?: number
  outbox?: Delivery[]
  /** Who last moved it, for the trail. */
  by?: AuditBy
  /** The trail was told that the outcome is in doubt. */
  doubted?: true
  trail?: { rows: TrailRow[]; wake: number; tries: number }
}

/** When the flow itself must go on. It is forgotten only when the trail knows all of it. */
export function dueAt(record: FlowRecord): number | undefined {
  switch (record.at) {
    case 'previewed':
      return record.trail ? undefined : record.expiresAt + SCHEDULE.retain
    case 'running':
      return record.wake
    case 'done':
      if (record.outbox) return record.wake
      return record.trail ? undefined : (record.endedAt ?? 0) + SCHEDULE.retain
  }
}

/** The versions of the record that this code can read. One is added when older code could misread what is kept. */
const READABLE: readonly unknown[] = [1]

/** Whether this code may act on what is kept. After a rollback a newer version may have written it: never guess. */
export const isReadable = (record: FlowRecord): boolean => READABLE.includes(record.v)

/** When an object with this record is woken; what only another version can read waits for it, hour by hour. */
export const alarmAt = (record: FlowRecord, now: number): number | undefined =>
  isReadable(record) ? wakeAt(record) : now + SCHEDULE.otherVersion

/** When the object must be woken: the only source of alarms, so no transition can forget one. */
export function wakeAt(record: FlowRecord): number | undefined {
  const wakes = [dueAt(record), record.trail?.wake].filter((wake) => wake !== undefined)
  return wakes.length > 0 ? Math.min(...wakes) : undefined
}
