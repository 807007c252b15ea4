import { html, raw } from 'hono/html'

import { UNNAMED } from '../../core/domain/practice.ts'

/** HTML in which everything that was filled in is escaped. */
export type Html = ReturnType<typeof html>

/** A whole page: every one has the same icon, and is for no search engine. */
export function wholePage(
  title: string,
  style: string,
  body: Html,
  { head = '', look = '', language = 'en' }: { head?: Html | ''; look?: string; language?: string },
): string {
  const whole = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${style}" />
        ${head}
      </head>
      <body class="${look}">
        ${body}
      </body>
    </html> `
  // It holds nothing to wait for.
  if (whole instanceof Promise) throw new TypeError('a page is rendered at once')
  return whole.toString()
}

/** The name at the head of a page: that of the practice, where its settings give one. */
export const nameAtHead = (practice: string) =>
  practice === UNNAMED.en ? 'Consult connector' : practice

/** The mark of the connector: a calendar day with a tick. It is the icon of every page. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" ' +
  'rx="8" fill="#0f5c4c"/><path d="M8 11.5a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3V22a3 3 0 0 1-3 ' +
  '3H11a3 3 0 0 1-3-3zM12 6v4M20 6v4M8 14h16M12.5 19l2.5 2.5 4.5-4.5" fill="none" ' +
  'stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/** The same in a page. */
export const MARK = raw(ICON.replace(/ xmlns="[^"]+"/, ''))
