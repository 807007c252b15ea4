import { html } from 'hono/html'
import { PROOF, type Proof } from '../passkey.ts'
import { ifDefined } from '../../http/html.ts'
import { PASSKEY_PAGE, PASSKEY_STATUS, page } from './layout.ts'

export interface ConfirmView {
  act: OwnerAct
  action: string
  fields: readonly [string, string][]
  csrf: string
  options: string
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
      ${ifDefined(view.refused, (why) => html`<p class="notice bad" role="alert">${REFUSED[why]}</p>`)}
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
      ${PASSKEY_STATUS}`,
    PASSKEY_PAGE,
  )

/** Something the owner is about to do that a session alone must not: it lets somebody in or do more, deletes, or exports. */
export interface OwnerAct {
  name:
    | 'resume'
    | 'loosen_rules'
    | 'add_passkey'
    | 'remove_passkey'
    | 'keep_access'
    | 'allow_app'
    | 'settle'
    | 'export_audit'
    | 'delete_client'
    | 'invite_approver'
  /** The question that the page puts, and the sentences under it: what the owner is shown is part of what is proven. */
  question: string
  changes: readonly string[]
  /** What exactly it changes, where the sentences do not say all of it. */
  facts: readonly string[]
  verb: string
  /** Where whoever does not want it after all goes on; the first page unless given. */
  back?: string
}
