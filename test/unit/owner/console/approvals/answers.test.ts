import { expect, test } from 'vitest'

import { approvalPage } from '../../../../../src/owner/console/approvals/page.ts'
import { approvalPageView } from '../approval-views.ts'
import { textOf } from '../text-of.ts'

const PREVIEWED = {
  answers: [
    { question: 'What is it about?', answer: 'Ask [email]' },
    { question: 'State', answer: 'Ohio <b>' },
    { question: 'timezone', answer: 'Eastern' },
  ],
  phone: '(•••) •••-0147',
}
const [about, ...others] = PREVIEWED.answers
const WHOLE = {
  answers: [{ ...about!, answer: 'Ask jo@example.com' }, ...others],
  phone: '(202) 555-0147',
}

const pageWith = (whole: object, preview: object, status?: 'committed') => {
  const view = approvalPageView()
  return approvalPage({
    ...view,
    asked: {
      ...view.asked,
      ...(status && { status }),
      whole: { ...view.asked.whole, ...whole },
      preview: { ...view.asked.preview, ...preview },
    },
  })
}

test('the page of an approval shows every answer whole beside its question, and the number', () => {
  const page = pageWith(WHOLE, { ...PREVIEWED, ask: ['details', 'time'] })
  // What stands under the details is what the agent was shown.
  const [shown = ''] = page.split('Everything the agent was shown')
  const text = textOf(shown)
  for (const said of ['What is it about?', 'Ask jo@example.com', 'State', 'timezone', 'Eastern'])
    expect(text).toContain(said)
  expect(text).toContain('(202) 555-0147')
  expect(text).toContain('Asks for details, time')
  expect(shown).toContain('Ohio &lt;b&gt;')
  expect(text).not.toMatch(/\[email\]|•••/)
})

test('once the change has ended, nothing of it is shown', () => {
  const page = pageWith({}, { answers: null, phone: null }, 'committed')
  expect(page).not.toMatch(/answers|Telephone/i)
})
