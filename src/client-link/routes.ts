// Long, since the states of the page follow from each other.
import type { Context } from 'hono'
import * as z from 'zod'
import { STYLE } from '../access/pages/layout.ts'
import { sha256 } from '../crypto/encoding.ts'
import { Problem, problem } from '../domain/problem/problem.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problem/problems.ts'
import { SCHEDULING_PROVIDERS } from '../domain/providers.ts'
import { canonicalEmail } from '../domain/email.ts'
import { HOUR } from '../domain/time/duration.ts'
import { instantOf } from '../domain/time/time.ts'
import type { App, AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'
import { asset } from '../http/read-answer.ts'
import { eventTypeNamed } from '../operations/booking/time-fields.ts'
import { performUnderLink } from '../operations/perform.ts'
import {
  type KeptLink,
  type LinkRead,
  callerOfLink,
  linkOfToken,
  readClientLink,
} from '../operations/invite-client.ts'
import {
  OFFERED,
  completeClientLink,
  completedLink,
  previewedCompletion,
} from '../operations/complete-client-link.ts'
import { unlessPaused } from '../operations/context.ts'
import { practiceMode } from '../operations/operation.ts'
import { checkInput } from '../operations/validation.ts'
import type { Limits } from '../ports/services.ts'
import {
  CLIENT_STYLE,
  CLIENT_STYLE_PATH,
  FIELDS,
  type FormView,
  type LinkPage,
  checkPage,
  donePage,
  formPage,
  statePage,
} from './views.ts'

const SEALED_FOR = 2 * HOUR
const PURPOSE = 'client link form'

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Robots-Tag': 'noindex',
}

const typedSchema = z.object({
  fields: z.looseObject({ link_id: z.string(), start_time: z.string().optional() }),
  notice: z.string().nullable(),
})
type Typed = z.infer<typeof typedSchema>

const sealedSchema = typedSchema.extend({ until: z.number(), token: z.string() })

type Status = 200 | 404 | 409 | 410 | 422 | 503

interface Visit extends LinkRead {
  c: Context<AppEnv>
  view: LinkPage
}

const LOOK = 'Look again'
const LOOK_AGAIN = 'Something has changed since. Please look once more. Nothing was sent.'
const TAKEN = 'That time has just been taken. Nothing was sent.'
const TOO_LONG = 'More than two hours have passed. Type it once more. Nothing was sent.'
const BUSY = 'The calendar does not answer just now. Nothing was sent. Try again in a minute.'
const IN_DOUBT =
  'It was sent, and the answer of the calendar did not come. It may be booked. We keep checking: do not send it again.'

function say(c: Context<AppEnv>, page: string, status: Status, code: ProblemCode | 'ok' = 'ok') {
  c.var.log.code = code
  return c.html(page, status, HEADERS)
}

/** Adds the page of a client link, which needs no credential but its own address. */
export function addClientLinkRoutes(app: App, limitsOf: (c: Context<AppEnv>) => Limits): void {
  app.get(CLIENT_STYLE_PATH, asset(STYLE + CLIENT_STYLE, 'text/css'))
  const route =
    (answer: (visit: Visit) => Promise<Response>, isForm: boolean) => async (c: Context<AppEnv>) => {
      const { log, services, site } = c.var
      const mode = practiceMode(services.modes)
      Object.assign(log, { operation: 'client_link_page', mode })
      if (isForm && c.req.header('Sec-Fetch-Site') === 'cross-site') throw problem('address_not_allowed')
      const { practice, modes } = site()
      const view = { practice: practice.name, action: c.req.path, isMock: modes.scheduling === 'mock' }
      const stop = (status: Status, code: ProblemCode, title: string, text: string, again?: string) =>
        say(c, statePage(view, title, text, again), status, code)
      const linkId = await linkOfToken(await services.keyring(), c.req.param('token') ?? '', mode)
      if (linkId === undefined)
        return stop(404, 'client_link_not_found', 'This link does not work', 'Copy all of it once more.')
      log.caller = callerOfLink(linkId)
      await limitsOf(c).count(log.caller, isForm ? 'changes' : 'reads')
      const read = await readClientLink(services, linkId)
      if (!read) return stop(503, 'client_link_not_found', 'One moment', 'This link is new.', LOOK)
      const visit = { c, view, ...read }
      const maker = { caller: read.link.made_by, services }
      try {
        return endOf(visit, isForm) ?? (await unlessPaused(maker, () => answer(visit)))
      } catch (thrown) {
        const code = thrown instanceof Problem ? thrown.refusal.code : 'internal_error'
        const paused = `Nothing was sent. At the moment ${practice.name} accepts nothing on this page.`
        if (code === 'paused') return stop(503, code, 'Not now', paused, LOOK)
        if (code === 'internal_error' || PROBLEMS[code].status < 500) throw thrown
        return stop(503, code, 'Not now', BUSY, LOOK)
      }
    }
  const show = route((visit) => ask(visit), false)
  app.get('/c/:token', show).post('/c/:token', route(act, true))
}

