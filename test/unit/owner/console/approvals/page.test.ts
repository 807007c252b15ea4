import { describe, expect, test } from 'vitest'

import type { Mode } from '../../../../../src/core/domain/mode.ts'
import { NO_RULES } from '../../../../../src/core/domain/rules/house-rules.ts'
import type { ApprovalView } from '../../../../../src/core/ports/confirmation.ts'
import {
  type ApprovalPageView,
  approvalPage,
  approvalsPage,
} from '../../../../../src/owner/console/approvals/page.ts'
import type { CallerItem } from '../../../../../src/owner/console/shell/items.ts'
import { APPROVALS, OPERATION_ID, PAY_AT, approvalPageView } from '../approval-views.ts'
import { textOf } from '../text-of.ts'
import { everybody, waitingChange } from '../views.ts'

const html = (view: ApprovalPageView): string => approvalPage(view)

describe('the page of an approval', () => {
  test.each([
    ['accept', 'Accept this request?'],
    ['decline', 'Turn this request down?'],
  ])('asks which answer to a request is approved: %s', (decision, question) => {
    const preview = { event_type: 'consult', decision }
    const text = textOf(html(approvalPageView({ operation: 'respond_to_booking', preview })))
    expect(text).toContain(question)
  })

  const APPROVED_BY = 'Approved by Robin , 3:38 PM EST'
  test.each<[keyof typeof APPROVALS, string, string[]]>([
    ['approved', 'Approved. Nothing has happened yet', [APPROVED_BY, 'Take back']],
    ['in progress', 'In progress.', [APPROVED_BY, 'Look again']],
    ['in doubt', 'Not known yet.', [APPROVED_BY, 'It keeps looking.', 'Look again']],
    [
      'in doubt for good',
      'Not known yet.',
      [APPROVED_BY, 'has been alerted.', 'Say what happened'],
    ],
    [
      'made',
      'Made at ',
      [APPROVED_BY, 'Made 3:39 PM EST', 'Booked a 30-minute consult', 'The entries of this change'],
    ],
    ['made, and its client deleted', 'Made.', [APPROVED_BY, 'The client was deleted.']],
    ['not made', 'Not made.', [APPROVED_BY, 'Ended 3:39 PM EST', 'The entries of this change']],
    ['partly made', 'Partly made.', [APPROVED_BY, 'Ended 3:39 PM EST', 'bk_mock_4f1c2a9b7d3e8f60']],
    ['declined', 'Declined. Nothing was done.', ['Declined by Robin , 3:39 PM EST']],
    ['expired', 'Expired. It was not made in time.', ['Expired 3:39 PM EST']],
    ['pressed too late', 'Made at ', ['You decided too late, so your decision had no effect.']],
  ])(
    'says of a change that is %s what became of it, who decided and when',
    (state, outcome, facts) => {
      const text = textOf(html(APPROVALS[state]))
      for (const said of [outcome, ...facts]) expect(text).toContain(said)
      expect(text).not.toMatch(/this [a-z ]+\?/)
      expect(text).not.toContain('Approve with your passkey')
    },
  )

  test.each([
    'in progress',
    'in doubt',
    'made',
    'not made',
    'partly made',
    'declined',
    'expired',
  ] as const)('has nothing to press where there is nothing to decide any more: %s', (state) => {
    const [, main] = html(APPROVALS[state]).split('<main id="main">')
    expect(main).toBeDefined()
    expect(main).not.toMatch(/<form|<button/)
    expect(html(APPROVALS[state])).not.toMatch(/passkey-\w+\.js/)
    // Nor a warning: it was about what could happen.
    expect(textOf(html(APPROVALS[state]))).not.toContain('The client has another consult that day.')
  })

  test.each(['waiting', 'approved', 'lifted'] as const)(
    'warns while it can be decided: %s',
    (state) => {
      expect(textOf(html(APPROVALS[state]))).toContain('The client has another consult that day.')
    },
  )

  test('says the date, the length and the person once, and the rest where all is folded', () => {
    const preview = {
      start_time: '2026-12-03T06:00:00-08:00',
      end_time: '2026-12-03T06:30:00-08:00',
      timezone: 'America/Los_Angeles',
      local_time: 'Thursday, December 3, 2026, 6:00 AM PST',
      old_start_time: '2026-11-30T11:00:00-08:00',
      old_local_time: 'Monday, November 30, 2026, 11:00 AM PST',
      invitee_name: 'J. D.',
      invitee_email: 'j***@***.com',
    }
    const summary = 'Move the consult of j***@***.com to Thursday, December 3, 2026 at 9:00 AM EST.'
    const page = html(approvalPageView({ preview, summary }))
    const [said = '', folded = ''] = textOf(page).split('Everything the agent was shown')
    expect(said).toContain('Thursday, December 3, 2026, 9:00 AM EST 30 minutes')
    expect(said).toContain('for the client: 6:00 AM PST')
    expect(said).toContain('Instead of Monday, November 30, 2026 at 2:00 PM EST')
    expect(said).toContain('Client Jordan Doe j***@example.com The address of client J. D.')
    for (const once of ['December 3', 'Jordan Doe', '@example.com'])
      expect(said.split(once)).toHaveLength(2)
    expect(folded).toContain(summary)
  })

  test.each([
    [{ event_type: 'tax_planning' }, 'Kind of consult Tax planning'],
    [{ entity_type: 's_corp' }, 'Kind of client s corp'],
    [{ answers: { primary_goal: 'cash_flow' } }, 'Primary goal cash flow'],
    [{ answers: { annual_revenue_band: '500k_2m' } }, 'Annual revenue band 500k to 2m'],
    [{ answers: { has_existing_cpa: false } }, 'Has existing cpa no'],
    [{ answers: { notes: 'see tax_planning' } }, 'Notes see tax_planning'],
    [{ amount_paid_display: '$25.00' }, 'Amount paid $25.00 A'],
  ])('says what was written for a program in words: %j', (preview, said) => {
    expect(textOf(html(approvalPageView({ preview, whole: {} })))).toContain(said)
  })

  test('says of a change of a consult whose time has come that it is not made, here and in the list', () => {
    const { shell } = approvalPageView()
    const saying = (preview: object) => {
      const list = approvalsPage({ ...shell, waiting: [waitingChange({ preview })] }, new Map())
      const page = html(approvalPageView({ preview }))
      return [page.includes('has passed'), list.includes('Time passed')]
    }
    const [passed, ahead] = ['2026-11-24T15:40:00-05:00', '2026-11-24T15:41:00-05:00']
    expect(saying({ start_time: passed })).toEqual([true, true])
    expect(saying({ start_time: ahead, old_start_time: passed })).toEqual([true, true])
    expect(saying({ start_time: ahead, old_start_time: ahead })).toEqual([false, false])
    expect(saying({ due_date: '2026-11-01', expires_at: passed })).toEqual([false, false])
  })

  test('says of none that its agent makes it now while a pause, its access or the clock keeps it from that', () => {
    const { shell, asker } = approvalPageView()
    const paused = { ...shell, rules: everybody({ ...NO_RULES, paused: true }) }
    const late = { start_time: '2026-11-24T15:40:00-05:00' }
    for (const status of ['approved', 'lifted'] as const) {
      const says = (more: object, beside: object) =>
        / makes the change now|can make this change now/.test(
          textOf(html(approvalPageView({ status, ...more }, beside))),
        )
      expect(says({}, {})).toBe(true)
      expect(says({}, { asker: 'unread' })).toBe(true)
      expect(says({}, { asker: undefined })).toBe(false)
      expect(says({}, { asker: { ...(asker as CallerItem), ended: true } })).toBe(false)
      expect(says({}, { shell: paused })).toBe(false)
      expect(says({ preview: late }, {})).toBe(false)
    }
  })

  test('marks a change in the list that goes to a mock, unless the name of every page says so', () => {
    const { shell } = approvalPageView()
    const listed = (scheduling: Mode, mode: Mode) => {
      const modes = { scheduling, payments: 'mock' } as const
      return approvalsPage({ ...shell, modes, waiting: [waitingChange({ mode })] }, new Map())
    }
    expect(listed('live', 'mock')).toContain('<span class="tag">Mock</span>')
    expect(listed('live', 'live')).not.toContain('class="tag"')
    expect(listed('mock', 'mock')).not.toContain('class="tag"')
  })

  const endOf = (view: ApprovalPageView): string =>
    /<section aria-labelledby="now-what">[\s\S]*?<\/section>/.exec(html(view))?.[0] ?? ''

  test('ends with the address to send in a field of its own, once on the page, and the way to Stripe', () => {
    const view = APPROVALS['made, a payment link']
    const end = endOf(view)
    expect(end).toMatch(/<h2[^>]*>Send this link to the client<\/h2>/)
    expect(end.replaceAll(/\s+/g, ' ')).toContain(`<code id="made">${PAY_AT}</code>`)
    expect(end).toMatch(/<button type="button"[^>]*hidden[^>]*data-copy="made"/)
    expect(end).toContain('href="https://stripe.example/pl_in_1AbC"')
    expect(html(view).split(PAY_AT)).toHaveLength(2)
  })

  test('gives no link to send that was paid meanwhile and is used up', () => {
    const { asked, ...beside } = APPROVALS['made, a payment link']
    const usedUp = approvalPageView({ ...asked, made: { ...asked.made, state: 'used_up' } }, beside)
    expect(endOf(usedUp)).not.toContain(PAY_AT)
  })

  test('tells a person what to do only where a client is without an appointment', () => {
    expect(endOf(APPROVALS['partly made'])).toContain('Your client has no appointment now.')
    expect(endOf(APPROVALS['not made'])).toContain('You do not need to do anything.')
  })

  test('approves, then leads to the next that waits, and says how many are left', () => {
    const waiting = (n: number) =>
      Array.from({ length: n }, (_, i) => waitingChange({ operation_id: `${i}`.repeat(64) }))
    const page = (n: number, state: 'waiting' | 'made') => {
      const { shell } = approvalPageView()
      const own = waitingChange({ operation_id: OPERATION_ID })
      const { asked, question } = APPROVALS[state]
      return html(
        approvalPageView(asked, { question, shell: { ...shell, waiting: [own, ...waiting(n)] } }),
      )
    }
    expect(textOf(page(2, 'waiting'))).toContain('Approve, then the next (2 left)')
    expect(page(2, 'waiting').match(/name="next" value="next"/g)).toHaveLength(2)
    expect(textOf(page(0, 'waiting'))).toContain('Approve with your passkey')
    expect(page(0, 'waiting')).not.toContain('name="next" value="next"')
    expect(textOf(page(2, 'made'))).toContain('Review the next (2 left)')
    expect(page(2, 'made')).toContain(`href="/approve/${'0'.repeat(64)}"`)
  })

  test('says who asks, and offers no approval where they can never come back for it', () => {
    const app = {
      ...(approvalPageView().asker as CallerItem),
      kind: 'app',
      host: 'localhost',
      since: 1,
    } as const
    const said = (asker: CallerItem | undefined) => textOf(html(approvalPageView({}, { asker })))
    expect(said(app)).toContain('App whose name is not verified. It sends you back to localhost')
    expect(textOf(html(approvalPageView()))).toContain('API key, made November 4, 2026 by you')
    expect(said(undefined)).toContain('Its access has ended')
    expect(said({ ...app, kind: 'key', ended: true })).toContain('Its access has ended')
  })

  test.each([
    ['a pause of who asks', { paused: true }, 'The agent is paused'],
    ['a list without it', { operations: [] }, 'The rules do not allow this change now. No changes'],
    ['a limit of links', { max_link: { usd: 24_999 } }, 'Payment links up to $249.99.'],
    [
      'hours',
      { hours: { days: [6], from: '08:00', to: '09:00' } },
      'The rules do not allow this change now. Changes Saturday',
    ],
  ])('says, while it can be decided, what forbids it by now: %s', (_, rule, words) => {
    const preview = { amount: 25_000, currency: 'usd', amount_display: '$250.00' }
    const page = (more: Partial<ApprovalView>, caller: string) => {
      const view = approvalPageView({ operation: 'create_payment_link', preview, ...more })
      const rules = [{ caller, rules: { ...NO_RULES, ...rule }, pausedSince: null }]
      return textOf(html({ ...view, shell: { ...view.shell, rules } }))
    }
    expect(page({}, 'key:two')).toContain(words)
    expect(page({ status: 'approved' }, 'key:two')).toContain(words)
    expect(page({}, 'key:another')).not.toContain(words)
    expect(page({ status: 'declined', endedAt: 1 }, 'key:two')).not.toContain(words)
  })
})
