import { html } from 'hono/html'
import { SCRIPT_PATH, page } from './layout.ts'

const script = html`<script src="${SCRIPT_PATH}" defer></script>`

/** On a bare address the browser would refuse a passkey without saying why. */
const addressHint = (named: string | undefined) =>
  named === undefined
    ? ''
    : html`<p class="notice">
        Passkeys need a name, not an address. Open <a href="${named}" id="named">${named}</a> instead.
      </p>`

const status = html`<p role="status" aria-live="polite" class="notice" id="status"></p>
  <noscript><p class="notice bad">Passkeys need JavaScript, which is off in this browser.</p></noscript>`

/** Asks the owner to sign in; `reason` says what for. The same address shows the page behind it afterwards. */
export const signInPage = (place: string, named: string | undefined, reason: string): string =>
  page(
    'Sign in',
    place,
    html`<h1>Sign in</h1>
      <p>${reason}</p>
      ${addressHint(named)}
      <div class="row">
        <button type="button" class="main" disabled data-passkey="sign-in">Sign in with a passkey</button>
      </div>
      ${status}
      <p class="soft">
        There is no password. Your device or password manager asks for your fingerprint, face or PIN. If you
        have lost your passkey, make a new enrolment link: <code>npm run deploy -- --new-link</code>, or
        <code>npm run enrol</code> under <code>npm start</code>.
      </p>`,
    { head: script },
  )

/** The page behind an enrolment link. The token is in the fragment (#), so it is sent to nobody until the button is used. */
export const enrolPage = (place: string, named: string | undefined): string =>
  page(
    'Create a passkey',
    place,
    html`<h1>Become the owner of this connector</h1>
      <p>
        Create a passkey on this device or in your password manager. With it you decide which apps may use the
        connector, and you can end their access at any time.
      </p>
      ${addressHint(named)}
      <div class="row">
        <button type="button" class="main" disabled data-passkey="enrol">Create a passkey</button>
      </div>
      ${status}
      <p class="soft">This link works once.</p>`,
    { head: script },
  )

/** Where somebody who is invited to approve changes makes a passkey; the token is in the fragment (#). */
export const INVITATION_PATH = '/owner/invitation'

export const invitationPage = (place: string, named: string | undefined): string =>
  page(
    'Approve changes',
    place,
    html`<h1>Approve changes for ${place}</h1>
      <p>
        Create a passkey on this device or in your password manager. With it you approve or decline what
        agents ask for, and see what they ask for. You see and change nothing else.
      </p>
      ${addressHint(named)}
      <div class="row">
        <button type="button" class="main" disabled data-passkey="enrol">Create a passkey</button>
      </div>
      ${status}
      <p class="soft">
        This link works once. Some password managers sign without a gesture: use a phone, or the fingerprint
        reader of your computer.
      </p>`,
    { head: script },
  )
