import { describe, expect, test } from 'vitest'

import { EVERYBODY, NO_RULES } from '../../../../src/core/domain/rules/house-rules.ts'
import { auditEntryPage, auditPage } from '../../../../src/owner/console/audit/page.ts'
import { filtersIn } from '../../../../src/owner/console/audit/query.ts'
import { NO_FACTS } from '../../../../src/owner/console/audit/sentences.ts'
import { callerPage, callersPage, connectPage } from '../../../../src/owner/console/callers/page.ts'
import { deletionPage, clientsPage } from '../../../../src/owner/console/clients/page.ts'
import { homePage } from '../../../../src/owner/console/home/page.ts'
import { moneyPage } from '../../../../src/owner/console/money/page.ts'
import { formOf, rulesOf } from '../../../../src/owner/console/rules/form.ts'
import {
  healthPage,
  passkeysPage,
  peoplePage,
  rulesPage,
} from '../../../../src/owner/console/settings/page.ts'
import { webhooksPage } from '../../../../src/owner/console/webhooks/page.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
import {
  type FoundPerson,
  bookingViewSchema,
  clientViewSchema,
  linkViewSchema,
} from '../../../../src/practice/operations/record-views.ts'
import { textOf } from './text-of.ts'
import {
  ENTRIES,
  EVERY_PAGE,
  HOSTILE,
  NOW,
  auditView,
  callerView,
  webhooksView,
  moneyView,
  callersView,
  deletionView,
  entry,
  entryView,
  everybody,
  fullHome,
  clientsView,
  PERSON,
  RULES,
  fullShell,
  refusedCaller,
  FINDINGS,
  INVITATIONS,
  PASSKEYS,
  shell,
} from './views.ts'

const PAGES = Object.entries(EVERY_PAGE)

describe('every page of the console', () => {
  test.each(PAGES)('has each id once, and one heading of the first level: %s', (_, { html }) => {
    const whole = html()
    const ids = [...whole.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(whole.match(/<h1/g)).toHaveLength(1)
  })

  test.each(PAGES)('has the secret of the page in every form that is posted: %s', (_, { html }) => {
    for (const form of html().match(/<form method="post"[\s\S]*?<\/form>/g) ?? [])
      expect(form).toContain('name="csrf" value="the-secret-of-the-form"')
  })

  test.each(PAGES)(
    'names every column of its tables, that of the buttons too: %s',
    (_, { html }) => {
      for (const [table] of html().matchAll(/<table[^]*?<\/table>/g)) {
        const [head = '', ...rows] = table.match(/<tr>[^]*?<\/tr>/g) ?? []
        const heads = head.match(/<th[^>]*>[^]*?<\/th>/g) ?? []
        for (const one of heads) expect(textOf(one).trim(), table).not.toBe('')
        for (const row of rows) {
          const spans = [...row.matchAll(/colspan="(\d+)"/g)].map(([, span]) => Number(span) - 1)
          const cells = (row.match(/<t[dh]\b/g) ?? []).length
          expect(
            spans.reduce((all, one) => all + one, cells),
            row,
          ).toBe(heads.length)
        }
      }
    },
  )

  test.each(PAGES)('needs no style and no script of its own: %s', (_, { html }) => {
    expect(html()).not.toMatch(/ style=|<script>|onclick=|javascript:/)
  })
})

/** The same value with each text in it replaced by one that would break out of it. */
function hostile<T>(value: T, keep: (key: string) => boolean): T {
  if (typeof value === 'string') return HOSTILE as T
  if (Array.isArray(value)) return value.map((one: unknown) => hostile(one, keep)) as T
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, hostile(one, keep)] as const)) as T
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).map(
    ([key, one]) => [key, keep(key) ? one : hostile(one, keep)] as const,
  )
  return Object.fromEntries(fields) as T
}
/** What is ours, or a time. */
const OURS = new Set([
  'path',
  'modes',
  'clock',
  'rules',
  'event',
  'at',
  'start_time',
  'timezone',
  'created_at',
  'created_at',
  'since',
  'kind',
  'state',
  'reason',
  'lastUsedOn',
  'end',
])

