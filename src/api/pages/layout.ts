import { html } from 'hono/html'

import { type Html, MARK, nameAtHead, namedByHash, wholePage } from '../http/html.ts'
import { ICON_PNGS } from './icon-pngs.ts'
import { CONSOLE_SCRIPT, PASSKEY_SCRIPT } from './scripts.ts'

export type { Html }

/** The colour behind each page, and of what a phone shows around it. */
const PAGE_COLOURS = { light: '#fbfcfb', dark: '#121614' } as const

export const STYLE = `:root{color-scheme:light dark;--page:light-dark(${PAGE_COLOURS.light},${PAGE_COLOURS.dark});--card:light-dark(#fff,#191f1c);--text:light-dark(#17211e,#e6ebe9);--soft:light-dark(#54615c,#a3b0ab);--line:light-dark(#dbe2df,#303a36);--edge:light-dark(#7a828e,#7d8590);--accent:light-dark(#0f5c4c,#7fd3bd);--on-accent:light-dark(#fff,#06251e);--danger:light-dark(#a8201a,#f5b5b0);--stop:#a8201a;--stop-line:light-dark(#a8201a,#f5b5b0);--good:light-dark(#1c6b3c,#8fd6ab)}
*{box-sizing:border-box}[hidden]{display:none!important}
body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;max-width:46rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;background:var(--page);color:var(--text);overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:.4rem 0 1rem}h2{font-size:1.12rem;line-height:1.3;margin:0 0 .5rem}
p{margin:.6rem 0}.soft{color:var(--soft);font-size:.92rem}.where{display:flex;gap:.6rem;align-items:center;margin:0 0 1rem;font-weight:650}.where svg{width:1.75rem;height:1.75rem;flex:none}.where a{color:inherit;text-decoration:none}

.head .key{white-space:nowrap;font-size:1.1rem;border:1px solid var(--edge);border-radius:6px;padding:.2rem .5rem}.head{display:flex;justify-content:space-between;align-items:center;gap:1rem;margin:.6rem 0}.head :is(h1,h2,h3){margin:0}section>.head{margin-top:0}.big{font-size:1.45rem;font-weight:650;line-height:1.25;margin:0}a{color:var(--accent)}code{font:.9em ui-monospace,monospace}.code{font-size:1.35rem;letter-spacing:.12em}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.1rem 1.25rem;margin:1.1rem 0}section>:last-child{margin-bottom:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0;font-weight:600}
dl.rules{display:block;margin:.7rem 0}dl.rules div{display:grid;grid-template-columns:minmax(8rem,13rem) 1fr;gap:.1rem 1rem;padding:.3rem 0}
select{font:inherit;min-height:2.75rem;padding:.4rem .7rem;border:1px solid var(--edge);border-radius:8px;background:var(--page);color:inherit;width:11rem;max-width:100%}
fieldset{border:1px solid var(--line);border-radius:10px;margin:1.1rem 0;padding:.3rem 1rem .8rem;min-width:0}legend{padding:0 .4rem;font-weight:600}fieldset>p{margin:.2rem 0 .5rem}
label{display:flex;gap:.7rem;align-items:baseline;padding:.4rem 0;cursor:pointer}
input[type=checkbox],input[type=radio]{width:1.2rem;height:1.2rem;margin:0;accent-color:var(--accent);flex:none;transform:translateY(.15rem)}
.fields{display:flex;flex-wrap:wrap;gap:.2rem 1rem}.fields label{flex-direction:column;align-items:stretch;gap:.2rem;font-size:.92rem}
input:not([type=checkbox],[type=radio],[type=hidden]){font:inherit;min-height:2.75rem;padding:.4rem .7rem;border:1px solid var(--edge);border-radius:8px;background:var(--page);color:inherit;width:11rem;max-width:100%}input[size]{width:7rem}
.days{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:0 1rem}
[aria-invalid]{border-color:var(--danger)!important;border-width:2px!important}.error{color:var(--danger);font-weight:600}fieldset.wrong{border-color:var(--danger)}
button,.button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.3rem;border-radius:10px;border:1px solid var(--edge);background:var(--card);color:inherit;cursor:pointer;display:inline-flex;align-items:center;justify-content:center;text-decoration:none;text-align:center}
button:hover,.button:hover,summary:hover{border-color:var(--accent)}
button.main,.button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}button.danger{color:var(--danger)}button.stop{border-color:var(--stop-line);color:var(--danger)}
button:disabled{opacity:.55;cursor:default}
button.small{min-height:2.75rem;padding:.3rem .9rem;font-size:.92rem;white-space:nowrap}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:.7rem;margin:1.2rem 0 .4rem}.row .row{margin:0}
.bar{display:flex;align-items:center;gap:.6rem;min-height:2.75rem;margin:0 0 .6rem}.bar .where{flex:1;min-width:0;margin:0}.bar a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;line-height:1.25}.bar form{margin:0}.bar .small{border-color:var(--line)}.on{display:inline-flex;align-items:center;gap:.4rem;font-size:.92rem;line-height:1.25;color:var(--soft)}.on::before{content:"";flex:none;width:.6rem;height:.6rem;border-radius:9px;background:var(--good)}
.state{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.6rem 1rem;background:var(--stop);color:#fff;border-radius:10px;padding:.6rem 1rem;margin:0 0 .6rem}.state form,.state p{margin:0}.state button{background:#fff;border-color:#fff;color:#7d1510}.state :focus-visible{outline-color:#fff;outline-offset:3px}
.notice{padding:.7rem 1rem;border-left:4px solid #b45309;background:light-dark(#fdf3e1,#33270f);border-radius:6px;margin:1rem 0}
.notice.bad{border-left-color:var(--danger);background:light-dark(#fbe9e7,#3a1a18)}.notice.good{border-left-color:var(--good);background:light-dark(#e6f4ea,#14301f)}
.list{list-style:none;margin:0;padding:0}.list>li{padding:.9rem 0;border-top:1px solid var(--line)}.list>li:first-child{border-top:0}
.item{display:flex;gap:.6rem 1rem;justify-content:space-between;align-items:flex-start}.item p{margin:.1rem 0}.buttons{display:flex;gap:.5rem;flex:none;align-items:center}.buttons:empty{display:none}.buttons form{margin:0}
.sets p{margin:.2rem 0}.sets .head{margin:0}.sets dl.rules{margin:0}.sets dl.rules div{display:block;padding:0}.sets :is(dt,dd){display:inline;font-size:.92rem}.sets dt::after{content:":"}.ended strong{font-weight:400;text-decoration:line-through}
.tag{display:inline-block;font-size:.8rem;font-weight:600;padding:.05rem .55rem;border-radius:99px;background:var(--stop);color:#fff;margin-left:.4rem}
details{margin:.6rem 0 0}summary{cursor:pointer;padding:.55rem .8rem;min-height:2.75rem;border:1px solid var(--line);border-radius:10px;font-weight:600;font-size:.92rem;color:var(--accent)}details[open]>summary{margin-bottom:.4rem}
.changes{padding-left:1.2rem}.changes li{margin:.3rem 0}
[role=status]:not(.spoken):empty{display:none}.spoken:not(:focus){position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
body.wide{max-width:64rem}.wide section{padding:1.25rem 1.5rem}h3{font-size:1rem;line-height:1.3;margin:1.2rem 0 .2rem}h3.day{font-size:.92rem;color:var(--soft)}h2+h3{margin-top:.4rem}
nav{border-bottom:1px solid var(--line);margin:0 0 1.2rem}nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:0 .2rem;margin:0;padding:0}
nav a,nav button{display:inline-flex;align-items:center;min-height:2.75rem;white-space:nowrap;padding:.3rem .65rem;text-decoration:none;color:var(--soft);font-weight:600;border:0;border-bottom:3px solid transparent;border-radius:0;background:none;font-size:.95rem}nav a:focus-visible{outline-offset:-3px}nav a:hover,nav button:hover{color:var(--text);border-bottom-color:var(--line)}nav a[aria-current]{color:var(--text);border-bottom-color:var(--accent)}
.needs{border-left:6px solid light-dark(#b45309,#e0a04a)}.need{border-top:1px solid var(--line);padding:.2rem 0 .8rem;margin-top:.8rem}.need h3{margin:.8rem 0 .2rem}.need ul{margin:.3rem 0;padding-left:1.2rem}.need .row{align-items:center}
.entries{list-style:none;margin:0 0 .6rem;padding:0}.entries li{display:grid;grid-template-columns:minmax(4.7rem,max-content) 1fr;gap:.1rem 1rem;padding:.45rem 0 .45rem .8rem;border-left:3px solid var(--line);margin:.25rem 0;align-items:baseline}.entries li.good{border-left-color:var(--good)}.entries li.bad{border-left:3px double var(--danger)}.entries li.open{border-left:3px dashed #b45309}.entries time{font-variant-numeric:tabular-nums}.entries .soft{display:block}
.line{grid-column:1/-1;display:grid;grid-template-columns:subgrid;gap:.1rem 1rem;align-items:baseline;min-height:1.6rem;color:inherit;text-decoration:none}a.line:hover span{text-decoration:underline}.entries li:has(.out) .line{grid-column:1/3}.entries li:has(.out){grid-template-columns:minmax(4.7rem,max-content) 1fr max-content}.more{grid-column:1/-1;margin:0}.more>summary{border:0;padding:.2rem 0;min-height:1.5rem;font-weight:400}.out{font-size:.92rem;align-self:center;padding:.5rem 0}
.cols{display:grid;gap:0 1.4rem}.cols>*{min-width:0;align-self:start}@media (min-width:60rem){.cols{grid-template-columns:1fr 1fr}}
.steps{list-style:none;margin:.6rem 0 0;padding:0}.steps>li{display:grid;grid-template-columns:1.5rem 1fr auto;gap:.1rem .8rem;align-items:center;padding:.55rem 0;border-top:1px solid var(--line)}.steps>li::before{content:"";width:1.4rem;height:1.4rem;border:2px solid var(--edge);border-radius:50%;display:grid;place-items:center;font-size:.85rem;line-height:1}.steps>.ok::before{content:"✓";content:"✓"/"";background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.steps small{color:var(--soft);text-align:right}.steps>.ok{color:var(--soft)}.steps>.now>:nth-child(1){font-weight:600}.do{grid-column:2/-1}.do dl{margin:.4rem 0}.do>:last-child{margin-bottom:.4rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.6rem;border:0;padding:0}.cards label{border:1px solid var(--edge);border-radius:10px;padding:.7rem .8rem;background:var(--card)}.cards label:has(:checked){border-color:var(--accent);outline:1px solid var(--accent)}.cards .soft{display:block}@supports selector(:has(*)){form:not(:has([value=own]:checked)) .own{display:none}}
.filters{margin:0 0 1.2rem}.filters .row{margin:.6rem 0}.filters .fields input,.filters select{width:13rem}.fields label.long,.fields label.long input{width:24rem;max-width:100%}
dl.rules dd{font-weight:400}.rules dt{font-weight:600;color:var(--text)}blockquote{margin:.6rem 0;padding-left:1rem;border-left:3px solid var(--line);white-space:pre-wrap}.trial{background:light-dark(#fdf3e1,#33270f)}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:0 0 1rem}.chips a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.2rem .9rem;border:1px solid var(--line);border-radius:99px;background:var(--card);text-decoration:none;font-size:.95rem}.chips a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.lead{font-size:1.12rem;font-weight:600;margin-top:0}.count:not(:empty){margin-left:.4rem;padding:0 .5rem;border-radius:99px;background:var(--accent);color:var(--on-accent);font-size:.85rem}.copy{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:center}.copy>:first-child{flex:0 1 auto;min-width:0;font:.95rem/1.4 ui-monospace,monospace;padding:.6rem .8rem;border:1px solid var(--line);border-radius:8px;background:var(--page);user-select:all}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.5rem 1rem .5rem 0;border-top:1px solid var(--line);overflow-wrap:break-word}thead th{border:0;color:var(--soft);font-weight:500;font-size:.92rem;padding-top:0}td:first-child{width:45%}td time,td code{white-space:nowrap}table+h2{margin-top:1.8rem}tbody th{font-weight:600}.narrow{display:none}.changes-table td:last-child{width:55%}.changes-table :is(th,td){vertical-align:baseline}.changes-table select{width:16rem}.changes-table .fields{margin:.3rem 0}.whole tbody tr{position:relative}.whole td:first-child a::after{content:"";position:absolute;inset:0}.whole tbody tr:hover td:first-child a{text-decoration-thickness:2px}
.foot{position:sticky;bottom:0;background:var(--page);border-top:1px solid var(--line);padding:.7rem 0;margin:0}html:has(.foot){scroll-padding-bottom:6rem}.foot form{display:flex}
@media (max-width:40rem){.bar{gap:.5rem}.bar a{font-size:.95rem}.on{width:min-content;overflow-wrap:normal}thead{position:absolute;clip-path:inset(50%)}tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.6rem 0;border-top:1px solid var(--line)}td,tbody th{border:0;padding:.1rem 0}td:first-child,tbody th,.changes-table td:last-child,.changes-table select{width:100%}.narrow{display:inline}.entries li:has(.out){grid-template-columns:minmax(4.7rem,max-content) 1fr}.entries .out{grid-column:2;justify-self:start;padding:.2rem 0}.changes-table tbody th:not([colspan]){flex:1;width:auto}.changes-table .fields label{width:auto}td[data-label]::before{content:attr(data-label)" ";color:var(--soft);font-size:.92rem}.foot{flex-wrap:nowrap}.foot form{flex:1 1 auto}.foot form:last-child:not(:first-child){flex:3 1 auto}.foot button{padding:.5rem;overflow-wrap:normal}.wide section{padding:1rem .9rem}nav{margin:0 -.4rem 1.2rem}nav ul{gap:0;justify-content:space-between}nav a,nav button{padding:.3rem .05rem;font-size:.75rem}.hide{display:none}.count:not(:empty){margin-left:.1rem;padding:0 .25rem;font-size:.72rem}.fields label,.fields input:not([size]),.filters .fields input,.filters select{width:100%}.filters .fields{display:grid;grid-template-columns:repeat(2,minmax(0,1fr))}.filters .fields label{min-width:0}.filters label:last-child{grid-column:1/-1}body{padding:1rem .8rem 3rem}section{padding:1rem .9rem}dl,dl.rules div,.entries.dated li,.entries.dated li:has(.out),.entries.dated li .line{grid-template-columns:1fr;gap:0}.entries.dated li .line,.entries.dated .out{grid-column:1}dd{margin-bottom:.5rem}.item{flex-direction:column}.item>div:first-child{width:100%}.row button,.row .button,.row:not(.foot)>form{flex:1 1 100%;width:100%}}
`

