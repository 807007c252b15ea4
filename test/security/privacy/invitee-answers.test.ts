import { expect, onTestFinished, test } from 'vitest'

import { browser } from '../../support/browser.ts'
import { fakeCalendly } from '../../support/fakes/calendly.ts'
import { linkMade } from '../../support/filled-link.ts'
import { storageForTest, withConnector } from '../../support/started.ts'
import { ZONE, callerWith, changeOf, done, freeStarts } from '../../support/transports.ts'
import { filesUnder } from './evidence.ts'

/** What invitees say here; none of it may be stored or logged, nor answered but in a preview. */
const WROTE = 'Zebulonian back taxes, ask zeb@canary-desk.example'
const CANARIES = /zebulonian|canary-desk|555\D{0,2}0147/i
const ABOUT = 'What is it about?'
const SAID = { answers: [{ question: ABOUT, answer: WROTE }], phone: '(202) 555-0147' }

test('what an invitee says reaches Calendly, and no file or log of the connector', async () => {
  const calendly = await fakeCalendly()
  onTestFinished(() => calendly.stop())
  calendly.eventType.questions = [{ name: ABOUT, enabled: true, required: true, type: 'text' }]
  calendly.eventType.locations = [{ kind: 'outbound_call' }]
  const storage = await storageForTest()
  let logs: string[] = []
  let booking_id = ''
  // No setting names the fields: a host with an old list may send them all the same.
  await withConnector({ storage, vars: calendly.settings }, async (live) => {
    const [first, second] = await freeStarts(live)
    const fields = { timezone: ZONE, invitee_email: 'jordan@example.com', ...SAID }
    const { committed, result } = await done(live, 'client 2.x, 2026-07-28', 'book_consult', {
      ...fields,
      start_time: first,
    })
    booking_id = String(result['booking_id'])
    expect(JSON.stringify(committed)).not.toMatch(CANARIES)
    // One that no one commits is kept sealed until its end.
    await changeOf(live, 'book_consult', { ...fields, start_time: second }).preview()
    // A client says the same on the page of a link.
    const maker = await callerWith(live, ['client_links:write'])
    const { path } = await linkMade(live.url, maker.apiKey, { ask: ['time'] })
    const web = browser(live.url, fetch)
    await web.open(path)
    const typed = { name: 'Sam Roe', email: 'sam@example.com', email_again: 'sam@example.com' }
    const review = await web.submit(path, [
      ...Object.entries({ ...typed, phone: SAID.phone, step: 'check', start_time: second! }),
      [`answer:${ABOUT}`, WROTE],
    ])
    expect(review.html).toContain(WROTE)
    const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(review.html)!
    const sent = await web.submit(path, Object.entries({ sealed, step: 'send' }))
    expect(sent.status).toBe(303)
    expect((await web.open(path)).html).not.toMatch(CANARIES)
    // An agent reads them back, with labels in place of contacts.
    const reader = await callerWith(live, ['bookings:read', 'booking_answers:read'])
    const read = await reader.mcp('get_booking', { booking_id })
    expect(read.text).toContain('Zebulonian back taxes, ask [email]')
    expect(read.text).not.toMatch(/canary-desk|555\D{0,2}0147/i)
    logs = live.logs
  })
  const booked = {
    place: { kind: 'outbound_call', location: '+12025550147' },
    invitees: [{ answers: [{ ...SAID.answers[0], position: 0 }] }],
  }
  expect(calendly.state.events).toMatchObject([booked, booked])
  const files = await filesUnder(storage)
  const stored = Buffer.concat(files.map(({ bytes }) => bytes)).toString('latin1')
  // The search would find it: the id is there.
  expect(stored).toContain(booking_id)
  expect(CANARIES.exec(stored)?.[0]).toBeUndefined()
  expect(CANARIES.exec(logs.join('\n'))?.[0]).toBeUndefined()
})
