import { beforeAll, describe, expect, test } from 'vitest'

import { type Caller, type Connector, startConnector } from '../support/connector.ts'
import { type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { sharedConnector } from '../support/started.ts'
import { EACH_ERA, ask, callerWith, changeOf, newKey } from '../support/transports.ts'

const SCOPES = ['payments:read', 'payments:write']

const connector = sharedConnector()
let caller: Caller
beforeAll(async () => {
  caller = await callerWith(connector, SCOPES)
})

const search = (body: object, by: Caller = caller) => by.rest('/v1/invoices/search', { body })

describe('find_invoices', () => {
  test('shows the open ones with what a link needs, soonest due first, without the payer', async () => {
    const { status, body } = await search({})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      operation: 'find_invoices',
      mode: 'mock',
      more: 0,
      complete: true,
    })
    expect(body.invoices).toEqual([
      expect.objectContaining({ invoice_id: 'in_mock_jpy', amount_remaining_display: '¥12,500' }),
      expect.objectContaining({
        invoice_id: 'in_mock_open',
        invoice_number: 'MOCK-0001',
        invoice_status: 'open',
        amount_remaining: 25_000,
        due_date: '2030-01-15',
        due_date_text: 'Tuesday, January 15, 2030',
        payer: 'J. D.',
        payer_email: 'j***@***.com',
      }),
      expect.objectContaining({ invoice_id: 'in_mock_partly_paid', invoice_status: 'partly_paid' }),
    ])
    const limited = await search({ limit: 1 })
    expect(limited.body).toMatchObject({ more: 2, complete: true })
  })

  test('takes an empty field as left out, and both together as both', async () => {
    const all = await search({})
    expect((await search({ invoice_number: '', payer_email: '' })).body).toEqual(all.body)
    const other = { invoice_number: 'MOCK-0001', payer_email: 'nobody@practice-client.example' }
    const { body } = await search(other)
    expect(body.invoices).toEqual([])
    // That of someone else is not called similar.
    expect(body).not.toHaveProperty('similar')
  })

  test.each([
    [{ payer_email: 'j***@***.com' }, '/payer_email'],
    [{ payer_email: 'jordan' }, '/payer_email'],
    [{ invoice_number: 'x'.repeat(101) }, '/invoice_number'],
    [{ invoice_number: 1042 }, '/invoice_number'],
    [{ payer_name: 'Jordan' }, ''],
  ])('refuses %j and names the field, not the value', async (body, pointer) => {
    const reply = await search(body)
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    })
    expect(reply.text).not.toMatch(/jordan|1042|xxx/i)
  })

  test('over MCP quotes the number, and its text has all that the next call needs', async () => {
    const payer_email = 'JORDAN@example.com'
    const { body, text } = await caller.mcp('find_invoices', { payer_email })
    expect(body).toEqual((await search({ payer_email })).body)
    expect(text).toContain('in_mock_open: number "MOCK-0001", open, $250.00 left to pay')
    expect(text).toContain('ask the person for its number')
    expect(text).not.toMatch(/jordan/i)
    expect(connector.logs.join('\n')).toContain('find_invoices')
    expect(connector.logs.join('\n')).not.toMatch(/jordan@/i)
  })
})

describe('with Stripe behind it', () => {
  let stripe: FakeStripe
  let live: Connector
  let clerk: Caller
  beforeAll(async () => {
    stripe = await fakeStripe()
    live = await startConnector({ vars: stripe.settings })
    clerk = await callerWith(live, SCOPES)
    return async () => {
      await live.stop()
      await stripe.stop()
    }
  })

  test.each(EACH_ERA)(
    'a number in JSON may lack its zeros over %s, a text does not',
    async (face) => {
      stripe.set('in_1Digits', { number: '2026000123' })
      stripe.set('in_1Zeros', { number: '0042' })
      const previewOf = async (invoice_id: string | number) => {
        const fields = { invoice_id, confirm: false }
        return (await ask(clerk, face, 'create_payment_link', fields, newKey())).body
      }
      const warned = expect.arrayContaining([expect.stringContaining('no zeros before')]) as unknown
      for (const [text, invoice_id] of [
        ['2026000123', 'in_1Digits'],
        ['0042', 'in_1Zeros'],
      ] as const) {
        const { preview, warnings } = await previewOf(text)
        expect(preview).toMatchObject({ invoice_id })
        expect(warnings).not.toEqual(warned)
      }
      const sent = await previewOf(2026000123)
      if (face === 'REST') expect(sent).toMatchObject({ code: 'validation_failed' })
      else expect(sent.warnings).toEqual(warned)
    },
  )

  test('a number that moved to another invoice after the preview is not paid by mistake', async () => {
    stripe.set('in_1First', { number: 'A-1' })
    const change = changeOf(clerk, 'create_payment_link', { invoice_id: 'A-1' })
    expect((await change.preview()).body.preview).toMatchObject({ invoice_id: 'in_1First' })
    stripe.set('in_1First', { number: 'A-1-OLD' })
    stripe.set('in_1Second', { number: 'A-1' })
    const stale = await change.commit()
    expect(stale.body).toMatchObject({ code: 'preview_stale', effect: 'none' })
    expect(stale.text).toContain('invoice_id')
    await change.preview()
    expect((await change.commit()).body).toMatchObject({
      status: 'committed',
      result: { invoice_id: 'in_1Second' },
    })
  })
})
