import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { Coordinator } from '../../durable-objects/coordinator.ts'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { confirmationName } from '../../src/core/confirm/token.ts'
import type { Question } from '../../src/core/domain/event-type.ts'
import { EVERYBODY, type Rules } from '../../src/core/domain/rules/house-rules.ts'
import { DAY, HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import { callerOfKey } from '../../src/owner/access/principal.ts'
import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { MOCK_TAX_CALL, mockAsks } from '../../src/practice/adapters/scheduling/mock.ts'
import { callerOfLink } from '../../src/practice/operations/invite-client.ts'
import { accessFrom } from '../../src/practice/wiring/objects.ts'
import { type Browser, type Page, browser } from '../support/browser.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { keyFor, bookings, changeRules } from './fixtures.ts'
import { type Fields, ORIGIN, ownerPages, post } from './owner-pages.ts'

const NAME = 'Jordan Zibblethwaite'
const EMAIL = 'jordan.canary@plumbwick.example'
const PHONE = '212-555-0147'
const RAW = [NAME, 'Zibblethwaite', EMAIL, 'canary', 'plumbwick', PHONE]
const ALL = ['details', 'intake', 'time']

/** A practice with an owner, a maker of links who may do nothing else, and links that were made. */
async function practice() {
  const rig = await ownerPages()
  const key = await keyFor('maker', ['client_links:write'], { inTrial: true })
  const rest = async (path: string, body?: object, idempotencyKey = 'client-link-1') => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await rig.ask(new Request(new URL(path, ORIGIN), init))
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      body: JSON.parse(text) as Record<string, Record<string, unknown>>,
    }
  }
  const invite = async (ask: string[] = ALL, more: object = {}, as = crypto.randomUUID()) => {
    const fields = { ask, ...more }
    const first = await rest('/v1/client-links', { ...fields, confirm: false }, as)
    const { confirmation_token } = first.body
    const commit = { ...fields, confirm: true, confirmation_token }
    // A repeat of what is done is answered at once.
    const made = first.body['result'] ? first : await rest('/v1/client-links', commit, as)
    const { link_id, url } = made.body['result'] as { link_id: string; url: string }
    const read = async () => (await rest(`/v1/client-links/${link_id}`)).body['client_link']!
    return {
      link_id,
      path: new URL(url).pathname,
      read,
      state: async () => (await read())['state'],
      made,
    }
  }
  const change = async (rules: Partial<Rules>, caller: string = EVERYBODY) => {
    await changeRules(rules, caller)
    forgetRules()
  }
  return { ...rig, rest, invite, change, client: () => browser(ORIGIN, rig.ask) }
}

const timesOn = ({ html }: Page): string[] =>
  [...html.matchAll(/name="start_time" value="([^"]+)"/g)].map(([, at]) => at!)

const typed = (start_time: string | undefined, more: Record<string, string> = {}): Fields =>
  Object.entries({
    step: 'check',
    name: NAME,
    email: EMAIL,
    email_again: EMAIL,
    entity_type: 'llc',
    primary_goal: 'retirement',
    notes: `Call ${PHONE}\r\nbefore noon.`,
    ...(start_time !== undefined && { start_time }),
    ...more,
  })

/** Types on a link, up to the page on which it is checked. */
async function checked(web: Browser, path: string, at = 5, more: Record<string, string> = {}) {
  const form = await web.open(path)
  return web.submit(path, typed(timesOn(form)[at], more))
}

/** One link, and the browser of its client. */
async function linkMade(ask?: string[], more?: object) {
  const rig = await practice()
  return { rig, link: await rig.invite(ask, more), web: rig.client() }
}

/** One link on which its client has typed, up to the page on which it is checked. */
async function linkChecked(ask?: string[], more?: object, said?: Record<string, string>) {
  const made = await linkMade(ask, more)
  return { ...made, check: await checked(made.web, made.link.path, 5, said) }
}

const sealedIn = (page: Page): string =>
  new Map(page.form('', 'sealed')).get('sealed') ??
  /name="sealed" value="([^"]+)"/.exec(page.html)![1]!
const pressed = (web: Browser, path: string, page: Page, step: string, more: Fields = []) =>
  web.submit(path, [['sealed', sealedIn(page)], ['step', step], ...more])

/** Presses a time on a page that carries what was typed before. */
const pickedOn = (web: Browser, path: string, page: Page, start: string) =>
  web.submit(path, [
    ['sealed', sealedIn(page)],
    ['start_time', start],
  ])

const heading = ({ status, html }: Page): [number, string | undefined] => [
  status,
  /<h1>([^<]*)<\/h1>/.exec(html)?.[1],
]
/** What is kept in KV. */
const copies = async () => {
  const { keys } = await env.RECORDS_KV.list()
  return Promise.all(keys.map(({ name }) => env.RECORDS_KV.get(name)))
}
/** The flow of all that is done under a link. */
const flowOf = async ({ link_id }: { link_id: string }) =>
  env.CONFIRMATIONS.getByName(await confirmationName(callerOfLink(link_id), link_id))
const commits = async (rig: Awaited<ReturnType<typeof practice>>) =>
  (await rig.audit()).filter(
    ({ event, operation }) => event === 'commit' && operation.endsWith('_client_link'),
  )

