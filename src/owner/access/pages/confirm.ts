import { html } from 'hono/html'

import {
  PASSKEY_PAGE,
  PASSKEY_STATUS,
  bullets,
  hiddenFields,
  page,
  passkeyButton,
} from '../../../api/pages/layout.ts'
import { PROOF, type NoProof } from '../passkey.ts'

export interface ConfirmView {
  act: Question
  action: string
  back: string
  fields: readonly [string, string][]
  csrf: string
  /** What a passkey is asked for; none where pressing the button a second time is enough. */
  options?: string
  refused?: NoProof | undefined
}

const REFUSED = {
  // A page that is loaded again sends the same proof again: it has done something, once.
  ended:
    'More than five minutes passed, something has changed, or this was done already. ' +
    'Read this again, then use your passkey.',
  wrong: 'That was not a passkey of the owner, or this was done already. Nothing more was changed.',
}

/** Shows what the owner is about to do, and asks for a passkey for just this, or once more. */
export const confirmPage = (place: string, { act, options, refused, ...view }: ConfirmView) =>
  page(
    options === undefined ? 'Are you sure?' : 'Confirm it is you',
    place,
    html`<h1>${act.question}</h1>
      ${refused !== undefined && html`<p class="notice bad" role="alert">${REFUSED[refused]}</p>`}
      ${bullets(act.changes)}
      ${options !== undefined && html`<p>Confirm with your passkey. It counts only for this, once, for five minutes.</p>`}
      <form method="post" action="${view.action}" id="confirm" data-options="${options ?? ''}">
        ${hiddenFields([['csrf', view.csrf], ...view.fields])}
        ${options !== undefined && hiddenFields([[PROOF, '']])}
        <div class="row">
          ${options === undefined ? html`<button class="danger">${act.verb}</button>` : passkeyButton('confirm', act.verb)}
          ${act.first && html`<button class="danger" name="${FIRST}" value="${act.first.value}">${act.first.text}</button>`}
          <a class="button" href="${act.back ?? view.back}">Cancel</a>
        </div>
      </form>
      ${options !== undefined && PASSKEY_STATUS}`,
    options === undefined ? {} : PASSKEY_PAGE,
  )

/** The field of a form whose button does something before. */
export const FIRST = 'first'

/** What is asked before an act. */
export interface Question {
  /**
   * The question that the page puts, and the sentences under it: what the owner is shown is part of
   * what is proven.
   */
  question: string
  changes: readonly string[]
  verb: string
  /** Where the button that leaves without doing it leads, where that is not where the form ends. */
  back?: string
  /**
   * What can be done before, in the same form: the value of its field `FIRST`, and the words on the
   * button.
   */
  first?: { value: string; text: string }
}

/**
 * Something the owner is about to do that a session alone must not: it lets someone in or do more,
 * deletes, or exports.
 */
export interface OwnerAct extends Question {
  /** What exactly it changes, where the sentences do not say all of it. */
  facts: readonly string[]
}
