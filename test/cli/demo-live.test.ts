import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { runCommand, terminalOn } from '../../src/cli/command.ts'
import { LEFT_FILE } from '../../src/cli/demo/live/left-over.ts'
import { type LiveRun, checkLive } from '../../src/cli/demo/live/run.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import { type CalcomRoute, type FakeCalcom, fakeCalcom } from '../support/fakes/calcom.ts'
import { type CalendlyRoute, type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import {
  type Fault,
  answerAfter,
  answerBefore,
  garbageAfter,
  resetAfter,
  resetBefore,
  slowAfter,
} from '../support/fakes/http.ts'
import { FAKE_KEY, type FakeStripe, ROUTES, fakeStripe } from '../support/fakes/stripe.ts'
import { type Clone, freshClone } from './clone.ts'

const EMAIL = 'olive.owner@practice-of-olive.test'

type At = 'calcom' | 'calendly'

let calcom: FakeCalcom
let calendly: FakeCalendly
let stripe: FakeStripe
let folder: string
beforeEach(async () => {
  calcom = await fakeCalcom()
  calendly = await fakeCalendly()
  stripe = await fakeStripe()
  stripe.set('in_test1')
  folder = mkdtempSync(join(tmpdir(), 'demo-live-'))
})
afterEach(async () => {
  for (const fake of [calcom, calendly, stripe]) await fake.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = 0
})

const eventTypes = { calcom: '4711', calendly: 'TYPE0000000000AA' }

interface Given extends Partial<LiveRun> {
  at?: At
  /** Answers no to the first question that has this text. */
  no?: string
  vars?: Record<string, string>
  token?: string | undefined
  paymentKey?: string
}

/** The live run in this process, of a calendar alone unless a key is given, and of invoices alone with `token: undefined`. */
async function live({ at = 'calcom', no, vars, paymentKey = '', ...more }: Given = {}) {
  process.exitCode = 0
  let output = ''
  const asked: string[] = []
  const printed = vi
    .spyOn(console, 'log')
    .mockImplementation((text = '') => (output += `${text}\n`))
  const terminal = terminalOn({ write: (text) => (output += text) })
  const fake = at === 'calcom' ? calcom : calendly
  const { token, ...given } = { token: fake.state.token, ...more }
  const EVENT_TYPES = JSON.stringify({ consult: { id: eventTypes[at] } })
  await runCommand(
    '',
    () =>
      checkLive({
        settings: settingsFrom({
          SCHEDULING_PROVIDER: at,
          SCHEDULING_PROVIDER_TOKEN: token ?? '',
          SCHEDULING_PROVIDER_BASE_URL: fake.url,
          PAYMENT_PROVIDER_SECRET_KEY: paymentKey,
          PAYMENT_PROVIDER_BASE_URL: stripe.url,
          EVENT_TYPES,
          ...vars,
        }),
        email: EMAIL,
        eventType: undefined,
        invoice: undefined,
        root: folder,
        ask: async (question) => {
          asked.push(question)
          return no === undefined || !question.includes(no)
        },
        pauseMs: 1,
        ...given,
      }),
    terminal,
  )
  printed.mockRestore()
  return { code: process.exitCode, output, asked }
}

const withInvoices = { token: undefined, paymentKey: FAKE_KEY }

const activeBookings = (at: At): number =>
  at === 'calcom'
    ? calcom.state.bookings.filter(({ status }) => status === 'accepted').length
    : calendly.state.events.filter(({ status }) => status === 'active').length

const activeLinks = () => stripe.links.filter(({ active }) => active)

const left = () => existsSync(join(folder, LEFT_FILE))

/** As if the file of what is left was written so long ago. */
function age(ms: number): void {
  const path = join(folder, LEFT_FILE)
  const things = JSON.parse(readFileSync(path, 'utf8')) as { sentAt: number }[]
  writeFileSync(path, JSON.stringify(things.map((one) => ({ ...one, sentAt: one.sentAt - ms }))))
}

describe('npm run demo -- --target live', () => {
  test.each(['calcom', 'calendly'] as const)(
    'books, moves and cancels one consult far ahead at %s, each after a question',
    async (at) => {
      const { code, output, asked } = await live({ at })
      expect(code, output).toBe(0)
      expect(asked).toEqual([
        expect.stringMatching(/^Book a consult in (?:Cal\.com|Calendly)\?$/),
        'Move it?',
        'Cancel it?',
      ])
      const said =
        /kind +consult, “Consult”[^]*address +olive\.owner@[^]*201 {2}POST [^]*Booked, .*: bk_/
      expect(output).toMatch(said)
      expect(output).toContain('nothing is left behind')
      expect([activeBookings(at), left()]).toEqual([0, false])
      const starts =
        at === 'calcom'
          ? calcom.state.bookings.map(({ start }) => start)
          : calendly.state.events.map(({ start }) => start)
      expect(new Set(starts).size).toBe(2)
      expect(Math.min(...starts)).toBeGreaterThan(Date.now() + 7 * 24 * HOUR)
    },
  )

  test('reads an invoice, and under a test key makes a link and ends it', async () => {
    const { code, output, asked } = await live(withInvoices)
    expect(code, output).toBe(0)
    expect(asked).toEqual([
      'Read an invoice in Stripe?',
      'Make a payment link for it?',
      'End the link?',
    ])
    expect(output).toMatch(/invoice +in_test1[^]*200 {2}GET \/v1\/invoices\/in_test1/)
    expect([stripe.links.length, activeLinks().length, left()]).toEqual([1, 0, false])
  })

  test('makes no link under a live key, and says so', async () => {
    const { output, asked } = await live({
      token: undefined,
      paymentKey: ['rk', 'live', 'x'].join('_'),
    })
    expect(output).toContain('Stripe does not accept the key')
    expect([asked, stripe.links]).toEqual([[], []])
  })

  test('leaves a link alone that the invoice has already', async () => {
    await live(withInvoices)
    const [ours] = stripe.links
    const others = { ...ours!, id: 'plink_ofTheirOwn', active: true }
    stripe.links.splice(0, 1, others)
    const { code, output } = await live(withInvoices)
    expect(code, output).toBe(0)
    expect(output).toContain('has one already, which stays as it is')
    expect([stripe.links, left()]).toEqual([[others], false])
  })

  test('needs no right to make links where the practice uses the pages of its invoices', async () => {
    stripe.forbid('rak_payment_link_write')
    expect((await live(withInvoices)).output).toContain(
      'PAYMENT_LINK_STYLE=hosted_invoice needs none',
    )
    const vars = { PAYMENT_LINK_STYLE: 'payment_link' }
    const { code, output } = await live({ ...withInvoices, vars })
    expect([code, left()], output).toEqual([1, false])
  })

  test.each([
    ['Book', 0],
    ['Move', 1],
    ['Cancel', 2],
  ])('undoes what it made where the owner says no to “%s”', async (no, made) => {
    const { code, output } = await live({ no })
    expect(code, output).toBe(0)
    expect([calcom.state.bookings.length, activeBookings('calcom'), left()]).toEqual([
      made,
      0,
      false,
    ])
  })

  test('refuses a kind that cannot be booked, or not be cancelled, before it asks', async () => {
    calcom.eventType.price = 50
    const paid = await live()
    expect([paid.code, paid.asked]).toEqual([1, []])
    calcom.eventType.price = 0
    calcom.eventType.disableCancelling = { disabled: true }
    const bound = await live()
    expect(bound.output).toContain('allows no cancellations')
    expect([bound.asked, calcom.state.bookings]).toEqual([[], []])
  })
})

const FAULTS: [string, Fault][] = [
  ['a reset before it', resetBefore],
  ['a reset after it', resetAfter],
  ['500 before it', answerBefore(500)],
  ['500 after it', answerAfter(500)],
  ['garbage after it', garbageAfter()],
  ['429', answerBefore(429)],
  ['403', answerBefore(403, { message: 'no' })],
]

/** After a run with a fault: nothing is there, or the file and the answer name it, and a later run ends well. */
async function expectNothingStays(given: Given, active: () => number, output: string) {
  if (left()) {
    expect(output).toMatch(/(?:Cancel in|Deactivate in) \w/)
    age(2 * HOUR)
    const again = await live(given)
    expect(again.output).toContain('An earlier run was cut off')
    expect(again.code, again.output).toBe(0)
  }
  expect([active(), left()], output).toEqual([0, false])
}

describe('a booking of which nothing is known', () => {
  test('is named until the calendar shows it, and then cancelled', async () => {
    calcom.fault('book', resetBefore)
    const cut = await live()
    expect(cut.code).toBe(1)
    expect(cut.output).toMatch(/Cancel in Cal\.com the consult of .* \(if there is one\)/)
    const early = await live()
    expect(early.output).toMatch(/if there is one[^]*after an hour/)
    expect([early.code, early.asked]).toEqual([1, []])

    const text = readFileSync(join(folder, LEFT_FILE), 'utf8')
    const [{ start, marker }] = JSON.parse(text) as [{ start: number; marker: string }]
    const late = calcom.bookOnPage(start, { name: 'x', email: EMAIL, timeZone: 'UTC' })
    late.metadata = { consult_ref: marker }
    expect((await live()).code).toBe(0)
    expect([late.status, activeBookings('calcom'), left()]).toEqual(['cancelled', 0, false])
  })

  test('was not made if no list shows it after an hour', async () => {
    calcom.fault('book', resetBefore)
    await live()
    age(HOUR)
    const { code, output } = await live()
    expect(code, output).toBe(0)
    expect(left()).toBe(false)
  })

  test('is not forgotten where its file cannot be read, or the token is for another calendar', async () => {
    calcom.fault('book', resetBefore)
    await live()
    const elsewhere = await live({ at: 'calendly' })
    expect([elsewhere.code, elsewhere.asked]).toEqual([1, []])
    expect(elsewhere.output).toContain('Cancel in Cal.com')
    writeFileSync(join(folder, LEFT_FILE), '{"planted')
    const unreadable = await live()
    expect([unreadable.code, unreadable.asked]).toEqual([1, []])
    expect(unreadable.output).toMatch(/cannot be read/)
    expect(unreadable.output).not.toContain('planted')
  })
})

const CALCOM_ROUTES: CalcomRoute[] = ['slots', 'eventType', 'book', 'booking', 'move', 'cancel']
const CALENDLY_ROUTES: CalendlyRoute[] = [
  ...(['eventType', 'times', 'book', 'event'] as const),
  ...(['invitees', 'cancel'] as const),
]
const STRIPE_ROUTES = ['invoice', 'invoices', 'create', 'link', 'end'] as const

describe('a fault at a step leaves nothing behind', { tags: 'slow' }, () => {
  describe.each(FAULTS)('%s', (_name, fault) => {
    const at = (routes: readonly string[]) =>
      routes.flatMap((route) => [1, 2, 30].map((times) => [route, times] as const))

    test.each(at(CALCOM_ROUTES))('at Cal.com: %s, %i times', async (route, times) => {
      calcom.fault(route as CalcomRoute, fault, times)
      const { output } = await live()
      calcom.calm()
      await expectNothingStays({}, () => activeBookings('calcom'), output)
    })

    test.each(at(CALENDLY_ROUTES))('at Calendly: %s, %i times', async (route, times) => {
      calendly.fault(route as CalendlyRoute, fault, times)
      const { output } = await live({ at: 'calendly' })
      calendly.calm()
      await expectNothingStays({ at: 'calendly' }, () => activeBookings('calendly'), output)
    })

    test.each(at(STRIPE_ROUTES))('at Stripe: %s, %i times', async (route, times) => {
      stripe.fault(ROUTES[route as keyof typeof ROUTES], fault, times)
      const { output } = await live(withInvoices)
      stripe.calm()
      await expectNothingStays(withInvoices, () => activeLinks().length, output)
    })
  })
})

describe('the command', () => {
  let clone: Clone
  beforeAll(() => {
    clone = freshClone()
  })
  afterEach(() => rmSync(join(clone.root, LEFT_FILE), { force: true }))
  afterAll(() => clone.remove())

  const environment = (at: At): Record<string, string> => ({
    SCHEDULING_PROVIDER: at,
    ...(at === 'calcom' ? calcom : calendly).settings,
    EVENT_TYPES: JSON.stringify({ consult: { id: eventTypes[at] } }),
    ...stripe.settings,
  })
  const TARGET = ['--target', 'live']
  const LIVE = [...TARGET, '--yes', '--address', EMAIL]
  const run = (at: At) => clone.run('demo', LIVE, environment(at))

  /** Runs it, and kills it once a request for this path is at the provider. */
  async function cut(at: At, fake: { requests: { method: string; path: string }[] }, path: RegExp) {
    const isThere = () => fake.requests.some((one) => one.method === 'POST' && path.test(one.path))
    await clone.run('demo', LIVE, environment(at), {
      started(kill) {
        const waiting = setInterval(() => {
          if (!isThere()) return
          clearInterval(waiting)
          kill('SIGKILL')
        }, 5)
      },
    })
  }

  const nothingIsLeft = (at: At) => [
    activeBookings(at),
    activeLinks().length,
    clone.read(LEFT_FILE),
  ]

  const CUTS: [At, CalcomRoute | CalendlyRoute, RegExp][] = [
    ['calcom', 'book', /bookings$/],
    ['calcom', 'move', /reschedule$/],
    ['calcom', 'cancel', /cancel$/],
    ['calendly', 'book', /invitees$/],
    ['calendly', 'cancel', /cancellation$/],
  ]
  test.each(CUTS)(
    'is killed at %s while it waits for “%s”: the next run ends what was left, and goes on',
    { tags: ['slow'] },
    async (at, route, path) => {
      const fake = at === 'calcom' ? calcom : calendly
      fake.fault(route as never, slowAfter(60_000))
      await cut(at, fake, path)
      expect(clone.read(LEFT_FILE)).not.toMatch(/olive|cal_live|@/)
      const { code, output } = await run(at)
      expect(code, output).toBe(0)
      expect(output).toContain('An earlier run was cut off')
      expect(nothingIsLeft(at)).toEqual([0, 0, undefined])
    },
  )

  test.each([
    ['create', /payment_links$/],
    ['end', /payment_links\/plink/],
  ] as const)(
    'is killed at Stripe while it waits for “%s”',
    { tags: ['slow'] },
    async (route, path) => {
      stripe.fault(ROUTES[route], slowAfter(60_000))
      await cut('calcom', stripe, path)
      expect(stripe.links).toHaveLength(1)
      const { code, output } = await run('calcom')
      expect(code, output).toBe(0)
      expect(nothingIsLeft('calcom')).toEqual([0, 0, undefined])
    },
  )

  test('asks at a terminal, where Enter is no', { tags: 'slow' }, async () => {
    const { code, output } = await clone.run('demo', TARGET, environment('calcom'), {
      answers: [
        ['Your own email', `${EMAIL}\r`],
        ['Book a consult in Cal.com?', 'y'],
        ['Move it?', '\r'],
        ['Read an invoice in Stripe?', 'y'],
        ['Make a payment link for it?', '\r'],
      ],
    })
    expect(code, output).toBe(0)
    expect([calcom.state.bookings.length, ...nothingIsLeft('calcom')]).toEqual([1, 0, 0, undefined])
    expect(stripe.links).toEqual([])
    for (const secret of [calcom.state.token, FAKE_KEY]) expect(output).not.toContain(secret)
  })

  test.each([
    ['without a terminal', TARGET, /no terminal to ask at/],
    ['--yes without an address', [...TARGET, '--yes'], /needs --address/],
    ['no address', [...TARGET, '--yes', '--address', 'planted'], /takes an email address/],
    [
      'an option of another target',
      [...TARGET, '--url', 'x'],
      /--url does not go with --target live/,
    ],
    ['its own with another target', ['--yes'], /--yes does not go with --target mocks/],
    ['another target', ['--target', 'planted'], /--target takes one of: mocks, own, live/],
  ])('refuses %s, and does nothing', { tags: 'slow' }, async (_what, args, says) => {
    const { code, output } = await clone.run('demo', args, environment('calcom'))
    expect(code).toBe(1)
    expect(output).toMatch(says)
    expect(output).not.toContain('planted')
    expect(calcom.requests).toEqual([])
  })
})
