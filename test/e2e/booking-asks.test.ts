// @module-tag slow

import { expect, onTestFinished, test } from 'vitest'

import { filesUnder } from '../security/privacy/evidence.ts'
import { browser } from '../support/browser.ts'
import type { Connector } from '../support/connector.ts'
import { fakeCalendly } from '../support/fakes/calendly.ts'
import { linkMade } from '../support/filled-link.ts'
import { storageForTest, withConnector } from '../support/started.ts'
import { callerWith, changeOf, done, freeStarts, ZONE } from '../support/transports.ts'

/** What invitees say here; none of it may be stored or logged, nor answered but in a preview. */
const WROTE = 'Zebulonian back taxes, ask zeb@canary-desk.example'
const CANARIES = /zebulonian|canary-desk|555\D{0,2}0147/i
const ABOUT = 'What is it about?'
const WHO = 'Who is it for?'
const SAID = {
  answers: [
    { question: ABOUT, answer: WROTE },
    { question: WHO, answer: 'My business' },
  ],
  phone: '(202) 555-0147',
}
/** A client in front of the page of a link that asks for a time. */
async function clientOf(live: Connector) {
  const maker = await callerWith(live, ['client_links:write'])
  const { path } = await linkMade(live.url, maker.apiKey, { ask: ['time'] })
  const web = browser(live.url, fetch)
  return {
    open: () => web.open(path),
    submit: (fields: [string, string][]) => web.submit(path, fields),
  }
}

test('a price keeps a kind from being booked, and the refusal names the scheduling page', async () => {
  const calendly = await fakeCalendly()
  onTestFinished(() => calendly.stop())
  const page = 'https://calendly.com/practice'
  const vars = { ...calendly.settings, SCHEDULING_PAGE_URL: page }
  await withConnector({ vars }, async (live) => {
    const [start_time] = await freeStarts(live)
    calendly.eventType.is_paid = true
    const fields = { start_time, timezone: ZONE, invitee_email: 'jordan@example.com' }
    const { body } = await changeOf(live, 'book_consult', fields).preview()
    expect(body).toMatchObject({ code: 'provider_misconfigured', scheduling_page_url: page })
    expect(body.next_step).toContain('scheduling page')
    // A client is told before they type anything.
    const { status, html } = await (await clientOf(live)).open()
    expect([status, html]).toEqual([503, expect.stringContaining('only the practice can repair')])
    expect(html).not.toContain('<input')
  })
})

test('what an invitee says reaches Calendly, and no file or log of the connector', async () => {
  const calendly = await fakeCalendly()
  onTestFinished(() => calendly.stop())
  calendly.eventType.questions = [
    { name: ABOUT, enabled: true, required: true, type: 'text' },
    {
      name: WHO,
      enabled: true,
      required: true,
      type: 'single_select',
      answer_choices: ['Myself', 'My business'],
    },
  ]
  calendly.eventType.locations = [{ kind: 'outbound_call' }]
  const storage = await storageForTest()
  let logs: string[] = []
  let booking = ''
  // No setting names the fields: a host with an old list may send them all the same.
  await withConnector({ storage, vars: calendly.settings }, async (live) => {
    const [first, second] = await freeStarts(live)
    const fields = { timezone: ZONE, invitee_email: 'jordan@example.com', ...SAID }
    const { committed, result } = await done(live, 'client 2.x, 2026-07-28', 'book_consult', {
      ...fields,
      start_time: first,
    })
    booking = String(result['booking_id'])
    expect(JSON.stringify(committed)).not.toMatch(CANARIES)
    // One that no one commits is kept sealed until its end.
    await changeOf(live, 'book_consult', { ...fields, start_time: second }).preview()
    // A client says the same on the page of a link.
    const client = await clientOf(live)
    const email = 'sam@example.com'
    const typed = { name: 'Sam Roe', email, email_again: email, phone: SAID.phone }
    const review = await client.submit([
      ...Object.entries({ ...typed, step: 'check', start_time: second! }),
      ...SAID.answers.map(({ question, answer }): [string, string] => [
        `answer:${question}`,
        answer,
      ]),
    ])
    expect(review.html).toContain(WROTE)
    const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(review.html)!
    const sent = await client.submit(Object.entries({ sealed, step: 'send' }))
    expect(sent.status).toBe(303)
    expect((await client.open()).html).not.toMatch(CANARIES)
    logs = live.logs
  })
  const booked = {
    place: { kind: 'outbound_call', location: '+12025550147' },
    invitees: [{ answers: SAID.answers.map((one, position) => ({ ...one, position })) }],
  }
  expect(calendly.state.events).toMatchObject([booked, booked])
  const files = await filesUnder(storage)
  const stored = Buffer.concat(files.map(({ bytes }) => bytes)).toString('latin1')
  // The search would find it: the id is there.
  expect(stored).toContain(booking)
  expect(CANARIES.exec(stored)?.[0]).toBeUndefined()
  expect(CANARIES.exec(logs.join('\n'))?.[0]).toBeUndefined()
})
