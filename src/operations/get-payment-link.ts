import * as z from 'zod'
import { modeSchema } from '../domain/mode.ts'
import { displayAmount } from '../domain/money.ts'
import { invoiceStatusSchema } from '../domain/payment-link.ts'
import { problem } from '../domain/problem.ts'
import { recordKey } from '../domain/records.ts'
import { invoiceFields, linkIdField } from './create-payment-link.ts'
import { linkView } from './record-views.ts'
import { idsLike } from './known-ids.ts'
import { defineRead } from './operation.ts'

const linkSchema = z
  .strictObject({
    payment_link_id: linkIdField,
    active: z.boolean().meta({ description: 'The invoice can be paid through the link now.' }),
    ...invoiceFields,
    invoice_status: invoiceStatusSchema,
    made_at: z.string().meta({ format: 'date-time', description: 'When it was made here.' }),
  })
  .meta({
    id: 'ShownPaymentLink',
    description: 'A payment link and its invoice, as they stand with the payment provider now.',
  })

const description =
  'Returns a payment link that was made here, and how its invoice stands with the payment provider now: whether it is paid, and what is left to pay. The address of the page is not repeated: repeat create_payment_link with its key for that.'

export const getPaymentLink = defineRead({
  name: 'get_payment_link',
  title: 'Read a payment link',
  description,
  scope: 'payments:read',
  http: { method: 'get', path: '/v1/payment-links/{payment_link_id}' },
  problems: ['payment_link_not_found', 'provider_busy', 'provider_misconfigured'],
  input: z.strictObject({ payment_link_id: linkIdField }),
  output: z
    .strictObject({
      operation: z.literal('get_payment_link'),
      mode: modeSchema,
      payment_link: linkSchema,
    })
    .meta({ id: 'PaymentLinkRead', description: 'One payment link.' }),
  mode: ({ payments }) => payments.mode,
  async run({ payment_link_id }, { payments, records }) {
    const value = await records.get(recordKey('payment_link', payment_link_id))
    if (!value) throw problem('payment_link_not_found')
    const found = await payments.link(payment_link_id)
    if (!found) throw problem('payment_link_not_found')
    const { invoiceId, number, amount, currency, status } = found.invoice
    return {
      operation: 'get_payment_link' as const,
      mode: payments.mode,
      payment_link: {
        payment_link_id,
        active: found.active,
        invoice_id: invoiceId,
        invoice_number: number,
        amount,
        currency,
        amount_display: displayAmount(amount, currency),
        reconciliation: payments.reconciliation,
        invoice_status: status,
        made_at: linkView({ value }).made_at,
      },
    }
  },
  resources: [
    {
      address: 'consult://payment-links/{payment_link_id}',
      name: 'payment_link',
      title: 'A payment link',
      description,
      request: (payment_link_id) => ({ fields: {}, path: { payment_link_id } }),
      complete: (beginning, ports) => idsLike('payment_link', ports.payments.mode, beginning, ports),
    },
  ],
  example: {
    input: { payment_link_id: 'pl_in_mock_open' },
    result: {
      operation: 'get_payment_link',
      mode: 'mock',
      payment_link: {
        payment_link_id: 'pl_in_mock_open',
        active: true,
        invoice_id: 'in_mock_open',
        invoice_number: 'MOCK-0001',
        amount: 25000,
        currency: 'usd',
        amount_display: '$250.00',
        reconciliation: 'automatic',
        invoice_status: 'open',
        made_at: '2026-11-23T14:09:30Z',
      },
    },
  },
})