describe('a client who types on a link', () => {
  it('checks it masked, sends it once, and leaves one client, intake and booking, nothing raw anywhere', async () => {
    const { rig, link, web } = await linkMade()
    const log = vi.spyOn(console, 'log').mockImplementation(() => {}).mock
    const form = await web.open(link.path)
    expect(heading(form)).toEqual([200, 'Choose a time'])
    expect(form.headers.get('Cache-Control')).toBe('no-store')
    expect(form.headers.get('Content-Security-Policy')).toContain("form-action 'self'")
    expect(form.headers.getSetCookie()).toEqual([])
    expect(form.html).not.toMatch(/<script|<img|https?:(?!\/\/www\.w3\.org)/)
    const check = await web.submit(link.path, typed(timesOn(form)[5]))
    expect(heading(check)).toEqual([200, 'Is this right?'])
    // The person who typed it sees it whole once more, and what is kept of it.
    expect(check.html).toContain(NAME)
    expect(check.html).toContain('keeps only J. Z. and j***@***.example')
    expect(check.html).toContain('[phone]')
    expect(await link.state()).toBe('open')
    const sent = await pressed(web, link.path, check, 'send')
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, link.path])
    const end = await web.open(link.path)
    expect(heading(end)).toEqual([200, 'Booked (trial)'])
    const now = await link.read()
    expect(now).toMatchObject({
      state: 'completed',
      client_id: expect.any(String),
      booking_id: expect.any(String),
    })
    expect(await bookings()).toHaveLength(1)
    const [commit] = await commits(rig)
    expect(commit).toMatchObject({
      caller: `client_link:${link.link_id}`,
      code: 'committed',
      about: { approved: 'link_holder', made_by: callerOfKey('maker') },
    })
    const events = await rig.rest('/v1/events')
    expect(events.text).toContain('client_link.completed')
    expect(events.text).toContain(String(now['intake_id']))
    // All but the answer to the client's own form.
    const all = [form, end, await web.open(link.path)].map(({ html }) => html)
    const said = [all, now, events.text, link.made.text, log.calls]
    const seen = JSON.stringify([said, await rig.audit(), await copies()])
    for (const raw of RAW) expect([raw, seen.includes(raw)]).toEqual([raw, false])
    expect(JSON.stringify(log.calls)).not.toContain(link.path)
  })

  it('who presses twice, at once in two windows or hours later, has one booking', async () => {
    const { rig, link, web, check } = await linkChecked()
    const twice = await Promise.all([1, 2, 3].map(() => pressed(web, link.path, check, 'send')))
    expect(twice.map(({ status }) => status)).toEqual([303, 303, 303])
    // The second press of a double click can also arrive when the first has ended.
    const late = await pressed(web, link.path, check, 'send')
    expect([late.status, late.headers.get('Location')]).toEqual([303, link.path])
    // A page that stayed open for hours must not say that nothing was sent.
    vi.useFakeTimers({ now: Date.now() + 3 * HOUR, toFake: ['Date'] })
    expect((await pressed(web, link.path, check, 'send')).status).toBe(303)
    expect(await bookings()).toHaveLength(1)
    expect(await commits(rig)).toHaveLength(1)
  })

  it('in two tabs sends what the last tab showed, or looks once more', async () => {
    const { link, web } = await linkMade()
    const first = await checked(web, link.path, 4)
    const second = await checked(web, link.path, 6)
    const again = await pressed(web, link.path, first, 'send')
    expect(heading(again)).toEqual([409, 'Is this right?'])
    expect(again.html).toContain('check again')
    expect((await pressed(web, link.path, again, 'send')).status).toBe(303)
    expect(heading(await pressed(web, link.path, second, 'send'))).toEqual([409, 'Not sent'])
    expect(heading(await web.submit(link.path, typed(undefined)))).toEqual([409, 'Not sent'])
    expect(await bookings()).toHaveLength(1)
  })

  it('chooses another time, before and after someone else took it, and types nothing again', async () => {
    const rig = await practice()
    const [link, other] = [await rig.invite(), await rig.invite(['time'])]
    const web = rig.client()
    const check = await checked(web, link.path, 5)
    const choice = await pressed(web, link.path, check, 'time')
    expect(choice.html).not.toContain('name="email"')
    const start = timesOn(choice)[5]!
    const recheck = await pickedOn(web, link.path, choice, start)
    const theirs = await checked(rig.client(), other.path, 5)
    expect((await pressed(rig.client(), other.path, theirs, 'send')).status).toBe(303)
    const gone = await pressed(web, link.path, recheck, 'send')
    expect(gone.status).toBe(409)
    expect(gone.html).toContain('not free any more. Nothing was sent.')
    expect(timesOn(gone)).not.toContain(start)
    const last = await pickedOn(web, link.path, gone, timesOn(gone)[7]!)
    expect((await pressed(web, link.path, last, 'send')).status).toBe(303)
    expect(await link.read()).toMatchObject({ state: 'completed', client_id: expect.any(String) })
    expect(await bookings()).toHaveLength(2)
  })
})