test('whatever stands in names, ids, notes and codes is text, on every page', () => {
  const bad = <T>(view: T): T => hostile(view, (key) => OURS.has(key))
  const pages = [
    homePage(bad(fullHome())),
    auditPage(bad(auditView())),
    auditEntryPage(bad(entryView())),
    callersPage(bad(callersView())),
    callerPage(bad(refusedCaller())),
    clientsPage(bad(clientsView())),
    deletionPage(bad(deletionView())),
    moneyPage(bad(moneyView())),
    webhooksPage(bad(webhooksView())),
    rulesPage(bad(fullShell('/owner/settings'))),
    passkeysPage(bad(fullShell('/owner/settings')), bad(PASSKEYS)),
    peoplePage(bad(fullShell('/owner/settings')), [], bad(INVITATIONS)),
    healthPage(bad(fullShell('/owner/settings')), undefined, bad(FINDINGS)),
  ]
  for (const html of pages) {
    expect(html).toContain('&lt;script&gt;')
    expect(html.replace('<img src="/favicon.svg"', '')).not.toMatch(/<script>|<img/)
  }
})

describe('what an owner meets in the first hour', () => {
  test('tells a local address from one that Claude on the web reaches', () => {
    const page = (address: string) => textOf(connectPage(shell('/owner/callers'), address))
    const warning = /Only programs on this computer reach this address.* they need no sign-in/
    expect(page('http://localhost:8787/mcp')).toMatch(warning)
    expect(page('http://127.0.0.1:8787/mcp')).toMatch(warning)
    expect(page('https://connector.example.com/mcp')).not.toMatch(warning)
  })

  test('says before the form of a key that a trial makes none, and has no button that works', () => {
    const html = EVERY_PAGE['a new key, in a trial']!.html()
    expect(html.indexOf('A trial makes no keys')).toBeLessThan(
      html.indexOf('<form method="post" action="/owner/keys'),
    )
    expect(html).toMatch(/<button class="main" disabled>Make the key/)
    expect(EVERY_PAGE['a new key']!.html()).not.toMatch(/trial makes no keys|disabled>Make the key/)
  })
})

describe('the audit log', () => {
  test('opens on the changes, each once, with what led to it and what was repeated folded under it', () => {
    const one = (event: 'preview' | 'commit' | 'replay' | 'refusal', index: number) =>
      entry({ event, index, id: `e${index}`, code: event === 'commit' ? 'committed' : 'ok' })
    const alone = entry({ event: 'refusal', index: 9, id: 'e9', operation_id: null })
    const entries = [
      alone,
      one('replay', 4),
      one('commit', 3),
      one('refusal', 2),
      one('preview', 1),
    ]
    const filters = filtersIn(new URLSearchParams())
    const html = auditPage(auditView({ filters, found: { entries, facts: NO_FACTS } }))
    const list = html.slice(html.indexOf('<ul class="entries">'))
    const [shown = '', folded = ''] = list.split('<details class="more">')
    expect(shown).toContain('href="/owner/audit/3')
    expect(textOf(folded)).toContain('3 more entries')
    for (const index of [1, 2, 4]) expect(folded).toContain(`href="/owner/audit/${index}"`)
    expect(list).not.toContain('href="/owner/audit/9')

    const refused = auditPage(auditView({ filters, found: { entries: [alone], facts: NO_FACTS } }))
    expect(refused).not.toContain('<ul class="entries">')
    expect(textOf(refused)).toContain('No changes here.')
  })

  test('keeps the filters in the way to older entries, and in the form for the file', () => {
    const html = auditPage(auditView())
    expect(html).toMatch(
      /href="\/owner\/audit\?caller=oauth%3A[^"]+&amp;from=2026-11-10&amp;after=\d+\.entry"/,
    )
    const form = html.slice(html.indexOf('action="/owner/audit/export"'))
    expect(form).toContain('name="from" value="2026-11-10"')
  })

  test('counts from where the page begins, though an entry that was written late has a higher number', () => {
    const filters = filtersIn(new URLSearchParams('event='))
    const entries = [entry({ index: 810 }), entry({ index: 812 }), entry({ index: 809 })]
    const found = { entries, facts: NO_FACTS }
    const counts = (more: object = {}) => textOf(auditPage(auditView({ filters, found, ...more })))
    expect(counts()).toContain('1 to 3 of 813')
    expect(counts({ place: { after: { at: NOW, id: 'entry' } } })).toContain('3 to 5 of 813')
  })

  test('counts what is equal in one row, and names the rule of a refusal', () => {
    const refused = (index: number, more: object = {}) =>
      entry({
        index,
        event: 'refusal',
        code: 'house_rule',
        about: { rule: 'changes_a_day' },
        ...more,
      })
    const entries = [
      refused(9),
      refused(8, { times: 7 }),
      refused(7),
      refused(6, { caller: 'key:two' }),
    ]
    const text = textOf(auditPage(auditView({ found: { entries, facts: NO_FACTS } })))
    expect(text.match(/Your rule “Changes a day” forbids it/g)).toHaveLength(2)
    expect(text).toContain('forbids it. 9 ×')
  })

  test('says that there may be older ones where a filter found none among those looked through', () => {
    const found = { entries: [], facts: NO_FACTS, next: { at: 1, id: 'e' } }
    expect(textOf(auditPage(auditView({ found })))).toContain('There are older ones')
  })
})

