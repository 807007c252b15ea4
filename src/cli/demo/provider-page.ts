import { setTimeout as wait } from 'node:timers/promises'

import { isLoopback } from '../../core/domain/origin.ts'
import { adminClient } from '../admin-client.ts'
import { CliError } from '../command.ts'
import { transcript } from './transcript.ts'

/** How often and for how long the demo asks for events, in milliseconds. */
const EVERY = 200
const LONGEST = 15_000

type Events = {
  events: { id: string; type: string; data: Record<string, unknown> }[]
  next_cursor: string
}

/** One act of a person on the page of the provider, with the fields that the route takes. */
interface Act {
  title: string
  /** The type of the event that follows. */
  makes: string
  fields: { act: string } & Readonly<Record<string, string>>
}

/**
 * Acts on the mock as a person does on the provider's page, and shows the event of each act. It
 * needs the scope admin, and the mock of `npm start`; without them it does nothing.
 */
export async function onProviderPage(origin: string, apiKey: string | undefined) {
  if (!isLoopback(origin)) return
  const { step, asked, answered } = transcript()
  const api = adminClient(origin, apiKey)
  const eventsSince = async (cursor?: string) =>
    (await api.get(`/v1/events${cursor === undefined ? '' : `?cursor=${cursor}`}`)) as Events

  const { scopes } = (await api.get('/v1/me')) as { scopes: string[] }
  if (!scopes.includes('admin')) return
  const { slots } = (await api.get('/v1/availability')) as { slots: { start_time: string }[] }
  const [earlier, start] = slots.slice(-2).map(({ start_time }) => start_time)
  if (earlier === undefined || start === undefined) throw new CliError('no two times are free.')
  let { next_cursor: cursor } = await eventsSince()

  /** Does one act, waits for its event, and returns the booking that the event names. */
  async function act({ title, makes, fields }: Act) {
    step(title)
    asked('POST /v1/admin/mock-acts', Object.entries(fields))
    await api.post('/v1/admin/mock-acts', fields)
    for (const until = Date.now() + LONGEST; ;) {
      const { events, next_cursor } = await eventsSince(cursor)
      const event = events.find(({ type }) => type === makes)
      cursor = next_cursor
      if (event) {
        const rows = Object.entries(event.data).map(
          ([name, value]) => [name, String(value)] as const,
        )
        answered(`GET /v1/events?cursor=…  ${makes}`, false, rows)
        return String(event.data['booking_id'])
      }
      if (Date.now() > until) throw new CliError(`the event ${makes} did not arrive.`)
      await wait(EVERY)
    }
  }
  const booked = await act({
    title: 'A person books on the page of the provider',
    makes: 'booking.created',
    fields: { act: 'book', start_time: earlier },
  })
  const moved = await act({
    title: 'The person moves it there',
    makes: 'booking.rescheduled',
    fields: { act: 'move', booking_id: booked, start_time: start },
  })
  await act({
    title: 'The owner marks it as missed',
    makes: 'booking.no_show',
    fields: { act: 'no_show', booking_id: moved },
  })
  await act({
    title: 'The person cancels it there',
    makes: 'booking.cancelled',
    fields: { act: 'cancel', booking_id: moved },
  })
  await act({
    title: 'A payment of the link fails',
    makes: 'payment_link.payment_failed',
    fields: { act: 'pay', invoice_id: 'in_mock_open', how: 'failed' },
  })
}
