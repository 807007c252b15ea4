import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { displayAmount } from '../../../core/domain/money.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import { dateIn, instantOf } from '../../../core/domain/time/time.ts'
import type { findInvoices } from '../../../practice/operations/find-invoices.ts'
import type { getPaymentLink } from '../../../practice/operations/get-payment-link.ts'
import type { linkView } from '../../../practice/operations/record-views.ts'
import { auditAddress } from '../audit/query.ts'
import { dayIn } from '../shell/dates.ts'
import { openIn } from '../shell/provider-pages.ts'
import { type Part, type ShellView, consolePage, table } from '../shell/shell.ts'

type Invoices = Awaited<ReturnType<typeof findInvoices.run>>
type Invoice = Invoices['invoices'][number]
type LinkNow = Awaited<ReturnType<typeof getPaymentLink.run>>['payment_link']

export interface MoneyView {
  shell: ShellView
  /** What the payment provider is called: `Stripe`. */
  provider: string
  invoices: Part<Pick<Invoices, 'invoices' | 'more' | 'complete'>>
  links: Part<{
    /** Each as it was made here, and as the provider has it now. */
    made: { made: ReturnType<typeof linkView>; now: Part<LinkNow> }[]
    /** From which number on the next page is; undefined on the last one. */
    older: number | undefined
  }>
}

/** What is still to be paid, and what became of the payment links that were made here. */
export const moneyPage = (view: MoneyView) =>
  consolePage(
    view.shell,
    'Money',
    html`<h1>Money</h1>
      <section aria-labelledby="invoices">
        <h2 id="invoices">Open invoices</h2>
        ${invoices(view)}
      </section>
      <section aria-labelledby="links">
        <h2 id="links">Payment links</h2>
        ${links(view)}
      </section>`,
  )

const noAnswer = (provider: string) =>
  html`<p class="notice bad">${provider} did not answer just now. Load the page again in a while.</p>`

function invoices({ shell, provider, invoices: found }: MoneyView) {
  if (found === 'unread') return noAnswer(provider)
  const { invoices: open, more, complete } = found
  if (open.length === 0)
    return complete
      ? html`<p>No invoice is open.</p>`
      : html`<p class="notice bad">${provider} has invoices that cannot be read here. Look there which are open.</p>`
  const today = dateIn(shell.clock.now, shell.clock.zone)
  const isOverdue = ({ due_date }: Invoice) => due_date !== null && due_date < today
  const overdue = open.filter(isOverdue).length
  const isAll = complete && more === 0
  const soFar = overdue === 0 ? '' : `, ${overdue} overdue`
  const rest = isAll ? '' : ` ${provider} has more than are shown.`
  return html`<p class="big">${!isAll && 'More than '}${sums(open)}</p>
    <p class="soft">
      On ${pluralOf(open.length, 'invoice')}${soFar}.${rest}
    </p>
    ${table(
      ['Invoice', 'To pay', 'Due', 'Client', ''],
      open.map((one) => [
        html`<bdi>${one.invoice_number ?? one.invoice_id}</bdi>`,
        html`${one.amount_remaining_display}${one.invoice_status === 'partly_paid' && html` <span class="soft">partly paid</span>`}`,
        html`${one.due_date_text ?? 'no date'}${isOverdue(one) ? html`<span class="tag">Overdue</span>` : ''}`,
        html`<bdi>${payerOf(one)}</bdi>`,
        openIn(shell.providers(one.invoice_id), `invoice ${one.invoice_number ?? one.invoice_id}`),
      ]),
    )}`
}

const payerOf = ({ payer, payer_email }: Invoice) =>
  [payer, payer_email].filter((known) => known !== null).join(', ') || 'not named'

/** What is left to pay, a sum for each currency. */
function sums(open: readonly Invoice[]) {
  const byCurrency = Map.groupBy(open, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, some]) =>
      displayAmount(
        some.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
        currency,
      ),
    )
    .join(' and ')
}

function links({ shell, provider, links: found }: MoneyView) {
  if (found === 'unread') return noAnswer('The connector')
  const { made, older } = found
  if (made.length === 0) return html`<p>No payment links yet. An agent or a key makes them.</p>`
  return html`${made.some(({ now }) => now === 'unread') && noAnswer(provider)}
    ${table(
      ['Payment link', 'Amount', 'State', 'Made', ''],
      made.map(({ made: link, now }) => {
        const { payment_link_id: id, invoice_number, invoice_id, amount_display, created_at } = link
        const named = `invoice ${invoice_number ?? invoice_id}`
        return [
          html`<a href="${auditAddress({ id })}">For <bdi>${named}</bdi></a>`,
          amount_display,
          stateOf(now, provider),
          dayIn(instantOf(created_at), shell.clock.zone),
          openIn(shell.providers(id), `the payment link for ${named}`),
        ]
      }),
    )}
    ${older !== undefined && html`<p><a href="/owner/money?before=${older}#links">Older links</a></p>`}`
}

/** Whether it is paid, and whether it can be against that. */
function stateOf(now: Part<LinkNow>, provider: string): Html | string {
  if (now === 'unread') return 'not known'
  const { payment_status, invoice_status, active, amount_remaining_display } = now
  if (payment_status === 'submitted') return `Submitted: see in ${provider} whether it has arrived`
  const isOpen = invoice_status === 'open' || invoice_status === 'partly_paid'
  const is = {
    paid: 'Paid',
    partly_paid: `Partly paid, ${amount_remaining_display} left`,
    unpaid: isOpen ? 'Open' : 'Not paid',
  }[payment_status]
  const invoice = isOpen || payment_status === 'paid' ? '' : `, ${invoice_status}`
  const link = `, but this link ${active ? 'can still be paid' : 'has ended'}`
  return `${is}${invoice}${active === isOpen ? '' : link}`
}