/** The page of a link that is not open; undefined for an open one. `isForm`: a form was sent. */
function endOf({ c, view, state, body }: Visit, isForm: boolean) {
  const { practice } = view
  if (state === 'open') return undefined
  if (state === 'checking') return say(c, statePage(view, 'We are still checking', IN_DOUBT, LOOK), 200)
  if (state !== 'completed') {
    const text = `It ${state === 'expired' ? 'has expired' : 'was withdrawn'}. Ask ${practice} for a new link.`
    return say(c, statePage(view, 'This link is not open any more', text), 410, 'client_link_not_found')
  }
  const used = 'This link was used in another window. What you typed here was not sent.'
  if (isForm) return say(c, statePage(view, 'Not sent', used, LOOK), 409, 'idempotency_key_reused')
  const result = completedLink.safeParse(Reflect.get(body ?? {}, 'result'))
  return say(c, donePage(view, result.data?.booking ?? null), 200)
}

/** The free times that a link offers now; none if it asks for no time. Throws what reading them throws. */
async function timesOf({ c, link }: Visit): Promise<number[]> {
  if (!link.ask.includes('time')) return []
  const { practice, scheduling, now } = c.var.services
  const eventType = eventTypeNamed(practice, link.event_type ?? undefined)
  const free = await scheduling.slots(eventType, now(), now() + OFFERED)
  return free.map(({ start }) => start).filter((start) => start > now())
}

async function noticeOf({ c }: Visit) {
  const text = c.var.services.practice.clientLinkNotice
  return { text, hash: text === null ? null : await sha256(text) }
}

type Asked = Partial<Pick<FormView, 'errors' | 'form' | 'said'>> & { typed?: Typed }

/** The form. Of the details that were typed before, it asks again for the time and a changed notice only. */
async function ask(visit: Visit, { typed, said, ...asked }: Asked = {}, status: Status = 200) {
  const { c, view, link } = visit
  const chosen = typed?.fields.start_time
  const times = await timesOf(visit).catch((thrown: unknown) => {
    // The chosen time can be tried again if the times cannot be read.
    if (chosen === undefined) throw thrown
    return [instantOf(chosen)]
  })
  if (link.ask.includes('time') && times.length === 0) {
    const none = `Nothing was sent. Ask ${view.practice} for a new link.`
    return say(c, statePage(view, 'No time is free any more', none), 409, 'slot_unavailable')
  }
  const { adapterId } = c.var.services.scheduling
  const provider = Object.entries(SCHEDULING_PROVIDERS).find(([name]) => name === adapterId)?.[1].label
  const { text, hash } = await noticeOf(visit)
  const notice = typed?.notice === hash ? null : text
  const { errors = new Map<string, string>(), form = new Map([['start_time', chosen ?? '']]) } = asked
  const sealed = typed && (await seal(visit, typed, ''))
  const page = formPage({ ...view, link, provider, times, notice, errors, form, sealed, said })
  return say(c, page, status, status === 200 ? 'ok' : status === 422 ? 'validation_failed' : 'preview_stale')
}

async function act(visit: Visit): Promise<Response> {
  const form = await typedForm(visit.c.req.raw)
  const { hash: notice } = await noticeOf(visit)
  const sealed = form.get('sealed')
  if (sealed === undefined) {
    const { fields, errors } = typedIn(form, visit.link)
    return errors.size > 0 ? ask(visit, { errors, form }, 422) : attempt(visit, { fields, notice })
  }
  const kept = await opened(visit, sealed)
  if (!kept) return ask(visit, { said: TOO_LONG }, 409)
  const step = form.get('step')
  if (step === 'time') return ask(visit, { typed: kept })
  if (step === 'send')
    return kept.notice === notice
      ? attempt(visit, kept, kept.token)
      : ask(visit, { typed: kept, said: LOOK_AGAIN }, 409)
  const start_time = form.get('start_time') ?? kept.fields.start_time
  const acknowledged = kept.notice === notice ? kept.fields['acknowledged'] : form.has('acknowledged')
  const fields = { ...kept.fields, acknowledged, ...(start_time !== undefined && { start_time }) }
  return attempt(visit, { fields, notice })
}

