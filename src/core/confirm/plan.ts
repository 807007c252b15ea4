import type { Facts } from '../domain/facts.ts'
import type { Practice } from '../domain/practice.ts'
import { approvedLink } from '../domain/records.ts'
import { isoSeconds } from '../domain/time/time.ts'
import type { RecordWrite } from '../ports/records.ts'
import { isApproved } from './approval.ts'
import type { AnyMutation, Finished, Step } from './mutation.ts'
import type { Previewed, Running } from './record.ts'
import type { Plan, StepRule } from './transition.ts'

type Scalar = string | number | boolean | null

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The fields that a preview showed and whose value in the result is another, as paths:
 * `start_time`, `booking.end_time`.
 */
function differences(
  preview: object,
  result: object,
  except: readonly string[] = [],
  path = '',
): string[] {
  const made = new Map<string, unknown>(Object.entries(result))
  return Object.entries(preview).flatMap(([name, shown]: [string, unknown]) => {
    if (except.includes(name) || !made.has(name)) return []
    const is = made.get(name)
    if (shown === is) return []
    if (isObject(shown) && isObject(is)) return differences(shown, is, except, `${path}${name}.`)
    return isScalar(shown) && isScalar(is) ? [path + name] : []
  })
}

const ruleOf = ({
  unattended = false,
  retryWindowMs = 0,
  absenceIsFinalAfterMs = Infinity,
  compensate,
}: Step<object, Facts>): StepRule => ({
  unattended,
  retryWindowMs,
  absenceIsFinalAfterMs,
  ...(compensate && { compensate: ruleOf({ ...compensate, unattended: true }) }),
})

/** The plan of a record: the rules of its steps, and what its operation answers and delivers at each end. */
export function planOf(
  record: Previewed | Running,
  mutation: AnyMutation,
  practice: Pick<Practice, 'timezone' | 'eventTypes'>,
): Plan {
  return {
    rules: mutation.steps(record.pinned).map(ruleOf),
    finish: (ended, end, now) => {
      const finished = finishedOf(ended, now, practice)
      if (end !== 'committed') {
        if (!mutation.incomplete)
          throw new Error('an operation whose steps can be compensated says what is left')
        const { refusal, records, recordId } = mutation.incomplete(finished, end)
        return {
          answer: { is: 'refused', refusal: { ...refusal, effect: 'partial' } },
          records,
          recordId,
        }
      }
      const result = mutation.result(finished)
      const seen = differences(finished.preview, result, mutation.changes)
      const differs = [...new Set([...seen, ...(mutation.differs?.(finished) ?? [])])]
      const made = { ...finished, differs }
      const body = {
        status: 'committed',
        operation: ended.operation,
        mode: ended.mode,
        result,
        summary: mutation.summary(result, made),
        ...(differs.length > 0 && { differs_from_preview: differs }),
        ...(mutation.nextStep && { next_step: mutation.nextStep(result, made) }),
        committed_at: isoSeconds(now),
        ...(ended.need?.decision?.is === 'approved' && {
          approval: { level: ended.need.level, approved_at: isoSeconds(ended.need.decision.at) },
        }),
      }
      return {
        answer: { is: 'committed', body },
        records: mutation
          .records(result, made)
          .map((write) => (isApproved(ended) ? approvedWrite(write, ended.index) : write)),
        ...(differs.length > 0 && { differs }),
        recordId: recordIdIn(mutation.recordId, result) ?? ended.recordId,
      }
    },
  }
}

/** A record that a person approved: its address is known by it from now on. */
const approvedWrite = (write: RecordWrite, index: readonly string[]): RecordWrite => {
  const found = write.links?.filter((link) => index.includes(link)) ?? []
  return found.length === 0
    ? write
    : { ...write, links: [...(write.links ?? []), ...found.map(approvedLink)] }
}

/** The first of these fields that is there. */
export function recordIdIn(fields: readonly string[], facts: object): string | null {
  const values = new Map<string, unknown>(Object.entries(facts))
  return fields.map((field) => values.get(field)).find((value) => typeof value === 'string') ?? null
}

const finishedOf = (
  record: Previewed | Running,
  now: number,
  practice: Pick<Practice, 'timezone' | 'eventTypes'>,
): Finished<Facts, object> => ({
  id: record.id,
  mode: record.mode,
  preview: record.shown.preview,
  pinned: record.pinned,
  index: record.index,
  stepResults: record.state === 'running' ? record.stepResults : [],
  ...(record.state === 'running' && record.turnedAway && { turnedAway: record.turnedAway }),
  approved: isApproved(record),
  now,
  origin: record.origin,
  practiceZone: practice.timezone,
  eventTypes: practice.eventTypes,
  differs: [],
})
