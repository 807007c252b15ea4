import { setTimeout as wait } from 'node:timers/promises'

import { isLoopback } from '../../core/domain/origin.ts'
import { CliError } from '../cli-error.ts'
import { signedIn } from './callers.ts'
import { type Rows, transcript } from './transcript.ts'

/** How often and for how long the demo asks for events, in milliseconds. */
const EVERY = 200
const LONGEST = 15_000

type Events = {
  events: { id: string; type: string; data: Record<string, string> }[]
  next_cursor: string
}

/**
 * Books and cancels on the provider's page, and shows the event of each. It needs the scope admin,
 * and the mock of `npm start`.
 */
export async function onProviderPage(origin: string, apiKey: string | undefined): Promise<void> {
  if (!isLoopback(origin)) return
  const headers = { 'Content-Type': 'application/json', ...signedIn(apiKey) }
  async function ask(path: string, fields?: object): Promise<Record<string, unknown>> {
    const init = fields ? { method: 'POST', headers, body: JSON.stringify(fields) } : { headers }
    const response = await fetch(new URL(path, origin), init)
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (!response.ok) throw new CliError(`${path} answered ${response.status}.`)
    return body
  }
  const eventsSince = async (cursor?: string) =>
    (await ask(`/v1/events${cursor === undefined ? '' : `?cursor=${cursor}`}`)) as unknown as Events

  const me = await ask('/v1/me')
  if (!(me['scopes'] as string[]).includes('admin')) return
  const { slots } = (await ask('/v1/availability')) as { slots: { start_time: string }[] }
  const start_time = slots.at(-1)?.start_time
  if (start_time === undefined) throw new CliError('no time is free.')
  let { next_cursor: cursor } = await eventsSince()

  async function act(
    title: string,
    fields: { act: string } & Record<string, string>,
  ): Promise<string> {
    transcript.step(fields.act === 'book' ? 1 : 2, title)
    const { act: name, ...rest } = fields
    const sent: Rows = Object.entries(rest)
    transcript.asked(`npm run rehearse -- ${name}`, sent)
    await ask('/v1/admin/mock-acts', fields)
    for (const until = Date.now() + LONGEST; ;) {
      const { events, next_cursor } = await eventsSince(cursor)
      const [event] = events
      cursor = next_cursor
      if (event) {
        transcript.answered(
          `GET /v1/events?cursor=…  ${event.type}`,
          false,
          Object.entries(event.data),
        )
        return event.data['booking_id'] ?? ''
      }
      if (Date.now() > until) throw new CliError('the event did not arrive.')
      await wait(EVERY)
    }
  }
  const booking_id = await act('A person books on the page of the provider', {
    act: 'book',
    start_time,
  })
  await act('And cancels there', { act: 'cancel', booking_id })
}
