import { describe, expect, test } from 'vitest'

import { problemText } from '../../../../src/api/mcp/tool-calls.ts'
import {
  type Refusal,
  problemBody,
  effectsOf,
} from '../../../../src/core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../../../../src/core/domain/problem/problems.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import { problemsOf } from '../../../../src/practice/operations/operation.ts'
import { startsInText } from '../../../support/text-answers.ts'

const textOf = (refusal: Refusal) =>
  problemText(problemBody(refusal, 'request-1', 'https://connector.example.com'))

describe('a refusal in text', () => {
  test.each(PROBLEM_CODES)(
    'of the code %s says what is wrong, what it did and what to do next',
    (code) => {
      const text = textOf({ code, effect: effectsOf(code)[0] })
      expect(text).toContain(`(${code})`)
      expect(text).toContain(PROBLEMS[code].detail)
      expect(text).toContain(`Effect: ${effectsOf(code)[0]}.`)
      expect(text.split('\n').at(-1)).toBe(`Next: ${PROBLEMS[code].next_step}`)
      expect(text).not.toMatch(/[{"]code|undefined|null|https:/)
    },
  )

  test.each(MUTATIONS.flatMap((one) => problemsOf(one).map((code) => [one.name, code] as const)))(
    'of %s, %s, points to nothing that only REST or the structured content has',
    (_name, code) => {
      const text = textOf({ code, effect: effectsOf(code)[0] })
      expect(text).not.toMatch(/over REST|GET \/|\berrors\b|free_slots|in changes/)
    },
  )

  test('of an approval that waits sends the model to the person, and not to a clock', () => {
    const text = textOf({
      code: 'approval_pending',
      effect: 'none',
      approval_code: '7K3Q',
      retry_after_seconds: 15,
    })
    expect(text).toContain('approval_code: 7K3Q')
    expect(text).not.toContain('retry_after_seconds')
    expect(text).toContain('wait until they say that it is approved')
  })

  test('names every wrong field, and one that is not known by the request', () => {
    const errors = [
      { pointer: '/start_time', detail: 'Expected a time in the future.' },
      { pointer: '', detail: 'A field here is not known.' },
    ]
    const text = textOf({ code: 'validation_failed', effect: 'none', errors })
    expect(text).toContain('- /start_time: Expected a time in the future.')
    expect(text).toContain('- the request: A field here is not known.')
  })

  test('says what changed since the preview, and names a personal field without its values', () => {
    const changes = [{ field: 'amount', was: 25000, now: 20000 }, { field: 'invitee' }]
    const text = textOf({ code: 'preview_stale', effect: 'none', changes })
    expect(text).toContain('amount was: 25000\namount is now: 20000\ninvitee has changed')
  })

  test('names the free times nearby so that one can be sent back', () => {
    const free_slots = [
      { start_time: '2026-11-24T09:30:00-05:00' },
      { start_time: '2026-11-24T11:00:00-05:00' },
    ]
    const text = textOf({
      code: 'slot_unavailable',
      effect: 'none',
      free_slots,
    })
    expect(startsInText(text)).toEqual(free_slots.map(({ start_time }) => start_time))
  })

  test('names the booking that is left, when to ask again, and any fact that a code brings', () => {
    const booking = {
      booking_id: 'bk_2',
      previous_booking_id: 'bk_1',
      state: 'confirmed' as const,
      start_time: '2026-11-24T10:00:00-05:00',
      end_time: '2026-11-24T10:30:00-05:00',
      timezone: 'America/New_York',
      local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
    }
    const restored = textOf({ code: 'reschedule_restored', effect: 'partial', booking })
    expect(restored).toContain('booking.booking_id: bk_2')
    const gone = textOf({
      code: 'partially_applied',
      effect: 'partial',
      booking: { ...booking, booking_id: null },
    })
    expect(gone).not.toContain('booking.booking_id')
    expect(gone).toContain('No consult is booked now')
    expect(textOf({ code: 'provider_busy', effect: 'none', retry_after_seconds: 5 })).toContain(
      'retry_after_seconds: 5',
    )
    expect(
      textOf({ code: 'invoice_not_payable', effect: 'none', invoice_status: 'paid' }),
    ).toContain('invoice_status: paid')
  })
})
