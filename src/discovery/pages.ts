import { html } from 'hono/html'
import type { Site } from '../http/app-env.ts'
import { displayAmount } from '../domain/money.ts'
import type { Invoice } from '../domain/payment-link.ts'
import type { ProblemBody } from '../domain/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../domain/problems.ts'
import { type Html, page } from './page.ts'

/** The small page for people who open the address of the service in a browser. */
export const homePage = ({ origin, practice, modes }: Site): string =>
  page(
    'Consult connector',
    html`<h1>Consult connector</h1>
      <p>
        The private connector of ${practice.name}. It lets agents and staff see when consults are free, book,
        move and cancel them, create client profiles, submit intake answers and make payment links. Nothing is
        changed without a preview that a person can see.
      </p>
      <dl>
        <dt>Scheduling</dt>
        <dd>${modes.scheduling === 'mock' ? 'mock: a rehearsal, nothing real is booked' : 'live'}</dd>
        <dt>Payments</dt>
        <dd>${modes.payments === 'mock' ? 'mock: a rehearsal, no money moves' : 'live'}</dd>
        ${
          practice.schedulingPageUrl === null
            ? ''
            : html`<dt>Book by hand</dt>
                <dd><a href="${practice.schedulingPageUrl}">the scheduling page</a></dd>`
        }
      </dl>
      <h2>Connect</h2>
      <p>An agent: give it the MCP address <code>${origin}/mcp</code> (Streamable HTTP).</p>
      <p>
        A program: REST under <code>${origin}/v1</code>, described by <a href="/openapi.json">OpenAPI</a>.
      </p>
      <pre><code>curl ${origin}/v1/availability</code></pre>
      <h2>Read</h2>
      <ul>
        <li><a href="/llms.txt">What the service does, for agents</a></li>
        <li><a href="/docs/example-prompts.md">Example prompts</a></li>
        <li><a href="/docs/errors">Problems, and what to do about each</a></li>
        <li><a href="/health">Health</a></li>
      </ul>`,
  )

/** The page that the \`type\` of every problem links to. */
export const errorsPage = (): string =>
  page(
    'Problems',
    html`<h1>Problems</h1>
      <p>
        Every refusal names one of these codes, says whether the same request may succeed later
        (<code>retryable</code>), what is known of its effect (<code>effect</code>) and what to do
        (<code>next_step</code>).
      </p>
      ${PROBLEM_CODES.map(
        (code) =>
          html`<h2 id="${code}">${PROBLEMS[code].title}</h2>
            <p>
              <code>${code}</code>, status
              ${PROBLEMS[code].status}${PROBLEMS[code].retryable ? ', retryable' : ''}
            </p>
            <p>${PROBLEMS[code].detail}</p>
            <p>${PROBLEMS[code].next_step}</p>`,
      )}`,
  )

/** What is said to a person in place of the title, the detail and the next step of a refusal. */
export interface Said {
  title: string
  text: Html
}

/** What a person reads in a browser in place of a refusal for programs. */
export function refusalPage({ title, detail, next_step, request_id }: ProblemBody, said?: Said): string {
  const { text, ...heading } = said ?? {
    title,
    text: html`<p>${detail}</p>
      <p>${next_step}</p>`,
  }
  return page(
    heading.title,
    html`<h1>${heading.title}</h1>
      ${text}
      <p><a href="/">What this address is</a></p>
      <p><small>Request ${request_id}</small></p>`,
  )
}

/** Of an address that takes other methods than the one with which a browser opens a page. */
export const FOR_PROGRAMS: Said = {
  title: 'This address is for programs',
  text: html`<p>
    There is no page to open here. Give the address to an agent or an app, which knows what to send.
  </p>`,
}

/** Why the owner's pages are not there before anybody is enrolled. */
export const noOwnerYet = (origin: string): Said => ({
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
  page(
    'Mock payment page',
    html`<h1>Mock payment page</h1>
      <p class="notice">
        <strong>This is a rehearsal. No money can be paid here.</strong> With a payment provider connected,
        this link leads to the provider's own page.
      </p>
      <p>Invoice ${invoice.number ?? invoice.invoiceId}</p>
      <p class="amount">${displayAmount(invoice.amount, invoice.currency)}</p>`,
  )
