import * as z from 'zod'

import type { App } from '../../api/http/app-env.ts'
import { readFields } from '../../api/http/body.ts'
import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import { requireScope } from '../../core/domain/scopes.ts'
import { dateTimeSchema, instantOf } from '../../core/domain/time/time.ts'
import type { MockAct } from '../../core/ports/services.ts'
import { parseInput } from '../../practice/operations/validation.ts'
import { notificationPath } from '../../practice/provider-sync/registering.ts'

const actSchema = z.lazy(() =>
  z.strictObject({
    act: z.enum(['book', 'move', 'cancel', 'no_show', 'pay']),
    booking_id: z.string().optional(),
    start_time: dateTimeSchema.optional(),
    no_show: z.boolean().default(true),
    invoice_id: z.string().default('in_mock_open'),
    how: z.enum(['paid', 'failed', 'void', 'submitted']).default('paid'),
  }),
)

/**
 * Adds the route that acts on the mock as a person does on a provider's page, and sends its
 * webhook. It is for `npm start` alone: no route of a deployed Worker, and in no document.
 */
export function addMockActsRoute(app: App) {
  app.post('/v1/admin/mock-acts', async (c) => {
    c.var.log.operation = 'act_on_mock'
    requireScope((await c.var.context()).scopes, 'admin')
    const { mockPages, events } = c.var.services
    const given = parseInput(actSchema, await readFields(c.req.raw))
    // The log begins when it is first read: what happens after that is news.
    await events.page({ types: [], limit: 1 })
    const about = await mockPages.act(actOf(given))
    if (about === 'not a mock')
      throw problem('not_found', {
        detail: 'This provider is not a mock: there is no page of ours to act on.',
      })
    if (about === 'not there')
      throw problem('not_found', {
        detail: 'The mock has nothing like this to act on.',
        next_step: 'Use the id of a booking that is still there, or of an invoice that is open.',
      })
    if (about === 'taken') throw problem('slot_unavailable')
    const { headers, body } = await mockPages.delivery(about)
    const request = new Request(new URL(notificationPath('mock'), c.req.url), {
      method: 'POST',
      headers,
      body: body as Uint8Array<ArrayBuffer>,
    })
    const { status } = await app.fetch(request, c.env, c.executionCtx)
    c.var.note({ event: 'check', code: 'acted_on_mock' })
    return c.json({ ...about, webhook: status })
  })
}

function actOf({ act, ...given }: z.infer<typeof actSchema>): MockAct {
  const start = () => instantOf(needed(given.start_time, 'start_time'))
  const bookingId = () => needed(given.booking_id, 'booking_id')
  switch (act) {
    case 'book':
      return { act, start: start() }
    case 'move':
      return { act, bookingId: bookingId(), start: start() }
    case 'cancel':
      return { act, bookingId: bookingId() }
    case 'no_show':
      return { act, bookingId: bookingId(), isOn: given.no_show }
    case 'pay':
      return { act, invoiceId: given.invoice_id, how: given.how }
  }
}

function needed(value: string | undefined, field: string) {
  if (value === undefined) throw invalidField(`/${field}`, 'This act needs it.')
  return value
}
