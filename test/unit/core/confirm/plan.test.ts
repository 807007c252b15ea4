import { describe, expect, test } from 'vitest'

import { type AnyMutation, type Step, planOf } from '../../../../src/core/confirm/mutation.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import { mutationNamed } from '../../../../src/practice/operations/index.ts'
import { NOW, previewed, running } from './machine-cells.ts'

const withSteps = (...steps: Step<object, Facts>[]): AnyMutation => ({
  ...mutationNamed('book_consult')!,
  steps: () => steps,
  result: ({ stepResults, preview }) => ({ stepResults, preview }),
  summary: () => 'Done.',
  records: (result) => [{ key: 'record', mode: 'mock', value: result }],
  recordId: ['learnt', 'booking_id'],
  incomplete: ({ pinned }, end) => ({
    refusal: { code: 'partially_applied', detail: end },
    records: [{ key: 'end', mode: 'mock', value: pinned }],
    recordId: 'bk_1',
  }),
})

const PRACTICE = { timezone: 'UTC', eventTypes: [{ name: 'consult', id: 'consult' }] as const }

describe('the rules of a step', () => {
  test.each<[string, Facts, { retryWindowMs: number; compensate: boolean }[]]>([
    ['book_consult', {}, [{ retryWindowMs: 0, compensate: false }]],
    ['cancel_booking', {}, [{ retryWindowMs: Infinity, compensate: false }]],
    [
      'reschedule_booking',
      { in_one_call: false },
      [
        { retryWindowMs: Infinity, compensate: true },
        { retryWindowMs: 0, compensate: false },
      ],
    ],
    ['reschedule_booking', { in_one_call: true }, [{ retryWindowMs: 0, compensate: false }]],
    ['create_payment_link', {}, [{ retryWindowMs: 23 * HOUR, compensate: false }]],
    ['create_client_profile', {}, []],
    ['submit_intake_answers', {}, []],
  ])(
    'of %s %j: a create is sent again only inside the retry window of the provider',
    (name, more, expected) => {
      const times = { start_time: '2026-11-25T19:00:00Z', end_time: '2026-11-25T19:30:00Z' }
      const old = { old_start_time: '2026-11-24T15:00:00Z', old_end_time: '2026-11-24T15:30:00Z' }
      const record = previewed({ pinned: { ...times, ...old, ...more } })
      const { rules } = planOf(record, mutationNamed(name)!, PRACTICE)
      expect(
        rules.map(({ retryWindowMs = 0, compensate }) => ({
          retryWindowMs,
          compensate: compensate !== undefined,
        })),
      ).toEqual(expected)
      expect(rules.every((rule) => rule.absenceIsFinalAfterMs === undefined)).toBe(true)
    },
  )
})

describe('the end of a change', () => {
  const record = running({ stepResults: [{ booking_id: 'bk_1' }], recordId: 'bk_0' })

  test('committed has the body of the answer, and the records to deliver', () =>
    expect(planOf(record, withSteps(), PRACTICE).finish(record, 'committed', NOW)).toEqual({
      answer: {
        is: 'committed',
        body: {
          status: 'committed',
          operation: 'book_consult',
          mode: 'mock',
          result: { stepResults: [{ booking_id: 'bk_1' }], preview: { shown: true } },
          summary: 'Done.',
          committed_at: '1970-01-01T00:16:40Z',
        },
      },
      records: [
        {
          key: 'record',
          mode: 'mock',
          value: { stepResults: [{ booking_id: 'bk_1' }], preview: { shown: true } },
        },
      ],
      recordId: 'bk_0',
    }))

  test.each(['compensated', 'partial'] as const)(
    '%s: what is left, as a refusal with a partial effect',
    (end) =>
      expect(planOf(record, withSteps(), PRACTICE).finish(record, end, NOW)).toEqual({
        answer: {
          is: 'refused',
          refusal: { code: 'partially_applied', effect: 'partial', detail: end },
        },
        records: [{ key: 'end', mode: 'mock', value: record.pinned }],
        recordId: 'bk_1',
      }),
  )

  test('partial is an internal error for an operation that has no partial end', () => {
    const { incomplete: _incomplete, ...mutation } = withSteps()
    expect(() => planOf(record, mutation, PRACTICE).finish(record, 'partial', NOW)).toThrow(
      'what is left',
    )
  })
})
