import { html } from 'hono/html'

import type { Html } from '../../../api/http/html.ts'
import { hiddenFields, notePage, page, row } from '../../../api/pages/layout.ts'
import { SCOPES, type Scope } from '../../../core/domain/scopes.ts'
import { type Connection, MOST_CONNECTIONS } from '../../../core/ports/access.ts'

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
  /** Which of them the owner has said that it is. */
  chosen?: string | undefined
  /** Where it is connected already. */
  connections: Connection[]
  handle: string
  csrf: string
  missing?: keyof typeof MISSING | undefined
}

const MISSING = {
  scope: 'Tick at least one thing that it may do, or press Deny.',
  identity: 'Choose whether it is an app that you have connected already, or press Deny.',
  connection:
    'Choose which connection this one replaces, of those that stand now: an app may have ' +
    `${MOST_CONNECTIONS} at once, and replaces none of another app.`,
}

/**
 * What the owner must check before connecting an app that no one vouches for, or that anyone can
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

/** Where one app of this name is connected, it is most likely that one. */
const likely = (identities: ConsentQuestion['identities']) =>
  identities.length === 2
    ? identities.find(({ since }) => since !== undefined)?.identity
    : undefined

/**
 * Asked where an app that registered describes itself as others do: all that is done under one
 * identity is one app's.
 */
const identityChoice = ({ identities, chosen = likely(identities), name }: ConsentQuestion) =>
  html`<fieldset>
    <legend>An app called “<bdi>${name}</bdi>” is connected already. Is this it?</legend>
    ${identities.map(
      ({ identity, since }) =>
        html`<label
          ><input
            type="radio"
            name="identity"
            value="${identity}"
            ${identity === chosen && 'checked'}
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

/** When a connection was made and last used: `since 2026-11-03, last used on 2026-11-24`. */
export const sinceWhen = ({ madeOn, lastUsedOn }: Connection) =>
  `since ${madeOn}, ${lastUsedOn === null ? 'not used yet' : `last used on ${lastUsedOn}`}`

/** The values of a choice that name no single connection: it replaces none, or all of them. */
export const ANOTHER = 'none'
export const ALL = 'all'

const connectionOption = (value: string, words: Html) =>
  html`<label><input type="radio" name="connection" value="${value}" /> <span>${words}</span></label>`

/**
 * Asked where the app is connected: every copy of a host on another computer can have the same id. No
 * answer is ticked, since the usual one follows from what the owner allows below.
 */
const connectionChoice = ({ connections, identities }: ConsentQuestion) =>
  html`<fieldset>
      <legend>It is connected already. Is this another computer?</legend>
      ${
        (identities.length !== 1 || connections.length < MOST_CONNECTIONS) &&
        connectionOption(ANOTHER, html`Yes, another computer. What is connected stays.`)
      }
      ${connections.map((one) =>
        connectionOption(
          one.grantId,
          html`No, instead of <bdi>${one.name}</bdi> ${sinceWhen(one)}. That one may:
            ${one.scopes.map((scope) => wordsOf(scope)).join('; ')}.`,
        ),
      )}
      ${connections.length > 1 && connectionOption(ALL, html`No, instead of all of these.`)}
    </fieldset>
    <p class="soft">
      If you choose nothing, it is another computer. It then replaces a connection that may do all that you
      allow now and more, or that the same copy of the app made. An app has ${MOST_CONNECTIONS} connections at most:
      one more replaces the one that was not used for longest. You see which before you confirm.
    </p>`

const wordsOf = (scope: string) => SCOPES[scope as Scope] ?? scope

export function consentPage(place: string, question: ConsentQuestion): string {
  const notice = caution(question)
  return page(
    'Connect an app',
    place,
    html`<h1>Let <bdi>“${question.name}”</bdi> use the connector?</h1>
      <dl>
        ${row('Calls itself', html`<bdi>${question.name}</bdi>`)}
        ${row('Describes itself at', question.document ?? null)}
        ${row('Publisher', question.publisher ?? 'not verified')}
        ${row('Sends you back to', question.redirectHost)}
      </dl>
      ${notice !== undefined && html`<p class="notice">${notice}</p>`}
      ${question.missing !== undefined && html`<p class="notice bad" role="alert">${MISSING[question.missing]}</p>`}
      <form method="post" action="/authorize">
        ${hiddenFields(Object.entries({ csrf: question.csrf, handle: question.handle }))}
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
        ${question.identities.length > 1 && identityChoice(question)}
        ${question.connections.length > 0 && connectionChoice(question)}
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
export const returnPage = (place: string, address: string, host: string, allowed: boolean) =>
  page(
    allowed ? 'Connected' : 'Not connected',
    place,
    html`<h1>${allowed ? 'Connected' : 'Not connected'}</h1>
      <p>You are being sent back to ${host}. <a href="${address}">Go there now</a></p>`,
    { head: html`<meta http-equiv="refresh" content="0;url=${address}" />` },
  )
