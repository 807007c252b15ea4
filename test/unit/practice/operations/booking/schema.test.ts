import { expect, test } from 'vitest'

import { bookedFacts } from '../../../../../src/practice/operations/booking/schema.ts'

test('a booking that the owner found waits for the practice where its preview said so', () => {
  const found = { booking_id: 'bk_1' }
  const stateOf = (facts: { state?: string }, needs_acceptance: boolean) =>
    bookedFacts({ ...found, ...facts }, { needs_acceptance }).state
  expect(stateOf({}, true)).toBe('pending_host_approval')
  expect(stateOf({}, false)).toBe('confirmed')
  expect(stateOf({ state: 'cancelled' }, true)).toBe('cancelled')
})
