import { html } from 'hono/html'
import type * as z from 'zod'

import type { Answered } from '../../core/domain/booking-asks.ts'
import { modeOfId } from '../../core/domain/mode.ts'
import { capitalised } from '../../core/domain/name.ts'
import { spokenPhone } from '../../core/domain/phone.ts'
import { type OwnText, type PageLanguage, nameFirst } from '../../core/domain/practice.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import { dateIn, isoInZone } from '../../core/domain/time/time.ts'
import { US_ZONES } from '../../core/domain/time/us-zones.ts'
import type {
  completedLink,
  previewedCompletion,
} from '../../practice/operations/complete-client-link.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'
import { type Html, MARK, wholePage } from '../http/html.ts'
import { bullets, hiddenFields, row } from '../pages/layout.ts'
import FILES from '../pages/static-files.json' with { type: 'json' }
import { asksOnPage } from './asked.ts'
import { clockAt } from './clock.ts'
import { asked, control, wordsFor } from './controls.ts'
import { type FieldName, type TypedForm, type Wrong, isOptional, typedFieldsOf } from './fields.ts'
import { ACKNOWLEDGED } from './form.ts'
import { type About, type DetailsView, LANGUAGES, type LinkPage, placeOf } from './link-page.ts'
import type { Words } from './words-en.ts'

