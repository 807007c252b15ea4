import { afterAll, expect } from 'vitest'

import { MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { calendlyScheduling } from '../../src/practice/adapters/scheduling/calendly/index.ts'
import {
  type FakeCalendly,
  fakeCalendly,
  type FakeCalendlyState,
} from '../support/fakes/calendly.ts'
import { contractCheck } from '../support/fakes/provider-contract.ts'
import { fetchOfFake } from './fetch-of-fake.ts'

/** A Monday, before anything is open. */
export const NOW = Date.parse('2026-11-23T12:00:00Z')
/** The first open time of the fake that day, in steps of half an hour. */
export const slotAt = (index: number) => {
  const start = Date.parse('2026-11-23T14:00:00Z') + index * 30 * MINUTE
  return { start, end: start + 30 * MINUTE }
}

export const JANE = {
  email: 'jane.canary@client.example',
  name: 'Jane Canarybird',
  timezone: 'Europe/London',
}
/** The reference of a step, as the connector makes it. */
export const MARKER = 'q3Zr8mXo2LwT5vKc9bNf1A.0'

export interface CalendlyRig {
  fake: FakeCalendly
  scheduling: Scheduling
  /** Another adapter in front of the same fake, which remembers nothing yet. */
  adapter(): Scheduling
  /** The clock of adapter and fake, and moving it. */
  now(): number
  pass(ms: number): void
  /** The next change is delivered twice on its way, and only the second answer comes back. */
  twice(): void
}

const check = contractCheck('calendly.yaml')

if (check) afterAll(() => expect(check.compared()).toBeGreaterThan(0))

/** The adapter in front of a fake of its own, which stops with the test. */
export async function startCalendly(
  changes: Partial<FakeCalendlyState> = {},
  settings: {
    timeoutMs?: number
    token?: string
    eventTypeIds?: string[]
    now?: () => number
  } = {},
): Promise<CalendlyRig> {
  let clock = NOW
  let doubled = false
  const now = settings.now ?? (() => clock)
  const fake = await fakeCalendly({ now, ...changes }, check?.watch)
  const fetch = fetchOfFake(fake, check)
  const connection: Parameters<typeof calendlyScheduling>[0] = {
    token: 'fake-calendly-token',
    baseUrl: fake.url,
    timeoutMs: 5_000,
    now,
    fetch: async (input, init) => {
      if (doubled && init?.method === 'POST') {
        doubled = false
        await (await fetch(input, init)).arrayBuffer()
      }
      return fetch(input, init)
    },
    ...settings,
  }
  const adapter = () => calendlyScheduling(connection)
  return {
    fake,
    scheduling: adapter(),
    adapter,
    now,
    pass: (ms) => void (clock += ms),
    twice: () => void (doubled = true),
  }
}
