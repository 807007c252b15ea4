import { html } from 'hono/html'

import {
  PASSKEY_PAGE,
  PASSKEY_STATUS,
  hiddenFields,
  page,
  passkeyButton,
} from '../../../api/pages/layout.ts'

/** On a bare address the browser would refuse a passkey without saying why. */
const addressHint = (named: string | undefined) =>
  named !== undefined &&
  html`<p class="notice">
    Passkeys do not work at this address. Open <a href="${named}" id="named">${named}</a> instead.
  </p>`

/** A form that was sent, and what was entered in it. */
export interface SentForm {
  action: string
  fields: readonly [string, string][]
}

/**
 * Asks the owner to sign in; `reason` says what for. The same address shows the page behind it
 * afterwards, or gets the form that was sent to it.
 */
export const signInPage = (
  place: string,
  named: string | undefined,
  reason: string,
  form?: SentForm,
) =>
  page(
    'Sign in',
    place,
    html`<h1>Sign in</h1>
      <p>${reason}</p>
      ${addressHint(named)}
      ${form ? html`<form method="post" action="${form.action}">${hiddenFields(form.fields)} ${SIGN_IN}</form>` : SIGN_IN}
      ${PASSKEY_STATUS}
      <p class="soft">
        There is no password. Your device or password manager asks for your fingerprint, face or PIN. If the
        owner has lost the passkey, make a new link where the connector was deployed from:
        <code>npm run deploy -- --new-link</code> (on this computer alone: <code>npm run enrol</code>).
      </p>`,
    PASSKEY_PAGE,
  )

const SIGN_IN = html`<div class="row">${passkeyButton('sign-in', 'Sign in with a passkey')}</div>`

interface PasskeyPage {
  title: string
  heading: string
  use: string
  note: string
}

/**
 * A page that makes a passkey. The token is in the fragment (#), so it is sent to no one until the
 * button is used.
 */
const makingPage = (
  place: string,
  named: string | undefined,
  { title, heading, use, note }: PasskeyPage,
) =>
  page(
    title,
    place,
    html`<h1>${heading}</h1>
      <p>Create a passkey on this device or in your password manager. With it you ${use}</p>
      ${addressHint(named)}
      <div class="row">${passkeyButton('enrol', 'Create a passkey')}</div>
      ${PASSKEY_STATUS}
      <p class="soft">This link works once.${note}</p>`,
    PASSKEY_PAGE,
  )

/** The page behind an enrolment link. */
export const enrolPage = (place: string, named: string | undefined) =>
  makingPage(place, named, {
    title: 'Create a passkey',
    heading: 'Become the owner of this connector',
    use: 'decide which apps may use the connector, and end their access at any time.',
    note: '',
  })

/** Where someone who is invited to approve changes makes a passkey. */
export const INVITATION_PATH = '/owner/invitation'

export const invitationPage = (place: string, named: string | undefined) =>
  makingPage(place, named, {
    title: 'Approve changes',
    heading: `Approve changes for ${place}`,
    use: 'approve or decline the changes that agents ask for. You see nothing else.',
    note:
      ' Use your own phone, or a computer that only you use: on a shared computer, others ' +
      'could approve as you.',
  })
