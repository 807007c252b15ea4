import { mockPayments } from '../../src/practice/adapters/payments/mock.ts'
import { untouchedInvoices } from '../support/in-memory-calendar.ts'
import { mockFaults } from './mock-faults.ts'
import { paymentsContract } from './payments.ts'

paymentsContract('the mock', async () => {
  const { fail, next } = mockFaults()
  return {
    payments: mockPayments({
      origin: 'https://connector.example.com',
      ledger: untouchedInvoices,
      faults: next,
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
    made: () => 0,
    changes: () => 0,
  }
})
