// Long, since it is all that the owner sees on one page: what needs them, what is coming, and what was done.
import { html } from 'hono/html'
import type { Html } from '../../access/pages/layout.ts'
import { EVERYBODY } from '../../domain/rules/house-rules.ts'
import { textOfPage } from '../../http/html.ts'
import { instantOf, isoInZone, localDay } from '../../domain/time/time.ts'
import type { AuditPage, ChangeCounts, RefusedCaller } from '../../ports/audit.ts'
import { entryList, operationTitle } from '../audit/audit.ts'
import { auditAddress } from '../audit/query.ts'
import { type CallerNames, callerPath, nameOf } from '../shell/items.ts'
import { byDay, clockIn, dayHeading, clockOn } from '../shell/dates.ts'
import {
  RENEW_SCRIPT_PATH,
  type Part,
  type ShellView,
  UNREAD,
  consolePage,
  setOf,
  hidden,
  whenRead,
} from '../shell/shell.ts'
import type { ShownBooking } from '../../operations/booking/view.ts'
import { approvalPath } from '../../domain/rules/approval.ts'
import { DEGRADED_REASONS, type PracticeHealth } from '../../domain/provider-health.ts'
import type { UnreviewedAccess } from '../../ports/access.ts'
import type { WaitingApproval } from '../../ports/approvals.ts'
import type { Unresolved } from '../../ports/unresolved.ts'

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
    'Owner',
    html`<p class="spoken" role="status" id="news"></p>
      <div id="now">${now(view)}</div>
      <section aria-labelledby="coming">
        <h2 id="coming">Today and the next 7 days</h2>
        ${coming(view)}
      </section>
      <section aria-labelledby="done">
        <h2 id="done">What was done in 14 days</h2>
        ${whenRead(view.days, (days) => chart(days, view.shell.clock.zone))}
        <h3 class="above">The last changes that ended</h3>
        ${ends(view)}
      </section>`,
    RENEW_SCRIPT_PATH,
  )

export type NowView = Pick<HomeView, 'shell' | 'names' | 'needs'>

const now = (view: NowView): Html =>
  html`<h1>${state(view)}</h1>
    ${needsYou(view.shell, view.names, view.needs)}`

export const nowPart = (view: NowView): string => textOfPage(now(view))

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

export interface DayCounts extends ChangeCounts {
  day: number
}

/** Measures of a week in the units of its drawing; a bar and its label are as wide as a finger on a phone. */
const DAY_WIDTH = 48
const TOP = 18
const HEIGHT = 110
const LABELS = 40
const BAR = 30

/** The changes of two weeks, a bar for each day that is a link to its entries and says its numbers. */
export function chart(days: readonly DayCounts[], zone: string): Html {
  const most = Math.max(1, ...days.map(({ made, refused }) => made + refused))
  const weeks = [days.slice(0, 7), days.slice(7)]
  const sum = (name: keyof ChangeCounts): number => days.reduce((total, day) => total + day[name], 0)
  return html`<p class="legend">
      <span><i class="made"></i>${sum('made')} made</span>
      <span><i class="refused"></i>${sum('refused')} refused, or ended otherwise</span>
    </p>
    <div class="chart">
      ${weeks.map(
        (week, i) =>
          html`<svg viewBox="0 0 ${week.length * DAY_WIDTH} ${TOP + HEIGHT + LABELS}">
            ${i === 0 ? HATCH : ''}
            <line x1="0" x2="${week.length * DAY_WIDTH}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT}" />
            ${week.map((day, place) => bar(day, place * DAY_WIDTH, HEIGHT / most, zone))}
          </svg>`,
      )}
    </div>`
}

const HATCH = html`<defs>
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="6" height="6" class="paper" />
    <rect width="3" height="6" class="ink" />
  </pattern>
</defs>`