describe('what is wrong is said beside the field, and never repeated in the message', () => {
  const SSN = 'My number is 219-09-9999'
  const WRONG: [what: string, typed: Record<string, string>, field: string][] = [
    ['addresses that differ', { email_again: 'jordan@other.example' }, 'email_again'],
    ['no address', { email: 'plumbwick', email_again: 'plumbwick' }, 'email'],
    ['no name', { name: ' ' }, 'name'],
    ['a Social Security number in the notes', { notes: SSN }, 'notes'],
    ['a Social Security number as a name', { name: SSN }, 'name'],
    ['501 characters', { notes: 'x'.repeat(501) }, 'notes'],
    ['half a surrogate pair', { notes: 'before noon \uD83D' }, 'notes'],
    ['12.5 people', { household_members: '12.5' }, 'household_members'],
    ['13 people', { household_members: '13' }, 'household_members'],
    ['0x3 people', { household_members: '0x3' }, 'household_members'],
    ['３ people', { household_members: '３' }, 'household_members'],
    ['another kind', { entity_type: 'canary' }, 'entity_type'],
    ['no goal', { primary_goal: '' }, 'primary_goal'],
    ['no time', { start_time: '' }, 'start_time'],
  ]

  it('whatever it is', async () => {
    const { rig, link } = await linkMade()
    for (const [what, more, field] of WRONG) {
      const page = await checked(rig.client(), link.path, 5, more)
      const title = field === 'start_time' ? 'Choose a time' : 'Your details'
      expect([what, ...heading(page)]).toEqual([what, 422, title])
      expect(page.html, what).toContain('<title>Error: ')
      expect(page.html, what).toContain(`href="#${field}"`)
      const messages = [...page.html.matchAll(/class="error"[^>]*>([^<]*)/g)].map(([, it]) => it)
      for (const raw of [...RAW, '219-09', 'xxxxx', 'canary'])
        expect(messages.join(), what).not.toContain(raw)
    }
    expect(await link.state()).toBe('open')
  })

  it('what was typed stays in its fields, and is on no page that comes later', async () => {
    const { link, web } = await linkMade()
    const notes = 'First line <b>&\r\nsecond line'
    const page = await checked(web, link.path, 5, { email_again: 'other@plumbwick.example', notes })
    expect(page.status).toBe(422)
    expect(page.html).toContain(
      `name="name" required autocomplete="name" maxlength="200" value="${NAME}"`,
    )
    expect(page.html).toContain(`value="${EMAIL}"`)
    expect(page.html).toContain('\nFirst line &lt;b&gt;&amp;\nsecond line</textarea>')
    const later = await web.open(link.path)
    for (const raw of RAW) expect(later.html).not.toContain(raw)
  })

  it('a number that no one should type into a field does not come back', async () => {
    const { rig, link } = await linkMade()
    for (const [name, value] of [
      ['notes', 'My number is 219-09-9999'],
      ['name', 'Jordan 219-09-9999'],
      ['email', '219-09-9999'],
      ['household_members', '219-09-9999'],
      ['notes', 'Card 4111 1111 1111 1111, thanks'],
    ] as const) {
      const page = await checked(rig.client(), link.path, 5, { [name]: value })
      expect([value, page.status]).toEqual([value, 422])
      for (const raw of ['219-09', '9999', '4111']) expect(page.html, value).not.toContain(raw)
      expect(page.html, value).toContain(name === 'name' ? EMAIL : NAME)
    }
  })

  it('a time that is not offered, or past, is gone', async () => {
    const { rig, link } = await linkMade()
    for (const at of [Date.now() + 40 * DAY, Date.now() - DAY]) {
      const page = await rig.client().submit(link.path, typed(new Date(at).toISOString()))
      expect([page.status, page.html.includes('not free any more')]).toEqual([409, true])
    }
  })

  it('what is no form of a page is refused', async () => {
    const { rig, link } = await linkMade()
    const FORM = 'application/x-www-form-urlencoded'
    for (const [type, body, status] of [
      ['application/json', '{}', 415],
      ['multipart/form-data; boundary=x', '--x--', 415],
      [FORM, `name=${'x'.repeat(33_000)}`, 413],
      [FORM, 'name=a&name=b', 400],
      [FORM, 'ssn=1', 400],
    ] as const) {
      const answer = await rig.client().send(link.path, {
        method: 'POST',
        headers: { Accept: 'text/html', Origin: ORIGIN, 'Content-Type': type },
        body,
      })
      const at = `${type} ${body.slice(0, 20)}`
      expect([at, answer.status, answer.headers.get('Content-Type')]).toEqual([
        at,
        status,
        'text/html; charset=utf-8',
      ])
      // In the words of a client: nothing of the API, and nothing for the owner.
      const html = await answer.text()
      expect(html, at).toMatch(/<h1>That did not work<\/h1>[^]*Nothing was (sent|kept)/)
      expect(html, at).not.toMatch(/idempotency|owner|\bAPI\b|\/docs|Content-Type/i)
    }
  })
})

describe('an address', () => {
  it('that is not exactly that of a link is answered alike, whatever is wrong with it', async () => {
    const rig = await practice()
    const { path } = await rig.invite()
    const web = rig.client()
    const flip = (at: number) =>
      path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1)
    const wrong = [
      flip('/c/mock_'.length),
      flip('/c/mock_'.length + 30),
      `${path.slice(0, -8)}00000000`,
      path.replace('mock_', ''),
      path.slice(0, -1),
      `${path}0`,
      path.toUpperCase().replace('/C/', '/c/'),
      '/c/cl_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9kLmNoPqRsTuVwXyZ012345',
      '/c/x',
    ]
    const pages = await Promise.all(wrong.map((one) => web.open(one)))
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1)
  })

  it('that is opened, looked at and posted to without fields thirty times is used up by none of it', async () => {
    const { rig, link, web } = await linkMade()
    const flow = await flowOf(link)
    const kept = async () => [await copies(), await flow.status(), await rig.audit()]
    const before = await kept()
    for (let i = 0; i < 30; i++) {
      await web.send(link.path, {
        method: i % 2 ? 'HEAD' : 'GET',
        headers: { 'Sec-Purpose': 'prefetch' },
      })
      if (i % 10 === 0) expect((await web.submit(link.path, [])).status).toBe(422)
    }
    expect(await kept()).toEqual(before)
    expect(await link.state()).toBe('open')
    expect((await pressed(web, link.path, await checked(web, link.path), 'send')).status).toBe(303)
  })

  it('of a link that expired, or was withdrawn, says to ask for a new one', async () => {
    const rig = await practice()
    const [link, other] = [await rig.invite(ALL, { expires_in_hours: 1 }), await rig.invite()]
    const check = await checked(rig.client(), link.path)
    const now = Date.now()
    vi.useFakeTimers({ now: now + HOUR + MINUTE, toFake: ['Date'] })
    const opened = await rig.client().open(link.path)
    const sent = await pressed(rig.client(), link.path, check, 'send')
    for (const page of [opened, sent])
      expect(heading(page)).toEqual([410, 'This link is not open any more'])
    // Only who pressed a button could think that it was.
    expect([opened, sent].map(({ html }) => html.includes('Nothing was sent.'))).toEqual([
      false,
      true,
    ])
    expect(await link.state()).toBe('expired')
    expect(heading(await rig.client().open(other.path))).toEqual([200, 'Choose a time'])
    expect(await bookings()).toEqual([])
  })
})