/** What was chosen on the page, as it stands behind its path; empty where that is nothing. */
function queryOf({ language, zone }: LinkPage['chosen'], more: object = {}) {
  const query = new URLSearchParams({
    ...(language !== undefined && { lang: language }),
    ...(zone !== undefined && { zone }),
    ...more,
  })
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The address of the page with what was chosen on it. */
export const addressOf = ({ path, chosen }: LinkPage) => path + queryOf(chosen)

/** What a press of a button asks for. */
export const STEPS = ['time', 'details', 'check', 'send'] as const
export type Step = (typeof STEPS)[number]

/** The form that holds what was typed, if the page has one, and the step that shows the same page again. */
interface HoldingForm {
  step: Step
  /** What Enter in a field does; a browser takes the first button of a form. */
  onEnter?: Html
}

const FORM = 'form'

/**
 * The way to the page in the other language: a button of the form that holds what was typed, so
 * that nothing is lost.
 */
function languageSwitch(view: LinkPage, holds: HoldingForm | undefined) {
  const other: PageLanguage = view.language === 'en' ? 'es' : 'en'
  const { name } = LANGUAGES[other]
  // Relative: the page of an address that is no link does not repeat it.
  const address = queryOf({ ...view.chosen, language: other })
  if (!holds)
    return html`<a class="link" lang="${other}" hreflang="${other}" href="${address}">${name}</a>`
  return html`<button class="link" lang="${other}" form="${FORM}" formaction="${address}" formnovalidate name="step" value="${holds.step}">${name}</button>`
}

/** A page under its title; `tab` is the title of its window. */
function clientPage(
  view: LinkPage,
  title: string,
  body: Html,
  {
    tab = title,
    holds,
    saysTrial = false,
  }: { tab?: string | undefined; holds?: HoldingForm | undefined; saysTrial?: boolean } = {},
) {
  const { practice, isMock, said, words, language } = view
  const trial = html`<p class="notice">${words.trial}</p>`
  const alert = said !== undefined && html`<div class="notice bad" role="alert">${said}</div>`
  return wholePage(
    `${tab} · ${nameFirst(practice)}`,
    FILES['client-link.css'],
    html`<header>
        ${MARK}<span class="name">${nameFirst(practice)}</span>${holds?.onEnter ?? ''}${languageSwitch(view, holds)}
      </header>
      <main id="main">
        <h1>${title}</h1>
        ${alert}${body}${isMock && !saysTrial && trial}
      </main>`,
    { language },
  )
}

/** A quiet line, where there is one: whom to call is said only where the settings name a number. */
const soft = (text: Html | string | null) =>
  text === null ? '' : html`<p class="soft">${text}</p>`

/** A page that says what the state is, with a button that looks again if that can help. */
export function statePage(view: LinkPage, title: string, text: string, canRetry = false): string {
  const { words } = view
  const again = html`<p class="row"><a class="button" href="${addressOf(view)}">${words.lookAgain}</a></p>`
  return clientPage(
    view,
    title,
    html`<p>${text}</p>
      ${canRetry && again}${soft(view.words.call)}`,
  )
}

/** The state, for a person who has typed something: the same page goes on with it. */
export function heldPage(
  view: LinkPage,
  { title, text, sealed, step }: { title: string; text: string; sealed: string; step: Step },
): string {
  const { words } = view
  return clientPage(
    view,
    title,
    html`<p>${text}</p>
      <p>${words.said.held}</p>
      <form method="post" action="${addressOf(view)}" class="row" id="${FORM}">
        ${hiddenFields([['sealed', sealed]])}
        <button class="main" name="step" value="${step}">${words.tryAgain}</button>
      </form>
      ${soft(view.words.call)}`,
    { holds: { step } },
  )
}

const knownZone = (zone: string, { zones }: Words) =>
  Object.entries(zones).find(([one]) => one === zone)?.[1]

/** What people call a zone: a place in it. */
const zonePlace = (zone: string, words: Words) =>
  knownZone(zone, words)?.[0] ?? zone.split('/').at(-1)!.replaceAll('_', ' ')

const zoneOption = (zone: string, words: Words) => {
  const known = knownZone(zone, words)
  return known ? `${known[0]} (${known[1]})` : zone.replaceAll('_', ' ')
}

/** The zones that a page offers: that of the link first. */
export const zonesOf = ({ timezone }: KeptLink) => [...new Set<string>([timezone, ...US_ZONES])]

/** The zone of the times before it, as a sentence: `New York time.` */
function zoneSentence({ zone, words }: LinkPage) {
  const text = words.zoneTime(zonePlace(zone, words))
  return `${capitalised(text)}.`
}

/** A moment as the page says it, without its zone: `Monday, November 30, 9:00 AM`. */
function spoken(ms: number, { words, zone }: LinkPage) {
  const clock = clockAt(ms, zone, words.locale)
  return `${words.day(clock)}, ${words.time(clock)}`
}

export const spokenDay = (ms: number, { words, zone }: LinkPage) =>
  words.day(clockAt(ms, zone, words.locale))

/**
 * What, how long and where: `Tax consult, 30 minutes, by video`. The title is in the practice's own
 * language.
 */
function aboutWords({ title, minutes, place }: About, view: LinkPage) {
  const { words } = view
  const said = [title, minutes && words.minutes(minutes), place && placeOf(place, words)]
  return said.filter(Boolean).join(', ')
}

interface TimesView extends LinkPage {
  link: KeptLink
  about: About
  times: readonly number[]
  /** What was typed before, sealed; undefined where nothing was. */
  sealed: string | undefined
  /** The time that was pressed before, in epoch ms. */
  pressed: number | undefined
  error: Wrong | undefined
}

/** The times by day. A time goes on by itself: it is the button. */
export function timesPage(view: TimesView): string {
  const { words, about, sealed, error, link, zone } = view
  const { times: say } = words
  const said = error === undefined ? view.said : wrongFields(view, new Map([['start_time', error]]))
  const until = Date.parse(link.expires_at)
  const ends = `${spoken(until, view)} (${words.zoneTime(zonePlace(zone, words))})`
  const hidden = sealed === undefined ? '' : hiddenFields([['sealed', sealed]])
  return clientPage(
    { ...view, said },
    say.title,
    html`<p>${say.who} <b>${aboutWords(about, view)}</b>. ${say.zone} <b>${say.zoneOf(zonePlace(zone, words))}</b></p>
      <form method="post" action="${addressOf(view)}" id="${FORM}">
        ${hidden}${dayTabs(view)}
      </form>
      ${otherZone(view, hidden)}
      ${soft(say.notYet)}${soft(say.noneFits)}${soft(say.worksUntil(ends))}${sealed !== undefined && soft(words.useButtons)}`,
    {
      tab: error && `${words.error}: ${say.title}`,
      holds: sealed === undefined ? undefined : { step: 'time' },
    },
  )
}

/** A choice of days, and under it the times of the day that is chosen. */
function dayTabs(view: TimesView) {
  const { times, zone, words, pressed } = view
  const clockOf = (start: number) => clockAt(start, zone, words.locale)
  const byDay = Map.groupBy(times, (start) => dateIn(start, zone))
  const days = [...byDay].map(([date, starts]) => ({ date, starts, clock: clockOf(starts[0]!) }))
  const at = days.findIndex(({ starts }) => pressed !== undefined && starts.includes(pressed))
  const open = Math.max(at, 0)
  const time = (start: number) =>
    html`<button name="start_time" value="${isoInZone(start, zone)}">${words.time(clockOf(start))}</button>`
  return html`<fieldset class="days" id="start_time">
    <legend class="spoken">${words.times.dayAndTime}</legend>
    ${days.map(
      ({ date, starts, clock }, n) =>
        html`<input type="radio" name="day" id="d${n}" value="${date}" ${n === open && 'checked'} /><label for="d${n}"><span class="spoken">${words.day(clock)}</span><span aria-hidden="true">${clock.shortWeekday}</span><b aria-hidden="true">${clock.day}</b></label>
          <div class="of">
            <h2 class="day">${words.day(clock)}</h2>
            <div class="times">${starts.map(time)}</div>
          </div>`,
    )}
  </fieldset>`
}

/** The same times on the clock of another place. What was typed goes along, and never into an address. */
function otherZone(view: TimesView, hidden: Html | '') {
  const { words, link, zone, sealed, chosen } = view
  const { times: say } = words
  const option = (one: string) =>
    html`<option value="${one}" ${one === zone && 'selected'}>${zoneOption(one, words)}</option>`
  const language = chosen.language !== undefined && hiddenFields([['lang', chosen.language]])
  const carried = sealed === undefined ? language : hidden
  const action = sealed === undefined ? view.path : addressOf(view)
  const again = sealed === undefined ? '' : html`name="step" value="time"`
  return html`<details>
    <summary>${say.other}</summary>
    <form method="${sealed === undefined ? 'get' : 'post'}" action="${action}" class="zone">
      ${carried}
      <div class="field">
        <label for="zone">${say.yourZone}</label>
        <select id="zone" name="zone">
          ${zonesOf(link).map(option)}
        </select>
      </div>
      <button ${again}>${say.show}</button>
    </form>
  </details>`
}

/** What is typed: the details, and the answers, those that are optional folded. */
export function detailsPage(view: DetailsView): string {
  const { link, errors, notice, words, pressed, form } = view
  const { details: say } = words
  const fields = typedFieldsOf(link)
  const optional = fields.filter(isOptional)
  const required = fields.filter((name) => !isOptional(name))
  const isOpen = optional.some((name) => errors.has(name) || Boolean(form[name]))
  const isWrong = errors.size > 0
  const more = html`<details ${isOpen && 'open'}>
    <summary>${say.more(optional.length)}</summary>
    ${optional.map((name) => control(view, name))}
  </details>`
  const onEnter = html`<button class="spoken" form="${FORM}" name="step" value="check" tabindex="-1" aria-hidden="true">${say.review}</button>`
  return clientPage(
    isWrong ? { ...view, said: wrongFields(view, errors) } : view,
    say.title,
    html`${pressed === undefined ? html`<p>${say.who}</p>` : pickedTime(view, pressed)}
      <form method="post" action="${addressOf(view)}" id="${FORM}">
        ${pressed !== undefined && hiddenFields([['start_time', isoInZone(pressed, view.zone)]])}
        ${required.map((name) => control(view, name))}${asked(view)}${optional.length > 0 && more}
        ${link.ask.includes('time') && termsOf(view)}${notice !== null && noticeOf(view, notice)}
        <p class="notice">${say.never}</p>
        <div class="row"><button class="main" name="step" value="check">${say.review}</button></div>
      </form>
      ${soft(say.notYet)}
      <details>
        <summary>${say.whoSees}</summary>
        ${bullets(whoSees(view), 'soft')}
      </details>
      ${soft(view.words.call)}`,
    {
      tab: isWrong ? `${words.error}: ${say.title}` : undefined,
      holds: { step: 'details', onEnter },
    },
  )
}

function pickedTime(view: DetailsView, pressed: number) {
  const { words, about } = view
  const { details: say } = words
  return html`<div class="picked">
    <span><b>${spoken(pressed, view)}</b><small>${zoneSentence(view)} ${aboutWords(about, view)}</small></span>
    <button class="link" form="${FORM}" formnovalidate name="step" value="time" aria-label="${say.changeTime}">${say.change}</button>
  </div>`
}

/** A text of the practice, marked with its language where that is not the page's. */
const own = (text: OwnText, { language }: LinkPage) =>
  text.language === language
    ? html`<p class="words">${text.text}</p>`
    : html`<p class="words" lang="${text.language}">${text.text}</p>`

const termsOf = (view: LinkPage) =>
  html`${
    view.terms &&
    html`<section class="box" aria-labelledby="terms">
        <h2 id="terms">${view.words.details.terms}</h2>
        ${own(view.terms, view)}
      </section>`
  }`

const noticeOf = (view: DetailsView, text: OwnText) =>
  html`<section class="box" aria-labelledby="notice">
    <h2 id="notice">${view.words.details.notice}</h2>
    ${own(text, view)}
    <label class="tick"><input type="checkbox" name="${ACKNOWLEDGED}" value="yes" ${ACKNOWLEDGED in view.form && 'checked'} />${view.words.details.haveRead}</label>
  </section>`

const wrongFields = ({ words }: LinkPage, errors: ReadonlyMap<string, Wrong>) =>
  html`<p><strong>${words.said.wrong}</strong></p>
    ${bullets([...errors].map(([control, { label, text }]) => html`<a href="#${control}">${labelled(label)} ${text}</a>`))}`

/** A label before what is said about it; a question ends by itself. */
const labelled = (label: string) => (/[\p{L}\p{N})”»]$/u.test(label) ? `${label}:` : label)

