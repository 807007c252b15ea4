import { readSaid } from '../../core/domain/booking-asks.ts'
import type { Asked } from '../../core/domain/event-type.ts'
import { textIn } from '../../core/domain/practice.ts'
import { Problem, type Refusal, problem, refusalFacts } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, type ProblemCode } from '../../core/domain/problem/problems.ts'
import { pauseRefusal } from '../../core/domain/rules/house-rules.ts'
import { HOUR, SECOND } from '../../core/domain/time/duration.ts'
import { instantOf } from '../../core/domain/time/time.ts'
import type { Offer } from '../../core/ports/scheduling.ts'
import type { Limits } from '../../core/ports/services.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { eventTypeNamed, refuseUnbookable } from '../../practice/operations/booking/event-type.ts'
import {
  OFFERED,
  completeClientLink,
  completedLink,
  noticeVersion,
  previewedCompletion,
  accessOfMaker,
  standingOfMaker,
} from '../../practice/operations/complete-client-link.ts'
import { rulesSoon } from '../../practice/operations/context.ts'
import {
  type LinkRead,
  callerOfLink,
  linkOfToken,
  readClientLink,
} from '../../practice/operations/invite-client.ts'
import { practiceMode } from '../../practice/operations/operation.ts'
import { performUnderLink } from '../../practice/operations/perform.ts'
import type { App, AppContext } from '../http/app-env.ts'
import { isForeignForm } from '../http/foreign.ts'
import { placesOn, saidIn } from './asked.ts'
import { calendarFile } from './calendar-file.ts'
import type { Wrong } from './fields.ts'
import {
  type Typed,
  fieldsOfChange,
  notAcceptedIn,
  pressedTime,
  sentForm,
  typedIn,
  withoutSensitive,
  wrongIn,
} from './form.ts'
import { type About, type LinkPage, placeOf } from './link-page.ts'
import * as views from './views.ts'
import { CLIENT_HEADERS, visitorPage } from './visitor.ts'
import type { Words } from './words-en.ts'

const SEALED_FOR = 2 * HOUR
const CALENDAR_TIMEOUT_MS = 2 * SECOND
const PURPOSE = 'client link form'

type Page = LinkPage & { c: AppContext; isForm: boolean }
type KnownPage = Page & { linkId: string }
type Visit = KnownPage & LinkRead & { makersScopes: readonly string[] }

type Code = ProblemCode | 'ok'
type Status = 200 | 410 | 422 | (typeof PROBLEMS)[ProblemCode]['status']

function statusOf(code: Code): Status {
  if (code === 'ok') return 200
  return code === 'validation_failed' ? 422 : PROBLEMS[code].status
}

function respond({ c }: Page, page: string, code: Code, status = statusOf(code)) {
  c.var.log.code = code
  return c.html(page, status, CLIENT_HEADERS)
}

/** The state of a link, in words for its client. */
interface Standing {
  code: Code
  title: string
  text: string
  /** Whether looking again can help: the page has a button for it. */
  canRetry?: boolean
  /** The HTTP status, where it is not that of the code. */
  status?: Status
}

const stateResponse = (page: Page, { code, title, text, canRetry, status }: Standing) =>
  respond(page, views.statePage(page, title, text, canRetry), code, status)

/** A state of which the page says nothing of the link itself: its title and texts, by their names. */
interface NamedStanding extends Omit<Standing, 'text'> {
  title: StateName
  texts: readonly StateName[]
}
type StateName = keyof Words['states']

const NO_LINK = 'client_link_not_found'
const ENDED = { code: NO_LINK, status: 410 } as const

const STANDINGS = {
  noLink: { code: NO_LINK, title: 'noLink', texts: ['copyAll'] },
  // A link that was made just now may not have arrived.
  isNew: { code: NO_LINK, title: 'isNew', texts: ['isNewText'], canRetry: true, status: 503 },
  // A link that is not known after a restore was made after the backup, or just now.
  lost: { ...ENDED, title: 'lost', texts: ['standsIfBooked', 'otherwise'], canRetry: true },
  // A form of a link that was completed before.
  used: { code: 'idempotency_key_reused', title: 'notSent', texts: ['used'], canRetry: true },
  checking: { code: 'ok', title: 'checking', texts: ['inDoubt'], canRetry: true },
  expired: { ...ENDED, title: 'ended', texts: ['expired'] },
  withdrawn: { ...ENDED, title: 'ended', texts: ['withdrawn'] },
  noTimes: { code: 'slot_unavailable', title: 'noTimes', texts: ['askForLink'] },
} satisfies Record<string, NamedStanding>

