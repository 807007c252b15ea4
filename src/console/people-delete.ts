import { html } from 'hono/html'
import { type ShellView, consolePage, hidden } from './shell.ts'

/** So many characters of the id are typed, as `npm run forget` wants them. */
export const TYPED = 6

export interface DeletionView {
  shell: ShellView
  client_id: string
  /** The name and the email address, masked; nothing where the record is not there. */
  shownAs: string | undefined
  intakeSubmissions: number
  /** What was typed was not the end of the id. */
  isWrong: boolean
}

/** What a deletion erases, and the field that wants the end of the id, so that nobody deletes by accident. */
export const deletionPage = ({
  shell,
  client_id,
  shownAs,
  intakeSubmissions,
  isWrong,
}: DeletionView): string =>
  consolePage(
    shell,
    { title: 'Delete a client' },
    html`<p><a href="/owner/people">People</a></p>
      <h1>Delete ${shownAs ?? 'this client'}?</h1>
      <section aria-labelledby="goes">
        <h2 id="goes">What goes</h2>
        <ul class="changes">
          <li>The record of the client.</li>
          <li>
            ${intakeSubmissions === 0 ? 'Intake answers: there are none.' : `All intake answers: ${intakeSubmissions} ${intakeSubmissions === 1 ? 'submission' : 'submissions'}.`}
          </li>
          <li>What previews and stored answers show of the client.</li>
        </ul>
        <h2>What stays</h2>
        <ul class="changes">
          <li>Bookings, invoices and payment links with the providers: delete them there.</li>
          <li>The id, marked as deleted, and its entries in the audit log.</li>
        </ul>
        <p><strong>This cannot be undone.</strong></p>
        <form method="post" action="/owner/people/delete">
          ${hidden(shell, { client_id })}
          ${isWrong ? html`<p class="error" id="typed-error" role="alert">That is not the end of this id.</p>` : ''}
          <p>The id is <code>${client_id}</code></p>
          <div class="fields">
            <label class="long"
              >Its last ${TYPED} characters<input
                name="typed"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                required
                ${isWrong ? html`aria-invalid="true" aria-describedby="typed-error" autofocus` : ''}
            /></label>
          </div>
          <div class="row">
            <button class="danger">Delete…</button>
            <a class="button" href="/owner/people">Keep it</a>
          </div>
        </form>
        <p class="soft">You confirm with your passkey.</p>
      </section>`,
  )
