import { MOST_COUNTED } from '../../../../src/core/domain/events/webhook-schedule.ts'
import { LONGEST_KEY_NAME } from '../../../../src/core/domain/key-presets.ts'
import { EVERYBODY, NO_RULES, type Rules } from '../../../../src/core/domain/rules/house-rules.ts'
import { DAY, HOUR } from '../../../../src/core/domain/time/duration.ts'
import type { NumberedEntry } from '../../../../src/core/ports/audit.ts'
import type { WaitingChange } from '../../../../src/core/ports/confirmation.ts'
import type { Subscription } from '../../../../src/core/ports/events.ts'
import { approvalsPage } from '../../../../src/owner/console/approvals/page.ts'
import {
  auditEntryPage,
  type AuditView,
  auditPage,
} from '../../../../src/owner/console/audit/page.ts'
import { filtersIn } from '../../../../src/owner/console/audit/query.ts'
import { NO_FACTS, type EntryFacts } from '../../../../src/owner/console/audit/sentences.ts'
import {
  type CallerView,
  callerPage,
  type CallersView,
  callersPage,
  connectPage,
  newKeyMadePage,
  newKeyPage,
} from '../../../../src/owner/console/callers/page.ts'
import {
  deletionPage,
  type ClientsView,
  type ListedLink,
  clientsPage,
  clientPage,
} from '../../../../src/owner/console/clients/page.ts'
import type { FirstFacts } from '../../../../src/owner/console/home/first-steps.ts'
import { type HomeView, homePage } from '../../../../src/owner/console/home/page.ts'
import { type MoneyView, moneyPage } from '../../../../src/owner/console/money/page.ts'
import { formOf } from '../../../../src/owner/console/rules/form.ts'
import {
  healthPage,
  invitationMadePage,
  passkeysPage,
  peoplePage,
  rulesPage,
} from '../../../../src/owner/console/settings/page.ts'
import { callerNamesOf, type CallerItem } from '../../../../src/owner/console/shell/items.ts'
import { type ProviderPages } from '../../../../src/owner/console/shell/provider-pages.ts'
import type { PagePath, SentForm, ShellView } from '../../../../src/owner/console/shell/shell.ts'
import {
  type WebhooksView,
  webhookMadePage,
  webhooksPage,
} from '../../../../src/owner/console/webhooks/page.ts'
import type { Finding } from '../../../../src/owner/health/check-runner.ts'
import {
  EXAMPLE_SHOWN_BOOKING,
  type ShownBooking,
} from '../../../../src/practice/operations/booking/view.ts'
import { findInvoices } from '../../../../src/practice/operations/find-invoices.ts'
import { getPaymentLink } from '../../../../src/practice/operations/get-payment-link.ts'
import { NOTHING } from '../../../../src/practice/operations/invite-client.ts'
import type { FoundPerson } from '../../../../src/practice/operations/record-views.ts'
import { APPROVAL_PAGES, NOW, OPERATION_ID, SHELL } from './approval-views.ts'

export { NOW }

export const RULES: Rules = {
  paused: false,
  operations: ['book_consult', 'reschedule_booking'],
  max_link: { usd: 50_000 },
  hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  changes_a_day: 100,
  approval: [
    { operation: 'cancel_booking', level: 'person' },
    { operation: 'create_payment_link', above: { usd: 50_000 }, level: 'person' },
  ],
}

