import { describe, expect, test } from 'vitest'

import { publishedBy } from '../../../../src/core/domain/events/provider-changes.ts'
import { eventOf } from '../../../../src/core/domain/events/topics.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { ok } from '../../../../src/core/domain/outcome.ts'
import type { Invoice, MadeLink } from '../../../../src/core/domain/payment-link.ts'
import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { callerOf, personApproves, replace } from './caller.ts'

const LINK: MadeLink = {
  paymentLinkId: 'plink_earlier',
  invoiceId: 'in_mock_open',
  active: true,
  isCompleted: false,
  charges: 20_000,
  currency: 'usd',
}

const EARLIER = { invoice_id: 'in_mock_open', amount: 20_000, currency: 'usd' }

/** From now on the records have the earlier link. */
function recordEarlierLink(world: World) {
  const value = JSON.stringify({ recorded_at: '2026-11-20T15:00:00Z' })
  const key = 'payment_link:plink_earlier'
  replace(world, 'records', () => ({
    newestWith: async (links) =>
      links.includes('invoice:in_mock_open')
        ? [{ key, value, mode: 'mock' as const, seq: 1, ended: false }]
        : [],
  }))
}

/** A payment link whose preview was shown, of an invoice that changes before the commit; the fields that are named. */
async function changedMeanwhile(
  change: Partial<Invoice>,
  link: Partial<MadeLink> = {},
  named = 'in_mock_open',
) {
  const world = practice()
  let isChanged = false
  replace(world, 'payments', ({ invoice }) => ({
    reconciliation: 'manual' as const,
    invoice: async (id, ...given) => {
      const found = await invoice(id.replace(/^https:.*[/]/, ''), ...given)
      return found && { ...found, ...(isChanged && change) }
    },
    madeLinks: async (ids) =>
      ids.map((paymentLinkId) => ({ ...LINK, paymentLinkId, ...(isChanged && link) })),
  }))
  recordEarlierLink(world)
  const caller = callerOf(world, 'create_payment_link', { invoice_id: named })
  const preview = await caller.preview()
  isChanged = true
  const said = await caller.commit()
  const changes = said.is === 'problem' ? said.refusal.changes?.map(({ field }) => field) : []
  const again = await caller.preview()
  return { preview, said, changes, again, sent: world.mutations() }
}

test('the end of a link shows its amounts as a person reads them, and a change of them, too', async () => {
  const world = practice()
  const { id } = await world.ledger.makeLink({ ...EARLIER, marker: 'made before' })
  let left = 20_000
  replace(world, 'payments', ({ link }) => ({
    link: async (named) => {
      const found = await link(named)
      const invoice = found && { ...found.invoice, amount: left, amountPaid: 5_000 }
      return found && { ...found, invoice: invoice! }
    },
  }))
  const caller = callerOf(world, 'end_payment_link', { payment_link_id: id })
  expect(await caller.preview()).toMatchObject({
    body: {
      preview: {
        link_amount_display: '$200.00',
        amount_remaining_display: '$200.00',
        amount_paid_display: '$50.00',
      },
    },
  })
  left = 19_950
  const changed = { field: 'amount_remaining_display', was: '$200.00', now: '$199.50' }
  expect(await caller.commit()).toMatchObject({
    code: 'preview_stale',
    refusal: { changes: expect.arrayContaining([changed]) },
  })
})

test('payments that failed before a link was made are kept with it, and are no news', async () => {
  const world = practice()
  replace(world, 'payments', ({ createLink }) => ({
    createLink: async (...asked) => {
      const made = await createLink(...asked)
      return made.is === 'ok' ? ok({ ...made.facts, failures: 2 }) : made
    },
  }))
  const caller = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_open' })
  await caller.preview()
  expect(JSON.stringify(await caller.commit())).not.toContain('failures')
  await world.idle()
  const [{ key, value }] = world.puts as [{ key: string; value: Facts }]
  const event = eventOf(key, 'mock', value)
  expect(publishedBy(event!, () => undefined)).toMatchObject([{ state: 'open', failures: 2 }])
})

