import { html } from 'hono/html'
import { SCRIPT_PATH, page } from '../access/pages/layout.ts'
import { SCOPES, type Scope } from '../domain/scopes.ts'

export interface OwnerItem {
  id: string
  name: string
  /** Short lines under the name. */
  facts: string[]
  /** What it may do. */
  scopes: readonly string[]
  /** It is over: shown for memory. */
  ended: boolean
  /** It cannot be ended now. */
  stays?: boolean
}

/** A part of a page, or that it could not be read. */
export type Part<T> = T | 'unread'

export interface OwnerView {
  apps: Part<OwnerItem[]>
  keys: Part<OwnerItem[]>
  passkeys: Part<OwnerItem[]>
  csrf: string
  address: string
  /** What was done just before. */
  done: string | undefined
}

const sentence = (scope: string): string => (scope in SCOPES ? SCOPES[scope as Scope] : scope)

const list = (items: Part<OwnerItem[]>, csrf: string, action: string, verb: string, none: string) =>
  items === 'unread'
    ? html`<p class="notice bad">This could not be read just now. Load the page again in a while.</p>`
    : items.length === 0
      ? html`<p class="soft">${none}</p>`
      : html`<ul class="list">
          ${items.map(
            (item) =>
              html`<li class="${item.ended ? 'ended' : ''}">
                <div>
                  <p>
                    <strong><bdi>${item.name}</bdi></strong>
                  </p>
                  ${item.facts.map((fact) => html`<p class="soft">${fact}</p>`)}
                  ${
                    item.scopes.length > 0
                      ? html`<p class="soft">${item.scopes.map(sentence).join(' · ')}</p>`
                      : ''
                  }
                </div>
                ${
                  item.ended || item.stays
                    ? ''
                    : html`<form method="post" action="${action}">
                        <input type="hidden" name="csrf" value="${csrf}" />
                        <input type="hidden" name="id" value="${item.id}" />
                        <button class="small danger" aria-label="${verb}: ${item.name}">${verb}</button>
                      </form>`
                }
              </li>`,
          )}
        </ul>`

/** What uses the connector, and how to end it. */
export const homePage = (place: string, view: OwnerView): string =>
  page(
    'Owner',
    place,
    html`<div class="bar">
        <h1>Who may use the connector</h1>
        <form method="post" action="/owner/sign-out">
          <input type="hidden" name="csrf" value="${view.csrf}" />
          <button class="small">Sign out</button>
        </form>
      </div>
      ${view.done === undefined ? '' : html`<p class="notice" role="status">${view.done}</p>`}
      <h2>Connected apps</h2>
      ${list(
        view.apps,
        view.csrf,
        '/owner/apps/revoke',
        'Disconnect',
        `None yet. In the app, add a connector with the address ${view.address}`,
      )}
      <h2>API keys</h2>
      ${list(view.keys, view.csrf, '/owner/keys/revoke', 'Revoke', 'None yet.')}
      <h2>Your passkeys</h2>
      ${list(view.passkeys, view.csrf, '/owner/passkeys/remove', 'Remove', 'None.')}
      <form method="post" action="/owner/passkeys/add" class="row">
        <input type="hidden" name="csrf" value="${view.csrf}" />
        <input type="hidden" name="credential" value="" />
        <button type="button" class="small" data-passkey="add">Add a passkey</button>
      </form>
      <p role="status" aria-live="polite" class="notice" id="status"></p>`,
    html`<script src="${SCRIPT_PATH}" defer></script>`,
  )