export const STYLE_PATH = namedByHash('/owner/style.css', STYLE)
export const SCRIPT_PATH = namedByHash('/owner/passkey.js', PASSKEY_SCRIPT)
export const CONSOLE_SCRIPT_PATH = namedByHash('/owner/console.js', CONSOLE_SCRIPT)

type IconSize = keyof typeof ICON_PNGS
export const ICON_SIZES = Object.keys(ICON_PNGS).map(Number) as IconSize[]
/** Where the mark of this width in pixels is. */
export const iconPath = (size: IconSize): string =>
  namedByHash(`/owner/icon-${size}.png`, ICON_PNGS[size])

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
      src: iconPath(size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  ),
})

/** What makes the owner's pages an app on a phone: its manifest, its icon, and the colour around the page. */
const AS_AN_APP = html`<link rel="manifest" href="${MANIFEST_PATH}" />
  <link rel="apple-touch-icon" href="${iconPath(180)}" />
  ${Object.entries(PAGE_COLOURS).map(([scheme, colour]) => html`<meta name="theme-color" content="${colour}" media="(prefers-color-scheme: ${scheme})" />`)}`

interface PageParts {
  head?: Html
  top?: Html
  /** Stands in the row of the name: how things are, and the button that changes it. */
  status?: Html | undefined
  wide?: boolean
  /** Another style sheet than that of the owner's pages. */
  style?: string
}

