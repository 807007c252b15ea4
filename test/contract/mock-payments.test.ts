import { expect, test } from 'vitest'

import { mockPayments } from '../../src/practice/adapters/payments/mock.ts'
import { mockLedger } from '../support/in-memory-calendar.ts'
import { mockFaults } from './mock-faults.ts'
import { paymentsContract } from './payments.ts'

const rigOf = (style: 'hosted_invoice' | 'payment_link') => async () => {
  const { fail, next } = mockFaults()
  const ledger = mockLedger()
  return {
    payments: mockPayments({
      origin: 'https://connector.example.com',
      ledger: () => ledger,
      faults: next,
      style,
    }),
    invoices: {
      open: 'in_mock_open',
      partly_paid: 'in_mock_partly_paid',
      paid: 'in_mock_paid',
      void: 'in_mock_void',
      draft: 'in_mock_draft',
      yen: 'in_mock_jpy',
    },
    fail,
    // The page of a mock invoice exists as soon as the invoice does.
    made: () => ledger.links.filter(({ active }) => active).length,
    changes: () => 0,
  }
}

paymentsContract('the mock with hosted invoices', rigOf('hosted_invoice'))
paymentsContract('the mock with payment links', rigOf('payment_link'))

test.each(['hosted_invoice', 'payment_link'] as const)(
  'a mock link, %s, says how many payments had failed before it, also where it is found again',
  async (style) => {
    const failed = { payment: async () => ({ status: 'open' as const, failures: 2 }) }
    const ledger = { ...mockLedger(), ...failed }
    const { next: faults } = mockFaults()
    const origin = 'https://connector.example.com'
    const payments = mockPayments({ origin, ledger: () => ledger, faults, style })
    const wanted = { invoiceId: 'in_mock_open', number: null, amount: 25_000, currency: 'usd' }
    const made = { is: 'ok', facts: { failures: 2 } }
    expect(await payments.createLink(wanted, 'one')).toMatchObject(made)
    expect(await payments.findLink(wanted, 'one')).toMatchObject(made)
  },
)
