import { describe, expect, test } from 'vitest'
import { type ApprovalPageView, approvalPage } from '../../../../src/console/approvals/page.ts'
import { APPROVALS, OPERATION_ID, approvalPageView } from '../approval-views.ts'
import { textOf } from '../text-of.ts'

const html = (view: ApprovalPageView): string => approvalPage('Harbor Tax & Books', view)

describe('the page of an approval', () => {
  const APPROVED_BY = 'Approved by Robin , 3:38 PM EST'
  test.each<[keyof typeof APPROVALS, string, string[]]>([
    ['approved', 'Approved. Nothing has happened yet', [APPROVED_BY, 'Decline']],
    ['in progress', 'In progress.', [APPROVED_BY, 'Look again']],
    ['in doubt', 'Not known yet.', [APPROVED_BY, 'It goes on looking.', 'Look again']],
    ['in doubt for good', 'Not known yet.', [APPROVED_BY, 'has been alerted.', 'Say what happened']],
    ['made', 'Made.', [APPROVED_BY, 'Made 3:39 PM EST', 'Booked a consult', 'entry 15']],
    ['made, and its client deleted', 'Made.', [APPROVED_BY, 'The client was deleted.']],
    ['not made', 'Not made.', [APPROVED_BY, 'Ended 3:39 PM EST', 'entry 15']],
    ['partly made', 'Partly made.', [APPROVED_BY, 'Ended 3:39 PM EST', 'bk_mock_4f1c2a9b7d3e8f60']],
    ['declined', 'Declined. This change will not be made.', ['Declined by Robin , 3:39 PM EST', 'entry 15']],
    ['expired', 'Too late.', ['Expired 3:39 PM EST']],
    ['pressed too late', 'Made.', ['It was too late for that, and it changed nothing.']],
  ])('says of a change that is %s what became of it, who decided and when', (state, outcome, facts) => {
    const text = textOf(html(APPROVALS[state]))
    for (const said of [outcome, ...facts]) expect(text).toContain(said)
    expect(text).not.toContain('Approve this change?')
    expect(text).not.toContain('Approve with your passkey')
  })

  test.each(['in progress', 'in doubt', 'made', 'not made', 'partly made', 'declined', 'expired'] as const)(
    'has nothing to press where there is nothing to decide any more: %s',
    (state) => {
      expect(html(APPROVALS[state])).not.toMatch(/<form|<button|<script/)
      // Nor a warning: it was about what could happen.
      expect(textOf(html(APPROVALS[state]))).not.toContain('The client has another consult that day.')
    },
  )

  test.each(['waiting', 'approved', 'lifted'] as const)('warns while it can be decided: %s', (state) => {
    expect(textOf(html(APPROVALS[state]))).toContain('The client has another consult that day.')
  })

  test('says the outcome in its title and has the focus there, so that it is read first', () => {
    const page = html(APPROVALS.made)
    expect(page).toContain('<title>Made: Book a consult')
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(
      /role="status" tabindex="-1" autofocus> <strong>Made\.<\/strong>/,
    )
  })

  test('leads the owner to the entry of the audit log, to all of the change where that is not there yet, and others nowhere', () => {
    const made = APPROVALS.made.asked
    expect(html(APPROVALS.made)).toContain('href="/owner/audit/15"')
    const early = html(approvalPageView(made, { entry: undefined }))
    expect(early).toContain(`href="/owner/audit?id=${OPERATION_ID}"`)
    const other = html(approvalPageView(made, { isOwner: false }))
    expect(other).not.toContain('/owner/audit')
    expect(textOf(other)).toContain('entry 15')
  })
})