/** What the maker learns of what is typed: it follows its scopes. */
function whatMakerReads({ link: { ask }, makersScopes, words }: DetailsView) {
  const readsClient = ask.includes('details') && makersScopes.includes('clients:read')
  const readsBooking = ask.includes('time') && makersScopes.includes('bookings:read')
  if (!readsClient && !readsBooking) return words.details.toldDone
  return readsClient && ask.includes('intake')
    ? words.details.readsAnswers
    : words.details.readsClient
}

function whoSees(view: DetailsView): string[] {
  const { words, link } = view
  const { details: say } = words
  return [
    link.ask.includes('time') ? say.toCalendar : say.noAddress,
    ...(asksOnPage(view.asks) ? [words.asked.toCalendar] : []),
    say.kept,
    ...(link.ask.includes('intake') ? [say.answers] : []),
    whatMakerReads(view),
  ]
}

type Preview = z.infer<typeof previewedCompletion>

export interface ReviewView extends LinkPage {
  about: About
  preview: Preview
  form: TypedForm
  /** What goes to the calendar besides the name and the address, as it is sent. */
  sent: { answers: readonly Answered[]; phone: string | undefined }
  sealed: string
}

/** What will be sent, as it was typed, what will be kept of it, and the button that sends it. */
export function reviewPage(view: ReviewView): string {
  const { words, preview, form, sent, sealed, isMock } = view
  const { client, answers, booking } = preview
  const { review: say } = words
  const button = booking ? say.book : say.send
  const [name = '', email = ''] = [form['name'], form['email']]
  const kept = booking ?? {
    invitee_name: client?.display_name,
    invitee_email: client?.contact_email,
  }
  const isSaid = sent.answers.length > 0 || sent.phone !== undefined
  const isLabelled = answers?.notes !== undefined && answers.notes !== form['notes']
  return clientPage(
    view,
    say.title,
    html`<div class="box">
        ${booking ? consultOf(view, booking) : ''}
        <dl>
          ${row(say.name, name)}${row(say.email, email)}${client ? row(words.fields.entity_type[0], wordOf('entity_type', client.entity_type, words)) : ''}
          ${sent.phone !== undefined && row(words.asked.phone, spokenPhone(sent.phone))}
          ${sent.answers.map(({ question, answer }) => row(question, answer))}${answerRows(preview, words)}
        </dl>
        ${isLabelled && soft(say.labelled)}
        ${isSaid && soft(words.asked.toCalendar)}
        ${soft(say.kept(kept.invitee_name ?? '', kept.invitee_email ?? ''))}
        ${booking && !isMock ? soft(say.mail(email)) : ''}
      </div>
      ${booking ? termsOf(view) : ''}
      <form method="post" action="${addressOf(view)}" class="row" id="${FORM}">
        ${hiddenFields([['sealed', sealed]])}
        <button class="main" name="step" value="send">${button}</button>
        <button name="step" value="details">${say.change}</button>
        ${booking ? html`<button name="step" value="time">${say.anotherTime}</button>` : ''}
      </form>
      ${soft(say.notYet(button))} ${soft(words.useButtons)}${soft(view.words.call)}`,
    { holds: { step: 'check' } },
  )
}

