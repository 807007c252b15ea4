import { html } from 'hono/html'

/** HTML in which everything that was filled in is escaped. */
export type Html = ReturnType<typeof html>

export const STYLE_PATH = '/owner/style.css'
export const SCRIPT_PATH = '/owner/passkey.js'

/** The style sheet of the owner's pages. */
export const STYLE = `:root{color-scheme:light dark;--line:#8886;--soft:light-dark(#555,#b5b5b5);--accent:light-dark(#0b57d0,#a8c7fa);--on-accent:light-dark(#fff,#062e6f);--danger:light-dark(#b3261e,#f2b8b5);--field:light-dark(#f6f6f4,#1e1f20)}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;background:light-dark(#fff,#131314);color:light-dark(#1f1f1f,#e3e3e3);overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1.1rem;margin:2.4rem 0 .6rem}
p{margin:.6rem 0}.soft{color:var(--soft);font-size:.92rem}.where{color:var(--soft);margin:0 0 1.6rem;font-size:.92rem}
a{color:var(--accent)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0;font-weight:600}
fieldset{border:1px solid var(--line);border-radius:10px;margin:1.4rem 0;padding:.4rem 1rem .7rem}legend{padding:0 .4rem;font-weight:600}
label{display:flex;gap:.7rem;align-items:baseline;padding:.4rem 0;cursor:pointer}
input[type=checkbox]{width:1.15rem;height:1.15rem;margin:0;accent-color:var(--accent);flex:none;transform:translateY(.15rem)}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.3rem;border-radius:999px;border:1px solid var(--line);background:var(--field);color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}button.danger{color:var(--danger)}
button:disabled{opacity:.55;cursor:default}
button.small{min-height:2.25rem;padding:.25rem .9rem;font-size:.92rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:.7rem;margin:1.4rem 0}.bar{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.5rem 1rem}
.notice{padding:.7rem 1rem;border-left:4px solid #b45309;background:#f59e0b22;border-radius:4px;margin:1rem 0}
.bad{border-left-color:#b3261e;background:#b3261e1f}
.list{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}.list>li{display:flex;gap:.5rem 1rem;justify-content:space-between;align-items:center;padding:.9rem 0;border-bottom:1px solid var(--line)}
.list p{margin:.1rem 0}.list form{flex:none;margin:0}.ended{opacity:.65}
[role=status]:empty{display:none}
@media (max-width:30rem){body{padding-top:1.5rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}.list>li{flex-direction:column;align-items:stretch}.row button{flex:1 1 100%}}
`

/** A whole page; `extra` goes into its head. */
export function page(title: string, place: string, body: Html, extra: Html | '' = ''): string {
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
        ${extra}
      </head>
      <body>
        <main>
          <p class="where">${place} · consult connector</p>
          ${body}
        </main>
      </body>
    </html> `
  if (whole instanceof Promise) throw new TypeError('a page is rendered at once')
  return whole
}

/** A page that says one thing. */
export const notePage = (title: string, place: string, text: string): string =>
  page(
    title,
    place,
    html`<h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/owner">To the owner's page</a></p>`,
  )
