import { namedByHash } from '../http/html.ts'

/** More days than a link offers times on. */
export const MOST_DAYS = 16

/** The times of a day are seen where its button is pressed. */
const shownDays = Array.from({ length: MOST_DAYS }, (_, day) => `#d${day}:checked~.of${day}`).join()

export const CLIENT_STYLE = `:root{color-scheme:light dark;--page:light-dark(#fbfcfb,#121614);--card:light-dark(#fff,#191f1c);--text:light-dark(#17211e,#e6ebe9);--soft:light-dark(#54615c,#a3b0ab);--line:light-dark(#dbe2df,#303a36);--edge:light-dark(#7a828e,#7d8590);--accent:light-dark(#0f5c4c,#7fd3bd);--on:light-dark(#fff,#06251e);--wash:light-dark(#e6f1ee,#1b2d28);--danger:light-dark(#a8201a,#f5b5b0);--badwash:light-dark(#fbe9e7,#3a1a18);--warm:light-dark(#fdf3e1,#33270f)}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;max-width:34rem;margin:0 auto;padding:0 1rem 3rem;background:var(--page);color:var(--text);overflow-wrap:anywhere}
header{display:flex;gap:.6rem;align-items:center;min-height:3.5rem;font-weight:650}header svg{width:1.75rem;height:1.75rem;flex:none}header .name{flex:1;min-width:0}
h1{font-size:1.5rem;line-height:1.25;margin:.4rem 0}h2{font-size:1rem;line-height:1.3;margin:1.2rem 0 .4rem}.box h2{margin-top:.2rem}p{margin:.6rem 0}
.soft,.day{color:var(--soft);font-size:.93rem}.day{margin:.9rem 0 .3rem}.big{font-size:1.45rem;font-weight:650;line-height:1.25;margin:.2rem 0}
a,.link{color:var(--accent)}.link{display:inline-flex;align-items:center;min-height:2.75rem;min-width:2.75rem;padding:0 .2rem;border:0;background:none;font:inherit;text-decoration:underline;cursor:pointer;flex:none;white-space:nowrap}
button,.button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.1rem;border-radius:10px;border:1px solid var(--edge);background:var(--card);color:inherit;cursor:pointer;display:inline-flex;align-items:center;justify-content:center;text-decoration:none;text-align:center}
button:hover,.button:hover,summary:hover{border-color:var(--accent)}.main{background:var(--accent);border-color:var(--accent);color:var(--on)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.2rem 0 .4rem}.row>*{flex:1 1 9rem}.row .main{flex:1 1 100%}
.notice{padding:.6rem .9rem;border-radius:10px;background:var(--warm);margin:.8rem 0}.bad{background:var(--badwash)}.bad p{margin:.2rem 0}.bad ul{margin:.2rem 0;padding-left:1.2rem}
.box{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem;margin:.8rem 0}.picked{display:flex;justify-content:space-between;gap:.8rem;align-items:center;background:var(--wash);border-radius:10px;padding:.6rem .9rem;margin:.8rem 0}.picked small{display:block;font-size:.9rem}
dl{margin:.6rem 0}dl div{display:grid;grid-template-columns:minmax(5rem,8rem) 1fr;gap:.1rem 1rem;padding:.25rem 0}dt{color:var(--soft)}dd{margin:0;font-weight:600}dd,.words{white-space:pre-wrap}
fieldset{border:0;padding:0;margin:.8rem 0 0;min-width:0}.days{display:flex;flex-wrap:wrap;gap:.4rem;position:relative}.days>input{position:absolute;opacity:0;width:1px;height:1px}
.days>label{flex:1 0 3.6rem;max-width:6rem;min-height:2.75rem;display:flex;flex-direction:column;align-items:center;justify-content:center;border:1px solid var(--edge);border-radius:10px;background:var(--card);padding:.3rem 0;line-height:1.25;font-size:.85rem;cursor:pointer}.days b{font-size:1.15rem}.days>input:checked+label{border-color:var(--accent);background:var(--accent);color:var(--on)}.days>:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
.of{flex:0 0 100%;display:none}${shownDays}{display:block}.times{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.5rem,1fr));gap:.5rem}.times button{white-space:nowrap;padding:.4rem;border-color:var(--accent);color:var(--accent)}.times button:hover{background:var(--wash)}
details{margin:.9rem 0}summary{cursor:pointer;padding:.55rem 0;min-height:2.75rem;font-weight:600;color:var(--accent)}.zone{display:flex;gap:.5rem;align-items:end;flex-wrap:wrap}.zone .field{flex:1 1 12rem;margin:0}
.field{margin:1rem 0}.field>label:not(.tick),legend{display:block;padding:0 0 .3rem;font-weight:600}.field>.soft{margin:0 0 .3rem}.field>select~label,.field>.tick~label:not(.tick){padding-top:.5rem;font-weight:400}.field input:not([type=checkbox]),.field select,.field textarea{font:inherit;width:100%;min-height:2.75rem;padding:.5rem .7rem;border:1px solid var(--edge);border-radius:8px;background:var(--card);color:inherit}.field textarea{min-height:5.5rem}
.tick{display:flex;gap:.7rem;align-items:center;min-height:2.75rem}.tick input{width:1.2rem;height:1.2rem;margin:0;accent-color:var(--accent);flex:none}
[aria-invalid]{border-color:var(--danger)!important;border-width:2px!important}.error{color:var(--danger);font-weight:600;margin:0 0 .3rem}
ul.soft,ol{padding-left:1.3rem;margin:.6rem 0}li{padding:.15rem 0}
.spoken{position:absolute;width:1px;height:1px;margin:0;padding:0;border:0;min-height:0;overflow:hidden;clip-path:inset(50%)}
@media(max-width:30rem){dl div{grid-template-columns:1fr;gap:0}}
@media(forced-colors:active){.days>input:checked+label{forced-color-adjust:none;background:Highlight;color:HighlightText}}
`

export const CLIENT_STYLE_PATH = namedByHash('/c/style.css', CLIENT_STYLE)
