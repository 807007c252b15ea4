import { html } from 'hono/html'

import { wholePage } from '../http/html.ts'

/**
 * The built file of @scalar/api-reference 1.76.0 (MIT), one of our static assets. A browser runs it
 * only if it has this hash.
 */
export const API_REFERENCE = {
  file: '/docs/api-reference-1.76.0.js',
  integrity: 'sha384-oH1C0RwqcwbVXkC+r8A+4qRoyEUQdtxAzOwumkxZtQBBcsy61FOoPt7B50OVJYYQ',
} as const

/**
 * What the page of the reference may do. It runs a large program of others, so it is sandboxed: it
 * has an origin of its own, which is none, and can read nothing of the owner's pages. What it loads
 * is readable from anywhere.
 */
export const SANDBOXED = {
  'Content-Security-Policy':
    'sandbox allow-scripts allow-popups; ' +
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
    "img-src 'self' data:; font-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  // A page in a sandbox may not ask for a window group of its own.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
}

/**
 * The page that shows `/openapi.json`: every route with its fields, examples and refusals. It has a
 * style sheet of its own, since ours would change what the reference draws.
 */
export const apiReferencePage = (name: string) =>
  wholePage(
    `API reference · ${name}`,
    '/docs/api-reference.css',
    html`<nav class="way-back" aria-label="Site">
        <a href="/">${name}</a><a href="/docs">Docs</a><a href="/docs/errors">Errors</a>
      </nav>
      <noscript>
        <p>
          This page needs JavaScript. <a href="/openapi.json">openapi.json</a> has every route without it.
        </p>
      </noscript>
      <div id="reference"></div>`,
    {
      head: html`<script src="/docs/api-reference-start.js" defer crossorigin></script>
        <script
          src="${API_REFERENCE.file}"
          integrity="${API_REFERENCE.integrity}"
          defer
          crossorigin
        ></script>`,
    },
  )
