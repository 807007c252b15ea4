import * as z from 'zod'

import {
  invoiceStatusSchema,
  paymentStatus,
  paymentStatusSchema,
} from '../../core/domain/payment-link.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { recordKey } from '../../core/domain/records.ts'
import {
  EXAMPLE_BALANCE,
  balanceFields,
  balanceOf,
  invoiceFields,
  linkAmountFields,
  linkAmountOf,
  linkIdField,
} from './create-payment-link.ts'
import { defineRead, mockMark } from './operation.ts'
import { linkWarnings } from './payment-link-warnings.ts'
import { linkView, idsLike, madeAt } from './record-views.ts'
import { answerOfRead, orNull, namedObject } from './schemas.ts'

const PAID = {
  unpaid: 'Paid: no, as far as the payment provider says.',
  partly_paid: 'Paid: in part.',
  paid: 'Paid: yes.',
  submitted:
    'Paid: not certain. A payment was begun; ' +
    'the provider’s own pages show whether the money has arrived.',
} as const

const { amount: _amount, amount_display: _display, ...invoice } = invoiceFields

const linkSchema = namedObject(
  'ShownPaymentLink',
  'A payment link and its invoice, as they stand with the payment provider now.',
  {
    payment_link_id: linkIdField,
    payment_status: paymentStatusSchema,
    active: z.boolean().describe('Whether the link can be paid now.'),
    url: orNull(z.url()).describe(
      'The address of its payment page now; null if it cannot be paid.',
    ),
    ...linkAmountFields,
    pays_other_account: z
      .boolean()
      .describe('Whether the money goes to an account other than the practice’s own.'),
    warnings: z
      .array(z.string())
      .describe('What a person should know, such as a link that outlived its invoice.'),
    ...invoice,
    ...balanceFields,
    invoice_status: invoiceStatusSchema,
    created_at: madeAt,
  },
)

const description =
  'Says whether a payment link that was made here has been paid (invoice status, receipt): ' +
  'its payment_status, what is left to pay, and the status of the invoice at the payment ' +
  'provider now. The payment_link_id comes from create_payment_link. ' +
  'get_client has those of a client. ' +
  'Also says what the link itself charges, whether it can be paid now, and the current ' +
  'address of its page.'

export const getPaymentLink = defineRead({
  name: 'get_payment_link',
  title: 'Read a payment link',
  description,
  scope: 'payments:read',
  route: 'GET /v1/payment-links/{payment_link_id}',
  provider: 'payments',
  problems: ['payment_link_not_found'],
  input: z.strictObject({ payment_link_id: linkIdField }),
  output: answerOfRead('get_payment_link', 'PaymentLinkRead', 'One payment link.', {
    payment_link: linkSchema,
  }),
  async run({ payment_link_id }, { payments, records }) {
    const value = await records.get(recordKey('payment_link', payment_link_id))
    if (!value) throw problem('payment_link_not_found')
    const found = await payments.link(payment_link_id)
    if (!found) throw problem('payment_link_not_found')
    const { invoice, active, url, isOwn } = found
    const { invoiceId, number, currency, status } = invoice
    return {
      payment_link: {
        payment_link_id,
        payment_status: paymentStatus(found),
        active,
        url,
        ...linkAmountOf(found),
        // A link of its own pays the account whose key made it.
        pays_other_account: !isOwn && invoice.paysOtherAccount === true,
        warnings: linkWarnings(found, invoice),
        invoice_id: invoiceId,
        invoice_number: number,
        currency,
        // By the link itself: the setting may have been another when it was made.
        reconciliation: isOwn ? ('manual' as const) : ('automatic' as const),
        ...balanceOf(invoice),
        invoice_status: status,
        created_at: linkView({ value }).created_at,
      },
    }
  },
  lines({ payment_link: link, mode }) {
    const charges = link.link_amount_display ?? 'an amount that is not known'
    const payable = link.active
      ? `This link can be paid now: ${charges}`
      : 'This link cannot be paid now'
    return [
      `${PAID[link.payment_status]}${mockMark(mode)}`,
      `Invoice ${link.invoice_number ?? link.invoice_id} is ` +
        `${link.invoice_status.replaceAll('_', ' ')}; ` +
        `${link.amount_remaining_display} is left to pay on it.`,
      `${payable}. ${link.payment_link_id}, made ${link.created_at}.`,
      link.url !== null && `Its page today: ${link.url}`,
      link.warnings.map((warning) => `Note: ${warning}`),
    ]
  },
  resources: [
    {
      address: 'consult://payment-links/{payment_link_id}',
      name: 'payment_link',
      title: 'A payment link',
      description,
      request: (payment_link_id) => ({ fields: {}, path: { payment_link_id } }),
      complete: (beginning, ports) =>
        idsLike('payment_link', ports.payments.mode, beginning, ports),
    },
  ],
  example: {
    input: { payment_link_id: 'pl_in_mock_open' },
    result: {
      payment_link: {
        payment_link_id: 'pl_in_mock_open',
        payment_status: 'unpaid',
        active: true,
        url: 'https://connector.example.com/mock/checkout/in_mock_open',
        link_amount: 25000,
        link_amount_display: '$250.00',
        pays_other_account: false,
        warnings: [],
        invoice_id: 'in_mock_open',
        invoice_number: 'MOCK-0001',
        currency: 'usd',
        reconciliation: 'automatic',
        ...EXAMPLE_BALANCE,
        invoice_status: 'open',
        created_at: '2037-11-23T14:09:30Z',
      },
    },
  },
})
