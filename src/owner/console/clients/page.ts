import { html } from 'hono/html'

import { type Html, bullets } from '../../../api/pages/layout.ts'
import { shortLinkId } from '../../../core/domain/client-link.ts'
import { capitalised, spokenChoice, spokenKind } from '../../../core/domain/name.ts'
import { instantOf, localTime, spokenTime } from '../../../core/domain/time/time.ts'
import { notAsPreviewedText } from '../../../practice/operations/booking/view.ts'
import { type LinkRead, callerOfLink } from '../../../practice/operations/invite-client.ts'
import type { FoundPerson, KeptClient } from '../../../practice/operations/record-views.ts'
import { auditAddress } from '../audit/query.ts'
import { clockOn, dayIn, dayText } from '../shell/dates.ts'
import { type CallerNames, nameOf } from '../shell/items.ts'
import { openIn } from '../shell/provider-pages.ts'
import {
  type Entered,
  type Part,
  type ShellView,
  consolePage,
  entered,
  copied,
  line,
  row,
  UNREAD,
  whenRead,
  buttonForm,
  table,
} from '../shell/shell.ts'

export interface ClientsView {
  shell: ShellView
  found?: Part<FoundPerson> | undefined
  /** Not beside what was found. */
  links?: ClientLinksView | undefined
  latest?: Part<ShownClient[]> | undefined
}

/** A field for an id or an address. */
const requiredField = (label: string, name: string, form: Entered) =>
  form.field(label, name, html`required autocapitalize="none" spellcheck="false"`, 'long')

/**
 * Finds a person by email address or client id, and shows what is kept, masked. What was typed is
 * shown again only in the answer to a form that was refused.
 */
export function clientsPage({ shell, found, links, latest }: ClientsView): string {
  const form = entered(shell, '/owner/clients')
  return consolePage(
    shell,
    'Clients',
    html`<h1>Clients</h1>
      <form method="post" action="/owner/clients" class="filters">
        ${form.hidden} ${form.errors}
        <div class="fields">
          ${requiredField('Email address, client id or link id', 'person', form)}
        </div>
        <div class="row"><button class="main">Find</button></div>
        <p class="soft">
          The connector compares the email address with what it keeps. It does not keep or log it.
        </p>
      </form>
      ${found && whenRead(found, (read) => results(shell, read))}
      ${latest && latestSection(shell, latest)}
      ${links && linksSection(shell, links)}`,
  )
}

type ShownClient = NonNullable<KeptClient['client']>

/** The latest clients, each with the way to its page. */
const latestSection = (shell: ShellView, latest: Part<ShownClient[]>) =>
  html`<section aria-labelledby="latest">
    <h2 id="latest">Latest clients</h2>
    ${whenRead(latest, (all) =>
      all.length === 0 ? html`<p class="soft">No clients yet.</p>` : clientLines(shell, all),
    )}
  </section>`

function clientLines({ clock }: ShellView, all: readonly ShownClient[]) {
  const names = toldApart(all)
  return html`<ul class="entries">
    ${all.map(({ client_id, contact_email, created_at }, i) =>
      line({
        href: clientPath(client_id),
        when: html`<strong><bdi>${names[i]}</bdi></strong>`,
        what: html`${contact_email}
          <span class="soft">since ${clockOn(instantOf(created_at), clock)}</span>`,
      }),
    )}
  </ul>`
}

/** The names of clients, the newest first; of those that look the same, each but the oldest has a number. */
function toldApart(all: readonly ShownClient[]): string[] {
  const seen = new Map<string, number>()
  const names = all.toReversed().map(({ display_name, contact_email }) => {
    const look = `${display_name} ${contact_email}`
    const number = (seen.get(look) ?? 0) + 1
    seen.set(look, number)
    return number === 1 ? display_name : `${display_name} (${number})`
  })
  return names.toReversed()
}