describe('the page of a caller', () => {
  test('keeps a refused form as it was typed, open, and says at the field what was expected', () => {
    const html = callerPage(refusedCaller())
    // The form, and the limits in it, which hold what is wrong.
    expect(html.match(/<details open>/g)).toHaveLength(2)
    expect(html).toMatch(
      /value="few"[^>]*aria-invalid="true" aria-describedby="changes_a_day-error"/,
    )
    expect(html).toContain('id="changes_a_day-error"')
    // Two of the three limits: the hours are right.
    expect(html.match(/class="wrong"/g)).toHaveLength(2)
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html).toMatch(/role="alert"/)
  })

  test('lists where events are sent, and has the buttons that fit the state of each', () => {
    const html = webhooksPage(webhooksView())
    const text = textOf(html)
    expect(text).toContain('hooks.example.com')
    expect(text).toContain('booking.created, booking.cancelled')
    expect(text).toMatch(/Last delivered [^·]* · 12 waiting · 1 skipped/)
    expect(text).toMatch(
      /hook\.example\.org Paused .* · its secret is lost: .* · failing since .* · at least 1000 waiting/,
    )
    expect(text).toMatch(/n8n\.example\.net Ended .*Nothing has arrived yet/)
    expect(html.match(/action="\/owner\/webhooks\/remove"/g)).toHaveLength(3)
    expect(html.match(/action="\/owner\/webhooks\/resume"/g)).toHaveLength(1)
    expect(html.match(/action="\/owner\/webhooks\/pause"/g)).toHaveLength(1)
    expect(html.match(/action="\/owner\/webhooks\/test"/g)).toHaveLength(2)
    expect(html).toContain('aria-label="Resume…: hook.example.org"')
  })

  test('that is gone still has its rules and what it did', () => {
    const text = textOf(callerPage(callerView({ items: [], caller: 'oauth:owner:app_one' })))
    expect(text).toContain('It is not connected now.')
    expect(text).toContain('booked a consult')
  })
})

describe('the settings', () => {
  test('have one table with a row for each change: whether it is allowed, and when a person approves it', () => {
    const html = rulesPage(shell('/owner/settings', { rules: everybody(RULES) }))
    expect(html.match(/<table/g)).toHaveLength(1)
    for (const { name, title } of MUTATIONS) {
      const [row = ''] =
        html.match(new RegExp(`<tr>\\s*<th scope="row">${title}</th>.*?</tr>`, 's')) ?? []
      expect([name, row.includes(`aria-label="Allowed: ${title}"`)]).toEqual([name, true])
      expect([name, row.includes(`name="person.${name}"`)]).toEqual([name, true])
    }
    expect(html).toMatch(/aria-label="A person approves: Every change"/)
    // “Never” beside the name of one change would promise what a stricter row does not keep.
    expect(html.match(/>Never</g)).toHaveLength(1)
    expect(html.indexOf('>Never<')).toBeLessThan(html.indexOf('>As every change<'))
    expect(textOf(html)).toContain('Of several choices about a change, the strictest counts.')
  })

  test('mark the row of the table that is wrong, and keep what was typed in it', () => {
    const sent = formOf(NO_RULES)
    sent.set('caller', EVERYBODY)
    sent.set('person.create_payment_link', 'never')
    sent.set('above.create_payment_link', '500')
    sent.set('currency.create_payment_link', 'USD')
    const read = rulesOf(sent)
    const errors = 'errors' in read ? read.errors : {}
    const refused = { action: '/owner/rules', sent, errors }
    const html = rulesPage(fullShell('/owner/settings', { refused }))
    expect(html).toMatch(
      /name="person.create_payment_link"[^>]*aria-invalid="true"\s+aria-describedby="approval-error"/,
    )
    expect(html.match(/aria-invalid/g)).toHaveLength(1)
    expect(html).toMatch(/name="above.create_payment_link"\s+value="500"/)
    expect(textOf(html)).toContain('Choose “Above the amount” beside it, or empty it.')
  })

  test('put what failed first, with what to do about it', () => {
    const text = textOf(healthPage(fullShell('/owner/settings'), undefined, FINDINGS))
    expect(text).toContain('1 of 3 checks failed.')
    expect(text.indexOf('Make a new one.')).toBeLessThan(text.indexOf('All are valid.'))
  })
})