function stand(page: Page, is: keyof typeof STANDINGS) {
  const { states, refused } = page.words
  const { title, texts, ...standing }: NamedStanding = STANDINGS[is]
  // A person who has pressed a button of an ended link must not wonder whether it still worked.
  const isTooLate = page.isForm && (is === 'expired' || is === 'withdrawn')
  const said = [...(isTooLate ? [refused.notSent] : []), ...texts.map((name) => states[name])]
  return stateResponse(page, { ...standing, title: states[title], text: said.join(' ') })
}

/** Adds the page of a client link, which needs no credential but its own address. */
export function addClientLinkRoutes(app: App, limitsOf: (c: AppContext) => Limits) {
  app.on(['GET', 'POST'], '/c/:token', async (c) => {
    const { log, services, site } = c.var
    const mode = practiceMode(services.modes)
    Object.assign(log, { operation: 'client_link_page', mode })
    const isForm = c.req.method === 'POST'
    if (isForm && isForeignForm(c)) throw problem('address_not_allowed')
    const visitor = { ...visitorPage(c), c, isForm }
    const linkId = await linkOfToken(await services.keyring(), c.req.param('token'), mode)
    if (linkId === undefined) return stand(visitor, 'noLink')
    const page = { ...visitor, linkId }
    log.caller = callerOfLink(linkId)
    // Programs that look at links ask so; the answer says only that the address is one.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, CLIENT_HEADERS)
    try {
      await limitsOf(c).count(log.caller, isForm ? 'changes' : 'reads')
    } catch (thrown) {
      return tooMany(page, thrown)
    }
    const read = await readClientLink(services, linkId)
    if (!read) return stand(page, site().isRestoredLately ? 'lost' : 'isNew')
    const posted = isForm ? await postedIn(page) : undefined
    const zone = zoneOf(page, read, posted?.sent.get('zone'))
    const found = { ...page, ...zone, ...read, makersScopes: [] }
    try {
      const ended = (posted && (await pressedAgain(found, posted))) ?? endOf(found)
      if (ended) return ended
      const standing = await standingOfMaker(read.link, services)
      if (!standing) return stand(found, 'withdrawn')
      const visit = { ...found, makersScopes: standing.scopes }
      return await (posted ? handleForm(visit, posted) : showForm(visit))
    } catch (thrown) {
      return notNow(found, thrown, posted)
    }
  })
}

/** A form, and what was typed so far: in it, and in the forms before it. */
interface Posted {
  sent: ReadonlyMap<string, string>
  typed: Typed
  /** What the form carried sealed; undefined where it carried nothing that opens here. */
  earlier: Typed | undefined
  isTooOld: boolean
  /** The version of the owner's notice that the page would show now. */
  notice: string | null
}

async function postedIn(page: KnownPage): Promise<Posted> {
  const sent = await sentForm(page.c.req.raw)
  const notice = await noticeVersion(page.c.var.services.practice, page.language)
  const sealed = sent.get('sealed')
  const earlier = sealed === undefined ? undefined : await opened(page, sealed)
  return {
    sent,
    typed: {
      ...earlier,
      form: { ...earlier?.form, ...typedIn(sent) },
      notice: earlier ? earlier.notice : notice,
    },
    earlier,
    isTooOld: sealed !== undefined && Date.now() >= (earlier?.until ?? 0),
    notice,
  }
}

/** The page of a link that was used too often in one minute. What a person has typed goes along. */
async function tooMany(page: KnownPage, thrown: unknown) {
  if (!(thrown instanceof Problem) || !page.isForm) throw thrown
  const { refusal } = thrown
  const posted = await postedIn(page)
  page.c.var.note({ event: 'refusal', code: refusal.code, about: refusalFacts(refusal) })
  const { refused } = page.words
  const { code } = refusal
  const said = { title: refused.title, text: refused.tooMany }
  return hold(page, posted, { ...said, code, status: PROBLEMS[code].status })
}

