import { describe, expect, test } from 'vitest'

import type { Unresolved } from '../../../../../src/core/ports/unresolved.ts'
import { homePage } from '../../../../../src/owner/console/home/page.ts'
import { textOf } from '../text-of.ts'
import { NOW, emptyHome, everybody, fullHome, shell } from '../views.ts'

const shown = (more: Parameters<typeof emptyHome>[0] = {}): string =>
  textOf(homePage(emptyHome(more)))

describe('the first thing on the owner’s page', () => {
  test('is a banner while all are paused, with the time by the clock of the practice', () => {
    const rules = everybody({ paused: true }, NOW - 28 * 60_000)
    const html = homePage(emptyHome({ shell: shell('/owner', { rules }) }))
    expect(textOf(html)).toMatch(
      /Paused since 3:12 PM EST ?\. No agent and no key can do anything until you resume\./,
    )
    expect(html).toContain(
      '<time datetime="2026-11-24T15:12:00-05:00" title="Tuesday, November 24, 2026, 3:12:00 PM EST"',
    )
    expect(html).toContain('action="/owner/resume"')
    expect(html.indexOf('Paused')).toBeLessThan(html.indexOf('<h1'))
    expect(html).not.toContain('Pause all agents')
  })
})

describe('how things stand is said in one sentence', () => {
  const headingOf = (view: Parameters<typeof homePage>[0]): string =>
    textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(homePage(view))?.[1] ?? '').trim()
  const modes = (scheduling: 'live' | 'mock', payments: 'live' | 'mock') =>
    emptyHome({ shell: shell('/owner', { modes: { scheduling, payments } }) })

  test('that tells live from mock', () => {
    const dotOf = (view: Parameters<typeof homePage>[0]) =>
      /class="on">([^<]*)/.exec(homePage(view))?.[1]
    expect(headingOf(modes('live', 'live'))).toBe('Nothing needs you.')
    expect(dotOf(modes('live', 'live'))).toBe('On')
    expect(dotOf(modes('mock', 'mock'))).toBe('Mock')
    expect(dotOf(modes('live', 'mock'))).toBe('Mock payments')
    expect(dotOf(modes('mock', 'live'))).toBe('Mock calendar')
  })

  test('that counts what needs the owner: a caller once, and all who are to be reviewed together', () => {
    expect(headingOf(fullHome())).toBe('11 things need you.')
  })

  test('that never says that nothing needs the owner where something could not be read', () => {
    for (const name of ['unresolved', 'refused', 'health'] as const) {
      const view = emptyHome()
      expect(headingOf({ ...view, needs: { ...view.needs, [name]: 'unread' } })).not.toContain(
        'Nothing',
      )
    }
    for (const unread of [{ rules: 'unread' }, { waiting: 'unread' }] as const)
      expect(headingOf(emptyHome({ shell: shell('/owner', unread) }))).not.toContain('Nothing')
  })
})

describe('what needs the owner', () => {
  test('begins with the changes that wait: what, by which code and how long, three of each caller', () => {
    const html = homePage(fullHome())
    expect(html).toMatch(/href="\/approve\/7061[0-9a-f]+"/)
    expect(textOf(html)).toMatch(
      /Claude asks you to approve one change .* Book a 30-minute consult on .* K7QX 10 min ago 5 min /,
    )
    expect(textOf(html)).toMatch(
      /Front desk asks you to approve 4 changes .* Submit 1 intake .* All 4/,
    )
    expect(html).not.toContain('Submit 4 intake')
    expect(html.indexOf('waits for your approval')).toBeLessThan(html.indexOf('did it happen?'))
  })

  test('has a form for each change in doubt, with the field for what was made where something was', () => {
    const html = homePage(fullHome())
    expect(html.match(/action="\/owner\/unresolved"/g)).toHaveLength(2)
    expect(html.match(/name="payment_link_id"/g)).toHaveLength(1)
    expect(html.match(/name="booking_id"/g)).toBe(null)
    expect(textOf(html)).toContain('Cancel a booking: did it happen?')
    const view = fullHome()
    const [one] = view.needs.unresolved as Unresolved[]
    const unresolved = [
      { ...one!, operation: 'reschedule_booking', part: 'was the new time booked?' },
    ]
    const ofPart = homePage({ ...view, needs: { ...view.needs, unresolved } })
    expect(textOf(ofPart)).toContain(': was the new time booked?')
  })

  test('says what a provider refused and what to do, and takes the owner’s word that it is mended', () => {
    const change = { operation: 'create_payment_link', what: 'usd', detail: 'Set the name.' }
    const issue = { reason: 'payment_provider_refuses' as const, since: NOW, change }
    const home = fullHome()
    const health = { issues: [issue], alertedReasons: [], checkedAt: 0, unresolved: 0 }
    const html = homePage({ ...home, needs: { ...home.needs, health } })
    expect(textOf(html)).toMatch(
      /The payment provider refused this change: Create a payment link\. .*Set the name\. It is mended/,
    )
    expect(html).toContain('action="/owner/repaired"')
    expect(html).toContain('name="what" value="usd"')
  })
})

describe('a part of the owner’s page that could not be read', () => {
  const SEEN = {
    bookings: '4:30 PM',
    ends: 'booked a consult',
  }
  test.each(Object.keys(SEEN))('says so for %s and hides no other', (name) => {
    const html = homePage({ ...fullHome(), [name]: 'unread' })
    expect(html).toContain('This could not be read just now.')
    for (const [one, words] of Object.entries(SEEN)) {
      if (one === name) expect(html).not.toContain(words)
      else expect(html).toContain(words)
    }
    expect(html).toContain('did it happen?')
  })
})

describe('after a restore', () => {
  const LINK = 'cil_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b'
  const restored = {
    restore: {
      made_at: '2026-11-23T09:00:00Z',
      modes: { scheduling: 'mock', payments: 'mock' },
      ended_at: Date.parse('2026-11-23T12:00:00Z'),
    },
    held: [],
    isSearching: false,
    found: 1,
    isMoreFound: false,
    completed: [{ link: LINK, booking: 'bk_lost' }],
    apps: { before: 0, now: 0 },
    lastBackup: 0,
  } as const

  test('the client links that were filled in meanwhile are listed with their consults', () => {
    const html = homePage(emptyHome({ restored }))
    expect(textOf(html)).toMatch(
      /one change of that time was found at your providers\. A client has filled in a client link in that time, and the consult is booked\. Do not send them another link/,
    )
    expect(textOf(html)).toMatch(/Link …B6cD ?: consult bk_lost/)
    expect(html).toContain(`/owner/audit?id=${LINK}`)
    expect(html).toContain('/owner/audit?id=bk_lost')
  })

  test('nothing is said of client links where none was', () => {
    expect(shown({ restored: { ...restored, completed: [] } })).not.toContain('client link')
  })
})