describe('people', () => {
  test('have their consults in the time of the practice first, whatever zone they were booked in', () => {
    const [booking] = PERSON.bookings
    const bookings = [
      { ...booking!, start_time: '2026-11-25T00:00:00+09:00', timezone: 'Asia/Tokyo' },
    ]
    expect(textOf(clientsPage(clientsView({ found: { ...PERSON, bookings } })))).toContain(
      'Consult on Tuesday, November 24, 2026 at 10:00 AM EST (for the client: Wednesday, November 25, 2026 at 12:00 AM GMT+9).',
    )
  })

  test('tell a consult that was moved, with its new time, from one that was cancelled and one that stands', () => {
    const [stands] = PERSON.bookings
    const ended = { ...stands!, ended_here: true }
    const moved = { ...ended, booking_id: 'bk_mock_moved' }
    const now = { ...stands!, booking_id: 'bk_mock_now', start_time: '2026-12-03T09:00:00-05:00' }
    const found = {
      ...PERSON,
      bookings: [now, moved, ended],
      moves: { bk_mock_moved: 'bk_mock_now' },
    }
    const page = clientsPage(clientsView({ found }))
    expect(page.match(/<s>Consult/g)).toHaveLength(2)
    const text = textOf(page)
    expect(text).toContain('Moved, now Thursday, December 3, 2026 at 9:00 AM EST.')
    expect(text).toContain('Cancelled.')
  })

  test('are shown with every field that an agent reads of them', () => {
    const { client } = PERSON.clients[0]!
    const [booking] = PERSON.bookings
    const [link] = PERSON.links
    // What another field says already.
    const SAID = ['end_time', 'local_time', 'amount', 'currency', 'invoice_id']
    const shown = (person: Partial<FoundPerson>) =>
      clientsPage(clientsView({ found: { ...PERSON, ...person } }))
    const other = (name: string, value: unknown) => {
      if (typeof value === 'boolean') return !value
      if (Array.isArray(value)) return ['other']
      if (name.endsWith('_time') || name.endsWith('_at')) return '2026-10-01T15:00:00Z'
      return name === 'timezone' ? 'Asia/Tokyo' : 'other'
    }
    const differ = <T extends object>(record: T, page: (changed: T) => string) =>
      Object.entries(record)
        .filter(([name]) => !SAID.includes(name))
        .filter(([name, value]) => page({ ...record, [name]: other(name, value) }) === page(record))
        .map(([name]) => name)
    expect(Object.keys(clientViewSchema.shape).toSorted()).toEqual(Object.keys(client!).toSorted())
    expect(Object.keys(bookingViewSchema.shape).toSorted()).toEqual(
      Object.keys(booking!).toSorted(),
    )
    expect(Object.keys(linkViewSchema.shape).toSorted()).toEqual(Object.keys(link!).toSorted())
    const unshown = [
      ...differ(client!, (changed) =>
        shown({ clients: [{ ...PERSON.clients[0]!, client: changed }] }),
      ),
      ...differ(booking!, (changed) => shown({ bookings: [changed] })),
      ...differ(link!, (changed) => shown({ links: [changed] })),
    ]
    // The id of a client stands beside its record, which can be gone.
    expect(unshown, 'show these fields on the page of a person').toEqual(['client_id'])
  })

  test('say how a payment link is ended: at the provider or by an agent, and the page of an invoice with it', () => {
    const [link] = PERSON.links
    const shown = (...ids: string[]) => {
      const links = ids.map((id) => ({ ...link!, payment_link_id: id }))
      return clientsPage(clientsView({ found: { ...PERSON, links } }))
    }
    const own = shown('plink_1AbC')
    expect(own).toContain('Preview end_payment_link for plink_1AbC')
    expect(textOf(own)).not.toContain('void the invoice')
    const both = shown('plink_1AbC', 'pl_in_1AbC')
    expect(both).not.toContain('end_payment_link for pl_in_1AbC')
    expect(textOf(both)).toContain('void the invoice at your payment provider')
    expect(shown()).not.toContain('End a payment link')
  })
})

test('no page shows more of a person than the masks that it was given', () => {
  expect(PERSON.clients[0]?.client?.contact_email).toBe('j***@***.com')
  for (const [, { html }] of PAGES) expect(html().match(/[\w.]+@[\w.]+/g)).toBe(null)
  expect(ENTRIES.length).toBeGreaterThan(10)
})
