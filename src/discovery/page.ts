import { html } from 'hono/html'

/** HTML in which everything that was filled in is escaped. */
export type Html = ReturnType<typeof html>

/** The one style sheet of the pages for people. */
export const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1.25rem}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2.2rem}
code,pre{font:.9em ui-monospace,monospace}pre{overflow-x:auto;padding:.8rem 1rem;border:1px solid #8886;border-radius:6px}
.notice{padding:.8rem 1rem;border-left:4px solid #b45309;background:#f59e0b22}
dt{font-weight:600;margin-top:.8rem}dd{margin:0 0 .4rem}.amount{font-size:2rem;margin:.5rem 0}
`

/** A whole page in plain HTML. */
export function page(title: string, body: Html): string {
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        ${body}
      </body>
    </html> `
  if (whole instanceof Promise) throw new TypeError('a page is rendered at once')
  return whole
}