/** The page of one client. */
const clientPath = (clientId: string) => `/owner/clients/${clientId}`

/**
 * One client: what is kept, what was booked and billed, and the links on which the client filled
 * something in.
 */
export function clientPage(shell: ShellView, found: FoundPerson, links: ClientLinksView): string {
  const [client] = found.clients
  const name = client?.client?.display_name ?? 'A client'
  const isLinked = links.links === 'unread' || links.links.length > 0
  return consolePage(
    shell,
    name,
    html`<p><a href="/owner/clients">Clients</a></p>
      <h1><bdi>${name}</bdi></h1>
      ${results(shell, found, 'What is kept')} ${isLinked && linksSection(shell, links)}`,
  )
}

/** What was found; `title` in place of the name of a client, where that stands above. */
function results(shell: ShellView, person: FoundPerson, title?: string) {
  const { clients, bookings, links, leftOff } = person
  if (clients.length + bookings.length + links.length === 0)
    return html`<section aria-labelledby="found">
      <h2 id="found">Not found</h2>
      <p>
        The connector keeps nothing under this address or id. It does not know what was booked or paid
        elsewhere.
      </p>
    </section>`
  const { zone } = shell.clock
  const made = (items: readonly { id: string; text: Html; at: string }[]) =>
    html`<ul class="entries dated">
      ${items.map(({ id, text, at }) => {
        const day = dayText(instantOf(at), zone)
        return line({
          href: auditAddress({ id }),
          when: dayIn(instantOf(at), zone),
          what: text,
          beside: openIn(shell.providers(id), `made ${day}`),
        })
      })}
    </ul>`
  const bookingItems = bookings.map((one) => ({
    id: one.booking_id,
    text: consultText(one, person, zone),
    at: one.created_at,
  }))
  const linkItems = links.map((one) => ({
    id: one.payment_link_id,
    text: html`Payment link of ${one.amount_display} for invoice ${one.invoice_number ?? one.invoice_id}.`,
    at: one.created_at,
  }))
  return html`<section aria-labelledby="made">
      <h2 id="made">Booked and billed through the connector</h2>
      ${bookings.length + links.length === 0 && html`<p>No bookings and no payment links.</p>`}
      ${made(bookingItems)}
      ${made(linkItems)}
      ${leftOff !== 0 && html`<p class="soft">${leftOff} older ones are not shown.</p>`}
      ${links.length > 0 && howToEnd(links.map((one) => one.payment_link_id))}
    </section>
    ${clients.map((one, i) => clientSection(shell, one, i, title))}`
}

/** How the id of a link begins that is the page of its invoice; any other is ended by itself. */
const PAGE_OF_INVOICE = /^pl_/

/** How a payment link is ended: the console makes no change at a provider. */
function howToEnd(ids: readonly string[]) {
  const own = ids.filter((id) => !PAGE_OF_INVOICE.test(id))
  return html`<details>
    <summary>End a payment link</summary>
    ${
      own.length > 0 &&
      html`<p>
            Open it at your payment provider and switch it off there, or ask an agent that you gave the scope
            <code>payment_links:end</code>:
          </p>
          ${own.map((id, i) => copied(`end-${i}`, askToEnd(id)))}`
    }
    ${own.length !== ids.length && ENDS_WITH_INVOICE}
  </details>`
}

const askToEnd = (id: string) => `Preview end_payment_link for ${id}, and show me what it says.`

const ENDS_WITH_INVOICE = html`<p>
  Some links are the invoice’s own page. To end such a link, void the invoice at your payment provider.
</p>`

/**
 * A consult that was booked here; one that ended here is struck, and one that was moved says the
 * time that counts now.
 */