/** A page that says what the state is, and with which a person goes on with what they have typed. */
async function hold(
  page: KnownPage,
  { typed, sent, isTooOld }: Posted,
  { title, text, code, status }: { title: string; text: string; code: Code; status: Status },
) {
  if (isTooOld || Object.keys(typed.form).length === 0)
    return stateResponse(page, { code, title, text, canRetry: true, status })
  const step = views.STEPS.find((one) => one === sent.get('step')) ?? 'details'
  const safe = { ...typed, form: withoutSensitive(typed.form) }
  const sealed = await seal(page, safe, typed.token)
  return respond(page, views.heldPage(page, { title, text, sealed, step }), code, status)
}

/** The zone that was chosen on the page, of those that it offers; otherwise that of the link. */
function zoneOf({ c, chosen }: Page, { link }: LinkRead, asked = c.req.query('zone')) {
  const zone = views.zonesOf(link).find((one) => one === asked)
  return { zone: zone ?? link.timezone, chosen: { ...chosen, zone } }
}

/**
 * Whether only the practice can lift what stops a client: a rule of the owner, or a setting or limit
 * of the calendar.
 */
const isOfPractice = ({ code, free_slots }: Refusal) =>
  code === 'paused' ||
  code === 'house_rule' ||
  code === 'provider_misconfigured' ||
  free_slots?.length === 0

/** The page where nothing can be asked or sent now. Throws what is no refusal of that kind. */
function notNow(visit: Visit, thrown: unknown, posted: Posted | undefined) {
  const { states, said, refused } = visit.words
  if (!(thrown instanceof Problem) || thrown.refusal.code === 'internal_error') throw thrown
  const { code } = thrown.refusal
  const isLater = isOfPractice(thrown.refusal) || code === 'rate_limited' || statusOf(code) >= 500
  if (!posted && !isLater) throw thrown
  const texts: Partial<Record<ProblemCode, string>> = {
    paused: states.paused,
    house_rule: states.notTaken,
    slot_unavailable: states.notTaken,
    rate_limited: said.manyAsk,
    provider_misconfigured: states.misconfigured,
    // Of a form whose fields are right, as far as the page can tell.
    validation_failed: states.notTaken,
  }
  const state = isLater
    ? { code, title: states.notNow, text: texts[code] ?? said.busy, status: 503 as const }
    : { code, title: refused.title, text: texts[code] ?? refused.notSent, status: statusOf(code) }
  if (!posted) return stateResponse(visit, { ...state, canRetry: true })
  return hold(visit, posted, state)
}

/** The page of a link that is not open; undefined for an open one. */
function endOf(visit: Visit) {
  switch (visit.state) {
    case 'open':
      return undefined
    case 'completed':
      return visit.isForm ? stand(visit, 'used') : completed(visit)
    case 'ended_by_restore':
      return endedByRestore(visit)
    default:
      return stand(visit, visit.state)
  }
}

/** The page of a link that was completed: what was booked, as far as it is kept here and still stands. */
async function completed(visit: Visit) {
  const made = completedLink.safeParse(visit.result).data?.booking ?? null
  if (!made && visit.made.booking_id !== null) return inCalendar(visit)
  const booking = made && (await consultNow(visit, made))
  if (booking === 'changed') return changed(visit)
  if (booking && visit.c.req.query('file') === views.CALENDAR_FILE)
    return calendarFileOf(visit, booking)
  return respond(visit, views.donePage({ ...visit, about: aboutOf(visit), booking }), 'ok')
}

/**
 * A consult with the state that the calendar says, since the practice may have accepted it; `changed`
 * if it was cancelled or moved since. It stays as it was where the calendar does not answer soon, and
 * where it is not asked: during a pause, when the access of the link's maker has ended, and when all
 * links have asked too much.
 */
async function consultNow({ c, link }: Visit, made: NonNullable<views.DoneView['booking']>) {
  const { houseRules, offeredTimes, practice, providerQuota, scheduling } = c.var.services
  const by = { caller: callerOfLink(link.link_id), use: 'read' } as const
  const read = async () => {
    const [rules, standing] = await Promise.all([
      rulesSoon(houseRules, link.made_by),
      accessOfMaker(link.made_by, c.var.services),
    ])
    if (!standing || pauseRefusal(rules, practice.timezone)) return undefined
    await offeredTimes.spend()
    return providerQuota.use(by, () => scheduling.booking(made.booking_id))
  }
  const found = await withTimeout(
    read().catch(() => undefined),
    CALENDAR_TIMEOUT_MS,
  )
  if (found === undefined || found === 'late') return made
  const isSame = found.state !== 'cancelled' && found.start === instantOf(made.start_time)
  return isSame ? { ...made, state: found.state } : 'changed'
}