describe('what was sealed', () => {
  it('opens under its own link alone, whole, and for two hours', async () => {
    const rig = await practice()
    const [link, other] = [await rig.invite(), await rig.invite()]
    const web = rig.client()
    const check = await checked(web, link.path)
    const sealed = sealedIn(check)
    for (const [path, given] of [
      [other.path, sealed],
      [link.path, sealed.slice(0, -3)],
      [link.path, 'not.base64!.at all'],
    ] as const) {
      const refused = await web.submit(path, Object.entries({ sealed: given, step: 'send' }))
      expect(refused.status).toBe(409)
      expect(refused.html).toContain('Type it again. Nothing was sent.')
    }
    vi.useFakeTimers({ now: Date.now() + 2 * HOUR + MINUTE, toFake: ['Date'] })
    expect((await pressed(web, link.path, check, 'send')).html).toContain('More than two hours')
    expect(await bookings()).toEqual([])
  })

  it('is checked afresh where the preview has expired meanwhile', async () => {
    const { link, web } = await linkMade()
    const check = await checked(web, link.path, 20)
    vi.useFakeTimers({ now: Date.now() + HOUR, toFake: ['Date'] })
    const again = await pressed(web, link.path, check, 'send')
    expect(heading(again)).toEqual([409, 'Is this right?'])
  })
})

/** It asks two questions and a third that is optional, and calls its invitee. */
const ASKING = { event_type: 'tax-call' }
const SAID = {
  phone: '(202) 555-0198',
  'answer:about': 'Zebulonian back taxes\r\nask zeb@canary-desk.example',
  'answer:entity': 'My business',
}
const CANARIES = /zebulonian|canary-desk|555\D{0,2}0198/i

describe('a kind of consult that asks', () => {
  it('is booked with what the client answers, which is shown whole to them alone and kept nowhere', async () => {
    const { rig, link, web } = await linkMade(ALL, ASKING)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {}).mock
    const form = await web.open(link.path)
    const details = await web.submit(link.path, [['start_time', timesOn(form)[5]!]])
    for (const said of ['What is it about?', 'Who is it for?', 'How many returns? (optional)'])
      expect(details.html).toContain(said)
    expect(details.html).toContain('by telephone: the practice calls you')
    const check = await web.submit(link.path, typed(timesOn(form)[5], SAID))
    expect(heading(check)).toEqual([200, 'Is this right?'])
    for (const said of ['(202) 555-0198', 'Zebulonian back taxes\nask zeb@', 'My business'])
      expect(check.html).toContain(said)
    // Back and forth, nothing is typed again.
    const again = await pressed(web, link.path, check, 'details')
    expect(again.html).toContain('Zebulonian back taxes\nask zeb@canary-desk.example</textarea>')
    expect(again.html).toContain('<option value="My business" selected>')
    const book = vi.spyOn(MockCalendar.prototype, 'book')
    expect((await pressed(web, link.path, check, 'send')).status).toBe(303)
    expect(book).toHaveBeenCalledTimes(1)
    const end = await web.open(link.path)
    expect(heading(end)).toEqual([200, 'Booked (trial)'])
    const kept = await copies()
    const now = await link.read()
    const record = await env.RECORDS.getByName('records').get(
      `booking:${String(now['booking_id'])}`,
    )
    const status = await (await flowOf(link)).status()
    const events = (await rig.rest('/v1/events')).text
    const all = [end.html, now, record, status, events, await rig.audit(), log.calls, kept]
    // The search would find it: the id is there.
    expect(JSON.stringify(all)).toContain(String(now['booking_id']))
    expect(CANARIES.exec(JSON.stringify(all))?.[0]).toBeUndefined()
  })

  it('asks what it asks by now where that has changed between review and press', async () => {
    const { link, web, check } = await linkChecked(ALL, ASKING, SAID)
    const questions = mockAsks(MOCK_TAX_CALL)!.questions as Question[]
    const more = { id: 'year', question: 'Which year?', required: true, kind: 'number' } as const
    questions.push(more)
    onTestFinished(() => void questions.splice(3))
    const changed = await pressed(web, link.path, check, 'send')
    expect(heading(changed)).toEqual([409, 'Your details'])
    expect(changed.html).toContain('The questions for this consult have changed.')
    for (const raw of [`value="${NAME}"`, 'Zebulonian', 'Which year?'])
      expect(changed.html).toContain(raw)
    expect(await bookings()).toEqual([])
    const answered = { ...SAID, 'answer:year': '2025' }
    const again = await checked(web, link.path, 5, answered)
    expect(again.html).toMatch(/Which year\?<[^]*2025/)
    // And the other way round: what is asked no more is not sent.
    questions.splice(3)
    const less = await pressed(web, link.path, again, 'send')
    expect(heading(less)).toEqual([409, 'Your details'])
    const last = await checked(web, link.path, 5, answered)
    expect(last.html).not.toContain('Which year?')
    expect((await pressed(web, link.path, last, 'send')).status).toBe(303)
    expect(await bookings()).toHaveLength(1)
  })
})

