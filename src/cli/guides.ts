import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { html, raw } from 'hono/html'
import { Marked } from 'marked'

import { NO_PAGE, publicPage } from '../api/discovery/page.ts'
import { PROJECT_ROOT } from './wrangler.ts'

/** Where the guides are served. Their files are made before each build, and git does not keep them. */
const PLACE = '/docs/guides'

/** Decisions are for who changes the source. */
const IS_GUIDE = /^(?!decisions\/).+\.md$/
/** What a guide shows or a reader takes along, as it is. */
const IS_FILE = /^(?:[\w-]+\.png|examples\/[\w-]+\.json)$/

/** The anchor of a heading, as GitHub writes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The address of what a guide links to; undefined where it is not served. */
export function addressOf(target: string, from: string, served: ReadonlySet<string>) {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const found = posix.join(posix.dirname(from), path)
  if (!served.has(found)) return undefined
  const page = IS_GUIDE.test(found) ? found.slice(0, -'.md'.length) : found
  return `${PLACE}/${page}${anchor === undefined ? '' : `#${anchor}`}`
}

/** A guide as a page. A link to what is not served is its text alone. */
export function guidePage(markdown: string, path: string, served: ReadonlySet<string>): string {
  const text = markdown.replace(/^---\n[^]*?\n---\n/, '')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Guide'
  const marked = new Marked({ async: false })
  marked.use({
    renderer: {
      heading({ tokens, depth, text: plain }) {
        const shown = this.parser.parseInline(tokens)
        const anchor = anchorOf(plain.replaceAll(/[`*]|\]\([^)]*\)|\[/g, ''))
        return `<h${depth} id="${anchor}">${shown}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens)
        const address = addressOf(href, path, served)
        return address === undefined ? shown : `<a href="${address}">${shown}</a>`
      },
      image({ href, text: alt }) {
        return `<img src="${addressOf(href, path, served) ?? ''}" alt="${alt}">`
      },
      code({ text: code, escaped }) {
        const shown = escaped ? code : code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        return `<pre tabindex="0"><code>${shown}</code></pre>\n`
      },
    },
  })
  const body = marked
    .parse(text, { async: false })
    .replaceAll(
      '<table>',
      '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll('</table>', '</table></div>')
  return publicPage(title, raw(body) as never)
}

/** Of an address of a guide or a static file at which there is nothing. */
const notFoundPage = () =>
  publicPage(
    NO_PAGE.title,
    html`<h1>${NO_PAGE.title}</h1>
      ${NO_PAGE.text}`,
  )

/** The guides of `docs` as pages, and the page for what is not there: what is served at each address. */
export async function guideFiles(): Promise<Record<string, string | Uint8Array>> {
  const docs = join(PROJECT_ROOT, 'docs')
  const all = globSync('**/*', { cwd: docs }).map((path) => path.replaceAll('\\', '/'))
  const served = new Set(all.filter((path) => IS_GUIDE.test(path) || IS_FILE.test(path)))
  const files: Record<string, string | Uint8Array> = { '/404.html': notFoundPage() }
  for (const path of served) {
    const text = await readFile(join(docs, path))
    const isGuide = IS_GUIDE.test(path)
    const name = isGuide ? path.replace(/\.md$/, '.html') : path
    files[`${PLACE}/${name}`] = isGuide ? guidePage(text.toString(), path, served) : text
  }
  return files
}
