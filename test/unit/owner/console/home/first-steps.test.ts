import { describe, expect, test } from 'vitest'

import { homePage } from '../../../../../src/owner/console/home/page.ts'
import { textOf } from '../text-of.ts'
import { FIRST_FACTS, FIRST_STEPS, emptyHome, everybody, homeAfter, shell } from '../views.ts'

/** The box of the first steps; empty where there is none. */
const boxOf = (html: string): string =>
  /<(?:section aria-labelledby|details class)="first">[\s\S]*?<\/ol>/.exec(html)?.[0] ?? ''
const box = (view: Parameters<typeof homePage>[0]): string => boxOf(homePage(view))

/** What can be pressed or copied there. */
const PRESSED = /<button(?! type="button")|class="button|<code id=/g

describe('the first steps', () => {
  test.each(FIRST_STEPS.slice(0, -1).map((done, at) => [at, done] as const))(
    'are ticked by what is there, and only the next has something to press: %i of 7 done',
    (at, done) => {
      const html = box(homeAfter(done))
      expect(textOf(html)).toContain(`${at} of 7 done`)
      expect(html.match(/<li class="ok">/g) ?? []).toHaveLength(at)
      expect(html.match(/<li class="now">/g)).toHaveLength(1)
      expect(html.match(PRESSED)).toHaveLength(1)
    },
  )

  test('go away once all seven are done', () => {
    expect(box(homeAfter(FIRST_STEPS.at(-1)!))).toBe('')
  })

  test('are not shown where a fact could not be read: nothing that is done is asked for again', () => {
    expect(box(emptyHome({ first: 'unread' }))).toBe('')
  })

  test.each<[string, Parameters<typeof homePage>[0]]>([
    [
      'an address for alerts to which none was delivered',
      homeAfter({ facts: { alerts: { host: 'ntfy.sh', isTested: false } } }),
    ],
    [
      'a test that was delivered to an address that was taken away',
      homeAfter({ facts: { alerts: { host: undefined, isTested: true } } }),
    ],
    [
      'a pause, which is no rule',
      homeAfter({ facts: {}, shell: { rules: everybody({ paused: true }) } }),
    ],
    [
      'the limit of a day, which the first deploy sets',
      homeAfter({ facts: {}, shell: { rules: everybody({ changes_a_day: 100 }) } }),
    ],
    [
      'a real calendar beside mock payments',
      homeAfter({ facts: {}, shell: { modes: { scheduling: 'live', payments: 'mock' } } }),
    ],
  ])('do not count %s', (_, view) => {
    expect(textOf(box(view))).toContain('1 of 7 done')
  })

  test('count the rule of one caller as a rule', () => {
    const rules = everybody({ operations: [] }).map((set) => ({ ...set, caller: 'key:two' }))
    expect(textOf(box(homeAfter({ facts: {}, shell: { rules } })))).toContain('2 of 7 done')
  })

  test('show a set of rules whole before the button that turns it on', () => {
    const html = box(homeAfter({ facts: { passkeys: ['one', 'two'], isCalled: true } }))
    expect(textOf(html)).toMatch(/at most 100.*Create a payment link above \$500\.00/)
    expect(html.indexOf('$500.00')).toBeLessThan(html.indexOf('action="/owner/rules"'))
    expect(html).toContain('href="/owner/settings#presets"')
  })

  test('hand over the command of the first backup, until a backup was made', () => {
    const [before, after] = FIRST_STEPS.slice(5, 7).map((done) => box(homeAfter(done)))
    expect(textOf(before!)).toContain('npm run backup -- --new-key --url')
    expect(textOf(before!)).toContain('takes your clients, the log and all access with it')
    expect(textOf(after!)).not.toContain('npm run backup')
  })

  test('wait until the steps after a restore are done', () => {
    const restored = {
      restore: {
        made_at: '2026-11-23T09:00:00Z',
        modes: { scheduling: 'mock' as const, payments: 'mock' as const },
        ended_at: 1,
      },
      held: [],
      isSearching: true,
      found: 0,
      isMoreFound: false,
      completed: [],
      apps: { before: 0, now: 0 },
      lastBackup: 0,
    }
    expect(box(emptyHome({ restored }))).toBe('')
    expect(box(emptyHome({ shell: shell('/owner'), first: FIRST_FACTS }))).not.toBe('')
  })
})
