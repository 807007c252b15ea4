import { html } from 'hono/html'
import { SCOPES, type Scope } from '../../domain/scopes.ts'
import { page } from './layout.ts'

/** What the owner is asked. Everything that an app says of itself is its own word. */
export interface ConsentQuestion {
  name: string
  /** The domain that vouches for the app, if one does. */
  publisher: string | undefined
  redirectHost: string
  isLoopback: boolean
  /** What can be allowed, and what of it the app asked for. */
  scopes: { scope: Scope; asked: boolean }[]
  handle: string
  csrf: string
  nothingChosen: boolean
}

/** Asks the owner whether an app may use the connector, and for what. */
export const consentPage = (place: string, question: ConsentQuestion): string =>
  page(
    'Connect an app',
    place,
    html`<h1>Let <bdi>“${question.name}”</bdi> use the connector?</h1>
      <dl>
        <dt>Calls itself</dt>
        <dd><bdi>${question.name}</bdi></dd>
        <dt>Vouched for by</dt>
        <dd>${question.publisher ?? 'nobody: the name is not verified'}</dd>
        <dt>Sends you back to</dt>
        <dd>${question.redirectHost}</dd>
      </dl>
      ${
        question.isLoopback
          ? html`<p class="notice">
              This gives access to a program on this computer. Go on only if you have just started to connect
              it yourself.
            </p>`
          : ''
      }
      ${
        question.nothingChosen
          ? html`<p class="notice bad" role="alert">Choose at least one thing it may do, or deny.</p>`
          : ''
      }
      <form method="post" action="/authorize">
        <input type="hidden" name="csrf" value="${question.csrf}" />
        <input type="hidden" name="handle" value="${question.handle}" />
        <fieldset>
          <legend>It may</legend>
          ${question.scopes.map(
            ({ scope, asked }) =>
              html`<label
                ><input type="checkbox" name="scope" value="${scope}" ${asked ? 'checked' : ''} /> ${
                  SCOPES[scope]
                }</label
              >`,
          )}
        </fieldset>
        <div class="row">
          <button class="main" name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      <p class="soft">
        Every change is still previewed before it is made. You can end this access at any time on
        <a href="/owner">the owner's page</a>.
      </p>`,
  )

/** Sends the browser back to the app. A page of its own, not a redirect: browsers hold redirects of a form against its policy. */
export const returnPage = (place: string, address: string, host: string, allowed: boolean): string =>
  page(
    allowed ? 'Connected' : 'Not connected',
    place,
    html`<h1>${allowed ? 'Connected' : 'Not connected'}</h1>
      <p>You are being sent back to ${host}. <a href="${address}">Go there now</a></p>`,
    html`<meta http-equiv="refresh" content="0;url=${address}" />`,
  )
