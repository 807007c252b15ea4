import { afterAll, expect } from 'vitest'

import type { Slot } from '../../src/core/domain/availability.ts'
import type { Invitee } from '../../src/core/domain/booking.ts'
import type { EventType } from '../../src/core/domain/practice.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import type { SchedulingConnection } from '../../src/practice/adapters/connection.ts'
import { calcomScheduling } from '../../src/practice/adapters/scheduling/calcom/index.ts'
import { calcomContract } from '../support/fakes/calcom-contract.ts'
import { type FakeCalcom, fakeCalcom, type FakeCalcomState } from '../support/fakes/calcom.ts'
import { fetchOfFake } from './fetch-of-fake.ts'

/** A Monday, before anything is open. */
export const NOW = Date.parse('2026-11-23T12:00:00Z')
const HALF_HOUR = 30 * MINUTE
/** The open times of the fake that day, half an hour each. */
export const slotAt = (index: number): Slot => {
  const start = Date.parse('2026-11-23T14:00:00Z') + index * HALF_HOUR
  return { start, end: start + HALF_HOUR }
}

export const JANE: Invitee = {
  email: 'jane.canary@practice-client.example',
  name: 'Jane Canarybird',
  timezone: 'Europe/London',
}
export const CANARIES = /jane\.canary|canarybird/i

export interface CalcomRig {
  fake: FakeCalcom
  scheduling: Scheduling
  eventType: EventType
  /** The clock of adapter and fake, and moving it. */
  now(): number
  pass(ms: number): void
  book(index?: number, marker?: string): Promise<string>
}

const check = calcomContract()
/** True once a fake's answers are to be compared: a file may consist of those that are not. */
let isComparing = false

if (check) afterAll(() => isComparing && expect(check.compared()).toBeGreaterThan(0))

/** The adapter in front of a fake of its own, which stops with the test. */
export async function startCalcom(
  changes: Partial<FakeCalcomState> = {},
  connection: Partial<SchedulingConnection> = {},
  /** Off where the fake answers what the contract file does not know. */
  { compared = true } = {},
): Promise<CalcomRig> {
  let clock = NOW
  const now = () => clock
  isComparing ||= compared
  const fake = await fakeCalcom({ now, ...changes }, compared ? check?.watch : undefined)
  const fetch = fetchOfFake(fake, check)
  const scheduling = calcomScheduling({
    token: 'cal_live_fake',
    baseUrl: fake.url,
    timeoutMs: 5_000,
    now,
    fetch,
    ...connection,
  })
  const eventType = { name: 'consult', id: String(fake.eventType.id) }
  return {
    fake,
    scheduling,
    eventType,
    now,
    pass: (ms) => void (clock += ms),
    async book(index = 0, marker = 'made-for-the-test.0') {
      const request = { eventTypeId: eventType.id, ...slotAt(index), invitee: JANE }
      const ran = await scheduling.book(request, marker)
      if (ran.is !== 'ok') throw new Error(`not booked: ${ran.is}`)
      return String(ran.facts['booking_id'])
    },
  }
}
