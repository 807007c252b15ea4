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
          <th>What</th>
          <th>REST</th>
          <th>Scope</th>
        </tr>
      </thead>
      <tbody>
        ${operations.map(operationRow)}
      </tbody>
    </table>
  </div>`

export const docsPage = (): string =>
  publicPage(
    'Documents',
    html`<h1>Documents</h1>
      <p class="lead">What this connector publishes about itself. No sign-in is needed to read it.</p>
      <div class="cards">
        <section>
          <h3><a href="/docs/errors">Problems</a></h3>
          <p>Every refusal, and what to do about it.</p>
        </section>
        <section>
          <h3><a href="/docs/example-prompts.md">Example prompts</a></h3>
          <p>Three to give to an assistant.</p>
        </section>
        <section>
          <h3><a href="/llms.txt">llms.txt</a></h3>
          <p>The whole service in plain text, for agents.</p>
        </section>
        <section>
          <h3><a href="/openapi.json">OpenAPI 3.1</a></h3>
          <p>Every path, schema and example, for programs.</p>
        </section>
        <section>
          <h3><a href="/health">Health</a></h3>
          <p>Whether it runs, and what is live.</p>
        </section>
        <section>
          <h3><a href="/.well-known/api-catalog">API catalog</a></h3>
          <p>These documents as links for programs (RFC 9727).</p>
        </section>
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