describe('what was typed is not lost', () => {
  it.each([
    ['at the press', 'send'],
    ['at the review', 'check'],
    ['on the way to another time', 'time'],
  ])('to a pause %s', async (_when, step) => {
    const { rig, link, web, check } = await linkChecked(ALL, ASKING, SAID)
    await rig.change({ paused: true })
    const held = await pressed(web, link.path, check, step)
    expect(heading(held)).toEqual([503, 'Not now'])
    expect(held.html).toContain('What you typed is not lost')
    const still = await pressed(web, link.path, held, step)
    expect(heading(still)).toEqual([503, 'Not now'])
    await rig.change({ paused: false })
    const next = await pressed(web, link.path, still, step)
    if (step === 'send') return expect(next.status).toBe(303)
    expect(next.status).toBe(200)
    const whole = step === 'time' ? await pressed(web, link.path, next, 'details') : next
    for (const raw of [NAME, EMAIL, 'Zebulonian', '555-0198']) expect(whole.html).toContain(raw)
  })

  it('to a pause before the first review, nor to too many presses in a minute', async () => {
    const { rig, link, web } = await linkMade(ALL, ASKING)
    const start = timesOn(await web.open(link.path))[5]!
    await rig.change({ paused: true })
    const held = await web.submit(link.path, typed(start, SAID))
    expect(heading(held)).toEqual([503, 'Not now'])
    // A time alone is held too: it was chosen.
    const time = await web.submit(link.path, [['start_time', start]])
    await rig.change({ paused: false })
    expect(heading(await pressed(web, link.path, time, 'details'))).toEqual([200, 'Your details'])
    const limit = () => Promise.resolve({ success: false })
    const often = browser(
      ORIGIN,
      rig.askWith({ RATE_LIMITS: 'normal', CHANGES_NORMAL: { limit } } as object),
    )
    const later = await pressed(often, link.path, held, 'check')
    expect(heading(later)).toEqual([429, 'That did not work'])
    expect(later.html).toContain('Wait a minute')
    const check = await pressed(web, link.path, later, 'check')
    expect(heading(check)).toEqual([200, 'Is this right?'])
    for (const raw of [NAME, EMAIL, 'Zebulonian', '555-0198']) expect(check.html).toContain(raw)
  })

  it('but for a number that a client should not type', async () => {
    const { rig, link, web } = await linkMade(ALL, ASKING)
    const start = timesOn(await web.open(link.path))[5]!
    await rig.change({ paused: true })
    const notes = 'My number is 219-09-9999'
    const held = await web.submit(link.path, typed(start, { ...SAID, notes }))
    await rig.change({ paused: false })
    const details = await pressed(web, link.path, held, 'details')
    expect(details.html).toContain('Zebulonian')
    expect(details.html).not.toContain('219-09')
  })
})

describe('what fails on the way', () => {
  it('is not called unsent where a fault of ours leaves that open, and the same press ends it', async () => {
    const { rig, link, web, check } = await linkChecked(ALL, ASKING, SAID)
    const broken = () => {
      throw onPurpose('the object cannot be reached')
    }
    const ask = rig.askWith({
      CONFIRMATIONS: { idFromName: broken, getByName: broken },
    } as object)
    const cutOff = browser(ORIGIN, (request) => {
      request.headers.set('Accept', 'text/html')
      return ask(request)
    })
    const failed = await pressed(cutOff, link.path, check, 'send')
    expect(heading(failed)).toEqual([500, 'That did not work'])
    expect(failed.html).toContain('it is not known whether what you sent arrived')
    expect(failed.html).not.toContain('Nothing was sent')
    expect((await pressed(web, link.path, check, 'send')).status).toBe(303)
  })

  it.each([
    ['arrived', 1],
    ['may still arrive', 0],
  ])(
    'an answer that was lost, of a booking that %s, is never sent a second time',
    async (_what, made) => {
      const { link, web, check } = await linkChecked()
      // A list that lags behind shows nothing.
      const late = vi.spyOn(MockCalendar.prototype, 'bookedUnder').mockReturnValue(undefined)
      const real = MockCalendar.prototype.book
      const book = vi.spyOn(MockCalendar.prototype, 'book').mockImplementation(function (
        this: MockCalendar,
        given,
      ) {
        if (made === 1) real.call(this, given)
        throw onPurpose('the connection broke')
      })
      expect((await pressed(web, link.path, check, 'send')).status).toBe(303)
      for (const page of [
        await web.open(link.path),
        await pressed(web, link.path, check, 'send'),
      ]) {
        expect(heading(page)).toEqual([200, 'We are still checking'])
        expect(page.html).toContain('do not send it again')
      }
      expect(await link.state()).toBe('checking')
      const flow = await flowOf(link)
      vi.useFakeTimers({ now: Date.now() + MINUTE, toFake: ['Date'] })
      late.mockRestore()
      await evictDurableObject(flow)
      expect(await runDurableObjectAlarm(flow)).toBe(true)
      expect(await link.state()).toBe(made === 1 ? 'completed' : 'checking')
      expect([book.mock.calls.length, (await bookings()).length]).toEqual([1, made])
    },
  )

  it('the notice in another language than the one that was read is shown before anything is sent', async () => {
    const { rig, link } = await linkMade(['details'])
    const texts = { CLIENT_LINK_NOTICE: 'Seven years.', CLIENT_LINK_NOTICE_ES: 'Siete años.' }
    const web = browser(ORIGIN, (request) => {
      request.headers.set('Accept-Language', 'es-MX,es;q=0.9')
      return rig.askWith(texts as object)(request)
    })
    const form = await web.open(link.path)
    expect(form.html).toContain('<html lang="es">')
    expect(form.html).toContain('Siete años.')
    expect(form.headers.get('Vary')).toContain('Accept-Language')
    const fields = { name: NAME, email: EMAIL, email_again: EMAIL, entity_type: 'joint' }
    const check = await web.submit(`${link.path}?lang=es`, [
      ['step', 'check'],
      ...Object.entries({ ...fields, acknowledged: 'yes' }),
    ])
    expect(heading(check)).toEqual([200, '¿Está todo bien?'])
    const english = await pressed(web, `${link.path}?lang=en`, check, 'send')
    expect([english.status, english.html]).toEqual([409, expect.stringContaining('Seven years.')])
    expect(english.html).not.toMatch(/name="acknowledged"[^>]*checked/)
    const again = await pressed(web, `${link.path}?lang=es`, check, 'check')
    const sent = await pressed(web, `${link.path}?lang=es`, again, 'send')
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, `${link.path}?lang=es`])
  })

  it('the zone that the client chose is that of the consult, and no other than the page offers', async () => {
    const { rig, link, web } = await linkMade(['time'])
    const path = `${link.path}?zone=America%2FLos_Angeles`
    const form = await web.open(path)
    const [first] = timesOn(form)
    expect(first).toMatch(/-08:00$|-07:00$/)
    const [sameTime] = timesOn(await web.open(link.path))
    expect(Date.parse(first!)).toBe(Date.parse(sameTime!))
    expect(first).not.toBe(sameTime)
    const odd = await web.open(`${link.path}?zone=Mars&lang=xx`)
    expect([odd.status, odd.html.includes('Mars')]).toEqual([200, false])
    const check = await web.submit(path, typedTime(timesOn(form)[5]!))
    expect(check.html).toContain('Los Angeles time.')
    const sent = await pressed(web, path, check, 'send')
    expect(sent.headers.get('Location')).toBe(path)
    const events = await rig.rest(`/v1/client-links/${link.link_id}`)
    expect(events.body['client_link']).toMatchObject({ state: 'completed' })
    const booking = String(events.body['client_link']!['booking_id'])
    const kept = await env.RECORDS.getByName('records').get(`booking:${booking}`)
    expect(JSON.parse(String(kept))).toMatchObject({ timezone: 'America/Los_Angeles' })
  })
})