function changed(visit: Visit) {
  const { changed: title, changedText } = visit.words.done
  return stateResponse(visit, { code: 'ok', title, text: changedText })
}

/** The consult as a file for the client's own calendar. */
function calendarFileOf(visit: Visit, booking: NonNullable<views.DoneView['booking']>) {
  const { c, link, words } = visit
  const file = calendarFile(
    {
      uid: link.link_id,
      start: instantOf(booking.start_time),
      end: instantOf(booking.end_time),
      title: words.done.consultWith,
      place: booking.location === null ? null : placeOf(booking.location, words),
    },
    Date.now(),
  )
  return c.body(file, 200, {
    ...CLIENT_HEADERS,
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'attachment; filename="consult.ics"',
  })
}

/** The consult of a link is booked, and more of it is not kept here: it was long ago, or before a restore. */
function inCalendar(visit: Visit) {
  const { received, isInCalendar, askedAgain } = visit.words.done
  const text = visit.isFound ? `${isInCalendar} ${askedAgain}` : isInCalendar
  return stateResponse(visit, { code: 'ok', title: received, text })
}

/** Whether a link of a backup was used after it was made is known to no one here. */
function endedByRestore(visit: Visit) {
  const { link, words } = visit
  const { states } = words
  const day = views.spokenDay(instantOf(link.ended_by_restore_at!), visit)
  const sent = link.ask.includes('time') ? states.standsIfBooked : states.askIfReceived
  const text = [words.endedOn(day), sent, states.ifNothingSent].join(' ')
  return stateResponse(visit, { ...ENDED, title: states.ended, text })
}

/**
 * A second press of the same button gets the answer of the first, however late, and sends nothing.
 * Undefined for all else.
 */
async function pressedAgain(visit: Visit, { earlier }: Posted): Promise<Response | undefined> {
  if (visit.state !== 'completed' || !earlier?.token) return undefined
  return previewOrCommit(visit, earlier, { token: earlier.token })
}

/** The kind of consult of a link. */
const kindOf = ({ c, link }: Visit) =>
  eventTypeNamed(c.var.services.practice, link.event_type ?? undefined)

/** What a link offers now. Throws what reading it throws. */
async function offerOf(visit: Visit): Promise<Offer> {
  const { practice, scheduling, offeredTimes, now } = visit.c.var.services
  const eventType = kindOf(visit)
  const offer = await offeredTimes.of(eventType.id, async () => {
    const wanted = { ...eventType, timezone: practice.timezone }
    const free = await scheduling.slots(wanted, now(), now() + OFFERED)
    const details = await scheduling.eventType(eventType)
    // Nothing should be typed that cannot be sent. After the times: it costs no request.
    refuseUnbookable(details, practice)
    return { times: free.map(({ start }) => start), details }
  })
  return { ...offer, times: offer.times.filter((start) => start > now()) }
}

/**
 * What the kind of consult asks besides a name and an address; undefined where that is nothing.
 * Throws what reading it throws.
 */
async function asksOf(visit: Visit): Promise<Asked | undefined> {
  if (!visit.link.ask.includes('time')) return undefined
  const known = visit.c.var.services.offeredTimes.known(kindOf(visit).id)
  return (known ?? (await offerOf(visit)).details).asks
}

/** The kind of consult of a link; undefined where the practice does not offer it any more. */
const offeredKind = (c: AppContext, { event_type }: Visit['link']) =>
  c.var.services.practice.eventTypes.find(({ name }) => name === event_type)

/** What is known of the consult without asking for it. */
function aboutOf({ c, link }: Visit): About {
  const kind = offeredKind(c, link)
  const details = kind && c.var.services.offeredTimes.known(kind.id)
  return {
    title: details?.title ?? null,
    minutes: details?.minutes ?? null,
    // Where there are several, the client chooses.
    place: placesOn(details?.asks).length > 0 ? null : (details?.location?.text ?? null),
  }
}

const NOTHING_TYPED: Typed = { form: {}, notice: null }

