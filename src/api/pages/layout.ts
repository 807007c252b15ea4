import { html } from 'hono/html'

import { type Html, MARK, nameAtHead, wholePage } from '../http/html.ts'
import FILES from './static-files.json' with { type: 'json' }

export type { Html }

/** The colour behind each page, as in `base.css`, and of what a phone shows around it. */
export const PAGE_COLOURS = { light: '#fbfcfb', dark: '#121614' } as const

export const MANIFEST_PATH = '/owner/app.webmanifest'

/**
 * What a phone asks for that keeps the console on its home screen. It has no name of a person and
 * needs no sign-in.
 */
export const manifestOf = (place: string) => ({
  id: '/owner',
  name: nameAtHead(place),
  short_name: nameAtHead(place),
  start_url: '/owner',
  // A change that waits for approval is outside /owner.
  scope: '/',
  display: 'standalone',
  background_color: PAGE_COLOURS.light,
  theme_color: PAGE_COLOURS.light,
  icons: ([192, 512] as const).flatMap((size) =>
    ['any', 'maskable'].map((purpose) => ({
      src: FILES[`icon-${size}.png`],
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  ),
})

/** What makes the owner's pages an app on a phone: its manifest, its icon, and the colour around the page. */
const AS_AN_APP = html`<link rel="manifest" href="${MANIFEST_PATH}" />
  <link rel="apple-touch-icon" href="${FILES['icon-180.png']}" />
  ${Object.entries(PAGE_COLOURS).map(([scheme, colour]) => html`<meta name="theme-color" content="${colour}" media="(prefers-color-scheme: ${scheme})" />`)}`

interface PageParts {
  head?: Html
  top?: Html
  /** Stands in the row of the name: how things are, and the button that changes it. */
  status?: Html | undefined
  wide?: boolean
}

/** A whole page. */
export const page = (
  title: string,
  place: string,
  body: Html,
  { head, top, status, wide = false }: PageParts = {},
) =>
  wholePage(
    `${title} · ${nameAtHead(place)}`,
    FILES['console.css'],
    html`<header>
        <div class="bar">
          <p class="where">
            ${MARK}
            <a href="/owner">${nameAtHead(place)}</a>
          </p>
          ${status ?? ''}
        </div>
        ${top ?? ''}
      </header>
      <main id="main">${body}</main>`,
    { head: html`${AS_AN_APP} ${head ?? ''}`, look: wide ? 'wide' : '' },
  )

/** A page that says one thing; `more` stands under it. */
export const notePage = (title: string, place: string, text: string, more: Html | '' = '') =>
  page(
    title,
    place,
    html`<h1>${title}</h1>
      <p>${text}</p>
      ${more}
      <p><a href="/owner">Go to the console</a></p>`,
  )

/**
 * Where the script of the passkey buttons says how it goes; and what a page of one is given besides
 * its body.
 */
export const PASSKEY_STATUS = html`<p role="status" aria-live="polite" class="notice" id="status"></p>
  <noscript><p class="notice bad">Passkeys need JavaScript, which is off in this browser.</p></noscript>`
export const PASSKEY_PAGE = { head: html`<script src="${FILES['passkey.js']}" defer></script>` }

/** A button that asks for a passkey; its script makes it work. */
export const passkeyButton = (act: string, text: string) =>
  html`<button type="button" class="main" disabled data-passkey="${act}">${text}</button>`

/** A line of a list of facts; nothing where there is no value. */
export const row = (title: Html | string, value: Html | string | null) =>
  value === null
    ? ''
    : html`<div>
        <dt>${title}</dt>
        <dd>${value}</dd>
      </div>`

/** Sentences under each other. */
export const bullets = (all: readonly (Html | string)[], look = '') =>
  html`<ul class="changes ${look}">
    ${all.map((one) => html`<li>${one}</li>`)}
  </ul>`

/** The fields of a form that no one sees. */
export const hiddenFields = (fields: Iterable<readonly [name: string, value: string]>) =>
  html`${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`