describe('the rules of the owner', () => {
  it('of hours and count bound the making alone, and do not stop the client', async () => {
    const { rig, link } = await linkMade()
    await rig.change({
      changes_a_day: 1,
      hours: {
        days: [new Date(Date.now() + 2 * DAY).getUTCDay() || 7],
        from: '03:00',
        to: '03:01',
      },
    })
    await rig.change({ paused: true }, 'key:another')
    const web = rig.client()
    expect((await pressed(web, link.path, await checked(web, link.path), 'send')).status).toBe(303)
    const refused = await rig.rest(
      '/v1/client-links',
      { ask: ['time'], confirm: false },
      'client-link-2',
    )
    expect([refused.status, refused.body['code']]).toEqual([403, 'house_rule'])
  })

  it.each<[string, string[], Partial<Rules>]>([
    ['no operations', ['time'], { operations: [] }],
    [
      'operations without the profile',
      ['details', 'time'],
      { operations: ['invite_client', 'book_consult'] },
    ],
  ])(
    'stop a client whose maker is let make %s, at the visit and at the press, and only until then',
    async (_what, ask, rules) => {
      const { rig, link, web, check } = await linkChecked(ask)
      await rig.change(rules, callerOfKey('maker'))
      const asked = vi.spyOn(MockCalendar.prototype, 'taken')
      const pressedNow = await pressed(web, link.path, check, 'send')
      expect(heading(pressedNow)).toEqual([503, 'Not now'])
      expect(pressedNow.html).toContain('Nothing was sent.')
      expect(pressedNow.html).toMatch(/Please call [^<]+\./)
      expect(pressedNow.html).toContain('What you typed is not lost')
      expect(heading(await web.open(link.path))).toEqual([503, 'Not now'])
      expect(asked).not.toHaveBeenCalled()
      expect(await bookings()).toEqual([])
      await rig.change({ operations: null, changes_a_day: null }, callerOfKey('maker'))
      // What was typed comes back behind the button of the page that held it.
      const again = await pressed(web, link.path, pressedNow, 'send')
      expect(again.status).toBe(303)
      expect(await link.state()).toBe('completed')
    },
  )

  it.each([
    [['time'], 'book_consult'],
    [['details'], 'create_client_profile'],
    [['details', 'intake'], 'submit_intake_answers'],
    [['details', 'time'], '*'],
  ])('hold a link that asks %j to those of %s', async (ask, operation) => {
    const rig = await practice()
    const before = await rig.invite(ask)
    await rig.change({ operations: ['invite_client', 'create_payment_link'] })
    const first = await rig.rest('/v1/client-links', { ask, confirm: false }, crypto.randomUUID())
    expect([first.status, first.body['code']]).toEqual([403, 'house_rule'])
    await rig.change({ operations: null, approval: [{ operation, level: 'person' }] })
    const asked = await rig.rest('/v1/client-links', { ask, confirm: false }, crypto.randomUUID())
    expect(asked.body['approval']).toMatchObject({ required: 'person', status: 'pending' })
    expect(asked.text).toContain('The client fills in the rest')
    // It was made without a person, so now it does nothing, wherever its client stands.
    expect((await rig.client().open(before.path)).status).toBe(410)
    await rig.change({ approval: null })
    expect((await rig.client().open(before.path)).status).toBe(200)
  })

  it('that want a person for a part stop a press too, and leave no booking', async () => {
    const { rig, link, web, check } = await linkChecked(['time'])
    await rig.change({ approval: [{ operation: 'book_consult', level: 'person' }] }, 'key:maker')
    expect((await pressed(web, link.path, check, 'send')).status).toBe(410)
    expect(await bookings()).toEqual([])
  })

  it('count a link as many changes as it has parts, once', async () => {
    const rig = await practice()
    await rig.change({ changes_a_day: 4 })
    await rig.invite(ALL, {}, 'counted once')
    await rig.invite(ALL, {}, 'counted once')
    const over = await rig.rest(
      '/v1/client-links',
      { ask: ['details', 'time'], confirm: false },
      'two more',
    )
    expect([over.status, over.body['code']]).toEqual([403, 'house_rule'])
    expect(over.text).toContain('This one counts as 2.')
    expect((await rig.invite(['time'])).link_id).toBeDefined()
  })
})

