import { html } from 'hono/html'
import { displayAmount } from '../domain/money.ts'
import type { Invoice } from '../domain/payment-link.ts'
import type { ProblemBody } from '../domain/problem.ts'
import type { Html } from '../http/html.ts'
import { publicPage } from './page.ts'

/** What is said to a person in place of the title, the detail and the next step of a refusal. */
export interface PersonText {
  title: string
  text: Html
}

/** What a person reads in a browser in place of a refusal for programs. */
export function refusalPage(
  { title, detail, next_step, request_id }: ProblemBody,
  said?: PersonText,
): string {
  const { text, ...heading } = said ?? {
    title,
    text: html`<p>${detail}</p>
      <p>${next_step}</p>`,
  }
  return publicPage(
    heading.title,
    html`<h1>${heading.title}</h1>
      ${text}
      <p><a href="/">What this address is</a></p>
      <p><small>Request ${request_id}</small></p>`,
  )
}

/** Of an address that takes other methods than the one with which a browser opens a page. */
export const FOR_PROGRAMS: PersonText = {
  title: 'This address is for programs',
  text: html`<p>
    There is no page to open here. Give the address to an agent or an app, which knows what to send.
  </p>`,
}

/** Why the owner's pages do not exist before somebody is enrolled. */
export const noOwnerYet = (origin: string): PersonText => ({
  title: 'No owner yet',
  text:
    origin === ''
      ? html`<p>The owner's pages need a public address: set <code>PUBLIC_URL</code> first.</p>`
      : html`<p>
            Nobody is enrolled as the owner, so there is nothing to sign in to. The deploy command prints an
            enrolment link. For a new one, run this where the connector was deployed from, and open the link
            that it prints:
          </p>
          <pre><code>npm run enrol -- --url ${origin}</code></pre>`,
})

/** The page behind a mock payment link. */
export const mockCheckoutPage = (invoice: Invoice): string =>
  publicPage(
    'Mock payment page',
    html`<h1>Mock payment page</h1>
      <p class="notice">
        <strong>This is a mock. No money can be paid here.</strong> With a payment provider connected, this
        link leads to the provider's own page.
      </p>
      <p>Invoice ${invoice.number ?? invoice.invoiceId}</p>
      <p class="amount">${displayAmount(invoice.amount, invoice.currency)}</p>`,
  )