const wordOf = (name: FieldName, value: string, words: Words): string =>
  wordsFor(name, words)?.[value] ?? value

function answerRows({ answers }: Preview, words: Words): (Html | '')[] {
  const given = new Map<string, string | number | boolean | undefined>(
    Object.entries(answers ?? {}),
  )
  const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')
  return typedFieldsOf({ ask: ['intake'] }).map((name) => {
    const value = given.get(name)
    if (value === undefined) return ''
    const text = typeof value === 'boolean' ? yesOrNo(value) : String(value)
    return row(words.fields[name][0], wordOf(name, text, words))
  })
}

type Consult = Pick<NonNullable<Preview['booking']>, 'start_time' | 'end_time' | 'location'>

/** When, in whose zone, what, how long and where. */
function consultOf(view: LinkPage & { about: About }, consult: Consult) {
  const { about } = view
  const [start, end] = [Date.parse(consult.start_time), Date.parse(consult.end_time)]
  const minutes = Math.round((end - start) / MINUTE)
  const now = { ...about, minutes, place: consult.location }
  return html`<p class="big">${spoken(start, view)}</p>
    ${soft(`${zoneSentence(view)} ${aboutWords(now, view)}`)}`
}

export interface DoneView extends LinkPage {
  about: About
  booking: z.infer<typeof completedLink>['booking']
}