describe('what the preview of a payment link showed is pinned', () => {
  // Whatever an invoice has besides is shown by no preview.
  type Shown = Exclude<
    keyof Invoice,
    'invoiceId' | 'amountPaid' | 'payerLinks' | 'wholeNumber' /* of an approval alone */
  >
  const OTHERWISE: {
    [Name in Shown]-?: [otherwise: Invoice[Name], pinnedAs: string, warning?: string]
  } = {
    dueAt: [Date.UTC(2031, 5, 1, 17), 'due_date'],
    amount: [30_000, 'amount'],
    currency: ['eur', 'currency'],
    number: ['INV-9', 'invoice_number'],
    payerInitials: ['X. Y.', 'payer'],
    status: ['partly_paid', 'invoice_status', 'the link is for what is left'],
    automaticCollection: [true, 'automatic_collection', 'will also try to collect'],
    paymentUnderWay: [true, 'payment_under_way', 'is under way already'],
    paysOtherAccount: [true, 'pays_other_account', 'goes to another account'],
    testMode: [true, 'test_mode', 'no real money can be paid'],
  }
  test.each(Object.entries(OTHERWISE))('%s', async (name, [otherwise, field, warning]) => {
    const { preview, said, changes, again, sent } = await changedMeanwhile({ [name]: otherwise })
    expect(said).toMatchObject({ code: 'preview_stale', refusal: { effect: 'none' } })
    expect(changes).toContain(field)
    expect(sent).toEqual([])
    expect(again).toMatchObject({ status: 'preview' })
    if (warning === undefined) return
    expect(JSON.stringify(preview)).not.toContain(warning)
    expect(JSON.stringify(again)).toContain(warning)
  })

  test.each<[string, Partial<MadeLink>, string, string]>([
    [
      'an earlier link that was completed meanwhile',
      { active: false, isCompleted: true },
      'links_completed',
      'was completed already: plink_earlier, for $200.00',
    ],
    ['an earlier link that was ended meanwhile', { active: false }, 'other_links_open', ''],
  ])('%s', async (_what, link, field, words) => {
    const { preview, said, changes, again, sent } = await changedMeanwhile({}, link)
    expect(JSON.stringify(preview)).toContain('can still be paid as well: plink_earlier')
    expect(said).toMatchObject({ code: 'preview_stale' })
    expect(changes).toContain(field)
    expect(sent).toEqual([])
    expect(JSON.stringify(again)).toContain(words)
    expect(JSON.stringify(again)).not.toContain('can still be paid as well')
  })

  test('an earlier link, also where the invoice is named by the address of its page', async () => {
    const page = 'https://dashboard.example.com/invoices/in_mock_open'
    const { preview, changes } = await changedMeanwhile({}, { isCompleted: true }, page)
    expect(JSON.stringify(preview)).toContain('can still be paid as well: plink_earlier')
    expect(changes).toContain('links_completed')
  })
})

test.each<[string, () => Promise<MadeLink[]>, string]>([
  [
    'can still be paid, for the same amount, too',
    async () => [{ ...LINK, charges: 25_000 }],
    'can still be paid as well: plink_earlier, for $250.00',
  ],
  ['was completed', async () => [{ ...LINK, isCompleted: true }], 'was completed already'],
  [
    'cannot be read, as where the key may not',
    () => Promise.reject(new Problem({ code: 'provider_misconfigured', effect: 'none' })),
    'could not be checked',
  ],
])(
  'the page of an invoice is given with a warning where a link from before PAYMENT_LINK_STYLE was changed %s',
  async (_what, madeLinks, words) => {
    const world = practice()
    replace(world, 'payments', () => ({ madeLinks }))
    recordEarlierLink(world)
    const caller = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_open' })
    expect(JSON.stringify(await caller.preview())).toContain(words)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  },
)

test('a number that carries a person is whole on the page of the approval alone', async () => {
  const world = practice()
  world.rules = personApproves('create_payment_link')
  replace(world, 'payments', ({ invoice }) => ({
    invoice: async (...given) => {
      const found = await invoice(...given)
      return found && { ...found, number: null, wholeNumber: 'DOE-1985' }
    },
  }))
  const caller = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_open' })
  const answers = [await caller.preview(), await caller.commit(), await caller.status()]
  expect((await world.approval(await caller.name))?.whole).toEqual({ invoice_number: 'DOE-1985' })
  const stored = [world.kept(), world.auditLog(), world.puts, world.notes]
  expect(JSON.stringify([answers, stored])).not.toContain('DOE-1985')
})