/** Shows what would be sent, masked; with the token of what was shown, sends it. `said`: a notice above. */
async function attempt(visit: Visit, typed: Typed, token?: string, said?: string, status: Status = 200) {
  const { c, view, link } = visit
  const { services, site, requestId, note: audit } = c.var
  const commit = token === undefined ? { confirm: false } : { confirm: true, confirmation_token: token }
  try {
    const asking = { services, origin: site().origin, requestId, audit }
    const { body } = await performUnderLink(completeClientLink, { ...typed.fields, ...commit }, asking)
    if (body['status'] === 'committed') return c.redirect(view.action, 303)
    const sealed = await seal(visit, typed, String(body['confirmation_token']))
    return say(c, checkPage(view, previewedCompletion.parse(body['preview']), sealed, said), status)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    const { code } = thrown.refusal
    if (code === 'outcome_unknown' || code === 'commit_in_progress') return c.redirect(view.action, 303)
    const now = await readClientLink(services, link.link_id)
    const ended = now && endOf({ ...visit, ...now }, true)
    if (ended) return ended
    if (code === 'slot_unavailable') return ask(visit, { typed, said: TAKEN }, 409)
    const isBusy = code === 'duplicate_in_doubt' || PROBLEMS[code].status >= 500
    if (code === 'paused' || (token === undefined && !isBusy)) throw thrown
    if (token === undefined) return ask(visit, { typed, said: BUSY }, 503)
    return attempt(visit, typed, undefined, isBusy ? BUSY : LOOK_AGAIN, isBusy ? 503 : 409)
  }
}

async function seal({ c, link }: Visit, { fields, notice }: Typed, token: string): Promise<string> {
  const kept = { fields, notice, token, until: Date.now() + SEALED_FOR }
  return (await c.var.services.keyring()).seal(PURPOSE, link.link_id, JSON.stringify(kept))
}

async function opened({ c, link }: Visit, sealed: string) {
  const keyring = await c.var.services.keyring()
  const text = await keyring.open(PURPOSE, link.link_id, sealed).catch(() => undefined)
  const kept = text === undefined ? undefined : sealedSchema.parse(JSON.parse(text))
  return kept && Date.now() < kept.until ? kept : undefined
}

const TYPED = Object.values(FIELDS).flatMap((fields) => fields.map(({ name }) => name))
const KNOWN = [...TYPED, 'step', 'sealed', 'acknowledged']
const SENSITIVE = 'Leave out Social Security, tax, card and account numbers, and documents.'

/** The fields of a form. Raises a problem for a form that our pages do not send. */
async function typedForm(request: Request): Promise<Map<string, string>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw problem('unsupported_media_type')
  const sent = [...new URLSearchParams(new TextDecoder().decode(await readBody(request)))]
  // Browsers send a line end as two characters, and count it as one.
  const form = new Map(sent.map(([name, value]) => [name, value.replaceAll('\r\n', '\n').trim()]))
  if (form.size < sent.length || sent.some(([name]) => !KNOWN.includes(name)))
    throw problem('validation_failed')
  return form
}

/** The typed details as the change takes them, and the errors by field; never with a value. */
function typedIn(form: ReadonlyMap<string, string>, { link_id, ask }: KeptLink) {
  const given = (name: string) => form.get(name) || undefined
  const answers = FIELDS.intake.map(({ name }) => [name, answerOf(name, given(name))])
  const fields = {
    link_id,
    name: given('name'),
    email: given('email'),
    ...(ask.includes('details') && { entity_type: given('entity_type') }),
    ...(ask.includes('intake') && { answers: Object.fromEntries(answers) as object }),
    ...(ask.includes('time') && { start_time: given('start_time') }),
    acknowledged: form.has('acknowledged'),
  }
  const found = checkInput(completeClientLink.input, fields).errors ?? []
  const asked = ['always', ...ask].flatMap((one) => FIELDS[one as keyof typeof FIELDS])
  const again = canonicalEmail(given('email_again') ?? '')
  const errors = asked.flatMap(({ name, error, isOptional }): [string, string][] => {
    const wrong = found.find(({ pointer }) => pointer.split('/').at(-1) === name)
    const differs = name === 'email_again' && again !== canonicalEmail(given('email') ?? '')
    const isMissing = !isOptional && given(name) === undefined
    return wrong || differs || isMissing ? [[name, wrong?.kind === undefined ? error : SENSITIVE]] : []
  })
  return { fields, errors: new Map(errors) }
}

function answerOf(name: string, value: string | undefined): unknown {
  if (name === 'has_existing_cpa' && (value === 'yes' || value === 'no')) return value === 'yes'
  return name === 'household_members' && value !== undefined ? Number(value) : value
}
