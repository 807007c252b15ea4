import { html } from 'hono/html'

import { PROBLEMS, PROBLEM_CODES } from '../../core/domain/problem/problems.ts'
import { GRANTED, LISTED_FIRST, READS } from '../../practice/operations/index.ts'
import type { Described } from '../../practice/operations/operation.ts'
import type { Html } from '../http/html.ts'
import {
  type Block,
  type Entry,
  type OpenApi,
  addressOf,
  blocksOf,
  entriesOf,
} from '../openapi/reference.ts'
import { publicPage } from './page.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th>${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, i) => html`<td ${i > 0 ? html`data-label="${head[i]}"` : ''}>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`

const routeTable = (entries: readonly Entry[]) =>
  table(
    ['What', 'Call'],
    entries.map((entry) => [
      `[${entry.route.summary}](/docs/api/${entry.route.operationId})`,
      `\`${addressOf(entry)}\``,
    ]),
  )

const DOCUMENTS = [
  [
    '/docs/api',
    'API reference',
    'Every route: fields, examples in curl and TypeScript, answers, refusals.',
  ],
  ['/docs/errors', 'Problems', 'Every refusal, and what to do about it.'],
  ['/docs/example-prompts.md', 'Example prompts', 'Three to give to an assistant.'],
  ['/llms.txt', 'llms.txt', 'The whole service in plain text, for agents.'],
  ['/openapi.json', 'OpenAPI 3.1', 'Every path, schema and example, for programs.'],
  ['/health', 'Health', 'Whether it runs, and what is live.'],
  ['/.well-known/api-catalog', 'API catalog', 'These documents as links for programs (RFC 9727).'],
] as const

/** The page of `/docs`: what the connector publishes about itself. */
export function docsPage(document: OpenApi): string {
  const named = (operations: readonly Described[]) =>
    entriesOf(document).filter(({ route }) =>
      operations.some(({ name }) => name === route.operationId),
    )
  return publicPage(
    'Documents',
    html`<h1>Documents</h1>
      <p class="lead">What this connector publishes about itself. No sign-in is needed to read it.</p>
      <div class="cards">
        ${DOCUMENTS.map(
          ([path, title, text]) =>
            html`<section>
              <h2><a href="${path}">${title}</a></h2>
              <p>${text}</p>
            </section>`,
        )}
      </div>
      <h2>Operations</h2>
      <p>
        Each is also an MCP tool. All but the first change something, and take two calls: a preview, and a
        commit of what it showed.
      </p>
      ${routeTable(named(LISTED_FIRST))}
      <h2>Reads</h2>
      ${routeTable(named(READS))}
      <h2>Where the owner granted it by name</h2>
      ${routeTable(named(GRANTED))}
      <p><a href="/docs/api">All routes</a>, with events, webhooks, keys, rules and the audit log.</p>`,
  )
}

/** All routes and events, group by group, each with a page of its own. */
export const referenceIndexPage = (document: OpenApi): string =>
  publicPage(
    'API reference',
    html`<h1>API reference</h1>
      <p class="lead">
        Every route of this connector, and every event that it sends. You can read it without a sign-in.
      </p>
      ${[
        'Requests and answers are JSON. Send an API key as `Authorization: Bearer …` or as `X-API-Key: …`; a local trial needs none. Each page names the scope that the key needs.',
        'A change takes two calls with the same `Idempotency-Key`: `confirm: false` returns a preview, and `confirm: true` with its `confirmation_token` commits it. Repeating a call with the same key never acts twice.',
        'A refusal is a [problem](/docs/errors) with a `code`. For the types of a TypeScript client, give [openapi.json](/openapi.json) to openapi-typescript.',
      ].map((text) => html`<p>${inline(text)}</p>`)}
      ${document.tags.map(
        ({ name, description }) =>
          html`<h2>${name}</h2>
            <p class="soft">${description}</p>
            ${routeTable(entriesOf(document).filter(({ route }) => route.tags.includes(name)))}`,
      )}`,
  )

/** The page of a route or an event. */
export const referencePage = (entry: Entry, document: OpenApi): string =>
  publicPage(
    entry.route.summary,
    html`<p class="soft"><a href="/docs/api">API reference</a> / ${entry.route.tags[0]}</p>
      <h1>${entry.route.summary}</h1>
      ${blocksOf(entry, document).map(htmlOf)}`,
  )

function htmlOf(block: Block): Html {
  if (typeof block === 'string')
    return block.startsWith('### ')
      ? html`<h2>${block.slice(4)}</h2>`
      : html`<p>${inline(block)}</p>`
  if ('rows' in block) return table(block.head, block.rows)
  return html`<figure>
    <figcaption>${block.label}</figcaption>
    <pre tabindex="0"><code>${block.code}</code></pre>
  </figure>`
}

/** Text with code in backticks and with links, as Markdown writes them. */
const inline = (text: string): Html =>
  html`${[...text.matchAll(/\[`?([^\]`]+)`?\]\(([^)\s]+)\)|`([^`]+)`|[^`[]+|[`[]/g)].map(
    ([whole, label, to, code]) =>
      to === undefined
        ? code === undefined
          ? whole
          : html`<code>${code}</code>`
        : html`<a href="${to}">${label}</a>`,
  )}`

/** The page that the `type` of every problem links to. */
export const errorsPage = (): string =>
  publicPage(
    'Problems',
    html`<h1>Problems</h1>
      <p class="lead">
        Every refusal names one of these codes, says whether the same request may succeed later
        (<code>retryable</code>), what is known of its effect (<code>effect</code>) and what to do
        (<code>next_step</code>).
      </p>
      <ul class="tags">
        ${PROBLEM_CODES.map((code) => html`<li><a class="tag" href="#${code}">${code}</a></li>`)}
      </ul>
      ${Object.entries(PROBLEMS).map(
        ([code, { title, status, retryable, detail, next_step }]) =>
          html`<article class="problem">
            <h2 id="${code}">${title}</h2>
            <ul class="tags">
              <li class="tag"><code>${code}</code></li>
              <li class="tag">status ${status}</li>
              ${retryable ? html`<li class="tag live">retryable</li>` : ''}
            </ul>
            <p>${detail}</p>
            <p><strong>What to do:</strong> ${next_step}</p>
          </article>`,
      )}`,
  )