export const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`

const APP = 'oauth:owner:https://claude.ai/oauth/metadata'
const KEY = 'key:two'

export const everybody = (rules: Partial<Rules>, pausedSince: number | null = null) => [
  { caller: '*', rules: { ...NO_RULES, ...rules }, pausedSince },
]

/** What every page shows, where there is nothing yet. */
export const shell = (path: PagePath, more: Partial<ShellView> = {}): ShellView => ({
  ...SHELL,
  path,
  modes: { scheduling: 'live', payments: 'mock' },
  ...more,
})

/** The same where there are rules, and one caller is paused. */
export const fullShell = (path: PagePath, more: Partial<ShellView> = {}): ShellView =>
  shell(path, {
    rules: [
      { caller: '*', rules: RULES, pausedSince: null },
      {
        caller: KEY,
        rules: { ...NO_RULES, paused: true, max_link: { usd: 1000 } },
        pausedSince: NOW,
      },
    ],
    waiting: WAITING,
    ...more,
  })

/** A change that waits, asked by the app or by another caller. */
export const waitingChange = (more: Partial<WaitingChange> = {}): WaitingChange => ({
  flow: 'b',
  operation_id: `7${OPERATION_ID.slice(1)}`,
  operation: 'book_consult',
  caller: APP,
  code: 'K7QX',
  since: NOW - HOUR / 6,
  until: NOW + HOUR / 12,
  summary:
    'Book a 30-minute consult on Wednesday, November 25, 2026 at 10:00 AM EST for j***@***.com.',
  preview: {},
  mode: 'live',
  ...more,
})

const CLIENT_ID = 'cl_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9kLmNoPqRsTuVwXyZ012345'

const WAITING = [
  waitingChange(),
  ...[1, 2, 3, 4].map((n) =>
    waitingChange({
      caller: KEY,
      operation_id: `${n}${OPERATION_ID.slice(1)}`,
      operation: 'submit_intake_answers',
      summary: `Submit ${n} intake answers for J. D. (${CLIENT_ID}).`,
      code: `A${n}B2`,
      until: NOW + n * HOUR,
    }),
  ),
]

const item = (more: Partial<CallerItem> = {}): CallerItem => ({
  kind: 'key',
  id: 'one',
  name: 'Claude',
  since: Date.parse('2026-11-01T15:00:00Z'),
  lastUsedOn: '2026-11-23',
  scopes: ['availability:read', 'bookings:write', 'payments:write'],
  ended: false,
  ...more,
})

export const ITEMS = {
  approvers: [],
  apps: [item({ kind: 'app', host: 'claude.ai', caller: APP })],
  keys: [
    item({
      id: 'two',
      name: 'Front desk',
      caller: KEY,
      scopes: ['availability:read', 'bookings:write'],
    }),
    item({
      id: 'three',
      name: 'Old',
      ended: true,
      end: { word: 'revoked', at: NOW },
      scopes: [],
      caller: 'key:three',
    }),
  ],
}

const NAMES = callerNamesOf(ITEMS)
const NO_NAMES = callerNamesOf({ apps: [], keys: [], approvers: [] })

export const entry = (more: Partial<NumberedEntry> = {}): NumberedEntry => ({
  index: 812,
  id: 'entry',
  at: NOW - HOUR,
  event: 'commit',
  caller: APP,
  app: 'claude.ai',
  operation: 'book_consult',
  code: 'committed',
  record_id: 'bk_mock_4f1c2a9b7d3e8f60',
  operation_id: OPERATION_ID,
  request_id: '3b2f0f4e-3c0f-4a55-9d0b-0e5a3f6f7c11',
  times: 1,
  shown: 'uK9mZ1u5o0l8PpF5dQ3xYw',
  about: null,
  ...more,
})

/** An entry of so long ago. */
const past = (
  index: number,
  ago: number,
  event: NumberedEntry['event'],
  code: string,
  more: Partial<NumberedEntry> = {},
): NumberedEntry => entry({ index, at: NOW - ago, event, code, ...more })

const BY_OWNER = { caller: 'owner' }

/** An entry of each kind, the newest first. */
export const ENTRIES: NumberedEntry[] = [
  entry(),
  past(811, HOUR + 60_000, 'preview', 'ok'),
  past(810, 2 * HOUR, 'refusal', 'house_rule', { operation: 'create_payment_link', times: 3 }),
  past(809, 3 * HOUR, 'rules', 'paused', { ...BY_OWNER, record_id: KEY, operation: 'owner_pause' }),
  past(808, DAY, 'unresolved', 'outcome_unknown', { caller: KEY, operation: 'cancel_booking' }),
  past(807, DAY + HOUR, 'commit', 'reschedule_restored', { operation: 'reschedule_booking' }),
  past(806, DAY + 2 * HOUR, 'replay', 'committed', { caller: 'key:unknown' }),
  past(805, 2 * DAY, 'resolution', 'happened', BY_OWNER),
  past(804, 3 * DAY, 'sign_in', 'ok', BY_OWNER),
  past(803, 3 * DAY, 'enrolment', 'added', { ...BY_OWNER, app: null }),
  past(802, 4 * DAY, 'consent', 'allowed', BY_OWNER),
  past(801, 5 * DAY, 'key', 'created', { ...BY_OWNER, app: null, record_id: KEY }),
  past(800, 6 * DAY, 'deletion', 'ok', BY_OWNER),
  past(799, 400 * DAY, 'check', 'payments', { caller: 'none', app: null }),
]

const FACTS: EntryFacts = {
  records: new Map([['bk_mock_4f1c2a9b7d3e8f60', 'Wed, Nov 25, 9:00 AM']]),
  approvers: new Map([[OPERATION_ID, 'owner']]),
}

/** What the first steps are read from, where nothing is done but the passkey. */
export const FIRST_FACTS: FirstFacts = {
  passkeys: ['Anna’s phone'],
  isCalled: false,
  alerts: { host: undefined, isTested: false },
  hasBackup: false,
  origin: 'https://connector.example.com',
}

type Invoice = Exclude<MoneyView['invoices'], 'unread'>['invoices'][number]

/** A form that was refused, with what was entered. */
const sentForm = (
  action: string,
  sent: Record<string, string>,
  errors: Record<string, string>,
): SentForm => ({ action, sent: new URLSearchParams(sent), errors })

export const emptyHome = (more: Partial<HomeView> = {}): HomeView => ({
  shell: shell('/owner'),
  names: NO_NAMES,
  needs: {
    unresolved: [],
    refused: [],
    health: { issues: [], alertedReasons: [], checkedAt: 0, unresolved: 0 },
    unreviewed: [],
  },
  bookings: { bookings: [], more: false },
  ends: { entries: [], facts: NO_FACTS },
  first: FIRST_FACTS,
  ...more,
})

const booking = (start_time: string, more: Partial<ShownBooking> = {}): ShownBooking => ({
  ...EXAMPLE_SHOWN_BOOKING,
  start_time,
  ...more,
})

export const fullHome = (more: Partial<HomeView> = {}): HomeView => ({
  shell: fullShell('/owner'),
  names: NAMES,
  needs: {
    unresolved: [
      {
        flow: 'a',
        operation_id: OPERATION_ID,
        operation: 'create_payment_link',
        since: '2026-11-23T09:56:32Z',
      },
      {
        flow: 'c',
        operation_id: `9${OPERATION_ID.slice(1)}`,
        operation: 'cancel_booking',
        since: '2026-11-24T09:56:32Z',
      },
    ],
    refused: [
      {
        caller: APP,
        operation: 'create_payment_link',
        code: 'house_rule',
        rule: 'max_link',
        times: 3,
        last: NOW - 2 * HOUR,
      },
      {
        caller: APP,
        operation: 'create_client_profile',
        code: 'insufficient_scope',
        rule: null,
        times: 1,
        last: NOW - DAY,
      },
      {
        caller: KEY,
        operation: 'list_bookings',
        code: 'insufficient_scope',
        rule: null,
        times: 12,
        last: NOW - 2 * DAY,
      },
    ],
    health: {
      issues: [{ reason: 'payment_provider_refuses', since: NOW - 5 * HOUR }],
      alertedReasons: [],
      checkedAt: NOW,
      unresolved: 2,
    },
    unreviewed: [
      { kind: 'key', id: 'k', name: 'Front desk', since: NOW - DAY },
      { kind: 'app', id: 'g', name: 'Claude (claude.ai)', since: NOW - DAY },
    ],
  },
  bookings: {
    bookings: [
      booking('2026-11-24T16:30:00-05:00'),
      booking('2026-11-25T10:00:00-05:00', { made_here: false, invitee_name: null }),
      booking('2026-11-25T14:30:00-05:00', {
        state: 'pending_host_approval',
        invitee_email: 'm***@gmail.com',
      }),
      booking('2026-11-30T09:00:00-05:00'),
    ],
    more: true,
  },
  ends: { entries: ENTRIES.filter(({ event }) => event === 'commit'), facts: FACTS },
  first: { ...FIRST_FACTS, passkeys: ['Anna’s phone', 'Office laptop'], isCalled: true },
  ...more,
})

export const auditView = (more: Partial<AuditView> = {}): AuditView => ({
  shell: fullShell('/owner/audit'),
  filters: filtersIn(new URLSearchParams({ caller: APP, from: '2026-11-10' })),
  names: NAMES,
  found: { entries: ENTRIES, facts: FACTS, next: { at: NOW - DAY, id: 'entry' } },
  log: {
    origin: 'connector.example.com/audit-log',
    size: 813,
    checkpoint: 'connector.example.com/audit-log\n813\n',
  },
  place: undefined,
  ...more,
})

export const entryView = (more: Partial<Parameters<typeof auditEntryPage>[0]> = {}) => ({
  shell: fullShell('/owner/audit'),
  entry: entry({ about: { amount: 25_000, currency: 'usd', paused: null } }),
  names: NAMES,
  sameChange: { entries: ENTRIES.slice(0, 2), facts: FACTS, next: { at: NOW, id: 'entry' } },
  facts: FACTS,
  list: '/owner/audit?event=commit',
  ...more,
})

export const callersView = (more: Partial<CallersView> = {}): CallersView => ({
  shell: fullShell('/owner/callers'),
  items: ITEMS,
  ...more,
})

const webhook = (more: Partial<Subscription>): Subscription => ({
  id: 'wh_5kQ0aB1cD2eF3gH4iJ5kL6',
  caller: KEY,
  topics: ['booking.created', 'booking.cancelled'],
  host: 'hooks.example.com',
  state: 'active',
  created_at: NOW,
  last_ok_at: NOW,
  failing_since: null,
  last_result: 'ok',
  waiting: 0,
  skipped: 0,
  ...more,
})
const ALL_WEBHOOKS = [
  webhook({ waiting: 12, skipped: 1 }),
  webhook({
    host: 'hook.example.org',
    state: 'paused',
    failing_since: NOW,
    last_result: 'secret_lost',
    waiting: MOST_COUNTED,
  }),
  webhook({ host: 'n8n.example.net', state: 'ended', last_ok_at: null }),
]

export const webhooksView = (more: Partial<WebhooksView> = {}): WebhooksView => ({
  shell: fullShell('/owner/settings'),
  webhooks: ALL_WEBHOOKS,
  names: NAMES,
  ...more,
})

const invoice = (more: Partial<Invoice> = {}): Invoice => ({
  ...findInvoices.example.result.invoices[0]!,
  ...more,
})

const LINK = {
  payment_link_id: 'pl_in_mock_open',
  invoice_id: 'in_mock_open',
  invoice_number: 'MOCK-0001',
  amount: 25_000,
  currency: 'usd',
  amount_display: '$250.00',
  created_at: '2026-11-23T14:09:30Z',
}

/** A link that was made here, with how it stands at the provider. */
const listedLink = (
  payment_status: 'unpaid' | 'partly_paid' | 'paid' | 'submitted',
  active: boolean,
  invoice_status: 'open' | 'paid' | 'void' | 'uncollectible' = 'open',
) => ({
  made: LINK,
  now: {
    ...getPaymentLink.example.result.payment_link,
    payment_status,
    active,
    amount_remaining: 10_000,
    amount_paid: 15_000,
    amount_remaining_display: '$100.00',
    invoice_status,
  },
})

export const moneyView = (more: Partial<MoneyView> = {}): MoneyView => ({
  shell: fullShell('/owner/money', { providers: PROVIDER_PAGES }),
  provider: 'Stripe',
  invoices: {
    invoices: [
      invoice({ due_date: '2026-11-20', due_date_text: 'Friday, November 20, 2026' }),
      invoice({
        invoice_number: HOSTILE,
        invoice_status: 'partly_paid',
        payer: null,
        payer_email: null,
      }),
      invoice({ due_date: null, due_date_text: null, currency: 'eur', amount_remaining: 100 }),
    ],
    more: 0,
    complete: true,
  },
  links: {
    made: [
      listedLink('paid', false, 'paid'),
      listedLink('paid', true, 'paid'),
      listedLink('unpaid', true),
      listedLink('unpaid', false),
      listedLink('unpaid', false, 'void'),
      listedLink('partly_paid', true),
      listedLink('partly_paid', false, 'uncollectible'),
      listedLink('submitted', true),
      { made: LINK, now: 'unread' },
    ],
    older: 12,
  },
  ...more,
})

export const callerView = (more: Partial<CallerView> = {}): CallerView => ({
  shell: fullShell('/owner/callers'),
  caller: KEY,
  names: NAMES,
  items: [ITEMS.keys[0]!],
  changesLeft: 3,
  webhooks: ALL_WEBHOOKS,
  log: { entries: ENTRIES, facts: FACTS },
  ...more,
})

/** A client link, which no one has used. */
const openLink: ListedLink = {
  link: {
    link_id: `cil_${'x'.repeat(30)}`,
    ask: ['details', 'intake', 'time'],
    event_type: 'consult',
    timezone: 'America/New_York',
    made_by: KEY,
    expires_at: '2026-11-26T20:40:00Z',
    approved: false,
  },
  state: 'open',
  made: NOTHING,
  completed_at: null,
  isFound: false,
  madeAt: '2026-11-23T20:40:00Z',
}

/** The longest name that a key can have. */
const LONG_NAMES = new Map([
  [KEY, 'Front desk of the office in Harborough '.padEnd(LONGEST_KEY_NAME, 'x')],
])

const client = {
  client_id: CLIENT_ID,
  entity_type: 'individual' as const,
  display_name: 'J. D.',
  contact_email: 'j***@***.com',
  timezone: 'America/New_York',
  created_at: '2026-11-23T14:03:10Z',
}

export const PERSON: FoundPerson = {
  clients: [
    {
      client_id: client.client_id,
      client,
      deleted: false,
      intake: {
        count: '1 submission',
        given: [
          {
            at: '2026-11-23T14:05:00Z',
            answers: ['Primary goal: tax planning'],
            notes: 'Prefers mornings.\nWrite to [email].',
          },
        ],
      },
    },
    {
      client_id: `cl_${'x'.repeat(52)}`,
      client: undefined,
      deleted: true,
      intake: { count: 'none', given: [] },
    },
  ],
  bookings: [
    {
      booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
      start_time: '2026-11-24T10:00:00-05:00',
      end_time: '2026-11-24T10:30:00-05:00',
      timezone: 'America/New_York',
      local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
      event_type: 'consult',
      created_at: '2026-11-23T14:07:02Z',
      ended_here: false,
      differs_from_preview: ['start_time', 'end_time'],
    },
  ],
  moves: {},
  links: [LINK],
  leftOff: 4,
}

export const NOBODY: FoundPerson = { clients: [], bookings: [], moves: {}, links: [], leftOff: 0 }

export const clientsView = (more: Partial<ClientsView> = {}): ClientsView => ({
  shell: fullShell('/owner/clients'),
  found: PERSON,
  links: undefined,
  latest: undefined,
  ...more,
})

export const deletionView = (more: Partial<Parameters<typeof deletionPage>[0]> = {}) => ({
  shell: fullShell('/owner/clients'),
  client_id: client.client_id,
  shownAs: 'J. D., j***@***.com',
  intake: '2 submissions',
  isWrong: false,
  ...more,
})

export const PASSKEYS = [
  item({ name: 'Passkey 1', scopes: [] }),
  item({ id: 'other', name: 'Passkey 2', scopes: [], lastUsedOn: null }),
]
export const INVITATIONS = [{ hash: 'h', name: 'Front desk', until: NOW + HOUR }]
export const FINDINGS: Finding[] = [
  { id: 'settings', what: 'Settings', state: 'ok', found: 'All are valid.' },
  {
    id: 'page',
    what: 'Scheduling page',
    state: 'not_checked',
    found: 'SCHEDULING_PAGE_URL is not set.',
  },
  {
    id: 'payments',
    what: 'Payment provider',
    state: 'failed',
    found: 'The key is refused.',
    fix: 'Make a new one.',
  },
]

/** The form for the rules of a caller, with mistakes in it. */
const refusedRules = (caller: string): SentForm => {
  const sent = formOf(NO_RULES)
  for (const [name, value] of Object.entries({ caller, amount: HOSTILE, changes_a_day: 'few' }))
    sent.set(name, value)
  sent.set('currency', 'USD')
  const errors = { max_link: 'Give a number.', changes_a_day: 'Give a whole number.' }
  return { action: '/owner/rules', sent, errors }
}

/** The page of a caller whose rules were refused. */
export const refusedCaller = (): CallerView =>
  callerView({ shell: fullShell('/owner/callers', { refused: refusedRules(KEY) }) })

const BOTH_LIVE = { scheduling: 'live', payments: 'live' } as const
const WITH_RULE = everybody({ max_link: { usd: 50_000 } })
interface Done {
  facts: Partial<FirstFacts>
  shell?: Partial<ShellView>
}
/** How the first page is after each of the first steps, none done at first and all at last. */
export const FIRST_STEPS: readonly Done[] = [
  { facts: { passkeys: [] } },
  { facts: { passkeys: ['Anna’s phone'] } },
  { facts: { passkeys: ['Anna’s phone', 'Office laptop'] } },
  { facts: { isCalled: true } },
  { facts: {}, shell: { rules: WITH_RULE } },
  { facts: { alerts: { host: 'ntfy.sh', isTested: true } } },
  { facts: { hasBackup: true } },
  { facts: {}, shell: { modes: BOTH_LIVE } },
].map((_, at, all: Done[]) => ({
  facts: Object.assign({}, ...all.slice(0, at + 1).map(({ facts }) => facts)) as Done['facts'],
  shell: Object.assign(
    { modes: { scheduling: 'mock', payments: 'mock' } },
    ...all.slice(0, at + 1).map((one) => one.shell),
  ) as Partial<ShellView>,
}))
export const homeAfter = ({ facts, shell: more = {} }: Done): HomeView =>
  emptyHome({ shell: shell('/owner', more), first: { ...FIRST_FACTS, ...facts } })

/** Where things are while every provider is live, of which the examples of this file are not. */
export const PROVIDER_PAGES: ProviderPages = (id) => ({
  label: id.startsWith('bk_') ? 'Calendly' : 'Stripe',
  url: `https://provider.example/${id}`,
})

