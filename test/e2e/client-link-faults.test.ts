import { expect, test } from 'vitest'

import { NO_RULES } from '../../src/core/domain/rules/house-rules.ts'
import { type Page, browser } from '../support/browser.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { fakeCalcom } from '../support/fakes/calcom.ts'
import { answerBefore, resetBefore } from '../support/fakes/http.ts'
import { linkMade } from '../support/filled-link.ts'
import { startedForAll } from '../support/started.ts'
import { callerWith } from '../support/transports.ts'

// What each page asks the calendar for, in turn: the form, whose times are kept for a while, a check that fails, one that does
// not, and a press that fails.
const SLOTS = ['ok', 'busy', 'ok', 'busy']
const mocked = startedForAll(() =>
  startConnector({ vars: { MOCK_FAULTS: SLOTS.map((one) => `slots:${one}`).join() } }),
)
const calcom = startedForAll(fakeCalcom)
const booking = startedForAll(() => startConnector({ vars: calcom.settings }))

const timesOn = ({ html }: Page) =>
  [...html.matchAll(/name="start_time" value="([^"]+)"/g)].map(([, at]) => at!)

const email = 'jordan.canary@plumbwick.example'
const typed = {
  name: 'Jordan Doe',
  email,
  email_again: email,
  entity_type: 'joint',
}

/** A client opens a new link and types all that it asks; `check` and `press` are the buttons. */
async function client(connector: Connector) {
  const maker = await callerWith(connector, ['client_links:write'])
  const ask = ['details', 'time']
  const { path, link_id } = await linkMade(connector.url, maker.apiKey, { ask })
  const web = browser(connector.url, fetch)
  const start = timesOn(await web.open(path))[5]!
  return {
    start,
    open: () => web.open(path),
    check: () => web.submit(path, Object.entries({ step: 'check', ...typed, start_time: start })),
    press(page: Page, step: string) {
      const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(page.html)!
      return web.submit(path, [
        ['sealed', sealed],
        ['step', step],
      ])
    },
    state: async () => (await maker.rest(`/v1/client-links/${link_id}`)).text,
  }
}

test('a calendar that does not answer is said at each step, and a client types nothing again', async () => {
  const { start, check, press, state } = await client(mocked)

  const unchecked = await check()
  expect([unchecked.status, timesOn(unchecked)]).toEqual([503, [start]])
  expect(unchecked.html).toContain('The calendar does not answer just now. Nothing was sent.')
  for (const value of [typed.name, email]) expect(unchecked.html).toContain(`value="${value}"`)
  const checked = await check()
  expect([checked.status, checked.html]).toEqual([200, expect.stringContaining('Is this right?')])

  const unsent = await press(checked, 'send')
  expect([unsent.status, unsent.html]).toEqual([503, expect.stringContaining('Is this right?')])
  expect(unsent.html).toContain('The calendar does not answer just now. Nothing was sent.')
  expect(await state()).toContain('"state":"open"')

  expect((await press(unsent, 'send')).status).toBe(303)
  expect(await state()).toContain('"state":"completed"')
})

test('a client whom no other time helps is asked to call, and offered none', async () => {
  const { check, press, state } = await client(booking)
  calcom.fault('book', answerBefore(400, { message: 'booker_limit_exceeded_error' }))
  const refused = await press(await check(), 'send')
  expect([refused.status, timesOn(refused)]).toEqual([503, []])
  expect(refused.html).toContain('Nothing was sent.')
  expect(refused.html).toContain('Please call')
  expect(await state()).toContain('"state":"open"')
})

test('what the calendar does not accept is said at its field, or that the practice has to act', async () => {
  const { check, press } = await client(booking)
  const refusedFor = async (message: string) => {
    calcom.fault('book', answerBefore(400, { message }))
    return press(await check(), 'send')
  }
  const email = await refusedFor('responses - {email}invalid_email, ')
  expect([email.status, email.html]).toEqual([422, expect.stringContaining('id="email-error"')])
  const phone = await refusedFor('responses - {attendeePhoneNumber}invalid_number, ')
  expect([phone.status, phone.html]).toEqual([422, expect.stringContaining('Please call')])
  for (const { html } of [email, phone]) expect(html).not.toContain('have changed')

  const blocked = await refusedFor('booker_email_blocked')
  expect([blocked.status, blocked.html]).toEqual([503, expect.stringContaining('can repair it')])
  expect((await press(blocked, 'send')).status).toBe(303)
})

test('the last page names no time that does not hold any more', async () => {
  const { check, press, open } = await client(booking)
  expect((await press(await check(), 'send')).status).toBe(303)
  expect((await open()).html).toContain('Booked')
  calcom.fault('booking', resetBefore)
  expect((await open()).html).toContain('Booked')

  calcom.endOnPage(calcom.state.bookings.at(-1)!.uid)
  const pause = (paused: boolean) =>
    booking.rest('/v1/rules/*', { method: 'PUT', body: { ...NO_RULES, paused } })
  expect((await pause(true)).status).toBe(200)
  const asked = calcom.requests.length
  expect((await open()).html).toContain('Booked')
  expect(calcom.requests.slice(asked), 'a pause sends nothing to a provider').toEqual([])
  expect((await pause(false)).status).toBe(200)

  const page = await open()
  expect([page.status, page.html]).toEqual([200, expect.stringContaining('Changed since')])
  expect(page.html).not.toContain('consult.ics')
})
