import { html } from 'hono/html'

import { displayAmount } from '../../core/domain/money.ts'
import { underName } from '../../core/domain/origin.ts'
import type { Invoice } from '../../core/domain/payment-link.ts'
import type { ProblemBody } from '../../core/domain/problem/problem.ts'
import { type Html, namedByHash, wholePage } from '../http/html.ts'

/** What every public page is made of; the page that checks a pack of the audit log has it, too. */
export const BASE_STYLE = `:root{color-scheme:light dark;--ink:light-dark(#17211e,#e6ebe9);--soft:light-dark(#54615c,#a3b0ab);--line:light-dark(#dbe2df,#303a36);--paper:light-dark(#fbfcfb,#121614);--card:light-dark(#fff,#191f1c);--accent:light-dark(#0f5c4c,#7fd3bd);--warm:light-dark(#8a4b08,#f3bd6e);--warm-card:light-dark(#fff6e8,#2b2214)}
*{box-sizing:border-box}
body{font:16px/1.6 system-ui,sans-serif;margin:0;background:var(--paper);color:var(--ink);overflow-wrap:anywhere}
main,header,footer{max-width:54rem;margin:0 auto;padding:0 1.5rem}
header{display:flex;gap:.7rem;align-items:center;padding-top:1.6rem;padding-bottom:1.2rem}
header img{width:2rem;height:2rem}header a{color:inherit;text-decoration:none;font-weight:650}
header nav{margin-left:auto;display:flex;gap:1.1rem;font-size:.95rem}header nav a{font-weight:400;color:var(--soft);white-space:nowrap}
h1{font-size:clamp(1.7rem,1.2rem + 2.4vw,2.5rem);line-height:1.15;letter-spacing:-.015em;font-weight:680;margin:1.6rem 0 1rem;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;margin:2.8rem 0 .9rem}h3{font-size:1rem;margin:0 0 .3rem}
p{margin:.6rem 0;max-width:44rem}.lead{font-size:1.15rem;color:var(--soft)}.soft,small{color:var(--soft);font-size:.92rem}
a{color:var(--accent);text-underline-offset:.18em}:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:4px}
code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{overflow-x:auto;margin:.7rem 0 0;padding:.75rem .9rem;border:1px solid var(--line);border-radius:8px;background:var(--paper)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem;padding:0;margin:1rem 0;list-style:none;counter-reset:step}
.cards>*{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.2rem}.cards h2{font-size:1rem;margin:0 0 .3rem}.cards p{margin:.2rem 0 0;color:var(--soft)}
.steps>*::before{counter-increment:step;content:counter(step);display:inline-grid;place-items:center;width:1.7rem;height:1.7rem;margin-bottom:.6rem;border-radius:50%;background:var(--accent);color:var(--card);font-weight:650;font-size:.9rem}
.tags{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0;padding:0;list-style:none}
.tag{padding:.15rem .7rem;border:1px solid var(--line);border-radius:999px;font-size:.88rem;color:var(--soft);background:var(--card)}
.tag.live{color:var(--accent);border-color:currentColor}.tag.mock{color:var(--warm);border-color:currentColor}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}[hidden]{display:none!important}
.buttons{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.2rem 0}.buttons a{font:inherit;font-weight:600;padding:.5rem 1rem;border:1px solid var(--line);border-radius:9px;background:var(--card);color:inherit;text-decoration:none;cursor:pointer}
.notice{padding:.9rem 1.1rem;border-radius:12px;border:1px solid var(--warm);background:var(--warm-card);max-width:none}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.95rem}th,td{text-align:left;vertical-align:top;padding:.55rem 1rem .55rem 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:500}td{overflow-wrap:normal}td code{white-space:nowrap}
figure{margin:1rem 0}figcaption{color:var(--soft);font-size:.85rem}figure pre{margin-top:.25rem;background:var(--card);max-height:30rem;overflow:auto}
dt{color:var(--soft);margin-top:.8rem}dd{margin:0}.amount{font-size:2.2rem;font-weight:650;margin:.5rem 0}
footer{margin-top:3.5rem;padding-top:1.2rem;padding-bottom:2.5rem;border-top:1px solid var(--line);color:var(--soft);font-size:.92rem;display:flex;flex-wrap:wrap;gap:.4rem 1.4rem}footer a{color:inherit}
@media (max-width:34rem){main,header,footer{padding-left:1.1rem;padding-right:1.1rem}header nav{gap:.8rem}header nav a:not(:last-child){display:none}table,tbody,tr,td{display:block}thead{display:none}tr{padding:.7rem 0;border-bottom:1px solid var(--line)}td{padding:.1rem 0;border:0}td[data-label]::before{content:attr(data-label)" ";color:var(--soft);font-size:.88em}td code{white-space:normal;overflow-wrap:anywhere}}
`

/** What the pages of the documents add. */
const DOCS_STYLE = `.rows{list-style:none;margin:.6rem 0;padding:0;border-top:1px solid var(--line)}.rows li{border-bottom:1px solid var(--line)}.rows a{display:block;padding:.5rem 0}
.doors>*{position:relative}.doors h2 a::after{content:"";position:absolute;inset:0}.doors>*:hover{border-color:var(--accent)}
main img{max-width:100%;height:auto}
summary{cursor:pointer;padding:.5rem 0;font-weight:600}.err{border-bottom:1px solid var(--line)}.err>summary{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline;min-height:2.75rem}.err>summary::before{content:"›";color:var(--soft);width:.6rem}.err[open]>summary::before{transform:rotate(90deg)}.err summary code{color:var(--soft);font-weight:400}.err>div{padding:0 0 .6rem 1.2rem;scroll-margin-top:4rem}.err:has(:target){background:var(--card);box-shadow:-.6rem 0 var(--card),.6rem 0 var(--card),-.85rem 0 var(--accent)}
`

export const PUBLIC_STYLE = BASE_STYLE + DOCS_STYLE
export const PUBLIC_STYLE_PATH = namedByHash('/docs/style.css', PUBLIC_STYLE)

interface PublicParts {
  /** What is shown at the head of the page. */
  name?: string
  head?: Html
}

/** A whole page in plain HTML. */
export const publicPage = (
  title: string,
  body: Html,
  { name = 'Consult connector', head = html`` }: PublicParts = {},
): string =>
  wholePage(
    title,
    PUBLIC_STYLE_PATH,
    html`<a class="skip" href="#main">Skip to the content</a>
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
    head,
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
      <p class="buttons"><a href="/docs/api">Docs</a> <a href="/owner">Owner sign-in</a></p>
      <p><small>Request ${request_id}</small></p>`,
    name === undefined ? {} : { name },
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

export const mockCheckoutPage = (invoice: Invoice, name: string): string =>
  publicPage(
    'Mock payment page',
    html`<h1>Mock payment page</h1>
      <p class="notice">
        <strong>This is a mock. No money can be paid here.</strong> With a payment provider connected, this
        link leads to the provider's own page.
      </p>
      <p>Invoice ${invoice.number ?? invoice.invoiceId}</p>
      <p class="amount">${displayAmount(invoice.amount, invoice.currency)}</p>`,
    { name },
  )
