import { html, raw } from 'hono/html'
import type * as z from 'zod'

import { entityTypeSchema } from '../../core/domain/client.ts'
import { answersSchema } from '../../core/domain/intake.ts'
import { isoInZone, localDay, localTime } from '../../core/domain/time/time.ts'
import type {
  completedLink,
  previewedCompletion,
} from '../../practice/operations/complete-client-link.ts'
import type { KeptLink } from '../../practice/operations/invite-client.ts'
import { type Html, ifDefined, namedByHash } from '../http/html.ts'
import { STYLE, bullets, page, row } from '../pages/layout.ts'

interface Field {
  name: string
  label: string
  error: string
  options?: readonly string[]
  isOptional?: boolean
}

const text = (name: string, label: string, error: string, isOptional = false): Field => {
  return { name, label, error, isOptional }
}
const choice = (
  name: string,
  label: string,
  options: readonly string[],
  isOptional = true,
): Field => {
  return { name, label, options, isOptional, error: 'Choose one of them.' }
}

const { primary_goal, tax_situation, preferred_meeting, annual_revenue_band } = answersSchema.shape

/** The fields for each thing that a link asks; every client has a name and an email address. */
export const FIELDS = {
  always: [
    text('name', 'Your name', 'Enter your name, in at most 200 characters.'),
    text('email', 'Email address', 'Enter an email address, such as name@example.com.'),
    text('email_again', 'Email address again', 'The two email addresses differ. Enter both again.'),
  ],
  details: [choice('entity_type', 'You are a client as', entityTypeSchema.options, false)],
  intake: [
    choice('primary_goal', 'What do you want most?', primary_goal.options, false),
    choice('tax_situation', 'Your tax situation', tax_situation.unwrap().options),
    choice('has_existing_cpa', 'Do you have an accountant (CPA) now?', ['yes', 'no']),
    choice('preferred_meeting', 'How do you like to meet?', preferred_meeting.unwrap().options),
    text('household_members', 'People in your household', 'Enter a number from 1 to 12.', true),
    choice(
      'annual_revenue_band',
      'Yearly revenue of your business',
      annual_revenue_band.unwrap().options,
    ),
    text('notes', 'Anything else?', 'Enter at most 500 characters.', true),
  ],
  time: [text('start_time', 'Choose a time', 'Choose a time.')],
}

/** The fields of what a link asks for. */
export const fieldsOf = (link: KeptLink) =>
  ['always' as const, ...link.ask].flatMap((one) => FIELDS[one])

/** The styles of the owner's pages, but in one column, with fields as wide as a phone. */
export const CLIENT_STYLE = `${STYLE}body{max-width:34rem}
.field{margin:1.1rem 0}.field>label{display:block;padding:0 0 .3rem;font-weight:600;cursor:default}.field .error,.field .soft{margin:0 0 .3rem}.field .error::before{content:"Error: "}
.field input:not([type=radio]),.field select,.field textarea{font:inherit;width:100%;min-height:2.75rem;padding:.5rem .7rem;border:1px solid var(--edge);border-radius:8px;background:var(--card);color:inherit}.field textarea{min-height:7rem}
.field fieldset{border:0;padding:0;margin:0}.times{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));gap:.5rem;padding:.3rem 0}.times label,.tick{min-height:2.75rem;align-items:center;border:1px solid var(--edge);border-radius:8px;padding:.4rem .7rem}.times label:has(:checked){border-color:var(--accent);outline:2px solid var(--accent)}
.words,dl.rules dd{white-space:pre-wrap}.row{flex-direction:column}.row button,.row .button{width:100%;font-size:1rem}dl.rules dd{font-weight:600}
`

export const CLIENT_STYLE_PATH = namedByHash('/c/style.css', CLIENT_STYLE)

/** What every page of a link has. */
export interface LinkPage {
  practice: string
  /** What a booking is subject to, in the words of the practice. */
  terms: string | null
  action: string
  isMock: boolean
  /** Stands before the rest. */
  said?: Html | string | undefined
}

/** A page under its title; `tab` is the title of its window. */
function clientPage(
  { practice, isMock, said }: LinkPage,
  title: string,
  body: Html,
  tab = title,
): string {
  const trial = html`<p class="notice"><strong>A trial:</strong> nothing real is booked.</p>`
  const alert = ifDefined(said, (what) => html`<div class="notice bad" role="alert">${what}</div>`)
  const parts = [isMock ? trial : '', html`<h1>${title}</h1>`, alert, body]
  return page(tab, practice, html`${parts}`, { style: CLIENT_STYLE_PATH })
}

/** A page that says how things stand, with a button that looks again if that can help. */
export function statePage(view: LinkPage, title: string, text: string, canRetry = false): string {
  const again = html`<p class="row"><a class="button" href="${view.action}">Look again</a></p>`
  return clientPage(view, title, html`${[html`<p>${text}</p>`, canRetry ? again : '']}`)
}