/** The first page of an open link. */
const showForm = (visit: Visit, remarks?: Remarks) =>
  (visit.link.ask.includes('time') ? askTime : askDetails)(visit, NOTHING_TYPED, remarks)

interface Remarks {
  /** Stands before the rest. */
  said?: string | undefined
  errors?: ReadonlyMap<string, Wrong>
  /** The code that the log has for it, and that gives the status. */
  code?: Code
}

/** The times. What was typed before goes along, sealed. */
async function askTime(visit: Visit, typed: Typed, remarks: Remarks = {}) {
  const { said, errors, code = 'ok' } = remarks
  const pressed = pressedTime(typed.form)
  const { times } = await offerOf(visit).catch((thrown: unknown) => {
    // The time that was pressed can be tried again if the times cannot be read.
    if (pressed === undefined) throw thrown
    return { times: [pressed] }
  })
  if (times.length === 0) return stand(visit, 'noTimes')
  const { start_time: _start, ...rest } = typed.form
  const safe = { ...typed, form: withoutSensitive(typed.form) }
  const isTyped = Object.values(rest).some(Boolean)
  const sealed = isTyped ? await seal(visit, safe) : undefined
  const error = errors?.get('start_time')
  const about = aboutOf(visit)
  const shown = { said, about, times, sealed, pressed, error }
  return respond(visit, views.timesPage({ ...visit, ...shown }), code)
}

/** The details, with what was typed before, but for what no one should have typed. */
async function askDetails(visit: Visit, typed: Typed, remarks: Remarks = {}) {
  const { said, errors = new Map(), code = 'ok' } = remarks
  const { link, language, c } = visit
  const asksTime = link.ask.includes('time')
  const pressed = asksTime ? pressedTime(typed.form) : undefined
  if (asksTime && pressed === undefined) return askTime(visit, typed, remarks)
  const notice = textIn(c.var.services.practice.clientLinkNotice, language)
  const form = withoutSensitive(typed.form)
  const asks = await asksOf(visit)
  const shown = { said, about: aboutOf(visit), notice, errors, asks, form, pressed }
  return respond(visit, views.detailsPage({ ...visit, ...shown }), code)
}

/** Answers a form of the page. */
async function handleForm(visit: Visit, posted: Posted): Promise<Response> {
  const { sent, typed, earlier, isTooOld, notice } = posted
  if (isTooOld) return showForm(visit, { said: visit.words.said.tooLong, code: 'preview_stale' })
  const step = sent.get('step') ?? (await stepAfterTime(visit, typed))
  if (step === 'time') return askTime(visit, typed)
  if (step === 'details') return askDetails(visit, typed)
  // The notice is another one than that above the form, or in another language.
  if (typed.notice !== notice) {
    const { acknowledged: _of, ...form } = typed.form
    const remarks = { said: visit.words.said.lookAgain, code: 'preview_stale' } as const
    return askDetails(visit, { form, notice }, remarks)
  }
  if (step === 'send') return previewOrCommit(visit, typed, { token: earlier?.token })
  return review(visit, typed)
}

/** What follows a time that was pressed: the details, unless they were typed before. */
async function stepAfterTime(visit: Visit, typed: Typed): Promise<'details' | 'check'> {
  const { errors } = await readForm(visit, typed)
  return errors.size > 0 && !errors.has('start_time') && typed.form['start_time']
    ? 'details'
    : 'check'
}

const changeOf = ({ link, zone, language }: Visit, { form, said = {} }: Typed) =>
  fieldsOfChange(form, said, link, { timezone: zone, language })

/** What was typed with what it says to the kind of consult, and what is wrong with it. */
async function readForm(visit: Visit, { form, notice }: Typed) {
  const asks = await asksOf(visit)
  const typed: Typed = { form, notice, said: saidIn(form, asks) }
  const errors = wrongIn(form, changeOf(visit, typed), { ...visit, asks })
  return { typed, errors }
}

/** Shows what would be sent, or what is wrong with it. */
async function review(visit: Visit, posted: Typed) {
  const { typed, errors } = await readForm(visit, posted)
  if (errors.size === 0) return previewOrCommit(visit, typed)
  const ask = errors.has('start_time') ? askTime : askDetails
  return ask(visit, typed, { errors, code: 'validation_failed' })
}

