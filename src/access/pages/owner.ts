import { html } from 'hono/html'
import { SCOPES, type Scope } from '../../domain/scopes.ts'
import { SCRIPT_PATH, page } from './layout.ts'

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

export interface OwnerView {
  apps: OwnerItem[]
  keys: OwnerItem[]
  passkeys: OwnerItem[]
  /** A passkey was used just now, so another one can be added. */
  mayAddPasskey: boolean
  csrf: string
  address: string
  said: string | undefined
}

const sentence = (scope: string): string => (scope in SCOPES ? SCOPES[scope as Scope] : scope)

const list = (items: OwnerItem[], csrf: string, action: string, verb: string, none: string) =>
  items.length === 0
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
export const ownerPage = (place: string, view: OwnerView): string =>
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
      ${view.said === undefined ? '' : html`<p class="notice" role="status">${view.said}</p>`}
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
      <div class="row">
        ${
          view.mayAddPasskey
            ? html`<button type="button" class="small" data-passkey="enrol">Add another passkey</button>`
            : html`<button type="button" class="small" data-passkey="sign-in">
                Use your passkey, to add another
              </button>`
        }
      </div>
      <p role="status" aria-live="polite" class="notice" id="status"></p>`,
    html`<script src="${SCRIPT_PATH}" defer></script>`,
  )
