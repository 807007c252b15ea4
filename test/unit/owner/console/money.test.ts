import { describe, expect, test } from 'vitest'

import { moneyPage } from '../../../../src/owner/console/money/page.ts'
import { textOf } from './text-of.ts'
import { moneyView } from './views.ts'

describe('the page of the money', () => {
  test('begins with what is left to pay, a sum for each currency, and how much is overdue', () => {
    const text = textOf(moneyPage(moneyView()))
    expect(text).toContain('$500.00 and €1.00')
    expect(text).toContain('On 3 invoices, 1 overdue.')
    expect(text).toContain('Friday, November 20, 2026 Overdue')
    expect(text).toContain('$250.00 partly paid')
  })

  test('says that there is more where not all was searched', () => {
    const { invoices } = moneyView().invoices as Exclude<
      ReturnType<typeof moneyView>['invoices'],
      'unread'
    >
    const text = textOf(moneyPage(moneyView({ invoices: { invoices, more: 2, complete: false } })))
    expect(text).toContain('More than $500.00')
    expect(text).toContain('Stripe has more than are shown.')
  })

  test('says of each link whether it is paid, and else whether it still can be', () => {
    const [, links = ''] = textOf(moneyPage(moneyView())).split('Payment links')
    for (const state of [
      '$250.00 Paid Nov',
      'Paid, but this link can still be paid',
      '$250.00 Open Nov',
      'Open, but this link has ended',
      'Not paid, void Nov',
      'Partly paid, $100.00 left Nov',
      'Partly paid, $100.00 left, uncollectible Nov',
      'Submitted: see in Stripe whether it has arrived',
      'not known',
    ])
      expect(links).toContain(state)
    expect(moneyPage(moneyView())).toContain('href="/owner/money?before=12#links"')
  })

  test('says that the provider does not answer, and never that nothing is open then', () => {
    const text = textOf(moneyPage(moneyView({ invoices: 'unread' })))
    expect(text).toContain('Stripe did not answer just now.')
    expect(text).not.toContain('No invoice is open')
    const unsure = moneyView({ invoices: { invoices: [], more: 0, complete: false } })
    expect(textOf(moneyPage(unsure))).toContain('Stripe has invoices that cannot be read here')
    expect(textOf(moneyPage(unsure))).not.toMatch(/No invoice is open|More than|On 0/)
  })
})
