import { describe, expect, test } from 'vitest'

import type { Body } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { callerWith, newKey } from '../support/transports.ts'

const INVOICE = 'in_mock_open'

describe('a payment link that stands by itself', () => {
  const connector = connectorForAll({ vars: { PAYMENT_LINK_STYLE: 'payment_link' } })

  /** A change in its two calls, over REST. */
  async function changed(
    caller: Awaited<ReturnType<typeof callerWith>>,
    path: string,
    fields: object,
  ): Promise<{ preview: Body; done: Body }> {
    const key = newKey()
    const send = async (more: object) =>
      (await caller.rest(path, { body: { ...fields, ...more }, key })).body
    const preview = await send({ confirm: false })
    if (preview.status !== 'preview') return { preview, done: preview }
    const { confirmation_token } = preview
    return { preview, done: await send({ confirm: true, confirmation_token }) }
  }

  test('is ended by a caller who was granted that by name, and the next one says what came before', async () => {
    const maker = await callerWith(connector, ['payments:write', 'payments:read'])
    const ender = await callerWith(connector, ['payment_links:end', 'payments:read'])
    const made = await changed(maker, '/v1/payment-links', { invoice_id: INVOICE })
    const id = String((made.done.result as { payment_link_id: string }).payment_link_id)
    expect(id).toMatch(/^plink_mock_/)
    expect(Reflect.get(made.done, 'next_step')).toMatch(/as of .*get_payment_link/)
    const end = `/v1/payment-links/${id}/end`
    const refused = await changed(maker, end, {})
    expect(refused.done.code).toBe('insufficient_scope')
    const { preview, done } = await changed(ender, end, {})
    expect(preview.warnings).toHaveLength(1)
    expect(done).toMatchObject({
      status: 'committed',
      result: { payment_link_id: id, state: 'ended' },
    })
    const read = await ender.rest(`/v1/payment-links/${id}`)
    expect(read.body).toMatchObject({
      payment_link: { active: false, url: null, link_amount: 25_000 },
    })
    const again = await changed(ender, end, {})
    expect(again.done).toMatchObject({ code: 'payment_link_not_active', effect: 'none' })
    const next = await changed(maker, '/v1/payment-links', { invoice_id: INVOICE })
    expect((next.done.result as { payment_link_id: string }).payment_link_id).not.toBe(id)
  })

  test('is the invoice’s own page under the other style, and says what to do instead', async () => {
    const ender = await callerWith(connector, ['payment_links:end'])
    const { done } = await changed(ender, `/v1/payment-links/pl_${INVOICE}/end`, {})
    expect(done).toMatchObject({ code: 'payment_link_not_active', effect: 'none' })
    expect(done.next_step).toMatch(/void the invoice/)
  })
})
