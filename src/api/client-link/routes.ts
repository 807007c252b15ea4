import type { Context } from 'hono'
import * as z from 'zod'

import { canonicalEmail } from '../../core/domain/email.ts'
import { Problem, problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, type ProblemCode } from '../../core/domain/problem/problems.ts'
import { SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import { sensitivePart } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { instantOf, localDay } from '../../core/domain/time/time.ts'
import type { Limits } from '../../core/ports/services.ts'
import { eventTypeNamed } from '../../practice/operations/booking/time-fields.ts'
import { refuseAsking } from '../../practice/operations/booking/what-is-asked.ts'
import { standingOfMaker } from '../../practice/operations/client/standing.ts'
import {
  OFFERED,
  completeClientLink,
  completedLink,
  noticeVersion,
  previewedCompletion,
} from '../../practice/operations/complete-client-link.ts'
import {
  type LinkRead,
  callerOfLink,
  linkOfToken,
  readClientLink,
} from '../../practice/operations/invite-client.ts'
import { practiceMode } from '../../practice/operations/operation.ts'
import { performUnderLink } from '../../practice/operations/perform.ts'
import { checkInput } from '../../practice/operations/validation.ts'
import type { App, AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'
import { isForeignForm } from '../http/foreign.ts'
import { asset } from '../http/read-answer.ts'
import * as views from './views.ts'

const SEALED_FOR = 2 * HOUR
const PURPOSE = 'client link form'

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Robots-Tag': 'noindex',
}

/** What was typed, the version of the notice above it, and the token of the preview that showed it. */
const typedSchema = z.object({
  fields: z.looseObject({ link_id: z.string(), start_time: z.string().optional() }),
  notice: z.string().nullable(),
  token: z.string().optional(),
  until: z.number().optional(),
})
type Typed = z.infer<typeof typedSchema>

type Page = views.LinkPage & { c: Context<AppEnv>; isForm: boolean }
type Visit = Page & LinkRead & { makersScopes: readonly string[] }

const LOOK_AGAIN = 'Something has changed since. Please look once more. Nothing was sent.'
const TAKEN = 'That time has just been taken. Nothing was sent.'
const TOO_LONG = 'More than two hours have passed. Type it again. Nothing was sent.'
const BUSY = 'The calendar does not answer just now. Nothing was sent. Try again in a minute.'
const IN_DOUBT =
  'It was sent, and the answer of the calendar did not come. It may be booked. We keep checking: do not send it again.'
const USED = 'This link was used in another window. What you typed here was not sent.'

type Code = ProblemCode | 'ok'
type Status = 200 | 410 | 422 | (typeof PROBLEMS)[ProblemCode]['status']

const statusOf = (code: Code): Status =>
  code === 'ok' ? 200 : code === 'validation_failed' ? 422 : PROBLEMS[code].status

function say({ c }: Page, page: string, code: Code, status = statusOf(code)) {
  c.var.log.code = code
  return c.html(page, status, HEADERS)
}

const stop = (
  page: Page,
  code: Code,
  title: string,
  text: string,
  canRetry?: boolean,
  status?: Status,
) => say(page, views.statePage(page, title, text, canRetry), code, status)

/** Adds the page of a client link, which needs no credential but its own address. */
export function addClientLinkRoutes(app: App, limitsOf: (c: Context<AppEnv>) => Limits): void {
  app.get(views.CLIENT_STYLE_PATH, asset(views.CLIENT_STYLE, 'text/css'))
  app.on(['GET', 'POST'], '/c/:token', async (c) => {
    const { log, services, site } = c.var
    const { practice, modes, isRestoredLately } = site()
    const mode = practiceMode(services.modes)
    Object.assign(log, { operation: 'client_link_page', mode })
    const isForm = c.req.method === 'POST'
    if (isForm && isForeignForm(c)) throw problem('address_not_allowed')
    const isMock = modes.scheduling === 'mock'
    const page = {
      c,
      isForm,
      practice: practice.name,
      terms: practice.bookingTerms,
      action: c.req.path,
      isMock,
    }
    const linkId = await linkOfToken(await services.keyring(), c.req.param('token'), mode)
    if (linkId === undefined)
      return stop(
        page,
        'client_link_not_found',
        'This link does not work',
        'Copy all of it once more.',
      )
    log.caller = callerOfLink(linkId)
    // Programs that look at links ask so; the answer says only that the address is one.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, HEADERS)
    await limitsOf(c).count(log.caller, isForm ? 'changes' : 'reads')
    const read = await readClientLink(services, linkId)
    if (!read) return stop(...(isRestoredLately ? wasLost(page) : isNew(page)))
    const found = { ...page, ...read, makersScopes: [] }
    try {
      const ended = (await pressedAgain(found)) ?? endOf(found)
      if (ended) return ended
      const standing = await standingOfMaker(read.link, services)
      if (!standing) return endedWithMaker(found)
      const visit = { ...found, makersScopes: standing.scopes }
      return await (isForm ? act(visit) : ask(visit))
    } catch (thrown) {
      const code = thrown instanceof Problem ? thrown.refusal.code : 'internal_error'
      const paused = `Nothing was sent. At the moment ${practice.name} accepts nothing on this page.`
      if (code !== 'paused' && (code === 'internal_error' || statusOf(code) < 500)) throw thrown
      return stop(page, code, 'Not now', code === 'paused' ? paused : BUSY, true, 503)
    }
  })
}

/** The page of a link that is not open; undefined for an open one. */
function endOf(visit: Visit) {
  const { practice, state, result } = visit
  if (state === 'open') return undefined
  if (state === 'checking') return stop(visit, 'ok', 'We are still checking', IN_DOUBT, true)
  if (state === 'ended_by_restore') return stop(...endedByRestore(visit))
  if (state !== 'completed') {
    const text = `It ${state === 'expired' ? 'has expired' : 'was withdrawn'}. Ask ${practice} for a new link.`
    return stop(visit, 'client_link_not_found', 'This link is not open any more', text, false, 410)
  }
  return visit.isForm
    ? stop(visit, 'idempotency_key_reused', 'Not sent', USED, true)
    : say(visit, views.donePage(visit, completedLink.safeParse(result).data?.booking ?? null), 'ok')
}

type Stop = Parameters<typeof stop>

const isNew = (page: Page): Stop => [
  page,
  'client_link_not_found',
  'One moment',
  'This link is new.',
  true,
  503,
]

/** What keeps a client who may have booked already from booking twice. */
const FIRST_ASK = ({ practice }: Page): string =>
  `If you have booked a time with this link, that booking stands: do not book again, and ask ${practice} about it.`

/** A link that is not known after a restore was made after the backup. */
const wasLost = (page: Page): Stop => [
  page,
  'client_link_not_found',
  'This link does not work any more',
  `${FIRST_ASK(page)} Otherwise ask ${page.practice} for a new link.`,
  // One that was made just now may not have arrived.
  true,
  410,
]

/** Whether a link of a backup was used after it was made is known to nobody here. */
function endedByRestore(visit: Visit): Stop {
  const { practice, link } = visit
  const day = localDay(instantOf(link.ended_by_restore_at!), link.timezone)
  const sent = link.ask.includes('time')
    ? FIRST_ASK(visit)
    : `If you sent your details before then, ask ${practice} whether they have them before you send anything again.`
  const text = `This link ended on ${day}. ${sent} If you have sent nothing yet, ask ${practice} for a new link.`
  return [visit, 'client_link_not_found', 'This link is not open any more', text, false, 410]
}

const endedWithMaker = (visit: Visit) =>
  stop(
    visit,
    'client_link_not_found',
    'This link is not open any more',
    `It was withdrawn. Ask ${visit.practice} for a new link.`,
    false,
    410,
  )

/** A second press of the same button gets the answer of the first, however late, and sends nothing. Undefined for all else. */
async function pressedAgain(visit: Visit): Promise<Response | undefined> {
  if (!visit.isForm || visit.state !== 'completed') return undefined
  const typed = await opened(visit, (await typedForm(visit.c.req.raw)).get('sealed') ?? '')
  return typed?.token ? attempt(visit, typed, typed.token) : undefined
}

/** The free times that a link offers now; none if it asks for no time. Throws what reading them throws. */
async function timesOf({ c, link }: Visit): Promise<number[]> {
  if (!link.ask.includes('time')) return []
  const { practice, scheduling, offeredTimes, now } = c.var.services
  const eventType = eventTypeNamed(practice, link.event_type ?? undefined)
  const times = await offeredTimes.of(eventType.name, async () => {
    const free = await scheduling.slots(eventType, now(), now() + OFFERED)
    // What the client types here would be lost otherwise. After the times: it costs no request.
    refuseAsking(await scheduling.eventType(eventType), practice)
    return free.map(({ start }) => start)
  })
  return times.filter((start) => start > now())
}

type Asked = Partial<Pick<views.FormView, 'errors' | 'form' | 'said'>> & { typed?: Typed }

/** The form. Of the details that were typed before, it asks again for the time and a changed notice only. */
async function ask(visit: Visit, { typed, ...asked }: Asked = {}, code: Code = 'ok') {
  const { practice, scheduling } = visit.c.var.services
  const chosen = typed?.fields.start_time
  const times = await timesOf(visit).catch((thrown: unknown) => {
    // The chosen time can be tried again if the times cannot be read.
    if (chosen === undefined) throw thrown
    return [instantOf(chosen)]
  })
  const none = `Nothing was sent. Ask ${visit.practice} for a new link.`
  if (visit.link.ask.includes('time') && times.length === 0)
    return stop(visit, 'slot_unavailable', 'No time is free any more', none)
  const provider =
    scheduling.provider === 'mock' ? undefined : SCHEDULING_PROVIDERS[scheduling.provider].label
  const isRead = typed && typed.notice === (await noticeVersion(practice))
  const notice = isRead ? null : practice.clientLinkNotice
  const fresh = { errors: new Map<string, string>(), form: new Map([['start_time', chosen ?? '']]) }
  const sealed = typed && (await seal(visit, typed))
  return say(
    visit,
    views.formPage({ ...visit, provider, times, notice, sealed, ...fresh, ...asked }),
    code,
  )
}

async function act(visit: Visit): Promise<Response> {
  const form = await typedForm(visit.c.req.raw)
  const notice = await noticeVersion(visit.c.var.services.practice)
  const sealed = form.get('sealed')
  if (sealed === undefined) {
    const { fields, errors } = typedIn(form, visit.link)
    if (errors.size > 0)
      return ask(visit, { errors, form: withoutSensitive(form) }, 'validation_failed')
    return attempt(visit, { fields, notice })
  }
  const typed = await opened(visit, sealed)
  if (!typed || Date.now() >= (typed.until ?? 0))
    return ask(visit, { said: TOO_LONG }, 'preview_stale')
  const { fields, token } = typed
  const step = form.get('step')
  if (step === 'time') return ask(visit, { typed })
  const isRead = typed.notice === notice
  if (step === 'send' && !isRead) return ask(visit, { typed, said: LOOK_AGAIN }, 'preview_stale')
  if (step === 'send') return attempt(visit, typed, token)
  const start_time = form.get('start_time') ?? fields.start_time
  const acknowledged = isRead ? fields['acknowledged'] : form.has('acknowledged')
  return attempt(visit, { fields: { ...fields, acknowledged, start_time }, notice })
}

/** Shows what would be sent, masked; with the token of what was shown, sends it. `said`: a notice above. */
async function attempt(
  visit: Visit,
  typed: Typed,
  token?: string,
  said?: string,
  shown: Code = 'ok',
) {
  const { c, link } = visit
  const { offeredTimes, practice } = c.var.services
  const { eventTypes } = practice
  const { start_time } = typed.fields
  /** No form of this isolate offers the time any more, although its copy of the free times has it. */
  const forget = (): void => {
    // A repeat long after the commit: the practice may not offer this kind of consult any more.
    const kind = eventTypes.find(({ name }) => name === link.event_type)
    if (kind && start_time !== undefined) offeredTimes.drop(kind.name, instantOf(start_time))
  }
  try {
    // A commit reads the calendar once for each preview.
    if (token === undefined && start_time !== undefined) await offeredTimes.spend()
    const { body } = await performUnderLink(completeClientLink, typed.fields, c.var, { token })
    if (body['status'] === 'committed') {
      forget()
      return c.redirect(visit.action, 303)
    }
    const sealed = await seal(visit, typed, String(body['confirmation_token']))
    const preview = previewedCompletion.parse(body['preview'])
    return say(visit, views.checkPage({ ...visit, said }, preview, sealed), shown)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    const { code } = thrown.refusal
    if (code === 'outcome_unknown' || code === 'commit_in_progress')
      return c.redirect(visit.action, 303)
    const now = await readClientLink(c.var.services, link.link_id)
    const ended = now && endOf({ ...visit, ...now })
    if (ended) return ended
    if (code === 'slot_unavailable') {
      forget()
      return ask(visit, { typed, said: TAKEN }, code)
    }
    const isBusy = code === 'duplicate_in_doubt' || statusOf(code) >= 500
    if (code === 'paused' || (token === undefined && !isBusy)) throw thrown
    if (token === undefined) return ask(visit, { typed, said: BUSY }, 'provider_busy')
    const again = isBusy
      ? ([BUSY, 'provider_busy'] as const)
      : ([LOOK_AGAIN, 'preview_stale'] as const)
    return attempt(visit, typed, undefined, ...again)
  }
}

async function seal({ c, link }: Visit, typed: Typed, token = ''): Promise<string> {
  const kept = JSON.stringify({ ...typed, token, until: Date.now() + SEALED_FOR })
  return (await c.var.services.keyring()).seal(PURPOSE, link.link_id, kept)
}

async function opened({ c, link }: Visit, sealed: string) {
  const keyring = await c.var.services.keyring()
  const text = await keyring.open(PURPOSE, link.link_id, sealed).catch(() => undefined)
  return text === undefined ? undefined : typedSchema.parse(JSON.parse(text))
}

const TYPED = Object.values(views.FIELDS).flat()
const KNOWN = ['step', 'sealed', 'acknowledged', ...TYPED.map(({ name }) => name)]
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

/** What may be shown again to who typed it: not a field that holds a sensitive number, or broken text. */
const withoutSensitive = (form: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...form].filter(
      ([, value]) => sensitivePart(value) === undefined && !value.includes('\uFFFD'),
    ),
  )

