import { html } from 'hono/html'
import { PROBLEMS, PROBLEM_CODES } from '../domain/problem/problems.ts'
import { OPERATIONS, READS } from '../operations/index.ts'
import type { Described } from '../operations/operation.ts'
import { publicPage } from './page.ts'

const operationRow = ({ title, http, scope }: Described) =>
  html`<tr>
    <td>${title}</td>
    <td><code>${http.method.toUpperCase()} ${http.path}</code></td>
    <td><code>${scope}</code></td>
  </tr>`

const operationTable = (operations: readonly Described[]) =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${['What', 'REST', 'Scope'].map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${operations.map(operationRow)}
      </tbody>
    </table>
  </div>`

const DOCUMENTS = [
  ['/docs/errors', 'Problems', 'Every refusal, and what to do about it.'],
  ['/docs/example-prompts.md', 'Example prompts', 'Three to give to an assistant.'],
  ['/llms.txt', 'llms.txt', 'The whole service in plain text, for agents.'],
  ['/openapi.json', 'OpenAPI 3.1', 'Every path, schema and example, for programs.'],
  ['/health', 'Health', 'Whether it runs, and what is live.'],
  ['/.well-known/api-catalog', 'API catalog', 'These documents as links for programs (RFC 9727).'],
] as const

export const docsPage = (): string =>
  publicPage(
    'Documents',
    html`<h1>Documents</h1>
      <p class="lead">What this connector publishes about itself. No sign-in is needed to read it.</p>
      <div class="cards">
        ${DOCUMENTS.map(
          ([path, title, text]) =>
            html`<section>
              <h3><a href="${path}">${title}</a></h3>
              <p>${text}</p>
            </section>`,
        )}
      </div>
      <h2>Operations</h2>
      <p>
        Each is also an MCP tool. All but the first change something, and take two calls: a preview, and a
        commit of what it showed.
      </p>
      ${operationTable(OPERATIONS)}
      <h2>Reads</h2>
      ${operationTable(READS)}`,
  )

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
      ${PROBLEM_CODES.map(
        (code) =>
          html`<article class="problem">
            <h2 id="${code}">${PROBLEMS[code].title}</h2>
            <ul class="tags">
              <li class="tag"><code>${code}</code></li>
              <li class="tag">status ${PROBLEMS[code].status}</li>
              ${PROBLEMS[code].retryable ? html`<li class="tag live">retryable</li>` : ''}
            </ul>
            <p>${PROBLEMS[code].detail}</p>
            <p><strong>What to do:</strong> ${PROBLEMS[code].next_step}</p>
          </article>`,
      )}`,
  )
