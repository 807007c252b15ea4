import { html } from 'hono/html'

import { ifDefined } from '../../../api/http/html.ts'
import { notePage, page } from '../../../api/pages/layout.ts'
import { SCOPES, type Scope } from '../../../core/domain/scopes.ts'

/** The question to the owner. Everything that an app says of itself is unverified. */
export interface ConsentQuestion {
  name: string
  /** The address of the document by which the app is known, if it is known by one. */
  document: string | undefined
  publisher: string | undefined
  redirectHost: string
  isLoopback: boolean
  scopes: { scope: Scope; asked: boolean }[]
  /** The apps it may be; the owner chooses if there are several. */
  identities: { identity: string; since?: string }[]
  handle: string
  csrf: string
  missing: 'scope' | 'identity' | undefined
}

const MISSING = {
  scope: 'Tick at least one thing that it may do, or press Deny.',
  identity: 'Choose whether it is an app that you have connected already, or press Deny.',
}

/**
 * What the owner must check before connecting an app that no one vouches for, or that anybody can
 * claim to be.
 */
function caution({ isLoopback, publisher, redirectHost }: ConsentQuestion): string | undefined {
  if (isLoopback)
    return (
      'This connects a program on this computer. Continue only if you have just started to ' +
      'connect it yourself.'
    )
  if (publisher !== undefined) return undefined
  return (
    'This app is not verified: any app can use this name. ' +
    'Continue only if you have just started to connect it yourself, and came from ' +
    `${redirectHost}.`
  )
}

/**
 * Asked where an app that registered describes itself as others do: all that is done under one
 * identity is one app's.
 */
const identityChoice = ({ identities, name }: ConsentQuestion) =>
  html`<fieldset>
    <legend>An app called “<bdi>${name}</bdi>” is connected already. Is this it?</legend>
    ${identities.map(
      ({ identity, since }) =>
        html`<label
          ><input
            type="radio"
            name="identity"
            value="${identity}"
            ${since !== undefined && identities.length === 2 ? 'checked' : ''}
            required
          />
          ${
            since === undefined
              ? 'No, it is another app with the same name.'
              : `Yes, the one connected on ${since}. What it repeats is not done twice.`
          }</label
        >`,
    )}
  </fieldset>`

export function consentPage(place: string, question: ConsentQuestion): string {
  const notice = caution(question)
  return page(
    'Connect an app',
    place,
    html`<h1>Let <bdi>“${question.name}”</bdi> use the connector?</h1>
      <dl>
        <dt>Calls itself</dt>
        <dd><bdi>${question.name}</bdi></dd>
        ${ifDefined(
          question.document,
          (address) =>
            html`<dt>Describes itself at</dt>
              <dd>${address}</dd>`,
        )}
        <dt>Publisher</dt>
        <dd>${question.publisher ?? 'not verified'}</dd>
        <dt>Sends you back to</dt>
        <dd>${question.redirectHost}</dd>
      </dl>
      ${ifDefined(notice, (text) => html`<p class="notice">${text}</p>`)}
      ${ifDefined(question.missing, (what) => html`<p class="notice bad" role="alert">${MISSING[what]}</p>`)}
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
        ${question.identities.length > 1 ? identityChoice(question) : ''}
        <div class="row">
          <button class="main" name="decision" value="allow">Allow</button>
          <button name="decision" value="deny" formnovalidate>Deny</button>
        </div>
      </form>
      <p class="soft">
        Every change is still previewed before it is made. You can disconnect the app at any time in
        <a href="/owner/callers">the console</a>.
      </p>`,
  )
}

/** Refuses an app to someone who is not signed in: the way back is a link, which says where it leads. */
export function cannotConnectPage(place: string, address: string): string {
  const text =
    'The connector cannot answer its request. Remove the connector in the app, and add it again.'
  const back = html`<p>
    To tell the app, <a href="${address}" rel="noreferrer">go back to ${new URL(address).host}</a>. Do this
    only if you came from there.
  </p>`
  return notePage('This app cannot be connected', place, text, back)
}

/**
 * Sends the browser back to the app. A page of its own, not a redirect: browsers hold redirects of
 * a form against its policy.
 */
export const returnPage = (
  place: string,
  address: string,
  host: string,
  allowed: boolean,
): string =>
  page(
    allowed ? 'Connected' : 'Not connected',
    place,
    html`<h1>${allowed ? 'Connected' : 'Not connected'}</h1>
      <p>You are being sent back to ${host}. <a href="${address}">Go there now</a></p>`,
    { head: html`<meta http-equiv="refresh" content="0;url=${address}" />` },
  )