/** By which the address of a link asks for the consult as a file. */
export const CALENDAR_FILE = 'calendar'

/** The end: when and where, without the typed details, since the maker of the link can open it too. */
export function donePage(view: DoneView): string {
  const { booking, words, chosen } = view
  const { done: say } = words
  if (!booking) return statePage(view, say.received, say.hasIt)
  const isBooked = booking.state !== 'pending_host_approval'
  const mail = isBooked ? say.mail : say.mailWhenAccepted
  const next = [
    ...(isBooked ? [] : [say.accepts]),
    mail,
    say.toChange,
    ...(say.noMail === null ? [] : [say.noMail]),
  ]
  const title = isBooked ? say.booked : say.asked
  // Relative, since the address of a link is its secret.
  const file = queryOf(chosen, { file: CALENDAR_FILE })
  return clientPage(
    view,
    // What a client sees, and that it was tried: once.
    modeOfId(booking.booking_id) === 'mock' ? `${title} ${say.trial}` : title,
    html`${consultOf(view, booking)}
      ${isBooked && html`<p><a class="button" href="${file}" download>${say.toCalendar}</a></p>`}
      <h2>${say.next}</h2>
      <ol>
        ${next.map((one) => html`<li>${one}</li>`)}
      </ol>
      ${soft(say.close)}`,
    { saysTrial: true },
  )
}