describe('a link ends with the access of its maker', () => {
  it('at the visit and at the press, when its key is revoked, and in the list soon after', async () => {
    const rig = await practice()
    const [link, untouched] = [await rig.invite(), await rig.invite(['details'])]
    const web = rig.client()
    const check = await checked(web, link.path)
    const question = await post(rig.web, '/owner/keys/revoke', { id: 'maker' })
    expect(question.html).toContain('2 open client links are withdrawn with it.')
    await accessFrom(env).revokeKey('maker')
    for (const page of [
      await pressed(web, link.path, check, 'send'),
      await web.open(link.path),
      await web.open(untouched.path),
    ])
      expect(page.status).toBe(410)
    expect(await bookings()).toEqual([])
  })

  it('when its key has expired', async () => {
    const { rig, link } = await linkMade(['details'], { expires_in_hours: 336 })
    const access = accessFrom(env)
    await keyFor('soon', ['admin'], { expires_at: Date.now() + HOUR })
    expect(await access.standingOf('key:soon')).toEqual({ scopes: ['admin'] })
    vi.useFakeTimers({ now: Date.now() + 2 * HOUR, toFake: ['Date'] })
    expect(await access.standingOf('key:soon')).toBeUndefined()
    expect((await rig.client().open(link.path)).status).toBe(200)
  })

  it('when the last connection of its app that has the scope ends', async () => {
    const { grants } = accessFrom(env)
    const standingOf = (one: string) => accessFrom(env).standingOf(one)
    const caller = 'oauth:owner:agent'
    const app = { clientId: 'https://agent.example/app', name: 'Agent', inTrial: false, caller }
    await grants.noteApp({ ...app, grantId: 'one', scopes: ['client_links:write'] })
    expect(await standingOf(app.caller)).toEqual({ scopes: ['client_links:write'] })
    await grants.noteApp({ ...app, grantId: 'two', scopes: ['availability:read'] })
    expect(await standingOf(app.caller)).toEqual({
      scopes: ['client_links:write', 'availability:read'],
    })
    await grants.endGrant('one')
    expect(await standingOf(app.caller)).toEqual({ scopes: ['availability:read'] })
    await grants.endGrant('two')
    expect(await standingOf(app.caller)).toBeUndefined()
  })

  it('when its app was not used for ninety days, or never fetched its tokens', async () => {
    const access = accessFrom(env)
    const caller = 'oauth:owner:agent'
    const app = { clientId: 'app', name: 'Agent', inTrial: false, caller }
    const scopes = ['client_links:write']
    for (const grantId of ['never', 'fetched', 'used'])
      await access.grants.noteApp({ ...app, grantId, scopes })
    await access.grants.takeToken('fetched', 'code')
    await access.grants.takeToken('used', 'code')
    const standing = async () =>
      (await access.grants.connectionsOf(caller)).map(({ grantId }) => grantId).toSorted()
    expect(await standing()).toEqual(['fetched', 'never', 'used'])
    const start = Date.now()
    vi.useFakeTimers({ now: start + HOUR, toFake: ['Date'] })
    expect(await standing()).toEqual(['fetched', 'used'])
    vi.setSystemTime(start + 60 * DAY)
    await access.grants.recordUse('used')
    vi.setSystemTime(start + 89 * DAY)
    expect(await standing()).toEqual(['fetched', 'used'])
    vi.setSystemTime(start + 91 * DAY)
    expect(await standing()).toEqual(['used'])
    expect(await access.standingOf(caller)).toEqual({ scopes })
    vi.setSystemTime(start + 151 * DAY)
    expect(await access.standingOf(caller)).toBeUndefined()
  })

  it('and revoking it withdraws its links', async () => {
    const { rig, link } = await linkMade()
    const question = await post(rig.web, '/owner/keys/revoke', { id: 'maker' })
    expect(
      (await rig.web.submit('/owner/keys/revoke', question.form('/owner/keys/revoke'))).status,
    ).toBe(303)
    const end = () => env.RECORDS.getByName('records').get(`client_link:${link.link_id}:end`)
    await expect.poll(async () => String(await end())).toContain('withdrawn')
  })
})

