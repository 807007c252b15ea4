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
