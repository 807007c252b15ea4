import { describe, expect, test } from 'vitest'

import type { Invoice, MadeLink } from '../../../../src/core/domain/payment-link.ts'
import { EXAMPLE_LINK } from '../../../../src/practice/operations/create-payment-link.ts'
import { getPaymentLink } from '../../../../src/practice/operations/get-payment-link.ts'
import type { ReadPorts } from '../../../../src/practice/operations/operation.ts'
import {
  type EarlierLink,
  earlierLinkWarnings,
  linkWarnings,
} from '../../../../src/practice/operations/payment-link-warnings.ts'

const INVOICE: Invoice = {
  invoiceId: 'in_1',
  number: 'INV-1',
  status: 'open',
  amount: 25_000,
  amountPaid: 0,
  currency: 'usd',
  dueAt: null,
  payerInitials: 'J. D.',
  automaticCollection: false,
  testMode: false,
}
const LINK: MadeLink & { isOwn: boolean; paymentUnderWay?: true } = {
  paymentLinkId: 'plink_1',
  invoiceId: 'in_1',
  active: true,
  isCompleted: false,
  charges: 25_000,
  currency: 'usd',
  isOwn: true,
}
const UNDER_WAY =
  'A payment, such as a bank debit, is under way. It takes days and can still fail: until then, the client should not pay again.'
const END = 'End it first, in the payment provider’s dashboard. end_payment_link ends it, too.'

describe('a payment link that is read', () => {
  test.each<[string, Partial<typeof LINK>, Partial<Invoice>, string[]]>([
    ['fits its invoice', {}, {}, []],
    ['is off', { active: false }, { status: 'paid' }, []],
    [
      'was completed by a bank debit',
      { active: false, isCompleted: true, paymentUnderWay: true },
      {},
      [UNDER_WAY],
    ],
    [
      'is on while its invoice is paid by a bank debit',
      { paymentUnderWay: true },
      {},
      [UNDER_WAY, `This link can still be paid as well. ${END}`],
    ],
    [
      'is the page of an invoice that is being paid',
      { isOwn: false, paymentUnderWay: true },
      {},
      [UNDER_WAY],
    ],
    ['is the page of its invoice, which ends with it', { isOwn: false }, { status: 'void' }, []],
    [
      'is the page of an invoice that was written off',
      { isOwn: false },
      { status: 'uncollectible' },
      [expect.stringContaining('Until it is voided') as string],
    ],
    [
      'is on while its invoice is paid',
      {},
      { status: 'paid', amount: 0, amountPaid: 25_000 },
      [
        `The invoice cannot be paid any more, and this link still can: a payment through it would be one too many. ${END}`,
      ],
    ],
    [
      'charges more than is left',
      {},
      { status: 'partly_paid', amount: 15_000, amountPaid: 10_000 },
      [`The link charges $250.00, which is not what is left on the invoice, $150.00. ${END}`],
    ],
    [
      'charges less than is left',
      { charges: 10_000 },
      {},
      ['The link charges $100.00, and more than that is left on the invoice, $250.00.'],
    ],
    [
      'charges another currency',
      { currency: 'eur' },
      {},
      [`The link charges €250.00, which is not what is left on the invoice, $250.00. ${END}`],
    ],
    [
      'charges what no one knows',
      { charges: null },
      {},
      [
        `The link charges an amount that is not known, which is not what is left on the invoice, $250.00. ${END}`,
      ],
    ],
  ])('that %s says so', (_what, link, invoice, warnings) => {
    expect(linkWarnings({ ...LINK, ...link }, { ...INVOICE, ...invoice })).toEqual(warnings)
  })

  test.each(['void', 'uncollectible', 'paid', 'draft'] as const)(
    'that is on while its invoice is %s leads to its end',
    (status) => expect(linkWarnings(LINK, { ...INVOICE, status }).join()).toContain(END),
  )
})

test.each([
  ['a link of its own', true, 'manual'],
  ['the page of its invoice', false, 'automatic'],
])(
  '%s says whether paying it settles the invoice, whichever is made now',
  async (_what, isOwn, is) => {
    const link = { ...LINK, isOwn, url: null, invoice: INVOICE }
    const kept = JSON.stringify({ ...EXAMPLE_LINK, recorded_at: '2026-11-20T15:00:00Z' })
    for (const reconciliation of ['automatic', 'manual']) {
      const payments = { mode: 'mock', reconciliation, link: async () => link }
      const ports = { payments, records: { get: async () => kept } } as unknown as ReadPorts
      const read = await getPaymentLink.run({ payment_link_id: 'plink_1' }, ports)
      expect(read.payment_link.reconciliation).toBe(is)
    }
  },
)

describe('links that were made for an invoice before', () => {
  const earlier = (more: Partial<EarlierLink>): EarlierLink => ({
    ...LINK,
    madeOn: 'Monday, November 23',
    ...more,
  })

  test.each<[string, Partial<EarlierLink>, string[]]>([
    ['is the same, and is given again', {}, []],
    ['is off and was not completed', { active: false }, []],
    [
      'was completed',
      { active: false, isCompleted: true },
      [
        'A payment link for this invoice was completed already: plink_1, for $250.00, made on Monday, November 23. Ask the practice whether that payment has arrived before you give out another link.',
      ],
    ],
    [
      'charges another amount and can still be paid',
      { charges: 20_000 },
      [
        `An earlier payment link for this invoice can still be paid as well: plink_1, for $200.00, made on Monday, November 23. ${END}`,
      ],
    ],
  ])('one that %s', (_what, link, warnings) => {
    expect(earlierLinkWarnings([earlier(link)], INVOICE, 'manual')).toEqual(warnings)
  })

  test('one that was completed and is on for another amount says both', () => {
    const both = earlier({ isCompleted: true, charges: 20_000 })
    expect(earlierLinkWarnings([both], INVOICE, 'manual')).toHaveLength(2)
  })
})
