import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { spokenKind } from '../../../core/domain/name.ts'
import { pluralOf } from '../../../core/domain/plural.ts'
import {
  DEGRADED_REASONS,
  type PracticeHealth,
  changeRefused,
} from '../../../core/domain/provider-health.ts'
import { dateIn, instantOf } from '../../../core/domain/time/time.ts'
import type { UnreviewedAccess } from '../../../core/ports/access.ts'
import type { RefusedCaller } from '../../../core/ports/audit.ts'
import type { Unresolved } from '../../../core/ports/unresolved.ts'
import type { ShownBooking } from '../../../practice/operations/booking/view.ts'
import { RULE_TITLES } from '../../../practice/operations/house-rules.ts'
import { reviewAll, waitingTable } from '../approvals/page.ts'
import { entryList } from '../audit/page.ts'
import { auditAddress } from '../audit/query.ts'
import { type ShownEntries, operationTitle } from '../audit/sentences.ts'
import { underDays, clockIn, clockOn, timeAgo } from '../shell/dates.ts'
import { type CallerNames, callerPath, nameOf } from '../shell/items.ts'
import { openIn } from '../shell/provider-pages.ts'
import {
  NOW_PATH,
  buttonForm,
  renewed,
  type Part,
  type ShellView,
  UNREAD,
  consolePage,
  entered,
  hidden,
  line,
  listed,
  whenRead,
} from '../shell/shell.ts'
import { type FirstFacts, firstSteps } from './first-steps.ts'
import { type RestoredView, restoredPart, stepsLeft } from './restored.ts'

export interface HomeView {
  shell: ShellView
  names: CallerNames
  needs: NeedsView
  bookings: Part<{ bookings: ShownBooking[]; more: boolean }>
  ends: Part<ShownEntries>
  /** After a restore. */
  restored?: Part<RestoredView> | undefined
  first: Part<FirstFacts>
}

/**
 * The first page of the console: what the state is, what needs the owner, what is coming, and what
 * was done.
 */
export const homePage = (view: HomeView) =>
  consolePage(view.shell, 'Home', html`${nowPart(view)} ${columns(view)}`)

/**
 * Two columns of about one height on a desktop: the first steps have one alone, until they are
 * folded.
 */
function columns(view: HomeView) {
  const steps = first(view)
  const consults = html`<section aria-labelledby="coming">
    <h2 id="coming">Today and the next 7 days</h2>
    ${coming(view)}
  </section>`
  const changes = html`<section aria-labelledby="done">
    <div class="head">
      <h2 id="done">Latest changes</h2>
      <a href="/owner/audit">All changes</a>
    </div>
    ${ends(view)}
  </section>`
  return steps === undefined || steps.isFolded
    ? html`${steps?.section ?? ''}
        <div class="cols">${consults} ${changes}</div>`
    : html`<div class="cols">
        ${steps.section}
        <div>${consults} ${changes}</div>
      </div>`
}

/** After a restore its own steps come first. */
function first({ shell, restored, first: facts }: HomeView): ReturnType<typeof firstSteps> {
  const isRestoring = restored && restored !== 'unread' && stepsLeft(shell, restored) > 0
  return isRestoring || facts === 'unread' ? undefined : firstSteps(shell, facts)
}

export type NowView = Pick<HomeView, 'shell' | 'names' | 'needs' | 'restored'>

/** The part of it that renews itself. */
export const nowPart = (view: NowView) =>
  renewed(
    NOW_PATH,
    view.shell,
    state(view),
    html`${whenRead(view.restored ?? null, (restored) => (restored === null ? '' : restoredPart(view.shell, restored)))}
    ${needsYou(view.shell, view.names, view.needs)}`,
  )

function state({ shell, needs, restored }: NowView) {
  if ([shell.rules, shell.waiting, ...Object.values(needs)].includes('unread'))
    return 'Not everything could be read just now.'
  const left = restored && restored !== 'unread' ? stepsLeft(shell, restored) : 0
  if (left > 0) return `Restored from a backup: ${pluralOf(left, 'step')} left.`
  const waiting = howMany(shell, needs)
  if (waiting > 0) return waiting === 1 ? 'One thing needs you.' : `${waiting} things need you.`
  return 'Nothing needs you.'
}