function consultText(
  made: FoundPerson['bookings'][number],
  { bookings, moves }: FoundPerson,
  zone: string,
) {
  const { booking_id, start_time, timezone, event_type, ended_here } = made
  const differs = notAsPreviewedText(
    made.differs_from_preview?.map((one) => one.replaceAll('_', ' ')),
  )
  const text = `${spokenKind(event_type)} on ${spokenTime(instantOf(start_time), zone, timezone)}.${differs}`
  if (!ended_here) return html`${text}`
  const next = moves[booking_id]
  if (next === undefined) return html`<s>${text}</s> Cancelled.`
  const now = bookings.find((one) => one.booking_id === next)
  if (now === undefined) return html`<s>${text}</s> Moved.`
  const time = spokenTime(instantOf(now.start_time), zone, now.timezone)
  return html`<s>${text}</s> Moved, now ${time}.`
}

function clientSection(
  shell: ShellView,
  { client_id, client, deleted, intake }: KeptClient,
  i: number,
  title: string | undefined,
) {
  const { zone } = shell.clock
  const id = `client${i}`
  const name = client === undefined ? 'A client' : client.display_name
  const { count, given } = intake
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title ?? html`<bdi>${name}</bdi>`}${deleted ? html`<span class="tag">Deleted</span>` : ''}</h2>
    <dl class="rules">
      ${row('Client id', html`<code>${client_id}</code>`)}
      ${
        client &&
        html`${row('Email address', client.contact_email)} ${row('Kind of client', spokenChoice(client.entity_type))}
          ${row('Time zone', client.timezone)} ${row('Created', localTime(instantOf(client.created_at), zone))}
          ${row('Intake answers', count)}`
      }
    </dl>
    ${
      given.length > 0 &&
      html`<details>
            <summary>Answers and notes, as they are kept</summary>
            ${given.map(
              ({ at, answers, notes }) =>
                html`<h3 class="day">${dayIn(instantOf(at), zone)}</h3>
                  ${bullets(answers)} ${notes !== undefined && html`<blockquote>${notes}</blockquote>`}`,
            )}
          </details>`
    }
    <div class="row">
      ${deleted ? html`<p class="soft">Only this id, its entries in the audit log, and masked bookings and payment links are left.</p>` : ''}
      <a class="button" href="${auditAddress({ id: client_id })}">History</a>
      ${deleted ? '' : handOut(shell, client_id, name)}
    </div>
  </section>`
}

const handOut = (shell: ShellView, client_id: string, name: string) =>
  html`${buttonForm(shell, '/owner/clients/export', 'Download…', { fields: { client_id }, of: name })}
    ${buttonForm(shell, '/owner/clients/delete', 'Delete…', { fields: { client_id }, look: 'danger', of: name })}`

/** So many characters of the id are typed, as `npm run forget` wants them. */
export const TYPED = 6

interface DeletionView extends Pick<KeptClient, 'client_id'> {
  shell: ShellView
  /** The name and the email address, masked; nothing where the record is not there. */
  shownAs: string | undefined
  /** How many submissions of intake answers there are, in words. */
  intake: string
}

/** What a deletion erases, and the field that wants the end of the id, so that no one deletes by accident. */
export function deletionPage({ shell, client_id, shownAs, intake }: DeletionView): string {
  const form = entered(shell, '/owner/clients/delete', { client_id })
  return consolePage(
    shell,
    'Delete a client',
    html`<p><a href="/owner/clients">Clients</a></p>
      <h1>Delete <bdi>${shownAs ?? 'this client'}</bdi>?</h1>
      <section aria-labelledby="goes">
        <h2 id="goes">What is deleted</h2>
        ${bullets([
          'The record of the client.',
          intake === 'none' ? 'Intake answers: there are none.' : `All intake answers: ${intake}.`,
          'What previews and kept answers show of the client.',
        ])}
        <h2>What stays</h2>
        ${bullets([
          'Bookings, invoices and payment links with the providers: delete them there.',
          'The masked records of bookings and payment links.',
          'The id, marked as deleted, and its entries in the audit log.',
        ])}
        <p><strong>This cannot be undone.</strong></p>
        <form method="post" action="/owner/clients/delete">
          ${form.hidden} ${form.errors}
          <p>The id is <code>${client_id}</code></p>
          <div class="fields">
            ${requiredField(`Its last ${TYPED} characters`, 'typed', form)}
          </div>
          <div class="row">
            <button class="danger">Delete…</button>
            <a class="button" href="/owner/clients">Keep it</a>
          </div>
        </form>
        <p class="soft">You confirm with your passkey.</p>
      </section>`,
  )
}

/** A link as the list shows it. */
export interface ListedLink extends LinkRead {
  madeAt: string
}

export interface ClientLinksView {
  links: Part<Part<ListedLink | undefined>[]>
  names: CallerNames
  /** From which number on the next page is; undefined on the last one. */
  older?: number | undefined
  /** It was looked for by its id. */
  isSearch?: boolean
}

const linksSection = (shell: ShellView, view: ClientLinksView) =>
  html`<section aria-labelledby="links">
    <h2 id="links">Client links</h2>
    ${whenRead(view.links, (all) => linksTable(shell, view, all))}
  </section>`

function linksTable(
  shell: ShellView,
  { names, older, isSearch = false }: ClientLinksView,
  all: Part<ListedLink | undefined>[],
) {
  const shown = all.flatMap((one) => (one === undefined ? [] : [one]))
  if (shown.length === 0 && isSearch) return html`<p>There is no link with this id.</p>`
  if (shown.length === 0)
    return html`<p class="soft">None yet. An app or key can make them if you ticked that for it.</p>`
  const open = shown.flatMap((one) => (one === 'unread' || one.state !== 'open' ? [] : [one]))
  const makers = [...new Set(open.map(({ link }) => link.made_by))]
  return html`${table(
    ['Link', 'Made', 'State', 'Made by', ''],
    shown.map((one) => linkRow(shell, names, one)),
  )}
  ${older && html`<p><a href="/owner/clients?links_before=${older}#links">Older links</a></p>`}
  ${!isSearch && makers.map((caller) => withdrawAll(shell, names, caller))}`
}

const withdrawAll = (shell: ShellView, names: CallerNames, caller: string) =>
  buttonForm(
    shell,
    '/owner/links/withdraw-all',
    `Withdraw all of \u2068${nameOf(names, caller)}\u2069`,
    { fields: { caller }, look: 'danger' },
  )

const ASKED: Record<string, string> = { intake: 'intake answers', time: 'a time' }

/** How a link that is not open stands. */
const endText = ({ state, isFound, made: { booking_id } }: ListedLink): Html | string =>
  isFound && booking_id !== null
    ? html`completed; the consult was found after the restore: <a href="${auditAddress({ id: booking_id })}"><bdi>${booking_id}</bdi></a>`
    : state.replaceAll('_', ' ')

function linkRow(shell: ShellView, names: CallerNames, read: Part<ListedLink>): (Html | string)[] {
  if (read === 'unread') return [UNREAD, '', '', '', '']
  const { link_id, ask, made_by, expires_at } = read.link
  const { clock } = shell
  const isOpen = read.state === 'open'
  const asked = capitalised(ask.map((one) => ASKED[one] ?? one).join(', '))
  const name = shortLinkId(link_id)
  return [
    html`<a href="${auditAddress({ caller: callerOfLink(link_id) })}">${asked}</a> <code class="soft">${name}</code>`,
    clockOn(instantOf(read.madeAt), clock),
    isOpen ? html`open until ${clockOn(instantOf(expires_at), clock)}` : endText(read),
    html`<bdi>${nameOf(names, made_by)}</bdi>`,
    isOpen
      ? buttonForm(shell, '/owner/links/withdraw', 'Withdraw', {
          fields: { link_id },
          look: 'small danger',
          of: `${name}, ${asked}`,
        })
      : '',
  ]
}
