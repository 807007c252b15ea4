import { randomBytes } from 'node:crypto'

import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'

import { type Connector } from '../support/connector.ts'
import { connectorForAll, connectorForTest, startedForAll } from '../support/started.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ZONE, done, freeStarts } from '../support/transports.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const NAME = 'Robin Castle'
const EMAIL = 'robin.castle@practice-guests.example'

const connector = connectorForAll()
const tool = startedForAll(() => webhookReceiver())

const arrived = (count: number) =>
  vi.waitFor(() => expect(tool.deliveries).toHaveLength(count), { timeout: 30_000 })

test('a REST-hook client subscribes, tests, is sent what is booked, moved and cancelled, verifies it, and unsubscribes', async () => {
  const topics = ['booking.created', 'booking.rescheduled', 'booking.cancelled']
  const made = await connector.rest('/v1/webhooks', { body: { url: tool.url, events: topics } })
  const { webhook_id, secret } = made.body as { webhook_id: string; secret: string }
  const address = made.headers.get('Location') ?? ''
  expect([made.status, address]).toEqual([201, `${connector.url}/v1/webhooks/${webhook_id}`])

  const tested = await connector.rest(`/v1/webhooks/${webhook_id}/test`, { method: 'POST' })
  expect(tested.body).toMatchObject({ result: 'ok' })

  const [start_time = '', later = ''] = await freeStarts(connector)
  const invitee = { timezone: ZONE, invitee_email: EMAIL, invitee_name: NAME }
  const { result: booked } = await done(connector, 'REST', 'book_consult', {
    ...invitee,
    start_time,
  })
  const move = { booking_id: booked['booking_id'], start_time: later }
  const { result: moved } = await done(connector, 'REST', 'reschedule_booking', move)
  const cancelled = { booking_id: moved['booking_id'], reason: `${NAME} is ill.` }
  await done(connector, 'REST', 'cancel_booking', cancelled)
  await arrived(4)

  const received = tool.deliveries.map(
    ({ headers, body }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>) as {
        id: string
        type: string
        data: Record<string, string>
      },
  )
  expect(received.map(({ type }) => type)).toEqual(['webhook.test', ...topics])
  const { events } = (await connector.rest('/v1/events')).body as unknown as { events: object[] }
  expect(received.slice(1)).toEqual(events)
  const { pathname } = new URL(received[2]!.data['url']!)
  expect((await connector.rest(pathname)).status).toBe(200)

  expect((await connector.rest(new URL(address).pathname, { method: 'DELETE' })).status).toBe(204)
  await done(connector, 'REST', 'book_consult', { ...invitee, start_time })
  await vi.waitFor(async () => {
    const { body } = await connector.rest('/v1/events?type=booking.created')
    expect((body as unknown as { events: object[] }).events).toHaveLength(2)
  })
  expect(tool.deliveries).toHaveLength(4)

  const sent = tool.deliveries.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n')
  for (const place of [sent, made.text, connector.logs.join('\n')])
    expect(place).not.toMatch(/robin|castle|practice-guests|\*\*\*|R\. C\./i)
  expect(connector.logs.join('\n')).not.toMatch(/canary|whsec|127\.0\.0\.1:\d+\/catch/)
})

test('a webhook keeps its secret through a rotation of the signing secrets, and pauses without one', async () => {
  const [{ path: storage, remove }, own] = [temporaryFolder(), await webhookReceiver()]
  const [old, renewed] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ]
  const under = async (vars: Record<string, string>, act: (one: Connector) => Promise<void>) => {
    const one = await connectorForTest({ vars, storage })
    await act(one)
  }
  const book = async (one: Connector) => {
    const profile = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
    await done(one, 'REST', 'create_client_profile', profile)
  }
  let secret = ''
  await under({ SIGNING_SECRET: old }, async (one) => {
    const made = await one.rest('/v1/webhooks', {
      body: { url: own.url, events: ['client.created'] },
    })
    secret = (made.body as { secret: string }).secret
  })
  for (const [count, vars] of [
    { SIGNING_SECRET: old, SIGNING_SECRET_2: renewed },
    { SIGNING_SECRET: '', SIGNING_SECRET_2: renewed },
  ].entries())
    await under(vars, async (one) => {
      await book(one)
      await vi.waitFor(() => expect(own.deliveries).toHaveLength(count + 1), { timeout: 30_000 })
      const { headers, body } = own.deliveries[count]!
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy()
    })
  await under({ SIGNING_SECRET: old }, async (one) => {
    await book(one)
    await vi.waitFor(
      async () => {
        const { text } = await one.rest('/v1/webhooks')
        expect(text).toContain('"last_result":"secret_lost"')
        expect(text).toContain('"state":"paused"')
      },
      { timeout: 30_000, interval: 100 },
    )
  })
  await own.stop()
  remove()
})
