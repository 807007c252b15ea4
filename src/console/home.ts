import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { EVERYBODY } from '../domain/house-rules.ts'
import { textOfPage } from '../http/html.ts'
import { instantOf, isoInZone } from '../domain/time.ts'
import type { AuditPage } from '../ports/audit.ts'
import { entryList } from './audit.ts'
import { auditAddress } from './audit-query.ts'
import type { CallerNames } from './caller-names.ts'
import { type DayCounts, chart } from './chart.ts'
import { byDay, clockIn, dayHeading } from './dates.ts'
import { type NeedsView, howMany, needsYou } from './needs-you.ts'
import { RENEW_SCRIPT_PATH } from './renew-script.ts'
import { type Part, type ShellView, UNREAD, consolePage, setOf } from './shell.ts'

/** A booking as `list_bookings` gives it, masked. */
export interface ShownBooking {
  booking_id: string
  state: string
  start_time: string
  event_type: string
  invitee_email: string
  invitee_name: string | null
  made_here: boolean
}

export interface HomeView {
  shell: ShellView
  names: CallerNames
  needs: NeedsView
  bookings: Part<{ bookings: ShownBooking[]; more: boolean }>
  /** The last 14 days, today last. */
  days: Part<DayCounts[]>
  ends: Part<AuditPage>
}

/** The first page of the console: how things stand, what needs the owner, what is coming, and what was done. */
export const homePage = (view: HomeView): string =>
  consolePage(
    view.shell,
    { title: 'Owner', script: RENEW_SCRIPT_PATH },
    html`<p class="spoken" role="status" id="news"></p>
      <div id="now">${now(view)}</div>
      <section aria-labelledby="coming">
        <h2 id="coming">Today and the next 7 days</h2>
        ${coming(view)}
      </section>
      <section aria-labelledby="done">
        <h2 id="done">What was done in 14 days</h2>
        ${view.days === 'unread' ? UNREAD : chart(view.days, view.shell.clock.zone)}
        <h3 class="above">The last changes that ended</h3>
        ${ends(view)}
      </section>`,
  )

/** What is renewed while the page is looked at. */
export type NowView = Pick<HomeView, 'shell' | 'names' | 'needs'>

const now = (view: NowView): Html =>
  html`<h1>${state(view)}</h1>
    ${needsYou(view.shell, view.names, view.needs)}`

/** How things stand and what needs the owner, as a part of the page. */
export const nowPart = (view: NowView): string => textOfPage(now(view))

/** How things stand, in one sentence. */
function state({ shell, needs }: NowView): string {
  const { scheduling, payments } = shell.modes
  if (shell.rules === 'unread' || Object.values(needs).includes('unread'))
    return 'Not everything could be read just now.'
  const waiting = howMany(needs)
  if (waiting > 0) return waiting === 1 ? 'One thing needs you.' : `${waiting} things need you.`
  if (setOf(shell.rules, EVERYBODY).rules.paused) return 'All is well, and all agents are paused.'
  if (scheduling !== payments) return `All is well. Scheduling is ${scheduling}, payments are ${payments}.`
  return scheduling === 'live' ? 'All is well. Live.' : 'All is well. Mock: nothing real happens.'
}

function coming({ shell: { clock }, bookings: found }: HomeView): Html {
  if (found === 'unread') return UNREAD
  const { bookings, more } = found
  if (bookings.length === 0) return html`<p>No consults are booked.</p>`
  return html`${byDay(bookings, ({ start_time }) => instantOf(start_time), clock.zone).map(
    ([day, ofDay]) =>
      html`<h3 class="day">${dayHeading(day, clock)}</h3>
        <ul class="entries">
          ${ofDay.map(
            (one) =>
              html`<li class="plain">
                ${clockIn(instantOf(one.start_time), clock.zone)}
                <span
                  >${one.invitee_name === null ? '' : `${one.invitee_name}, `}${one.invitee_email}
                  <span class="soft"
                    >${one.event_type}${one.state === 'confirmed' ? '' : ', you still have to accept it'}${
                      one.made_here
                        ? html` · <a href="${auditAddress({ id: one.booking_id })}">made here</a>`
                        : ''
                    }</span
                  ></span
                >
              </li>`,
          )}
        </ul>`,
  )}
  ${more ? html`<p class="soft">There are more: see your calendar.</p>` : ''}`
}

function ends({ shell, names, ends: found }: HomeView): Html {
  if (found === 'unread') return UNREAD
  if (found.entries.length === 0) return html`<p>None yet.</p>`
  return html`${entryList(found.entries, names, shell.clock)}
    <p class="row">
      <a class="button" href="${auditAddress({ event: 'commit' })}">All changes</a>
      <a
        class="button"
        href="${auditAddress({ from: isoInZone(shell.clock.now, shell.clock.zone).slice(0, 10) })}"
        >All of today</a
      >
    </p>`
}
