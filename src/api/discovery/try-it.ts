import type { Context } from 'hono'
import { html } from 'hono/html'

import { isLoopback } from '../../core/domain/origin.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { App, AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'
import { isForeignForm } from '../http/foreign.ts'
import type { Html } from '../http/html.ts'
import type { OpenApi } from '../openapi/reference.ts'
import {
  START_TIME,
  type Tried,
  type TriedRequest,
  triedOperation,
  triedRequest,
} from '../openapi/try-it.ts'
import { SCRIPT, codeHtml, menuOf } from './docs-page.ts'
import { publicPage } from './page.ts'
import { KEY_FIELD } from './try-it-form.ts'

/**
 * The operation of a page that can be tried on this connector; undefined where anything is live.
 */
export function triedHere(c: Context<AppEnv>, name: string, document: OpenApi): Tried | undefined {
  const { modes, allowAnonymous } = c.var.site()
  if (modes.scheduling !== 'mock' || modes.payments !== 'mock') return undefined
  return triedOperation(name, document, !(allowAnonymous && isLoopback(c.req.url)))
}

/**
 * Sends what the form of a page asks for as a call of the API, with every check and limit of one,
 * and shows the answer. It sends reads and previews only. The call carries the key that was typed
 * and nothing else of the browser: a session of the console counts for nothing. Raises `not_found`
 * where nothing can be tried, and `address_not_allowed` for a form of another site.
 */
export async function tryIt(
  app: App,
  c: Context<AppEnv>,
  { name, document }: { name: string; document: OpenApi },
): Promise<Response> {
  c.var.log.operation = 'api_reference'
  const tried = triedHere(c, name, document)
  if (!tried) throw problem('not_found')
  if (isForeignForm(c)) throw problem('address_not_allowed')
  c.var.log.mode = 'mock'
  const values = await valuesOf(c.req.raw)
  const send = (request: TriedRequest) => answerTo(app, c, request, values.get(KEY_FIELD))
  const answer =
    (await withFirstTime(tried, values, send)) ?? (await send(triedRequest(tried, values)))
  return c.html(answerHtml(tried, answer, document), 200)
}

/** What was typed. Raises `unsupported_media_type` and `payload_too_large`. */
async function valuesOf(request: Request): Promise<Map<string, string>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw problem('unsupported_media_type')
  const sent = new URLSearchParams(new TextDecoder().decode(await readBody(request)))
  // Browsers send a line end as two characters.
  return new Map([...sent].map(([name, value]) => [name, value.replaceAll('\r\n', '\n').trim()]))
}

type Send = (request: TriedRequest) => Promise<TriedAnswer>

/**
 * Fills in the first free time where a change needs one and none was typed. Returns the refusal of
 * that question, if there was one.
 */
async function withFirstTime(
  { form }: Tried,
  values: Map<string, string>,
  send: Send,
): Promise<TriedAnswer | undefined> {
  const isAsked = form.kind === 'mutation' && form.fields.some(({ name }) => name === START_TIME)
  if (!isAsked || (values.get(START_TIME) ?? '') !== '') return undefined
  const free = await send({ method: 'GET', target: '/v1/availability?limit=1', body: undefined })
  if (free.status !== 200) return free
  const { slots = [] } = free.body as { slots?: { start_time: string }[] }
  if (slots[0]) values.set(START_TIME, slots[0].start_time)
  return undefined
}

/** What the API of this connector answers. */
async function answerTo(
  app: App,
  c: Context<AppEnv>,
  { method, target, body }: TriedRequest,
  key: string | undefined,
): Promise<TriedAnswer> {
  const headers = new Headers({ Accept: 'application/json', 'Request-Id': c.var.requestId })
  // Keys that are not known are counted by this address.
  const from = c.req.header('CF-Connecting-IP')
  if (from !== undefined) headers.set('CF-Connecting-IP', from)
  if (key) headers.set('X-API-Key', key)
  if (body !== undefined) {
    headers.set('Content-Type', 'application/json')
    headers.set('Idempotency-Key', crypto.randomUUID())
  }
  const request = new Request(new URL(target, c.req.url), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await app.fetch(request, c.env, c.executionCtx)
  return { status: response.status, body: await response.json() }
}

/** What the API answered to a form. */
interface TriedAnswer {
  status: number
  body: unknown
}

/** The page that answers a form: what a person reads of the answer, and the answer itself. */
function answerHtml({ entry, form }: Tried, { body }: TriedAnswer, document: OpenApi): string {
  const { path } = form
  const { summary } = entry.route
  const { title, text } = saidOf(body as Said, summary)
  return publicPage(
    title,
    html`<h1>${title}</h1>
      <div class="pair">
        <div>
          ${text}
          <p class="buttons"><a href="${path}#try">Try it again</a></p>
        </div>
        <div class="side">
          <p class="cap">Answer</p>
          ${codeHtml(JSON.stringify(body, null, 2), 1)}
        </div>
      </div>`,
    { menu: menuOf(path, document), head: SCRIPT },
  )
}

/** The parts of an answer that a person reads: of a preview, of a refusal, and none of a read. */
interface Said {
  status?: unknown
  summary?: string
  warnings?: string[]
  code?: string
  title?: string
  detail?: string
  next_step?: string
}

/** What was typed may come back in these texts, so they are shown as they are, with no Markdown. */
function saidOf(
  { status, summary, warnings = [], code, title = '', detail, next_step }: Said,
  asked: string,
): { title: string; text: Html } {
  if (code !== undefined)
    return {
      title,
      text: html`<p>${detail}</p>
        <p><b>Do this:</b> ${next_step}</p>`,
    }
  if (status !== 'preview')
    return { title: asked, text: html`<p>This is what the connector answered.</p>` }
  return {
    title: 'Preview: nothing is changed yet',
    text: html`<p class="said">${summary}</p>
      ${warnings.map((one) => html`<p>${one}</p>`)}
      <p>
        This is what a person reads before they agree. A program then sends the same call again, with
        <code>"confirm": true</code> and the token.
      </p>`,
  }
}
