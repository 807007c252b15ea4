import { describe, expect, test } from 'vitest'

import { FORMS } from '../../src/owner/console/routes.ts'
import { type Browser, type Page, unescaped } from '../support/browser.ts'
import { type Fields, ownerPages, secretOf } from './owner-pages.ts'

/** Where the console has forms. */
const PAGES = [
  '/owner',
  '/owner/callers/new',
  '/owner/clients',
  '/owner/settings',
  '/owner/settings/passkeys',
  '/owner/settings/people',
  '/owner/settings/health',
  '/owner/settings/webhooks',
]

interface Wrong {
  /** What a person enters, some of it wrong. */
  entered: Fields
  /** The fields that are marked. */
  marked: string[]
}

const LONG = 'A name that is much too long for a passkey or a person. '.repeat(4).trim()

/** For each form that a person fills in: an entry of each kind of mistake. */
const WRONG: Record<string, Wrong[]> = {
  '/owner/keys/make': [
    {
      entered: [
        ['preset', 'own'],
        ['scope', 'bookings:read'],
        ['scope', 'payments:write'],
        ['name', ''],
        ['days', '30'],
      ],
      marked: ['name'],
    },
    {
      entered: [
        ['preset', 'own'],
        ['name', 'Intake "desk"'],
        ['days', '9999'],
      ],
      marked: ['scope', 'days'],
    },
    {
      entered: [
        ['preset', 'website'],
        ['name', LONG],
        ['days', ''],
      ],
      marked: ['name'],
    },
  ],
  '/owner/clients': [
    { entered: [['person', 'jordan at example']], marked: ['person'] },
    { entered: [['person', 'cl_short']], marked: ['person'] },
  ],
  '/owner/passkeys/name': [{ entered: [['name', LONG]], marked: ['name'] }],
  '/owner/webhooks/add': [
    {
      entered: [
        ['url', 'http://192.168.0.1/hook?for="me"'],
        ['topic', 'booking.created'],
        ['topic', 'payment_link.paid'],
      ],
      marked: ['url'],
    },
    { entered: [['url', 'https://hooks.example.com/catch/1']], marked: ['topic'] },
    { entered: [['url', '']], marked: ['topic', 'url'] },
  ],
  '/owner/approvers/invite': [{ entered: [['name', LONG]], marked: ['name'] }],
  '/owner/rules': [
    {
      entered: [
        ['operation', 'book_consult'],
        ['amount', 'five hundred'],
        ['currency', 'USD'],
        ['day', '2'],
        ['from', ''],
        ['to', '17:00'],
        ['changes_a_day', 'many'],
      ],
      marked: ['amount', 'from', 'changes_a_day'],
    },
  ],
}

const attributeOf = (tag: string, name: string): string =>
  unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** The controls of the form with this address that a person sees, in the answer to it. */
function controlsOf({ html }: Page, action: string): string[] {
  const forms = html.match(/<form[^]*?<\/form>/g) ?? []
  const form = forms.find(
    (one) => one.includes(`action="${action}"`) && one.includes('aria-invalid="true"'),
  )
  return (form?.match(/<input[^>]*>/g) ?? []).filter((tag) => attributeOf(tag, 'type') !== 'hidden')
}

async function sent(web: Browser, action: string, entered: Fields): Promise<Page> {
  for (const path of PAGES) {
    const fields = (await web.open(path)).form(action)
    const hidden = fields.filter(([name]) => ['csrf', 'id', 'caller'].includes(name))
    if (hidden.length > 0) return web.submit(action, [...hidden, ...entered])
  }
  throw new Error(`No page has the form ${action}.`)
}

const CASES = Object.entries(WRONG).flatMap(([action, all]) =>
  all.map(({ entered, marked }) => [action, marked.join(', '), entered, marked] as const),
)

describe('a form of the console with something wrong in it, without scripts', () => {
  test.each(CASES)(
    '%s keeps what was entered and marks %s',
    async (action, _named, entered, marked) => {
      const { web } = await ownerPages()
      const page = await sent(web, action, entered)
      expect(page.status).toBe(422)
      const controls = controlsOf(page, action)
      for (const [name, value] of entered) {
        const own = controls.filter((tag) => attributeOf(tag, 'name') === name)
        const isBox = own.some((tag) => /checkbox|radio/.test(attributeOf(tag, 'type')))
        const kept = isBox
          ? own.filter((tag) => /\bchecked\b/.test(tag)).map((tag) => attributeOf(tag, 'value'))
          : own.map((tag) => attributeOf(tag, 'value'))
        expect([name, kept.includes(value)]).toEqual([name, true])
      }
      const invalid = controls.filter((tag) => attributeOf(tag, 'aria-invalid') === 'true')
      expect([...new Set(invalid.map((tag) => attributeOf(tag, 'name')))].toSorted()).toEqual(
        [...marked].toSorted(),
      )
      // Each mark names the sentence that says what was expected.
      for (const tag of invalid)
        expect(page.html).toContain(
          `id="${attributeOf(tag, 'aria-describedby').split(' ').at(-1)}"`,
        )
    },
  )

  test('is none that is not tried above', async () => {
    const { web } = await ownerPages()
    const filledIn = new Set<string>()
    for (const path of PAGES)
      for (const form of (await web.open(path)).html.match(/<form[^]*?<\/form>/g) ?? []) {
        const isPost = form.includes('method="post"')
        const isFilledIn = /<input(?![^>]*type="hidden")/.test(form)
        if (isPost && isFilledIn) filledIn.add(attributeOf(form, 'action'))
      }
    expect([...filledIn].toSorted()).toEqual(Object.keys(WRONG).toSorted())
    const known = FORMS.map(([path]) => path)
    for (const action of filledIn) expect(known).toContain(action)
  })
})

/** The fields of all forms, but those that a page fills in for its own session. */
const NAMES = (
  'name caller kind id client_id link_id webhook_id operation_id person ' +
  'preset scope days url topic credential typed outcome operation ' +
  'person.book_consult above.create_payment_link amount currency day from to changes_a_day booking_id ' +
  'payment_link_id format proof first keep end'
).split(' ')

test.each([
  ['nothing', ''],
  ['a character that no one types', '\0'],
  ['a name of the language', '__proto__'],
  ['a passkey that is none', '{"response":{"clientDataJSON":5}}'],
  ['a place that is half an address', 'https://['],
  ['more than any field holds', 'a'.repeat(500)],
])('no form of the console breaks on %s in each field', async (_what, value) => {
  const { web } = await ownerPages()
  const secret = await secretOf(web)
  for (const [path] of FORMS.filter(([path]) => path !== '/owner/sign-out-everywhere')) {
    const { status } = await web.submit(path, [
      ...secret,
      ...NAMES.map((name): [string, string] => [name, value]),
    ])
    expect(status, path).toBeLessThan(500)
  }
})