function coming({ shell, bookings: found }: HomeView) {
  const { clock } = shell
  if (found === 'unread') return UNREAD
  const { bookings, more } = found
  if (bookings.length === 0) return html`<p>No consults are booked.</p>`
  return html`${underDays(
    bookings,
    ({ start_time }) => instantOf(start_time),
    clock,
    (ofDay) => ofDay.map((one) => consultLine(shell, one)),
  )}
  ${more ? html`<p class="soft">More are booked: see your calendar.</p>` : ''}`
}

/**
 * A consult: the row leads to what the log has of one that was booked here, and beside it to the
 * calendar.
 */
function consultLine({ clock, providers }: ShellView, one: ShownBooking) {
  const { booking_id, invitee_name, invitee_email, event_type, state: is, made_here } = one
  const who = invitee_name === null ? invitee_email : `${invitee_name}, ${invitee_email}`
  const time = clockIn(instantOf(one.start_time), clock.zone)
  const waits = is === 'confirmed' ? '' : ', you still have to accept it'
  const origin = made_here ? ' · booked here' : ''
  return line({
    href: made_here ? auditAddress({ id: booking_id }) : undefined,
    when: time,
    what: html`<bdi>${who}</bdi>
      <span class="soft">${spokenKind(event_type)}${waits}${origin}</span>`,
    beside: openIn(providers(booking_id), who),
  })
}

function ends({ shell, names, ends: found }: HomeView) {
  if (found === 'unread') return UNREAD
  if (found.entries.length === 0) return html`<p>No changes yet.</p>`
  const today = dateIn(shell.clock.now, shell.clock.zone)
  return html`${entryList(found, names, shell.clock)}
    <p><a href="${auditAddress({ from: today })}">All of today</a></p>`
}

interface NeedsView {
  unresolved: Part<Unresolved[]>
  refused: Part<RefusedCaller[]>
  health: Part<PracticeHealth>
  unreviewed: Part<UnreviewedAccess[]>
}

/** How many things wait; what could not be read counts as nothing. */
const howMany = ({ waiting }: ShellView, { unresolved, refused, health, unreviewed }: NeedsView) =>
  listed(waiting).length +
  listed(unresolved).length +
  byCaller(listed(refused)).length +
  (health === 'unread' ? 0 : health.issues.length) +
  Math.min(listed(unreviewed).length, 1)

/** What waits for the owner, the most urgent first; each part stands by itself. */
const needsYou = (shell: ShellView, names: CallerNames, view: NeedsView) => {
  const isRead = ![shell.waiting, ...Object.values(view)].includes('unread')
  if (howMany(shell, view) === 0 && isRead) return ''
  return html`<section aria-labelledby="needs" class="needs">
    <h2 id="needs">Needs you</h2>
    ${reviewAll(shell)} ${waiting(shell, names)} ${issues(shell, view)} ${review(shell, view)} ${unresolved(shell, view)}
    ${refusals(shell, names, view)}
  </section>`
}

/** One heading for each thing of a kind that waits, with what is said of it. */
const needs = <T>(
  part: Part<readonly T[]>,
  heading: (one: T) => Html | string,
  body: (one: T) => Html,
) =>
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

const SHOWN = 3

/** What waits for approval, a heading for each caller. */
const waiting = (shell: ShellView, names: CallerNames) =>
  needs(
    shell.waiting === 'unread'
      ? shell.waiting
      : [...Map.groupBy(shell.waiting, ({ caller }) => caller)],
    ([caller, asked]) =>
      html`<bdi>${nameOf(names, caller)}</bdi> asks you to approve ${pluralOf(asked.length, 'change')}`,
    ([, asked]) =>
      html`${waitingTable(asked.slice(0, SHOWN), shell)}
      ${asked.length > SHOWN && html`<p><a href="/owner/approvals">All ${asked.length}</a></p>`}`,
  )

const issues = (shell: ShellView, { health }: NeedsView) =>
  needs(
    health === 'unread' ? health : health.issues,
    ({ reason, change }) =>
      (change && changeRefused(reason, operationTitle(change.operation))) ??
      DEGRADED_REASONS[reason],
    ({ since, change }) =>
      change
        ? html`<p>Since ${clockOn(since, shell.clock)}. ${change.detail}</p>
            ${buttonForm(shell, '/owner/repaired', 'It is mended', {
              fields: { operation: change.operation, what: change.what },
              of: operationTitle(change.operation),
            })}`
        : html`<p>
            Since ${clockOn(since, shell.clock)}. <a href="/owner/settings/health">Run the check</a>: it says
            what to do.
          </p>`,
  )