/** The typed details as the change takes them, and the errors by field; never with a value. */
function typedIn(form: ReadonlyMap<string, string>, link: LinkRead['link']) {
  const given = (name: string) => form.get(name) || undefined
  const asked = <T>(one: (typeof link.ask)[number], value: T) =>
    link.ask.includes(one) ? value : undefined
  const answers = views.FIELDS.intake.map(({ name }) => [name, answerOf(name, given(name))])
  const fields = {
    link_id: link.link_id,
    name: given('name'),
    email: given('email'),
    entity_type: asked('details', given('entity_type')),
    answers: asked('intake', Object.fromEntries(answers) as object),
    start_time: asked('time', given('start_time')),
    acknowledged: form.has('acknowledged'),
  }
  const found = checkInput(completeClientLink.input, fields).errors ?? []
  const again = canonicalEmail(given('email_again') ?? '')
  const errors = views.fieldsOf(link).flatMap(({ name, error, isOptional }): [string, string][] => {
    const wrong = found.find(({ pointer }) => pointer.split('/').at(-1) === name)
    const differs = name === 'email_again' && again !== canonicalEmail(given('email') ?? '')
    const isMissing = !isOptional && given(name) === undefined
    // Decoders put this character in the place of one that is half or broken.
    if (given(name)?.includes('\uFFFD'))
      return [[name, 'A character of it is broken. Type it again.']]
    return wrong || differs || isMissing
      ? [[name, wrong?.kind === undefined ? error : SENSITIVE]]
      : []
  })
  return { fields, errors: new Map(errors) }
}

function answerOf(name: string, value: string | undefined): unknown {
  if (name === 'has_existing_cpa' && (value === 'yes' || value === 'no')) return value === 'yes'
  // Number() also reads 0x3, 3e0 and white space.
  return name === 'household_members' && value !== undefined && /^[0-9]+$/.test(value)
    ? Number(value)
    : value
}
