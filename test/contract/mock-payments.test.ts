import type { Fault } from '../../src/domain/mock-booking.ts'
import { mockPayments } from '../../src/adapters/payments/mock.ts'
import { paymentsContract } from './payments.ts'
import type { ProviderFault } from './scheduling.ts'
import { untouchedInvoices } from '../support/in-memory-calendar.ts'

const FAULTS: Record<ProviderFault, Fault> = {
  busy: 'busy',
  misconfigured: 'misconfigured',
  'lost before': 'timeout_before',
  'lost after': 'timeout_after',
}

paymentsContract('the mock', async () => {
  const queue: { action: string; fault: Fault }[] = []
  return {
    payments: mockPayments({
      origin: 'https://connector.example.com',
      ledger: untouchedInvoices,
      faults(action) {
        const index = queue.findIndex((one) => one.action === action)
        return index === -1 ? 'ok' : (queue.splice(index, 1)[0]?.fault ?? 'ok')
      },
    }),
    invoices: {
      open: 'in_mock_open',
      partly_paid: 'in_mock_partly_paid',
      paid: 'in_mock_paid',
      void: 'in_mock_void',
      draft: 'in_mock_draft',
      yen: 'in_mock_jpy',
    },
    fail: (action, fault) => void queue.push({ action, fault: FAULTS[fault] }),
    // The page of a mock invoice exists as soon as the invoice does.
    made: () => 0,
    changes: () => 0,
  }
})
