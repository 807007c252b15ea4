import { HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import type { ApprovalView } from '../../../../src/core/ports/confirmation.ts'
import {
  type ApprovalPageView,
  approvalPage,
} from '../../../../src/owner/console/approvals/page.ts'
import {
  NO_PROVIDER_PAGES,
  type ProviderPages,
} from '../../../../src/owner/console/shell/provider-pages.ts'
import type { ShellView } from '../../../../src/owner/console/shell/shell.ts'

/** Tuesday, November 24, 2026, 3:40 PM in New York. */
export const NOW = Date.parse('2026-11-24T20:40:00Z')
export const OPERATION_ID = '8061cda4bc804df0faa3bb332b447f805d84b45815a1111cdb2293fb8d47cad6'

/** What every page shows, where there is nothing yet. */
export const SHELL: ShellView = {
  place: 'Harbor Tax & Books',
  path: '/owner/approvals',
  rules: [],
  modes: { scheduling: 'live', payments: 'live' },
  csrf: 'the-secret-of-the-form',
  clock: { now: NOW, zone: 'America/New_York' },
  done: undefined,
  isTrial: false,
  isOwner: true,
  waiting: [],
  usedUp: undefined,
  providers: NO_PROVIDER_PAGES,
}

const asked: ApprovalView = {
  flow: 'a flow',
  operation_id: OPERATION_ID,
  caller: 'key:two',
  operation: 'book_consult',
  mode: 'live',
  code: '7K3Q',
  since: NOW - HOUR,
  until: NOW + 3 * HOUR,
  status: 'waiting',
  id: 'pUWShNjT0xdZo3BizHK6dA',
  shown: 'u5V',
  digest: 'Qm3',
  addressIndex: ['a1b2c3d4:pZ0'],
  whole: { invitee_name: 'Jordan Doe', invitee_email: 'j***@example.com' },
  preview: { event_type: 'consult', invitee_email: 'j***@***.com' },
  summary:
    'Book a 30-minute consult on Wednesday, November 25, 2026 at 10:00 AM EST for j***@***.com.',
  warnings: ['The client has another consult that day.'],
}

/** What the page of an approval shows, with what is another now. */
export const approvalPageView = (
  more: Partial<ApprovalView> = {},
  beside: Partial<ApprovalPageView> = {},
): ApprovalPageView => ({
  asked: { ...asked, ...more },
  shell: SHELL,
  caller: 'Front desk agent',
  asker: {
    kind: 'key',
    id: 'two',
    name: 'Front desk agent',
    since: NOW - 20 * 24 * HOUR,
    lastUsedOn: null,
    scopes: [],
    ended: false,
    madeBy: 'you',
    caller: 'key:two',
  },
  title: 'Book a consult',
  question: undefined,
  refused: undefined,
  compared: undefined,
  client: { name: 'J. D.', since: NOW - 24 * HOUR, others: 0 },
  declined: 1,
  by: 'Robin',
  ...beside,
})

/** Where the page of an invoice is, of which Stripe's are this long. */
export const PAY_AT = `https://invoice.stripe.com/i/acct_1AbC/${'x'.repeat(80)}`
const PROVIDERS: ProviderPages = (id) => {
  if (id.startsWith('bk_')) return { label: 'Calendly', url: `https://calendly.example/${id}` }
  return id === '' ? undefined : { label: 'Stripe', url: `https://stripe.example/${id}` }
}

const DECIDED = { decision: { is: 'approved', by: 'approver:abc', at: NOW - 2 * MINUTE } } as const
const ENDED = {
  ...DECIDED,
  endedAt: NOW - MINUTE,
  preview: {},
  warnings: [],
  addressIndex: [],
  whole: {},
}
const BOOKING = {
  booking_id: null,
  previous_booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
  state: 'cancelled',
  start_time: '2026-11-24T10:00:00-05:00',
  end_time: '2026-11-24T10:30:00-05:00',
  timezone: 'America/New_York',
  local_time: 'Tuesday, November 24, 2026, 10:00 AM EST',
} as const

/** A change in each state in which the page can show it. */
export const APPROVALS = {
  waiting: approvalPageView({}, { question: { nonce: 'nonce', options: '{"challenge":"AAAA"}' } }),
  approved: approvalPageView({ ...DECIDED, status: 'approved' }),
  'in progress': approvalPageView({ ...DECIDED, status: 'running' }),
  'in doubt': approvalPageView({
    ...DECIDED,
    status: 'outcome_unknown',
    refusal: { code: 'outcome_unknown', effect: 'unknown' },
  }),
  'in doubt for good': approvalPageView({
    ...DECIDED,
    status: 'outcome_unknown',
    refusal: {
      code: 'outcome_unknown',
      effect: 'unknown',
      needs_attention: true,
      detail:
        'The connector sent the change to the provider and has not found it there. The owner has been alerted.',
    },
  }),
  made: approvalPageView({
    ...ENDED,
    status: 'committed',
    summary: 'Booked a 30-minute consult for j***@***.com.',
  }),
  'made, a payment link': approvalPageView(
    {
      ...ENDED,
      operation: 'create_payment_link',
      status: 'committed',
      summary: `Created the payment link of $250.00 for invoice INV-2031: ${PAY_AT}`,
      made: {
        payment_link_id: 'pl_in_1AbC',
        invoice_id: 'in_1AbC',
        amount_display: '$250.00',
        url: PAY_AT,
      },
    },
    { shell: { ...SHELL, providers: PROVIDERS }, title: 'Create a payment link' },
  ),
  'made, a booking': approvalPageView(
    {
      ...ENDED,
      status: 'committed',
      summary: 'Booked a 30-minute consult for j***@***.com.',
      made: { ...BOOKING, booking_id: 'bk_6a3f', state: 'confirmed', previous_booking_id: null },
    },
    { shell: { ...SHELL, providers: PROVIDERS } },
  ),
  'made, and its client deleted': approvalPageView({
    ...ENDED,
    status: 'committed',
    code: '',
    summary: '',
    refusal: { code: 'client_not_found', effect: 'done', detail: 'The client was deleted.' },
  }),
  'not made': approvalPageView({
    ...DECIDED,
    endedAt: NOW - MINUTE,
    status: 'failed',
    refusal: { code: 'slot_unavailable', effect: 'none' },
  }),
  'partly made': approvalPageView({
    ...ENDED,
    status: 'failed',
    summary: '',
    preview: BOOKING,
    refusal: { code: 'partially_applied', effect: 'partial', booking: BOOKING },
  }),
  declined: approvalPageView({
    status: 'declined',
    decision: { is: 'declined', by: 'owner', at: NOW - MINUTE },
  }),
  expired: approvalPageView({ status: 'expired', until: NOW - MINUTE }),
  lifted: approvalPageView({ status: 'lifted' }),
  'pressed too late': approvalPageView({ ...ENDED, status: 'committed' }, { refused: 'late' }),
}

/** The same as pages, with their address. */
export const APPROVAL_PAGES = Object.fromEntries(
  Object.entries(APPROVALS).map(([state, view]) => [
    `approval, ${state}`,
    { path: `/approve/${OPERATION_ID}`, html: () => approvalPage(view) },
  ]),
)