const at = (path: string, html: () => string) => ({ path, html })
/** Every page of the console in each of its states, with its address. */
export const EVERY_PAGE: Record<string, { path: string; html: () => string }> = {
  'home, empty': at('/owner', () => homePage(emptyHome())),
  'home, trial': at('/owner', () =>
    homePage(fullHome({ shell: fullShell('/owner', { isTrial: true }) })),
  ),
  'home, full': at('/owner', () =>
    homePage(fullHome({ shell: fullShell('/owner', { providers: PROVIDER_PAGES }) })),
  ),
  ...Object.fromEntries(
    [0, 4, FIRST_STEPS.length - 1].map((done) => [
      `home, ${done} of the first steps done`,
      at('/owner', () => homePage(homeAfter(FIRST_STEPS[done]!))),
    ]),
  ),
  'home, paused': at('/owner', () =>
    homePage(
      fullHome({
        shell: shell('/owner', {
          rules: everybody({ paused: true }, NOW - HOUR),
          done: 'Paused.',
        }),
      }),
    ),
  ),
  'home, nothing to be read': at('/owner', () =>
    homePage({
      ...emptyHome({ shell: shell('/owner', { rules: 'unread', waiting: 'unread' }) }),
      needs: {
        unresolved: 'unread',
        refused: 'unread',
        health: 'unread',
        unreviewed: 'unread',
      },
      bookings: 'unread',
      ends: 'unread',
    }),
  ),
  'audit log, empty': at('/owner/audit', () =>
    auditPage(
      auditView({
        filters: filtersIn(new URLSearchParams()),
        names: NO_NAMES,
        found: { entries: [], facts: NO_FACTS },
      }),
    ),
  ),
  'audit log, full': at('/owner/audit', () => auditPage(auditView())),
  entry: at('/owner/audit/812', () => auditEntryPage(entryView())),
  'callers, empty': at('/owner/callers', () =>
    callersPage(
      callersView({
        shell: shell('/owner/callers'),
        items: { apps: [], keys: [], approvers: [] },
      }),
    ),
  ),
  'callers, full': at('/owner/callers', () => callersPage(callersView())),
  'caller, full': at('/owner/callers/key%3Atwo', () => callerPage(callerView())),
  'caller, gone': at('/owner/callers/oauth%3Aowner%3Aapp_one', () =>
    callerPage(
      callerView({
        shell: shell('/owner/callers'),
        caller: 'oauth:owner:app_one',
        items: [],
        webhooks: [],
        log: { entries: [], facts: NO_FACTS },
      }),
    ),
  ),
  'caller, a refused form': at('/owner/callers/key%3Atwo', () => callerPage(refusedCaller())),
  'a new key': at('/owner/callers/new', () => newKeyPage(shell('/owner/callers'))),
  'a new key, in a trial': at('/owner/callers/new', () =>
    newKeyPage(shell('/owner/callers', { isTrial: true })),
  ),
  'a key that was made': at('/owner/callers', () =>
    newKeyMadePage(shell('/owner/callers'), {
      name: 'Front desk',
      key: `ccn_${'x'.repeat(43)}`,
      caller: KEY,
    }),
  ),
  'connect an agent': at('/owner/connect', () =>
    connectPage(shell('/owner/callers'), 'https://connector.example.com/mcp'),
  ),
  'an invitation': at('/owner/settings/people', () =>
    invitationMadePage(
      shell('/owner/settings'),
      'Front desk',
      'https://connector.example.com/#inv',
    ),
  ),
  'clients, before a search': at('/owner/clients', () =>
    clientsPage(
      clientsView({
        found: undefined,
        latest: [PERSON.clients[0]!.client!],
        links: { links: [openLink, 'unread'], names: LONG_NAMES, older: 12 },
      }),
    ),
  ),
  'clients, found': at('/owner/clients', () => clientsPage(clientsView())),
  'a client': at(`/owner/clients/${client.client_id}`, () =>
    clientPage(
      fullShell('/owner/clients', { providers: PROVIDER_PAGES }),
      { ...PERSON, clients: PERSON.clients.slice(0, 1) },
      { links: [], names: NAMES, older: undefined },
    ),
  ),
  money: at('/owner/money', () => moneyPage(moneyView())),
  'money, nothing yet': at('/owner/money', () =>
    moneyPage(
      moneyView({
        invoices: { invoices: [], more: 0, complete: true },
        links: { made: [], older: undefined },
      }),
    ),
  ),
  'money, nothing to be read': at('/owner/money', () =>
    moneyPage(moneyView({ invoices: 'unread', links: 'unread' })),
  ),
  webhooks: at('/owner/settings/webhooks', () => webhooksPage(webhooksView())),
  'webhooks, in a trial': at('/owner/settings/webhooks', () =>
    webhooksPage(
      webhooksView({ shell: shell('/owner/settings', { isTrial: true }), webhooks: [] }),
    ),
  ),
  'webhooks, a refused form': at('/owner/settings/webhooks', () =>
    webhooksPage(
      webhooksView({
        shell: fullShell('/owner/settings', {
          refused: sentForm(
            '/owner/webhooks/add',
            { url: 'http://10.0.0.1/hook' },
            { url: 'Expected an https address.', topic: 'Tick at least one event.' },
          ),
        }),
      }),
    ),
  ),
  'a webhook that was made': at('/owner/settings/webhooks', () =>
    webhookMadePage(shell('/owner/settings'), 'hooks.example.com', `whsec_${'x'.repeat(44)}`),
  ),
  deletion: at('/owner/clients', () => deletionPage(deletionView())),
  'settings, empty': at('/owner/settings', () => rulesPage(shell('/owner/settings'))),
  'settings, full': at('/owner/settings', () => rulesPage(fullShell('/owner/settings'))),
  'settings, passkeys': at('/owner/settings/passkeys', () =>
    passkeysPage(fullShell('/owner/settings'), PASSKEYS),
  ),
  'settings, people': at('/owner/settings/people', () =>
    peoplePage(fullShell('/owner/settings'), [item()], INVITATIONS),
  ),
  'settings, health': at('/owner/settings/health', () =>
    healthPage(fullShell('/owner/settings'), 'ntfy.sh', FINDINGS),
  ),
  'settings, a refused form': at('/owner/settings', () =>
    rulesPage(fullShell('/owner/settings', { refused: refusedRules(EVERYBODY) })),
  ),
  'approvals, none': at('/owner/approvals', () =>
    approvalsPage(shell('/owner/approvals'), NO_NAMES),
  ),
  'approvals, full': at('/owner/approvals', () =>
    approvalsPage(fullShell('/owner/approvals'), NAMES, {
      entries: [
        entry({ index: 12, event: 'approval', code: 'approved' }),
        entry({ index: 9, event: 'approval', code: 'declined' }),
      ],
      facts: NO_FACTS,
    }),
  ),
  'approvals, paused, for someone who approves': at('/owner/approvals', () =>
    approvalsPage(
      fullShell('/owner/approvals', {
        isOwner: false,
        rules: everybody({ paused: true }, NOW - HOUR),
      }),
      NAMES,
    ),
  ),
  ...APPROVAL_PAGES,
}