/** One item for all of them together. */
const review = (shell: ShellView, { unreviewed }: NeedsView) =>
  needs(
    unreviewed === 'unread' ? unreviewed : [unreviewed].filter(({ length }) => length > 0),
    () => 'Do you recognize all of these? You added them before a provider was live.',
    (all) =>
      html`<ul>
          ${all.map(({ kind, name }) => html`<li><bdi>${name}</bdi>, ${kind}</li>`)}
        </ul>
        <p>
          They now act on your real calendar and payments. <a href="/owner/callers">End those</a> that you do
          not recognize, then confirm the rest.
        </p>
        ${buttonForm(shell, '/owner/access-review', 'I know them all…')}`,
  )

const unresolved = (shell: ShellView, { unresolved: found }: NeedsView) =>
  needs(
    found,
    ({ operation, part = 'did it happen?' }) => `${operationTitle(operation)}: ${part}`,
    (one) => resolveForm(shell, one),
  )

/** What the provider gave it, where an outcome can only be known with that. */
export const MADE: Record<string, readonly [name: string, label: string][]> = {
  book_consult: [['booking_id', 'Id of the booking']],
  complete_client_link: [['booking_id', 'Id of the booking']],
  reschedule_booking: [['booking_id', 'Id of the new booking']],
  create_payment_link: [
    ['payment_link_id', 'Id of the payment link'],
    ['url', 'Address of the payment link'],
  ],
}

function resolveForm(shell: ShellView, { operation_id, operation, since, part }: Unresolved) {
  const fields = MADE[operation] ?? []
  const form = entered(shell, '/owner/unresolved', { operation_id, ...(part && { part }) })
  const title = operationTitle(operation)
  return html`<p>
      The connector sent this ${timeAgo(Date.parse(since), shell.clock)}. It got no answer and still does
      not know the outcome. Look in your calendar or at your payment provider, then say what you found.
    </p>
    <form method="post" action="/owner/unresolved">
      ${form.hidden} ${form.errors}
      ${
        fields.length > 0 &&
        html`<div class="fields">
              ${fields.map(([name, label]) => form.field(`${label}, if one was made`, name))}
            </div>`
      }
      <div class="row">
        <button name="outcome" value="happened" aria-label="It happened: ${title}">It happened</button>
        <button name="outcome" value="did_not_happen" aria-label="It did not happen: ${title}">
          It did not happen
        </button>
        <a href="${auditAddress({ id: operation_id })}">History</a>
      </div>
    </form>`
}

const byCaller = (refused: readonly RefusedCaller[]) => [
  ...Map.groupBy(refused, ({ caller }) => caller),
]

const refusals = (shell: ShellView, names: CallerNames, { refused }: NeedsView) =>
  needs(
    refused === 'unread' ? refused : byCaller(refused),
    ([caller]) => html`<bdi>${nameOf(names, caller)}</bdi> tried something that you do not allow`,
    ([caller, ofCaller]) =>
      html`<ul>
          ${ofCaller.map(
            ({ operation, code, rule, times, last }) =>
              html`<li>
                ${operationTitle(operation)}:
                ${code === 'house_rule' ? ruleNamed(rule) : 'you have not allowed this'},
                ${times === 1 ? 'once' : `${times} times`}, last ${timeAgo(last, shell.clock)}
              </li>`,
          )}
        </ul>
        <form method="post" action="/owner/refusals/dismiss" class="row">
          ${hidden(shell, { caller, last: String(Math.max(...ofCaller.map(({ last }) => last))) })}
          <a href="${callerPath(caller)}">See what it may do</a>
          ${
            ofCaller.some(({ code }) => code === 'house_rule') &&
            html`<a href="/owner/settings">See the rules for all callers</a>`
          }
          <button class="small" aria-label="Dismiss: ${nameOf(names, caller)}">Dismiss</button>
        </form>`,
  )

const ruleNamed = (rule: string | null) =>
  rule !== null && rule in RULE_TITLES
    ? `your rule “${RULE_TITLES[rule as keyof typeof RULE_TITLES]}” forbids it`
    : 'one of your rules forbids it'
