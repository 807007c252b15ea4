import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Page, browser } from '../support/browser.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { callerWith } from '../support/transports.ts'

// What each page asks the calendar for, in turn: the form, whose times are kept for a while, a check that fails, one that does
// not, and a press that fails.
const SLOTS = ['ok', 'busy', 'ok', 'busy']
let connector: Connector
beforeAll(async () => {
  connector = await startConnector({
    vars: { MOCK_FAULTS: SLOTS.map((one) => `slots:${one}`).join() },
  })
})
afterAll(() => connector.stop())

const timesOn = ({ html }: Page) =>
  [...html.matchAll(/name="start_time" value="([^"]+)"/g)].map(([, at]) => at!)

test('a calendar that does not answer is said at each step, and a client types nothing again', async () => {
  const maker = await callerWith(connector, ['client_links:write'])
  const send = (more: object) =>
    maker.rest('/v1/client-links', {
      key: 'client-link-1',
      body: { ask: ['details', 'time'], ...more },
    })
  const { confirmation_token } = (await send({ confirm: false })).body
  const { url, link_id } = (await send({ confirm: true, confirmation_token })).body['result'] as {
    url: string
    link_id: string
  }
  const state = async () => (await maker.rest(`/v1/client-links/${link_id}`)).text
  const { pathname } = new URL(url)
  const web = browser(connector.url, fetch)
  const press = (page: Page, step: string) => {
    const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(page.html)!
    return web.submit(pathname, [
      ['sealed', sealed],
      ['step', step],
    ])
  }
  const start = timesOn(await web.open(pathname))[5]!
  const email = 'jordan.canary@plumbwick.example'
  const typed = {
    step: 'check',
    name: 'Jordan Doe',
    email,
    email_again: email,
    entity_type: 'joint',
  }

  const unchecked = await web.submit(pathname, Object.entries({ ...typed, start_time: start }))
  expect([unchecked.status, timesOn(unchecked)]).toEqual([503, [start]])
  expect(unchecked.html).toContain('The calendar does not answer just now. Nothing was sent.')
  for (const value of [typed.name, email]) expect(unchecked.html).toContain(`value="${value}"`)
  const check = await web.submit(pathname, Object.entries({ ...typed, start_time: start }))
  expect([check.status, check.html]).toEqual([200, expect.stringContaining('Is this right?')])

  const unsent = await press(check, 'send')
  expect([unsent.status, unsent.html]).toEqual([503, expect.stringContaining('Is this right?')])
  expect(unsent.html).toContain('The calendar does not answer just now. Nothing was sent.')
  expect(await state()).toContain('"state":"open"')

  expect((await press(unsent, 'send')).status).toBe(303)
  expect(await state()).toContain('"state":"completed"')
})