describe('the owner', () => {
  it('sees each link by its name, and withdraws one in one press, and all of a caller in another', async () => {
    const rig = await practice()
    const [link, other, third] = [
      await rig.invite(),
      await rig.invite(['time']),
      await rig.invite(),
    ]
    const check = await checked(rig.client(), link.path)
    const list = await rig.web.open('/owner/clients')
    expect(list.html.match(/aria-label="Withdraw:/g)).toHaveLength(3)
    for (const { link_id } of [link, other, third])
      expect(list.html).toContain(link_id.slice(-12, -8))
    const found = await post(rig.web, '/owner/clients', { person: other.link_id })
    expect(found.html.match(/aria-label="Withdraw:/g)).toHaveLength(1)
    await rig.change({ paused: true })
    expect((await post(rig.web, '/owner/links/withdraw', { link_id: link.link_id })).status).toBe(
      303,
    )
    await rig.change({ paused: false })
    expect([await link.state(), await other.state()]).toEqual(['withdrawn', 'open'])
    expect((await pressed(rig.client(), link.path, check, 'send')).status).toBe(410)
    const [end] = await commits(rig)
    expect(end).toMatchObject({
      operation: 'withdraw_client_link',
      about: { approved: 'owner' },
    })
    const all = await post(rig.web, '/owner/links/withdraw-all', { caller: callerOfKey('maker') })
    expect(all.status).toBe(303)
    expect([await other.state(), await third.state()]).toEqual(['withdrawn', 'withdrawn'])
    expect(await bookings()).toEqual([])
  })
})

describe('a form from elsewhere', () => {
  it('is refused', async () => {
    const { rig, link } = await linkMade(['details'])
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const [what, headers] of [
      ['a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
      ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['another origin, in a browser that does not say more', { Origin: 'https://evil.example' }],
      ['no origin', { Origin: 'null' }],
      [
        'an origin that differs',
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:8788' },
      ],
      ['a program that says nothing', {}],
    ] as const) {
      const init = { method: 'POST', headers: { ...type, ...(headers as object) }, body: 'name=a' }
      expect([what, (await rig.client().send(link.path, init)).status]).toEqual([what, 403])
    }
  })
})

describe('the calendar', () => {
  it('is asked by no HEAD, and by forms once in 30 seconds', async () => {
    const rig = await practice()
    const [link, other] = [await rig.invite(), await rig.invite(['time'])]
    vi.useFakeTimers({ now: Date.now() + MINUTE, toFake: ['Date'] })
    const spent = vi.spyOn(Coordinator.prototype, 'spendLinkQuestion')
    for (let i = 0; i < 5; i++)
      expect((await rig.client().send(link.path, { method: 'HEAD' })).status).toBe(200)
    expect(spent).not.toHaveBeenCalled()
    for (const { path } of [link, other, link])
      expect((await rig.client().open(path)).status).toBe(200)
    expect(spent).toHaveBeenCalledTimes(1)
  })

  it('is left to the staff where links have asked enough', async () => {
    const { link, web } = await linkMade(['time'])
    const form = await web.open(link.path)
    const pages = []
    for (let i = 0; i < 25; i++)
      pages.push(await web.submit(link.path, typedTime(timesOn(form)[5]!)))
    expect(pages.map(({ status }) => status)).toContain(503)
    expect(pages.at(-1)!.html).toContain('Nothing was sent. Try again in a minute.')
    expect(pages.at(-1)!.html).toContain('Many people look for a time just now.')
    vi.useFakeTimers({ now: Date.now() + MINUTE, toFake: ['Date'] })
    expect((await web.submit(link.path, typedTime(timesOn(form)[5]!))).status).toBe(200)
  })

  it('says on the last page whether the practice has accepted the consult meanwhile', async () => {
    const { link, web, check } = await linkChecked(['time'])
    await pressed(web, link.path, check, 'send')
    const read = MockCalendar.prototype.booking
    const asked = vi.spyOn(MockCalendar.prototype, 'booking')
    asked.mockImplementation(function (this: MockCalendar, id) {
      return { ...read.call(this, id)!, request: 'open' }
    })
    expect(heading(await web.open(link.path))).toEqual([200, 'Requested (trial)'])
    // With the access of its maker the link asks no more: the page stays as it was.
    asked.mockClear()
    await accessFrom(env).revokeKey('maker')
    expect(heading(await web.open(link.path))).toEqual([200, 'Booked (trial)'])
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })

  it('is asked by the last page out of the same number, without which it stays as it was', async () => {
    const { link, web, check } = await linkChecked(['time'])
    await pressed(web, link.path, check, 'send')
    const asked = vi.spyOn(MockCalendar.prototype, 'booking')
    expect(heading(await web.open(link.path))).toEqual([200, 'Booked (trial)'])
    expect(asked).toHaveBeenCalledTimes(1)
    vi.spyOn(Coordinator.prototype, 'spendLinkQuestion').mockReturnValue(false)
    expect(heading(await web.open(link.path))).toEqual([200, 'Booked (trial)'])
    expect(asked).toHaveBeenCalledTimes(1)
  })
})

const typedTime = (start_time: string): Fields =>
  Object.entries({ step: 'check', name: NAME, email: EMAIL, email_again: EMAIL, start_time })

describe('the maker', () => {
  it('gets the same address for a repeat, of which nothing is kept', async () => {
    const rig = await practice()
    const made = await rig.invite(ALL, {}, 'the same key')
    const again = await rig.invite(ALL, {}, 'the same key')
    expect(again.path).toBe(made.path)
    const status = await rig.rest('/v1/operations/the%20same%20key')
    expect(status.text).toContain(made.path)
    const mac = made.path.slice('/c/mock_'.length, '/c/mock_'.length + 22)
    expect(JSON.stringify([await copies(), await rig.audit()])).not.toContain(mac)
  })

  it('is refused what no link can be, by its field', async () => {
    const { rest } = await practice()
    for (const [fields, pointer] of [
      [{ ask: [] }, '/ask'],
      [{ ask: ['time', 'time'] }, '/ask'],
      [{ ask: ['payment'] }, '/ask/0'],
      [{ ask: ['intake'] }, '/ask'],
      [{ ask: ['details'], event_type: 'consult' }, '/event_type'],
      [{ ask: ['time'], event_type: 'other' }, '/event_type'],
      [{ ask: ['time'], timezone: 'Mars' }, '/timezone'],
      [{ ask: ['time'], start_times: ['2037-11-24T10:00:00-05:00'] }, ''],
      [{ ask: ['time'], expires_in_hours: 0 }, '/expires_in_hours'],
      [{ ask: ['time'], expires_in_hours: 337 }, '/expires_in_hours'],
      [{ ask: ['time'], expires_in_hours: '72' }, '/expires_in_hours'],
    ] as const) {
      const { status, body } = await rest('/v1/client-links', { ...fields, confirm: false })
      expect([fields, status, body['code']]).toEqual([fields, 400, 'validation_failed'])
      expect(body['errors']).toMatchObject([{ pointer }])
    }
  })

  it('finds no link under an id that is none', async () => {
    const { rest } = await practice()
    for (const id of ['cil_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b', 'x', 'cl_mock_1'])
      expect(await rest(`/v1/client-links/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'client_link_not_found' },
      })
  })
})
