import { html } from 'hono/html'
import type { OwnerAct } from '../fresh-proof.ts'
import { PROOF, type Proof } from '../passkey.ts'
import { SCRIPT_PATH, page } from './layout.ts'

export interface ConfirmView {
  act: OwnerAct
  /** Where the form goes, and what it carries on. */
  action: string
  fields: readonly [string, string][]
  csrf: string
  /** What the browser is to ask the passkey for, as JSON. */
  options: string
  /** Why the proof that came was worth nothing. */
  refused: Exclude<Proof, 'good'> | undefined
}

const REFUSED = {
  ended:
    'That took longer than five minutes, or was for something else. Look again, and use your passkey once more.',
  wrong: 'That was not a passkey of the owner. Nothing was changed.',
}

/** Shows what the owner is about to do, and asks for a passkey for just this. */
export const confirmPage = (place: string, view: ConfirmView): string =>
  page(
    'Confirm it is you',
    place,
    html`<h1>${view.act.question}</h1>
      ${
        view.refused === undefined
          ? ''
          : html`<p class="notice bad" role="alert">${REFUSED[view.refused]}</p>`
      }
      <ul class="changes">
        ${view.act.changes.map((change) => html`<li>${change}</li>`)}
      </ul>
      <p>Confirm with your passkey. It counts for this alone, once, within five minutes.</p>
      <form method="post" action="${view.action}" id="confirm" data-options="${view.options}">
        <input type="hidden" name="csrf" value="${view.csrf}" />
        ${view.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <input type="hidden" name="${PROOF}" value="" />
        <div class="row">
          <button type="button" class="main" disabled data-passkey="confirm">${view.act.verb}</button>
          <a class="button" href="${view.act.back ?? '/owner'}">Cancel</a>
        </div>
      </form>
      <p role="status" aria-live="polite" class="notice" id="status"></p>
      <noscript><p class="notice bad">Passkeys need JavaScript, which is off in this browser.</p></noscript>`,
    { head: html`<script src="${SCRIPT_PATH}" defer></script>` },
  )