/** The end: when and where, without the typed details, since the maker of the link can open it too. */
export function donePage(
  view: LinkPage,
  booking: z.infer<typeof completedLink>['booking'],
): string {
  if (!booking)
    return statePage(
      view,
      'Received',
      `${view.practice} has what you sent. You can close this page.`,
    )
  const isBooked = booking.state !== 'pending_host_approval'
  return clientPage(
    view,
    isBooked ? 'Booked' : 'Asked for',
    html`<section><dl class="rules">${when(booking)}</dl></section>
      <p>${isBooked ? '' : `${view.practice} still has to accept it.`} You can close this page.</p>`,
  )
}

const when = ({ local_time, location }: NonNullable<Preview['booking']>): Html =>
  html`${row('When', local_time)} ${row('Where', location)}`

/** Shown in place of a value whose name says too little. */
const WORDS: Readonly<Record<string, string>> = {
  llc: 'LLC',
  joint: 'Couple filing jointly',
  s_corp: 'S corporation',
  c_corp: 'C corporation',
  multi_state: 'Several states',
  virtual: 'By video or phone',
  under_100k: 'Under $100,000',
  '100k_500k': '$100,000 to $500,000',
  '500k_2m': '$500,000 to $2 million',
  over_2m: 'Over $2 million',
  true: 'Yes',
  false: 'No',
}
const wordsOf = (value: string): string =>
  WORDS[value] ?? value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ')

export interface FormView extends LinkPage {
  link: KeptLink
  provider: string | undefined
  /** What the maker of the link may do. */
  makersScopes: readonly string[]
  times: readonly number[]
  /** The owner's notice, if it is still to be shown. */
  notice: string | null
  errors: ReadonlyMap<string, string>
  /** What was typed before, in the answer to that form alone; without fields that held a sensitive number. */
  form: ReadonlyMap<string, string>
  /** The details of before, sealed: then the form asks only for a time and the notice. */
  sealed: string | undefined
}

/** The form: all that the link asks for, or only what has changed since the rest was typed. */
export function formPage(view: FormView): string {
  const { link, errors, sealed, notice } = view
  const isBooking = link.ask.includes('time')
  const title = isBooking ? 'Book a time' : 'Your details'
  const typed = fieldsOf(link).filter(({ name }) => name !== 'start_time')
  const isWrong = errors.size > 0
  return clientPage(
    isWrong ? { ...view, said: allErrors(errors) } : view,
    title,
    html`${sealed === undefined ? whatHappens(view) : ''}
      <form method="post" action="${view.action}">
        ${sealed === undefined ? typed.map((field) => control(view, field)) : html`<input type="hidden" name="sealed" value="${sealed}" />`}
        ${isBooking ? timeChoice(view) : ''} ${isBooking ? termsOf(view) : ''} ${notice === null ? '' : noticeOf(view.practice, notice)}
        <div class="row"><button class="main" name="step" value="check">Check</button></div>
        <p class="soft">Nothing is sent before you have checked it on the next page.</p>
      </form>`,
    isWrong ? `Error: ${title}` : title,
  )
}

const termsOf = ({ practice, terms }: LinkPage): Html =>
  html`${ifDefined(
    terms ?? undefined,
    (text) =>
      html`<section aria-labelledby="terms">
        <h2 id="terms">Terms of ${practice}</h2>
        <p class="words">${text}</p>
      </section>`,
  )}`

const noticeOf = (practice: string, text: string): Html =>
  html`<section aria-labelledby="notice">
    <h2 id="notice">Notice of ${practice}</h2>
    <p class="words">${text}</p>
    <label class="tick"><input type="checkbox" name="acknowledged" value="yes" />I have read this</label>
  </section>`

const allErrors = (errors: FormView['errors']): Html =>
  html`<p><strong>Something is missing or wrong. Nothing was sent.</strong></p>
    ${bullets([...errors].map(([name, error]) => html`<a href="#${name}">${error}</a>`))}`

/** What the maker is told of what is typed: it follows its scopes. */
function whatMakerReads({ link: { ask }, makersScopes }: FormView): string {
  const told = 'The assistant that sent you this link is told that you are done'
  const readsClient = ask.includes('details') && makersScopes.includes('clients:read')
  const readsBooking = ask.includes('time') && makersScopes.includes('bookings:read')
  if (!readsClient && !readsBooking) return `${told}, not what you type.`
  const answers = readsClient && ask.includes('intake')
  const kept = answers
    ? 'your initials, your masked email address and your answers'
    : 'your initials and your masked email address'
  return `${told}, and can read ${kept}.`
}

