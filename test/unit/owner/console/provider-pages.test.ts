import { expect, test } from 'vitest'

import { homePage } from '../../../../src/owner/console/home/page.ts'
import { providerPagesOf } from '../../../../src/owner/console/shell/provider-pages.ts'
import { PROVIDER_PAGES, emptyHome, fullHome, fullShell } from './views.ts'

type From = Parameters<typeof providerPagesOf>[0]

const pagesOf = (
  calendar: 'calendly' | 'calcom' | 'mock',
  payments: 'live' | 'test' | 'mock' = 'mock',
) =>
  providerPagesOf({
    modes: {
      scheduling: { mode: calendar === 'mock' ? 'mock' : 'live' },
      payments: { mode: payments === 'mock' ? 'mock' : 'live' },
    },
    scheduling: { provider: calendar },
    payments: { isTest: payments === 'test' },
  } as unknown as From)

test.each([
  ['calendly', 'bk_6a3f-9c', 'https://calendly.com/app/scheduled_events/user/me?uuid=6a3f-9c'],
  ['calcom', 'bk_prGfz6zS', 'https://app.cal.com/booking/prGfz6zS'],
] as const)('a booking is opened at %s by the id it has there', (calendar, id, url) => {
  expect(pagesOf(calendar)(id)?.url).toBe(url)
})

test.each([
  ['live', 'pl_in_1AbC', 'https://dashboard.stripe.com/invoices/in_1AbC'],
  ['live', 'in_1AbC', 'https://dashboard.stripe.com/invoices/in_1AbC'],
  ['live', 'plink_1AbC', 'https://dashboard.stripe.com/payment-links/plink_1AbC'],
  ['test', 'pl_in_1AbC', 'https://dashboard.stripe.com/test/invoices/in_1AbC'],
] as const)('with a %s key, %s is opened at Stripe', (payments, id, url) => {
  expect(pagesOf('mock', payments)(id)).toEqual({ label: 'Stripe', url })
})

test.each([
  ['of a mock, also after the practice went live', 'bk_mock_4f1c2a9b7d3e8f60'],
  ['of a mock invoice', 'pl_in_mock_open'],
  ['of a mock link', 'plink_mock_4f1c'],
  ['of a client', 'cl_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9k'],
  ['that would lead elsewhere', 'pl_in_1/../../customers'],
  ['that would lead elsewhere', 'bk_1?x=https://evil.example'],
  ['that is none', ''],
])('there is no page for an id %s', (_, id) => {
  expect(pagesOf('calendly', 'live')(id)).toBeUndefined()
})

test('while all is a mock, nothing is anywhere else', () => {
  const pages = pagesOf('mock')
  expect([pages('bk_6a3f'), pages('pl_in_1AbC'), pages('plink_1AbC')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('Home leads from each consult to the calendar, where that is known', () => {
  const html = homePage(fullHome({ shell: fullShell('/owner', { providers: PROVIDER_PAGES }) }))
  const ways = html.match(
    /class="out"\s+href="https:\/\/provider\.example\/bk_[^>]*aria-label="Open in Calendly: [^"]+"/g,
  )
  expect(ways).toHaveLength(4)
  expect(homePage(emptyHome())).not.toContain('class="out"')
})