function bar({ day, made, refused }: DayCounts, left: number, unit: number, zone: string): Html {
  const date = isoInZone(day, zone).slice(0, 10)
  const name = localDay(day, zone)
  const [weekday = '', monthAndDay = ''] = name.split(', ')
  const [solid, hatched] = [made * unit, refused * unit]
  const x = left + (DAY_WIDTH - BAR) / 2
  const floor = TOP + HEIGHT
  const middle = left + DAY_WIDTH / 2
  const said = `${name}: ${made} made, ${refused} refused or ended otherwise`
  const rect = (kind: string, y: number, height: number) =>
    height === 0
      ? ''
      : html`<rect
          class="${kind}"
          x="${x}"
          y="${y.toFixed(1)}"
          width="${BAR}"
          height="${height.toFixed(1)}"
        />`
  // What is written stands beside the link, which says the same in its own words.
  return html`<a href="${auditAddress({ from: date, to: date })}" aria-label="${said}">
      <title>${said}</title>
      <rect class="day" x="${left}" y="0" width="${DAY_WIDTH}" height="${floor + LABELS}" />
      ${rect('made', floor - solid, solid)} ${rect('refused', floor - solid - hatched, hatched)}
    </a>
    <g aria-hidden="true">
      ${
        made + refused === 0
          ? ''
          : html`<text x="${middle}" y="${(floor - solid - hatched - 5).toFixed(1)}" class="number">
              ${made + refused}
            </text>`
      }
      <text x="${middle}" y="${floor + 17}">${weekday.slice(0, 3)}</text>
      <text x="${middle}" y="${floor + 33}" class="date">${shortDate(monthAndDay)}</text>
    </g>`
}

/** `Nov 24` for `November 24`. */
const shortDate = (monthAndDay: string): string => monthAndDay.replace(/^(\w{3})\w*/, '$1')

export interface NeedsView {
  approvals: Part<WaitingApproval[]>
  doubts: Part<Unresolved[]>
  refused: Part<RefusedCaller[]>
  health: Part<PracticeHealth>
  unreviewed: Part<UnreviewedAccess[]>
  wrong: { operationId: string; why: string } | undefined
}

/** How many things wait; what could not be read counts as nothing. */
const howMany = ({ approvals, doubts, refused, health, unreviewed }: NeedsView): number =>
  (approvals === 'unread' ? 0 : approvals.length) +
  (doubts === 'unread' ? 0 : doubts.length) +
  (refused === 'unread' ? 0 : byCaller(refused).length) +
  (health === 'unread' ? 0 : health.issues.length) +
  (unreviewed === 'unread' ? 0 : Math.min(unreviewed.length, 1))

/** What waits for the owner, the most urgent first; each part stands by itself. */
const needsYou = (shell: ShellView, names: CallerNames, view: NeedsView): Html =>
  html`<section aria-labelledby="needs" class="${howMany(view) > 0 ? 'needs' : ''}">
    <h2 id="needs">Needs you</h2>
    ${waiting(shell, names, view)} ${issues(shell, view)} ${review(shell, view)} ${doubts(shell, view)}
    ${refusals(shell, names, view)}
    ${howMany(view) === 0 && !Object.values(view).includes('unread') ? html`<p>Nothing just now.</p>` : ''}
  </section>`

/** One heading for each thing of a kind that waits, with what is said of it. */
const needs = <T>(part: Part<readonly T[]>, heading: (one: T) => Html | string, body: (one: T) => Html) =>
  whenRead(
    part,
    (found) =>
      html`${found.map(
        (one) =>
          html`<div class="need">
            <h3>${heading(one)}</h3>
            ${body(one)}
          </div>`,
      )}`,
  )

const waiting = (shell: ShellView, names: CallerNames, { approvals }: NeedsView): Html | '' =>
  needs(
    approvals,
    ({ operation_id, operation }) =>
      html`<a href="${approvalPath(operation_id)}">${operationTitle(operation)}</a> waits for your approval`,
    ({ caller, code, since, until }) =>
      html`<p>
        <bdi>${nameOf(names, caller)}</bdi> asked ${clockOn(since, shell.clock)}, with the code
        <code>${code}</code>. It ends ${clockOn(until, shell.clock)}.
      </p>`,
  )

const issues = (shell: ShellView, { health }: NeedsView): Html | '' =>
  needs(
    health === 'unread' ? health : health.issues,
    ({ reason }) => DEGRADED_REASONS[reason],
    ({ since }) =>
      html`<p>
        Since ${clockOn(since, shell.clock)}. <a href="/owner/settings#doctor">Check the installation</a> says
        what to mend.
      </p>`,
  )