function whatHappens(view: FormView): Html {
  const { practice, provider = 'the calendar' } = view
  const { ask } = view.link
  const address = ask.includes('time')
    ? `Your name and email address go to ${provider} for the booking.`
    : 'Nobody can read your email address here afterwards.'
  const answers = `It keeps your answers for ${practice}, which decides who may read them.`
  const all = [
    `${address} This service keeps your initials and a masked email address.`,
    ...(ask.includes('intake') ? [answers] : []),
    whatMakerReads(view),
    'Never type Social Security, account or card numbers.',
  ]
  return html`<p>This page is from ${practice}.</p>
    ${bullets(all, 'soft')}`
}

const EMAIL =
  'type="email" inputmode="email" autocapitalize="none" spellcheck="false" maxlength="254"'
const ATTRIBUTES: Readonly<Record<string, string>> = {
  name: 'autocomplete="name" maxlength="200"',
  email: `${EMAIL} autocomplete="email"`,
  email_again: `${EMAIL} autocomplete="off"`,
  household_members: 'type="number" min="1" max="12" inputmode="numeric"',
}

function control(
  { errors, form }: FormView,
  { name, label, options, isOptional = false }: Field,
): Html {
  const error = errors.get(name)
  const wrong = error === undefined ? '' : `aria-invalid="true" aria-describedby="${name}-error"`
  const marks = raw(`id="${name}" name="${name}" ${wrong} ${isOptional ? '' : 'required'}`)
  const option = (value: string, text: string): Html =>
    html`<option value="${value}" ${form.get(name) === value ? 'selected' : ''}>${text}</option>`
  return html`<div class="field">
    <label for="${name}">${label}${isOptional ? ' (optional)' : ''}</label>
    ${ifDefined(error, (text) => html`<p class="error" id="${name}-error">${text}</p>`)}
    ${
      options
        ? html`<select ${marks}>
            ${option('', isOptional ? 'No answer' : 'Choose…')}
            ${options.map((value) => option(value, wordsOf(value)))}
          </select>`
        : name === 'notes'
          ? // A browser drops the first line break.
            html`<textarea ${marks} maxlength="500">${'\n'}${form.get(name) ?? ''}</textarea>`
          : html`<input ${marks} ${raw(ATTRIBUTES[name] ?? '')} value="${form.get(name) ?? ''}" />`
    }
  </div>`
}

/** The free times by day; the day of the chosen time is open, or the first. */
function timeChoice({ link: { timezone }, times, errors, form }: FormView): Html {
  const chosen = times.find((start) => isoInZone(start, timezone) === form.get('start_time'))
  const days = Map.groupBy(times, (start) => localDay(start, timezone))
  const open = localDay(chosen ?? times[0] ?? 0, timezone)
  const time = (start: number, day: string): Html => {
    const mark = start === chosen ? 'checked' : ''
    const box = html`<input type="radio" name="start_time" value="${isoInZone(start, timezone)}" ${mark} />`
    return html`<label>${box} ${localTime(start, timezone).slice(day.length + 2)}</label>`
  }
  return html`<div class="field" id="start_time">
    <h2>Choose a time</h2>
    <p class="soft">All times are ${timezone.replaceAll('_', ' ')} time.</p>
    ${ifDefined(errors.get('start_time'), (text) => html`<p class="error">${text}</p>`)}
    ${[...days].map(
      ([day, starts]) =>
        html`<details ${day === open ? 'open' : ''}>
          <summary>${day}</summary>
          <fieldset>
            <legend class="spoken">${day}</legend>
            <div class="times">${starts.map((start) => time(start, day))}</div>
          </fieldset>
        </details>`,
    )}
  </div>`
}

type Preview = z.infer<typeof previewedCompletion>

/** What will be sent and kept, masked, and the button that sends it. */
export function checkPage(
  view: LinkPage,
  { client, answers, booking }: Preview,
  sealed: string,
): string {
  const given = new Map(Object.entries<string | number | boolean | undefined>(answers ?? {}))
  return clientPage(
    view,
    'Is this right?',
    html`<section>
        <dl class="rules">
          ${row('Name', booking?.invitee_name ?? client?.display_name ?? null)}
          ${row('Email address', booking?.invitee_email ?? client?.contact_email ?? null)}
          ${booking ? when(booking) : ''} ${client ? row('Client as', wordsOf(client.entity_type)) : ''}
          ${FIELDS.intake.map(({ name, label, options }) => {
            const value = given.get(name)
            return value === undefined
              ? ''
              : row(label, options ? wordsOf(String(value)) : String(value))
          })}
        </dl>
        <p class="soft">Name and email address are shortened here on purpose.</p>
      </section>
      ${booking ? termsOf(view) : ''}
      <form method="post" action="${view.action}" class="row">
        <input type="hidden" name="sealed" value="${sealed}" />
        <button class="main" name="step" value="send">${booking ? 'Book this time' : 'Send'}</button>
        ${booking ? html`<button name="step" value="time">Another time</button>` : ''}
        <a class="button" href="${view.action}">Start again</a>
      </form>`,
  )
}
