import { describe, expect, test } from 'vitest'
import { homePage } from '../../../src/console/home.ts'
import { NO_RULES } from '../../../src/domain/house-rules.ts'
import { HOSTILE, NOW, RULES, fullView, item, view } from './views.ts'

const PLACE = 'Harbor Tax & Books'
/** What a person reads: without tags, spaces run together. */
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const shown = (more: Parameters<typeof view>[0] = {}): string => textOf(homePage(PLACE, view(more)))
const everybody = (rules: object, pausedSince: number | null = null) => [
  { caller: '*', rules: { ...NO_RULES, ...rules }, pausedSince },
]

describe('the first thing on the owner’s page', () => {
  test('is one button that pauses all agents', () => {
    const html = homePage(PLACE, view())
    expect(html.indexOf('Pause all agents')).toBeLessThan(html.indexOf('<h1'))
    expect(html).toMatch(/<form method="post" action="\/owner\/pause">/)
    expect(html).not.toContain('/owner/resume')
  })

  test('is a banner while all are paused, with the time by the clock of the practice', () => {
    const html = homePage(PLACE, view({ rules: everybody({ paused: true }, NOW - 28 * 60_000) }))
    expect(textOf(html)).toMatch(/Paused since 3:12 PM EST ?\. No app and no key can do anything\. Resume/)
    expect(html).toContain('<time datetime="2026-11-24T15:12:00-05:00">')
    expect(html.indexOf('Paused')).toBeLessThan(html.indexOf('<h1'))
    expect(html).not.toContain('Pause all agents')
  })

  test('names the day of a pause that did not begin today', () => {
    const since = Date.parse('2026-11-23T20:12:00Z')
    expect(shown({ rules: everybody({ paused: true }, since) })).toContain(
      'Paused since Monday, November 23, 2026, 3:12 PM EST',
    )
  })

  test('still offers to pause where it could not be read whether agents are paused', () => {
    const text = shown({ rules: 'unread' })
    expect(text).toContain('Whether agents are paused could not be read just now.')
    expect(text).toContain('Pause all agents')
  })
})

describe('a part of the owner’s page that could not be read', () => {
  test.each(['rules', 'apps', 'keys', 'passkeys'] as const)('says so for %s and hides no other', (name) => {
    const html = homePage(PLACE, { ...fullView(), [name]: 'unread' })
    expect(html).toContain('This could not be read just now.')
    const seen = {
      rules: 'Change the rules for everybody',
      apps: 'claude.ai',
      keys: 'Front desk',
      passkeys: 'Passkey 1',
    }
    for (const [part, words] of Object.entries(seen)) {
      if (part === name) expect(html).not.toContain(words)
      else expect(html).toContain(words)
    }
  })
})

describe('the rules on the owner’s page', () => {
  test('are said in words, and stand in the form as they are', () => {
    const html = homePage(PLACE, view({ rules: everybody(RULES) }))
    const text = textOf(html)
    for (const words of [
      'Largest payment link $500.00',
      'Hours for changes Monday to Friday, 8:00 AM to 6:00 PM EST',
      'Changes that may be made Book a consult, Reschedule a booking',
      'Changes a day at most 100',
    ])
      expect(text).toContain(words)
    expect(html).toMatch(/name="amount"\s+value="500"/)
    expect(html).toMatch(/name="from" value="08:00"/)
    expect(html.match(/name="day"\s+value="\d"\s+checked/g)).toHaveLength(5)
    expect(html.match(/name="operation"\s+value="\w+"\s+checked/g)).toHaveLength(2)
  })

  test('of which there are none are said to be none, and leave every field empty', () => {
    const html = homePage(PLACE, view())
    expect(textOf(html)).toContain('No rules: agents may do all that their scopes allow.')
    expect(html.match(/name="day"\s+value="\d"\s+checked/g)).toBe(null)
    expect(html.match(/name="operation"\s+value="\w+"\s+checked/g)).toHaveLength(6)
  })

  test('of one caller stand with that caller, who can be paused alone', () => {
    const html = homePage(PLACE, fullView())
    const key = html.slice(html.indexOf('Front desk'), html.indexOf('Old'))
    expect(textOf(key)).toContain('Largest payment link $10.00')
    expect(key).toContain('<span class="tag">Paused</span>')
    expect(key).toContain('aria-label="Resume: Front desk"')
    expect(html).toContain('aria-label="Pause: Claude"')
  })

  test('that were refused keep what was typed, are open, and say at the field what was expected', () => {
    const form = {
      amounts: [{ amount: HOSTILE, currency: 'USD' }],
      days: ['1'],
      from: '',
      to: '18:00',
      operations: [],
      changes_a_day: 'few',
    }
    const errors = { max_link: 'Give a number.', changes_a_day: 'Give a whole number.' }
    const html = homePage(PLACE, { ...fullView(), refused: { caller: 'key:two', form, errors } })
    expect(html.match(/<details open>/g)).toHaveLength(1)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;')
    expect(html).toMatch(/value="few"[^>]*aria-invalid="true" aria-describedby="revoke0-changes_a_day-error"/)
    expect(html).toContain('id="revoke0-changes_a_day-error"')
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html).toMatch(/role="alert"/)
  })
})

describe('names on the owner’s page', () => {
  test('of apps, keys, hosts, places and messages are text whatever stands in them', () => {
    const hostile = item({ name: HOSTILE, host: HOSTILE, id: HOSTILE, scopes: [HOSTILE], caller: HOSTILE })
    const html = homePage(
      HOSTILE,
      view({
        apps: [hostile],
        keys: [hostile],
        passkeys: [hostile],
        done: HOSTILE,
        csrf: HOSTILE,
        address: HOSTILE,
      }),
    )
    expect(html).not.toMatch(/<script>|<img|onerror='/)
  })

  test('stand by themselves, so that those in another script turn nothing else around', () => {
    expect(homePage(PLACE, fullView())).toContain('<bdi>Front desk</bdi>')
  })
})

test('what has ended has no button, and the last passkey says why it stays', () => {
  const html = homePage(PLACE, fullView())
  expect(html).not.toContain('aria-label="Revoke: Old"')
  expect(html).not.toContain('/owner/passkeys/remove')
  expect(html).toContain('It stays.')
})

test('each id on the page stands once', () => {
  const ids = [...homePage(PLACE, fullView()).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
