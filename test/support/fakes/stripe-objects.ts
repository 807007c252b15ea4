/** An invoice of the fake Stripe, in the words of Stripe's API. */
export interface FakeInvoice {
  id: string
  status: string | null
  number: string | null
  amount_due: number
  amount_paid: number
  amount_remaining: number
  currency: string
  due_date: number | null
  customer_name: string | null
  customer_email: string | null
  collection_method: string
  auto_advance: boolean
  next_payment_attempt: number | null
  attempt_count: number
  hosted_invoice_url: string | null
  on_behalf_of: string | null
}

/** What an invoice of the fake starts from: open, 123.45 US dollars, nothing paid. */
export const openInvoice = (id: string): FakeInvoice => ({
  id,
  status: 'open',
  number: 'FAKE-0001',
  amount_due: 12_345,
  amount_paid: 0,
  amount_remaining: 12_345,
  currency: 'usd',
  due_date: Date.UTC(2030, 0, 15, 17) / 1000,
  customer_name: 'Jane Roe',
  customer_email: 'jane.roe@example.com',
  collection_method: 'send_invoice',
  auto_advance: false,
  next_payment_attempt: null,
  attempt_count: 0,
  hosted_invoice_url: `https://invoice.stripe.com/i/acct_fake/test_${id}?s=ap`,
  on_behalf_of: null,
})

const MADE = Date.UTC(2026, 9, 1) / 1000

/** The invoice as the API answers it: the fields above among all the others that every invoice has. */
export const invoiceAnswer = (invoice: FakeInvoice, isExpanded = false): object => ({
  object: 'invoice',
  account_country: 'US',
  account_name: 'The practice',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  attempted: false,
  automatic_tax: {
    enabled: false,
    liability: null,
    status: null,
    disabled_reason: null,
    provider: null,
  },
  automatically_finalizes_at: null,
  billing_reason: 'manual',
  created: MADE,
  custom_fields: null,
  customer: 'cus_fake',
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  effective_at: MADE,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${invoice.id}/lines` },
  livemode: false,
  metadata: {},
  parent: null,
  payment_settings: {
    default_mandate: null,
    payment_method_options: null,
    payment_method_types: null,
  },
  period_end: MADE,
  period_start: MADE,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status_transitions: {
    finalized_at: MADE,
    marked_uncollectible_at: null,
    paid_at: null,
    voided_at: null,
  },
  subtotal: invoice.amount_due,
  subtotal_excluding_tax: invoice.amount_due,
  test_clock: null,
  total: invoice.amount_due,
  total_discount_amounts: [],
  total_excluding_tax: invoice.amount_due,
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: MADE,
  ...(isExpanded && { payments: paymentsOf(invoice) }),
  ...invoice,
})

/** Every finalized invoice has one payment that is open; the contract has no form for its expanded intent. */
const paymentsOf = ({ id, status, amount_remaining, currency }: FakeInvoice): object => ({
  object: 'list',
  has_more: false,
  url: '/v1/invoice_payments',
  data:
    status === 'draft'
      ? []
      : [
          {
            id: 'inpay_fake',
            object: 'invoice_payment',
            amount_paid: null,
            amount_requested: amount_remaining,
            created: MADE,
            currency,
            invoice: id,
            is_default: true,
            livemode: false,
            payment: { type: 'payment_intent', payment_intent: 'pi_fake' },
            status: status === 'paid' ? 'paid' : 'open',
            status_transitions: { canceled_at: null, paid_at: null },
          },
        ],
})

/** A link of the fake Stripe; `amount` is what its payer is asked, which the API tells only when expanded. */
export interface FakeLink {
  id: string
  url: string
  active: boolean
  currency: string
  amount: number
  metadata: Record<string, string>
  paymentMetadata: Record<string, string>
  paid: number
  limit: number
}

/** The link as the API answers it. */
export const linkAnswer = ({
  amount: _amount,
  paymentMetadata,
  paid,
  limit,
  ...link
}: FakeLink): object => ({
  object: 'payment_link',
  after_completion: { type: 'hosted_confirmation', hosted_confirmation: { custom_message: null } },
  allow_promotion_codes: false,
  application: null,
  application_fee_amount: null,
  application_fee_percent: null,
  automatic_tax: { enabled: false, liability: null },
  billing_address_collection: 'auto',
  consent_collection: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_creation: 'if_required',
  inactive_message: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  on_behalf_of: null,
  payment_intent_data: {
    capture_method: null,
    description: null,
    metadata: paymentMetadata,
    setup_future_usage: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_group: null,
  },
  payment_method_collection: 'always',
  payment_method_options: null,
  payment_method_types: null,
  phone_number_collection: { enabled: false },
  restrictions: Number.isFinite(limit) ? { completed_sessions: { count: paid, limit } } : null,
  shipping_address_collection: null,
  shipping_options: [],
  submit_type: 'auto',
  subscription_data: null,
  tax_id_collection: { enabled: false, required: 'never' },
  transfer_data: null,
  ...link,
})
