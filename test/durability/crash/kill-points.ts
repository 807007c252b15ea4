import { type FlowRecord, type Running, nextAlarmOf } from '../../../src/core/confirm/record.ts'
import type { Flow } from './flow.ts'
import type { Passage } from './latency.ts'
import type { LinkStyle } from './providers.ts'
import type { Stored } from './storage.ts'

/** Where an operation was when its connector was killed, in the order in which it gets there. */
export const KILL_POINTS = [
  'no preview answered yet',
  'previewed, no commit asked',
  'commit asked, intent not stored',
  'intent stored, not seen by the provider',
  'seen by the provider, not acted on',
  'acted on, answer under way',
  'answered, outcome not stored',
  'the line broke, outcome not found out yet',
  'between two steps',
  'in doubt since an earlier end',
  'intent stored, only reads to do',
  'outcome stored, not answered',
  'outcome answered, records on their way',
  'outcome answered, records delivered',
] as const
export type KillPoint = (typeof KILL_POINTS)[number]

/**
 * The moments between intent and outcome: on disk stands that a change is to be made, and not what became of it. Left out
 * are a link that is only read, although its record passes through the same state, and what the connector that was killed
 * had not sent itself.
 */
export const BETWEEN: ReadonlySet<KillPoint> = new Set<KillPoint>([
  'intent stored, not seen by the provider',
  'seen by the provider, not acted on',
  'acted on, answer under way',
  'answered, outcome not stored',
  'the line broke, outcome not found out yet',
  'between two steps',
])

/** What one instance of the connector has sent until its end. */
export interface Instance {
  number: number
  /** When it was started, by the clock. */
  born: number
  style: LinkStyle
  /** Every change that was sent before its end, also by those before it. */
  passages: readonly Passage[]
  /** How many of them were sent by those before it. */
  before: number
}

/** Where a flow was: from its record as the kill left it on disk, and from what the line had seen by then. */
export function killPointOf(
  flow: Flow,
  record: FlowRecord | undefined,
  instance: Instance,
): KillPoint {
  switch (record?.state) {
    case undefined:
      return 'no preview answered yet'
    case 'previewed':
      return flow.commits === 0 ? 'previewed, no commit asked' : 'commit asked, intent not stored'
    case 'running':
      if (flow.kind === 'payment link' && instance.style === 'hosted_invoice')
        return 'intent stored, only reads to do'
      return stageOf(record, instance)
    case 'done':
      if (!flow.end) return 'outcome stored, not answered'
      return record.outbox
        ? 'outcome answered, records on their way'
        : 'outcome answered, records delivered'
  }
}

function stageOf(
  { id, step, compensating, unconfirmedSends, lastSent }: Running,
  { born, passages, before }: Instance,
): KillPoint {
  const own = passages.slice(before).filter((passage) => passage.id === id)
  if (lastSent < born && own.length === 0) return 'in doubt since an earlier end'
  if (unconfirmedSends === 0) return 'between two steps'
  switch (own.findLast((passage) => passage.step === `${step}${compensating ? 'u' : ''}`)?.state) {
    case undefined:
      return 'intent stored, not seen by the provider'
    case 'arrived':
      return 'seen by the provider, not acted on'
    case 'acted':
      return 'acted on, answer under way'
    case 'answered':
    case 'turned away':
      return 'answered, outcome not stored'
    case 'broken':
      return 'the line broke, outcome not found out yet'
  }
}

/** What the disk must say after a kill, whatever was under way; each sentence is a broken promise. */
export function lostOnDisk(
  flow: Flow,
  stored: Stored | undefined,
  { number, passages }: Instance,
): string[] {
  const { id, end, replies } = flow
  if (id === undefined) return []
  if (!stored) return ['answered a preview that is not stored']
  const { record, alarm } = stored
  const wrong: string[] = []
  const left = passages.some(
    (passage) =>
      passage.id === id && passage.state !== 'turned away' && (passage.status ?? 200) < 300,
  )
  if (left && record.state === 'previewed') wrong.push('sent a change before its intent was stored')
  const answered = end?.body.status === 'committed' || end?.body.effect === 'partial'
  if (answered && record.state !== 'done') wrong.push('answered an outcome that is not stored')
  // An object that this instance was not asked for may have lost its alarm in an earlier one.
  const wasAwake = replies.some(({ instance }) => instance === number)
  if (wasAwake && nextAlarmOf(record) !== undefined && !alarm)
    wrong.push('has nothing that will wake it')
  return wrong
}
