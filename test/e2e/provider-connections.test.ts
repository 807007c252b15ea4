import { expect, test } from 'vitest'

import { startConnector } from '../support/connector.ts'
import { fakeCalendly } from '../support/fakes/calendly.ts'
import { resetAfter, resetBefore } from '../support/fakes/http.ts'
import { startedForAll } from '../support/started.ts'
import { ZONE, changeOf, freeStarts } from '../support/transports.ts'

const calendly = startedForAll(fakeCalendly)
const connector = startedForAll(() => startConnector({ vars: calendly.settings }))

/** The log of these calls: one JSON line for each, and whatever else was written beside them. */
async function logOf(
  calls: () => Promise<unknown>,
): Promise<{ codes: string[]; others: string[] }> {
  const before = connector.logs.length
  await calls()
  const entries = () => connector.logs.slice(before).filter((line) => line.trim() !== '')
  // A line of the runtime comes before the line of the request that met it; this last request ends the reading.
  const last = await connector.rest('/v1/me')
  await expect
    .poll(() => entries().some((line) => line.includes(last.headers.get('X-Request-Id') ?? '-')))
    .toBe(true)
  return {
    codes: entries()
      .filter((line) => line.startsWith('{"request_id"'))
      .map((line) => (JSON.parse(line) as { code: string }).code),
    others: entries().filter((line) => !line.startsWith('{')),
  }
}

test('a read whose connection the provider resets leaves its own line in the log and no uncaught exception', async () => {
  calendly.fault('times', resetBefore)
  const { codes, others } = await logOf(() => connector.rest('/v1/availability'))
  expect(codes).toContain('provider_busy')
  expect(others).toEqual([])
})

test('a booking whose answer is reset leaves its own line in the log and no uncaught exception', async () => {
  const [start_time] = await freeStarts(connector)
  const guest = { timezone: ZONE, invitee_email: 'ada@example.com' }
  const change = changeOf(connector, 'book_consult', { ...guest, start_time })
  const { codes, others } = await logOf(async () => {
    const preview = await change.preview()
    expect(preview.status, preview.text).toBe(200)
    calendly.fault('book', resetAfter)
    await change.commit()
  })
  expect(codes).toHaveLength(3)
  expect(others).toEqual([])
})
