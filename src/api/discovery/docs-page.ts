import { html } from 'hono/html'

import { type Html, ifDefined, namedByHash } from '../http/html.ts'
import type { Sample } from '../openapi/code-samples.ts'
import type { Block, DocPage, ShownRefusal } from '../openapi/doc-page.ts'
import type { Field } from '../openapi/fields.ts'
import { FOLDED_GROUPS } from '../openapi/groups.ts'
import { pathOfPage } from '../openapi/reference-page.ts'
import { type Entry, type OpenApi, entriesOf } from '../openapi/reference.ts'
import { DOCS_SCRIPT } from './docs-script.ts'
import { publicPage } from './page.ts'
import { formHtml } from './try-it-form.ts'

export const DOCS_SCRIPT_PATH = namedByHash('/docs/pages.js', DOCS_SCRIPT)

/** The script of these pages. */
export const SCRIPT = html`<script src="${DOCS_SCRIPT_PATH}" defer></script>`

/** A page of the documents as HTML, with the menu of all of them. */
export function htmlOf(page: DocPage, document: OpenApi): string {
  const { path, title, blocks = [], pairs = [], end = [] } = page
  // Ids and names of a page are numbered in its order.
  const numbers = new Numbers()
  const shown = (some: readonly Block[]) => some.map((block) => blockHtml(block, numbers))
  return publicPage(
    title,
    html`<h1>${title}</h1>
      ${shown(blocks)}
      ${pairs.map(
        ({ text, side, form }) =>
          html`<div class="pair">
            <div>${shown(text)}${ifDefined(form, formHtml)}</div>
            <div class="side">${shown(side)}</div>
          </div>`,
      )}
      ${shown(end)}
      <p class="soft"><a href="${path}.md">This page as Markdown</a></p>`,
    {
      menu: menuOf(path, document),
      head: html`<link rel="alternate" type="text/markdown" href="${path}.md" />
        ${SCRIPT}`,
    },
  )
}

class Numbers {
  #last = 0
  next(): number {
    this.#last += 1
    return this.#last
  }
}

const link = (text: string, href: string, path: string): Html =>
  html`<li><a href="${href}" ${href === path ? html`aria-current="page"` : ''}>${text}</a></li>`

/** The pages by their groups. Those that are read less often are folded, unless one of them is shown. */
export function menuOf(path: string, document: OpenApi): Html {
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: entriesOf(document).filter(({ route }) => route.tags.includes(name)),
  }))
  return html`<nav class="menu" aria-label="Docs" tabindex="0">
    <details>
      <summary>All pages</summary>
      <p>Start</p>
      <ul>
        ${link('Your first booking', '/docs/api', path)} ${link('Errors', '/docs/errors', path)}
        ${link('All documents and routes', '/docs', path)}
      </ul>
      ${groups.map(({ name, entries }) => groupHtml(name, entries, path))}
      <p>For agents</p>
      <ul>
        ${link('llms.txt', '/llms.txt', path)}
        ${link('Example prompts', '/docs/example-prompts.md', path)}
      </ul>
    </details>
  </nav>`
}

function groupHtml(name: string, entries: readonly Entry[], path: string): Html {
  const list = html`<ul>
    ${entries.map((entry) => link(entry.route.summary, pathOfPage(entry), path))}
  </ul>`
  if (!FOLDED_GROUPS.includes(name))
    return html`<p>${name}</p>
      ${list}`
  const isHere = entries.some((entry) => pathOfPage(entry) === path)
  return html`<details class="group" ${isHere ? 'open' : ''}>
    <summary>${name}</summary>
    ${list}
  </details>`
}

function blockHtml(block: Block, numbers: Numbers): Html {
  if (typeof block === 'string')
    return block.startsWith('### ')
      ? html`<h2>${block.slice(4)}</h2>`
      : html`<p>${inline(block)}</p>`
  if ('heading' in block) return html`<h2 id="${block.id}">${block.heading}</h2>`
  if ('fields' in block) return foldedUnder(block.folded, fieldsHtml(block.fields))
  if ('sample' in block) return tabsHtml(block.sample, numbers.next())
  if ('code' in block)
    return html`<p class="cap">${block.label}</p>
      ${codeHtml(block.code, numbers.next())}`
  if ('refusals' in block)
    return foldedUnder(
      block.folded,
      html`${block.refusals.map((one) => refusalHtml(one, block.isAnchored ?? false))}`,
    )
  return html`<ul class="rows">
    ${block.links.map(([text, href]) => html`<li><a href="${href}">${inline(text)}</a></li>`)}
  </ul>`
}

const foldedUnder = (title: string | undefined, body: Html): Html =>
  title === undefined
    ? body
    : html`<details>
        <summary>${inline(title)}</summary>
        ${body}
      </details>`

const fieldsHtml = (fields: readonly Field[]): Html =>
  html`<dl class="params">
    ${fields.map((field) => {
      const { name, type, mark, notes } = field
      return html`<div>
          <dt>
            <code>${name}</code> <small>${inline(type)}${ifDefined(inPlace(field), (where) => html`, ${where}`)}</small>
            ${mark === '' ? '' : html`<span class="${mark === 'required' ? 'req' : 'opt'}">${mark}</span>`}
          </dt>
          ${notes === '' ? '' : html`<dd>${inline(notes)}</dd>`}
        </div>`
    })}
  </dl>`

/**
 * Where a field is sent that is not in the body. A header that has to be sent stands under a
 * heading that says so.
 */
const inPlace = ({ place, mark }: Field): string | undefined =>
  place === undefined || (place === 'header' && mark === 'required') ? undefined : `in the ${place}`

/** The same call in each language: the chosen one is shown, with no script. */
const tabsHtml = (sample: Sample, number: number): Html =>
  html`<div class="tabs" role="group" aria-label="Language">
    ${Object.entries(sample).map(
      ([language, code], index) =>
        html`<input type="radio" name="t${number}" id="t${number}-${language}" data-lang="${language}" ${
          index === 0 ? 'checked' : ''
        } /><label for="t${number}-${language}">${language}</label>
          <div>${codeHtml(code, `${number}-${language}`)}</div>`,
    )}
  </div>`

/** A piece of code with its button. */
export const codeHtml = (code: string, id: number | string): Html =>
  html`<div class="snip">
    <pre id="c${id}">${code}</pre>
    <button type="button" data-copy="c${id}" hidden>Copy</button>
  </div>`

function refusalHtml(refusal: ShownRefusal, isAnchored: boolean): Html {
  const { code, title, detail, nextStep, marks, facts } = refusal
  return html`<details class="err">
    <summary>
      ${title} <code>${code}</code>
      ${marks.map((mark) => html` <span class="tag ${mark === 'same call again' ? 'live' : 'mock'}">${mark}</span>`)}
    </summary>
    <div ${isAnchored ? html`id="${code}"` : ''}>
      <p>${detail}</p>
      <p><b>Do this:</b> ${inline(nextStep)}</p>
      ${
        isAnchored
          ? html`<p class="soft">${inline(facts)}</p>`
          : html`<p class="soft"><a href="/docs/errors#${code}">${code}</a></p>`
      }
    </div>
  </details>`
}

/** Text with code in backticks and with links, as Markdown writes them. */
const inline = (text: string): Html =>
  html`${[...text.matchAll(/\[`?([^\]`]+)`?\]\(([^)\s]+)\)|`([^`]+)`|[^`[]+|[`[]/g)].map(
    ([whole, label, to, code]) => {
      if (to !== undefined) return html`<a href="${to}">${label}</a>`
      return code === undefined ? whole : html`<code>${code}</code>`
    },
  )}`