interface Attempt extends Pick<Remarks, 'said' | 'code'> {
  /** The token of what was shown: what it shows is sent. */
  token?: string | undefined
}

/** Shows what would be sent, masked; with the token of what was shown, sends it. */
async function previewOrCommit(
  visit: Visit,
  typed: Typed,
  { token, said, code: shown = 'ok' }: Attempt = {},
): Promise<Response> {
  const { c } = visit
  const start = pressedTime(typed.form)
  try {
    // A commit reads the calendar once for each preview.
    if (token === undefined && start !== undefined) await c.var.services.offeredTimes.spend()
    const fields = changeOf(visit, typed)
    const { body } = await performUnderLink(completeClientLink, fields, c.var, { token })
    if (body['status'] === 'committed') {
      dropTime(visit, start)
      return c.redirect(views.addressOf(visit), 303)
    }
    const sealed = await seal(visit, typed, String(body['confirmation_token']))
    const preview = previewedCompletion.parse(body['preview'])
    const sent = readSaid(await asksOf(visit), typed.said ?? {})
    const view = { said, about: aboutOf(visit), preview, form: typed.form, sent, sealed }
    return respond(visit, views.reviewPage({ ...visit, ...view }), shown)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return afterRefusal(visit, typed, token, thrown)
  }
}

/** The page after a refusal of a preview, or of the commit of this token. Throws what it cannot answer. */
async function afterRefusal(
  visit: Visit,
  typed: Typed,
  token: string | undefined,
  refused: Problem,
): Promise<Response> {
  const { c, link } = visit
  const { code } = refused.refusal
  if (code === 'outcome_unknown' || code === 'commit_in_progress')
    return c.redirect(views.addressOf(visit), 303)
  const now = await readClientLink(c.var.services, link.link_id)
  const ended = now && endOf({ ...visit, ...now })
  if (ended) return ended
  const { taken, lookAgain, changed, ...said } = visit.words.said
  if (isOfPractice(refused.refusal)) throw refused
  const start = pressedTime(typed.form)
  if (code === 'slot_unavailable') {
    dropTime(visit, start)
    return askTime(visit, typed, { said: taken, code })
  }
  if (code === 'validation_failed' && start !== undefined) {
    c.var.services.offeredTimes.forget(kindOf(visit).id)
    const { typed: again, errors } = await readForm(visit, typed)
    const isAsAsked = errors.size === 0 && JSON.stringify(again.said) === JSON.stringify(typed.said)
    // The practice has changed what the kind asks since the form was shown.
    if (!isAsAsked) return askDetails(visit, typed, { said: changed, code: 'preview_stale' })
    const { errors: faults = [] } = refused.refusal
    const unaccepted = notAcceptedIn(faults, { ...visit, asks: await asksOf(visit) })
    if (unaccepted.size === 0) throw refused
    return askDetails(visit, typed, { errors: unaccepted, code })
  }
  // The calendar is well where our own budget for the links is used up.
  const isOverBudget = code === 'rate_limited'
  const isBusy = isOverBudget || code === 'duplicate_in_doubt' || statusOf(code) >= 500
  const busy = isOverBudget ? said.manyAsk : said.busy
  if (token === undefined) {
    if (!isBusy) throw refused
    return askDetails(visit, typed, { said: busy, code: 'provider_busy' })
  }
  // The commit was refused: show what would be sent now.
  if (isBusy) return previewOrCommit(visit, typed, { said: busy, code: 'provider_busy' })
  return previewOrCommit(visit, typed, { said: lookAgain, code: 'preview_stale' })
}

/** Offers a time no more in this isolate, although its copy of the free times has it. */
function dropTime({ c, link }: Visit, start: number | undefined) {
  // A repeat may come long after the commit.
  const kind = offeredKind(c, link)
  if (kind && start !== undefined) c.var.services.offeredTimes.drop(kind.id, start)
}

async function seal({ c, linkId }: KnownPage, typed: Typed, token = '') {
  const kept = JSON.stringify({ ...typed, token, until: Date.now() + SEALED_FOR })
  return (await c.var.services.keyring()).seal(PURPOSE, linkId, kept)
}

async function opened({ c, linkId }: KnownPage, sealed: string): Promise<Typed | undefined> {
  const keyring = await c.var.services.keyring()
  const text = await keyring.open(PURPOSE, linkId, sealed).catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Typed)
}
