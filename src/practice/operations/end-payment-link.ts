import * as z from 'zod'

import { invoiceStatusSchema } from '../../core/domain/payment-link.ts'
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
import { defineMutation, recordWrite } from './operation.ts'
import { namedObject, textOrNull } from './schemas.ts'

const linkFields = {
  payment_link_id: linkIdField,
  invoice_id: invoiceFields.invoice_id,
  invoice_number: textOrNull,
  invoice_status: invoiceStatusSchema,
  ...linkAmountFields,
  currency: invoiceFields.currency,
  ...balanceFields,
}

const previewed = namedObject('PreviewedEndOfPaymentLink', linkFields)

const OPEN_PAGES = 'A payment page of this link that is already open may still be completed.'
const OFF_ELSEWHERE = 'No one can pay through this link any more; nothing was done.'
const COMPLETED =
  'A person completed the page of this link, so no one can pay through it again; nothing was done.'
const PAGE_OF_INVOICE =
  'This link is the invoice’s own payment page, which ends with its invoice; nothing was done.'
const END_INVOICE =
  'Ask the practice to void the invoice at the payment provider, or to mark it as paid; ' +
  'its page then takes no payment.'

const EXAMPLE = {
  payment_link_id: 'plink_mock_4f1c2a9b7d3e8f60',
  invoice_id: 'in_mock_open',
  invoice_number: 'MOCK-0001',
  invoice_status: 'open' as const,
  link_amount: 25000,
  link_amount_display: '$250.00',
  currency: 'usd',
  ...EXAMPLE_BALANCE,
}

export const endPaymentLink = defineMutation({
  name: 'end_payment_link',
  title: 'End a payment link',
  description:
    'Switches a payment link off, so that no one can pay through it, in two calls, preview and ' +
    'commit. Use this when the invoice was paid in another way, or the link charges another ' +
    'amount than is left. Returns the link (payment_link_id) with the state ended. Cannot be ' +
    'undone here, gives no money back, and changes no invoice. A link that is the invoice’s ' +
    'own page (pl_…) cannot be ended: it ends with its invoice.',
  scope: 'payment_links:end',
  route: 'POST /v1/payment-links/{payment_link_id}/end',
  provider: 'payments',
  destructive: true,
  problems: ['payment_link_not_found', 'payment_link_not_active'],
  input: z.strictObject({ payment_link_id: linkIdField }),
  preview: previewed,
  committed: namedObject('EndedPaymentLink', { ...linkFields, state: z.literal('ended') }),
  async facts({ payment_link_id }, { ports: { payments }, refuse }) {
    const link = await payments.link(payment_link_id)
    if (!link) throw refuse('payment_link_not_found')
    if (!link.isOwn)
      throw refuse('payment_link_not_active', { detail: PAGE_OF_INVOICE, next_step: END_INVOICE })
    if (!link.active)
      throw refuse('payment_link_not_active', {
        detail: link.isCompleted ? COMPLETED : OFF_ELSEWHERE,
      })
    const { invoice } = link
    const pinned = {
      payment_link_id,
      invoice_id: link.invoiceId,
      invoice_number: invoice.number,
      invoice_status: invoice.status,
      ...linkAmountOf(link),
      currency: link.currency,
      ...balanceOf(invoice),
    }
    return { pinned }
  },
  show(_input, { pinned: preview }) {
    return {
      preview,
      summary: `End the payment link ${nameOf(preview)}.`,
      warnings: [OPEN_PAGES],
    }
  },
  // A link for the same invoice is neither made nor ended meanwhile.
  lockKeys: ({ invoice_id }) => [`invoice:${invoice_id}`],
  steps: ({ payment_link_id }) => [
    {
      // To end a link again changes nothing.
      retryWindowMs: Infinity,
      execute: ({ ports, marker }) => ports.payments.endLink(payment_link_id, marker),
      reconcile: ({ ports, marker }) => ports.payments.findEnded(payment_link_id, marker),
    },
  ],
  result: ({ preview }) => ({ ...preview, state: 'ended' as const }),
  summary: (result) => `Ended the payment link ${nameOf(result)}. It can no longer be paid.`,
  recordId: ['payment_link_id'],
  records: (result, ended) => [
    recordWrite(recordKey('payment_link_end', result.payment_link_id), result, ended, {
      copyLinksFrom: recordKey('payment_link', result.payment_link_id),
    }),
  ],
  example: {
    input: { payment_link_id: EXAMPLE.payment_link_id },
    preview: EXAMPLE,
    result: { ...EXAMPLE, state: 'ended' },
  },
})

function nameOf(link: z.infer<typeof previewed>) {
  const amount = link.link_amount_display === null ? '' : ` for ${link.link_amount_display}`
  return `${link.payment_link_id}${amount} on invoice ${link.invoice_number ?? link.invoice_id}`
}
