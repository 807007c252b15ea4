// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../src/core/domain/time/time.ts'
import { startConnector } from '../support/connector.ts'
import { fakeCalcom } from '../support/fakes/calcom.ts'
import { startedForAll } from '../support/started.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ask, callerWith, done } from '../support/transports.ts'

/** What Cal.com allows an API key in a minute. */
const ALLOWED = 120
const SCOPES = ['availability:read', 'bookings:write'] as const

const folder = temporaryFolder()
afterAll(() => folder.remove())
const calcom = startedForAll(fakeCalcom)
const connector = startedForAll(() =>
  startConnector({ storage: folder.path, vars: calcom.settings }),
)

type Caller = Awaited<ReturnType<typeof callerWith>>
let runaway: Caller
let other: Caller
beforeAll(async () => {
  runaway = await callerWith(connector, [...SCOPES])
  other = await callerWith(connector, [...SCOPES])
})

const midnight = Math.ceil(Date.now() / DAY) * DAY
/** The free times of another hour each time, so that no answer is one of before. */
const search = (caller: Caller, nth: number) =>
  ask(caller, 'REST', 'list_availability', {
    start_time: isoUtc(midnight + DAY + nth * HOUR),
    timezone: 'UTC',
  })

describe('one caller that searches a hundred times in a minute', () => {
  test('waits itself, while another one searches and books', async () => {
    const answers = []
    for (let nth = 0; nth < 100; nth += 1) answers.push(await search(runaway, nth))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { body, headers } of refused) {
      expect(body.code).toBe('rate_limited')
      expect(Number(headers!.get('Retry-After'))).toBeGreaterThan(0)
    }
    expect(calcom.requests.length).toBeLessThan((ALLOWED * 3) / 4)

    for (const nth of [101, 102, 103]) {
      const found = await search(other, nth)
      expect(found.status, found.text).toBe(200)
    }
    const [slot] = (
      (await search(other, 104)).body as unknown as { slots: { start_time: string }[] }
    ).slots
    await done(other, 'REST', 'book_consult', {
      start_time: slot!.start_time,
      timezone: 'UTC',
      invitee_email: 'jordan@example.com',
    })
    expect(calcom.requests.length).toBeLessThan(ALLOWED)
  })
})