/** The name of the practice, as the way to the console. */
const toConsole = (place: string): Html => html`<a href="/owner">${nameAtHead(place)}</a>`

/** A whole page. */
export const page = (
  title: string,
  place: string,
  body: Html,
  { head, top, status, wide = false, style = STYLE_PATH }: PageParts = {},
): string =>
  wholePage(
    `${title} · ${nameAtHead(place)}`,
    style,
    html`<header>
        <div class="bar">
          <p class="where">
            ${MARK}
            ${style === STYLE_PATH ? toConsole(place) : place}
          </p>
          ${status ?? ''}
        </div>
        ${top ?? ''}
      </header>
      <main id="main">${body}</main>`,
    html`${style === STYLE_PATH ? AS_AN_APP : ''} ${head ?? ''}`,
    wide ? 'wide' : '',
  )

/** A page that says one thing; `more` stands under it. */
export const notePage = (
  title: string,
  place: string,
  text: string,
  more: Html | '' = '',
): string =>
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
export const PASSKEY_PAGE = { head: html`<script src="${SCRIPT_PATH}" defer></script>` }

/** A button that asks for a passkey; its script makes it work. */
export const passkeyButton = (act: string, text: string): Html =>
  html`<button type="button" class="main" disabled data-passkey="${act}">${text}</button>`

/** A line of a list of facts; nothing where there is no value. */
export const row = (title: string, value: Html | string | null): Html | '' =>
  value === null
    ? ''
    : html`<div>
        <dt>${title}</dt>
        <dd>${value}</dd>
      </div>`

/** Sentences under each other. */
export const bullets = (all: readonly (Html | string)[], look = ''): Html =>
  html`<ul class="changes ${look}">
    ${all.map((one) => html`<li>${one}</li>`)}
  </ul>`
