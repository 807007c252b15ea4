import { html } from 'hono/html'

import { displayAmount } from '../../core/domain/money.ts'
import { underName } from '../../core/domain/origin.ts'
import type { Invoice } from '../../core/domain/payment-link.ts'
import type { ProblemBody } from '../../core/domain/problem/problem.ts'
import { type Html, wholePage } from '../http/html.ts'
import FILES from '../pages/static-files.json' with { type: 'json' }

interface PublicParts {
  /** What is shown at the head of the page. */
  name?: string | undefined
  head?: Html | ''
}

/** A whole page in plain HTML. */
export const publicPage = (
  title: string,
  body: Html,
  { name = 'Consult connector', head = '' }: PublicParts = {},
) =>
  wholePage(
    title,
    FILES['public.css'],
    html`<a class="spoken" href="#main">Skip to the content</a>
      <header>
        <img src="/favicon.svg" alt="" />
        <a href="/">${name}</a>
        <nav aria-label="Site">
          <a href="/docs">Docs</a><a href="/docs/errors">Errors</a><a href="/owner">Owner sign-in</a>
        </nav>
      </header>
      <main id="main">${body}</main>
      <footer>
        <a href="/">About</a>
        <a href="/docs">Docs</a>
        <a href="/docs/api">API reference</a>
        <a href="/docs/errors">Errors</a>
      </footer>`,
    { head },
  )

/** What is said to a person in place of the title, the detail and the next step of a refusal. */
export interface PersonText {
  title: string
  text: Html
}

/** What a person reads in a browser in place of a refusal for programs. */
export function refusalPage(
  { title, detail, next_step, request_id }: ProblemBody,
  { said, name }: { said?: PersonText | undefined; name?: string | undefined } = {},
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
      <p class="row"><a class="button" href="/docs/api">Docs</a> <a class="button" href="/owner">Owner sign-in</a></p>
      <p><small>Request ${request_id}</small></p>`,
    { name },
  )
}

/** Of an address at which there is nothing. */
export const NO_PAGE: PersonText = {
  title: 'There is no page here',
  text: html`<p>A link to book a time? Copy all of it again, or ask the practice for a new one.</p>`,
}

/** Of an address that takes other methods than the one with which a browser opens a page. */
export const FOR_PROGRAMS: PersonText = {
  title: 'This address is for programs',
  text: html`<p>
    There is no page to open here. Give the address to an agent or an app, which knows what to send.
  </p>`,
}

/** Why a form was refused, and what came of it. */
export const formRefused = ({ title, detail, effect }: ProblemBody): PersonText => ({
  title,
  text: html`<p>${detail}</p>
    <p>
      ${effect === 'none' ? 'Nothing was changed.' : 'It is not known whether anything was changed.'} Go back
      and load the page again.
    </p>`,
})

/** Why the owner's pages do not exist before someone is enrolled. */
export const noOwnerYet = (origin: string): PersonText => ({
  title: 'No owner yet',
  text:
    origin === ''
      ? html`<p>The owner's pages need a public address: set <code>PUBLIC_URL</code> first.</p>`
      : html`<p>
            No owner is enrolled, so no one can sign in. The deploy command prints an enrolment link. For a
            new one, run this where the connector was deployed from, and open the link that it prints:
          </p>
          <pre tabindex="0"><code>npm run enrol -- --url ${underName(origin)}</code></pre>`,
})

export const mockCheckoutPage = (invoice: Invoice, name: string) =>
  publicPage(
    'Mock payment page',
    html`<h1>Mock payment page</h1>
      <p class="notice">
        <strong>This is a mock. No money can be paid here.</strong> With a payment provider connected, this
        link leads to the provider's own page.
      </p>
      <p>Invoice ${invoice.number ?? invoice.invoiceId}</p>
      <p class="big">${displayAmount(invoice.amount, invoice.currency)}</p>`,
    { name },
  )