const review = (shell: ShellView, { unreviewed }: NeedsView): Html | '' =>
  needs(
    unreviewed === 'unread' ? unreviewed : unreviewed.length === 0 ? [] : [unreviewed],
    () => 'Do you know all who were let in before a provider was live?',
    (all) =>
      html`<ul>
          ${all.map(({ kind, name }) => html`<li><bdi>${name}</bdi>, ${kind}</li>`)}
        </ul>
        <p>
          They act on the real providers now. <a href="/owner/callers">End</a> those whom you do not know,
          then say that you know the rest.
        </p>
        <form method="post" action="/owner/access-review" class="row">
          ${hidden(shell)}<button>I know them all…</button>
        </form>`,
  )

const doubts = (shell: ShellView, { doubts: found, wrong }: NeedsView): Html | '' =>
  needs(
    found,
    ({ operation }) => `${operationTitle(operation)}: did it happen?`,
    (one) => doubt(shell, one, wrong?.operationId === one.operation_id ? wrong.why : ''),
  )

/** What the provider gave it, where an outcome can only be known with that. */
const MADE: Record<string, readonly [name: string, label: string][]> = {
  book_consult: [['booking_id', 'Id of the booking (bk_…)']],
  complete_client_link: [['booking_id', 'Id of the booking (bk_…)']],
  reschedule_booking: [['booking_id', 'Id of the new booking (bk_…)']],
  create_payment_link: [
    ['payment_link_id', 'Id of the payment link'],
    ['url', 'Address of the payment link'],
  ],
}

function doubt(shell: ShellView, { operation_id, operation, since }: Unresolved, why: string): Html {
  const fields = MADE[operation] ?? []
  const id = `doubt-${operation_id.slice(0, 12)}`
  const title = operationTitle(operation)
  return html`<p>
      It was sent ${clockOn(Date.parse(since), shell.clock)}, no answer came, and it could not be found since.
      Look in your calendar or payment provider, then say what you found.
    </p>
    ${why === '' ? '' : html`<p class="error" id="${id}-error" role="alert">${why}</p>`}
    <form method="post" action="/owner/doubts">
      ${hidden(shell, { operation_id })}
      ${
        fields.length === 0
          ? ''
          : html`<div class="fields">
              ${fields.map(
                ([name, label]) =>
                  html`<label
                    >${label}, if it happened<input
                      name="${name}"
                      autocomplete="off"
                      ${why === '' ? '' : html`aria-invalid="true" aria-describedby="${id}-error"`}
                  /></label>`,
              )}
            </div>`
      }
      <div class="row">
        <button name="outcome" value="happened" aria-label="It happened: ${title}">It happened</button>
        <button name="outcome" value="did_not_happen" aria-label="It did not happen: ${title}">
          It did not happen
        </button>
        <a href="/owner/audit?id=${operation_id}">Its entries</a>
      </div>
    </form>`
}

const byCaller = (refused: readonly RefusedCaller[]): [string, RefusedCaller[]][] => [
  ...Map.groupBy(refused, ({ caller }) => caller),
]

const WHY: Record<string, string> = {
  insufficient_scope: 'its scopes do not allow it',
  house_rule: 'a rule of yours forbids it',
}

const refusals = (shell: ShellView, names: CallerNames, { refused }: NeedsView): Html | '' =>
  needs(
    refused === 'unread' ? refused : byCaller(refused),
    ([caller]) => html`<bdi>${nameOf(names, caller)}</bdi> asked for more than it may`,
    ([caller, ofCaller]) =>
      html`<ul>
          ${ofCaller.map(
            ({ operation, code, times, last }) =>
              html`<li>
                ${operationTitle(operation)}: ${WHY[code] ?? ''}; ${times === 1 ? 'once' : `${times} times`},
                last ${clockOn(last, shell.clock)}
              </li>`,
          )}
        </ul>
        <p><a href="${callerPath(caller)}">See what it may do</a></p>`,
  )
