import { html } from 'hono/html'
import { type Html, page } from '../access/pages/layout.ts'
import { itemList } from './item-list.ts'
import type { OwnerItem } from './items.ts'
import { type Part, type ShellView, hidden } from './shell.ts'

/** The longest name of somebody who approves. */
export const LONGEST_NAME = 60

/** Those who approve changes beside the owner, and the form that invites one more. */
export const approversSection = (shell: ShellView, approvers: Part<OwnerItem[]>): Html =>
  html`<section aria-labelledby="approvers">
    <h2 id="approvers">People who approve</h2>
    <p>
      They approve and decline <a href="/owner/approvals">changes that wait</a> with a passkey of their own,
      and see no other page.
    </p>
    ${itemList(shell, approvers, { action: '/owner/passkeys/remove', verb: 'Remove', none: html`Nobody but you.` })}
    <form method="post" action="/owner/approvers/invite">
      ${hidden(shell)}
      <div class="fields">
        <label
          >What you call them, such as “front desk”<input
            name="name"
            required
            maxlength="${LONGEST_NAME}"
            autocomplete="off"
        /></label>
      </div>
      <div class="row"><button>Invite…</button></div>
    </form>
  </section>`

/** The page that shows the link of an invitation, once. */
export const invitationMadePage = (place: string, name: string, link: string): string =>
  page(
    'Invitation',
    place,
    html`<h1>Send this link to <bdi>${name}</bdi></h1>
      <p><code>${link}</code></p>
      <p>
        It works once, for a day, and is not shown again. Send it so that nobody else reads it: whoever opens
        it first becomes the one who approves.
      </p>
      <p><a href="/owner/settings">Settings</a></p>`,
  )
