import { html } from 'hono/html'

import type { Mode } from '../../core/domain/mode.ts'
import { nameLast } from '../../core/domain/practice.ts'
import type { Site } from '../http/app-env.ts'
import { nameAtHead } from '../http/html.ts'
import { DOORS } from './doors.ts'
import { publicPage } from './page.ts'

const modeTag = (what: string, mode: Mode, meaning: string) =>
  mode === 'live'
    ? html`<li class="tag live">${what}: live</li>`
    : html`<li class="tag mock">${what}: mock, ${meaning}</li>`

/** The page for people who open the address of the service in a browser. */
export const welcomePage = ({ origin, practice, modes, allowAnonymous }: Site) =>
  publicPage(
    `Consult connector of ${practice.name}`,
    html`<h1>Consults, intake and payment links, through your assistant</h1>
      <p class="lead">
        The private connector of ${nameLast(practice.name)} Agents and staff see here when consults are free, book,
        move and cancel them, create client profiles, submit intake answers and make payment links.
      </p>
      <ul class="tags">
        ${modeTag('Scheduling', modes.scheduling, 'nothing real is booked')}
        ${modeTag('Payments', modes.payments, 'no money moves')}
      </ul>
      ${
        practice.schedulingPageUrl !== null &&
        html`<p>
              To book by hand, without an assistant, use
              <a href="${practice.schedulingPageUrl}">the scheduling page</a>.
            </p>`
      }
      <h2>How a change is made</h2>
      <ol class="cards steps">
        <li>
          <h3>Preview</h3>
          <p>The assistant asks what would happen. Nothing is changed, and personal data is masked.</p>
        </li>
        <li>
          <h3>You agree</h3>
          <p>A person reads the preview: who, when, how much.</p>
        </li>
        <li>
          <h3>It happens once</h3>
          <p>Exactly what was shown is done, or it is refused. A repeat never acts twice.</p>
        </li>
      </ol>
      <h2>Connect</h2>
      <div class="cards">
        <section>
          <h3>For an agent</h3>
          <p>Give it this address (MCP, Streamable HTTP):</p>
          <pre tabindex="0"><code>${origin}/mcp</code></pre>
        </section>
        <section>
          <h3>For a program</h3>
          <p>
            REST, in the <a href="/docs/api">API reference</a> and as <a href="/openapi.json">OpenAPI</a>:
          </p>
          <pre tabindex="0"><code>curl ${origin}/v1/availability</code></pre>
        </section>
      </div>
      <p class="soft">
        ${
          allowAnonymous
            ? 'A local trial: callers of this machine need no credential.'
            : 'Both need a credential from the owner of the connector.'
        }
      </p>`,
    { name: nameAtHead(practice.name) },
  )

const FOR_PROGRAMS: readonly [text: string, href: string][] = [
  ['llms.txt', '/llms.txt'],
  ['OpenAPI 3.1', '/openapi.json'],
  ['Example prompts', '/docs/example-prompts.md'],
  ['API catalog', '/.well-known/api-catalog'],
  ['Health', '/health'],
]

/** The page of `/docs`: six ways into what is written about this connector. */
export const docsPage = ({ practice }: Site) =>
  publicPage(
    'Docs',
    html`<h1>Docs</h1>
      <p class="lead">What do you want to do? You can read all of it without signing in.</p>
      <div class="cards doors">
        ${DOORS.map(
          ({ title, text, href }) =>
            html`<section>
              <h2><a href="${href}">${title}</a></h2>
              <p>${text}</p>
            </section>`,
        )}
      </div>
      <p class="soft">
        All guides: <a href="/docs/guides/README">contents</a>. For agents and programs:
        ${FOR_PROGRAMS.map(([text, href], at) => html`${at !== 0 && ', '}<a href="${href}">${text}</a>`)}.
      </p>`,
    { name: nameAtHead(practice.name) },
  )
