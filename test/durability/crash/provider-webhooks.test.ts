// @module-tag slow

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'

import { DAY, MINUTE } from '../../../src/core/domain/time/duration.ts'
import { type FakeCalendly, fakeCalendly } from '../../support/fakes/calendly.ts'
import { randomFrom } from '../../support/random.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Connector, type Host, connectorHost } from './connector.ts'

const KILLS = 3
const BOOKINGS = 40
/** The ports change with every instance, the address that is registered does not. */
const PUBLIC_URL = 'http://127.0.0.1:8787'

let folder: ReturnType<typeof temporaryFolder>
let calendly: FakeCalendly
let host: Host
let connector: Connector
beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'scratch'))
  calendly = await fakeCalendly({ hours: { from: 0, to: 24 } })
  calendly.state.scopes.add('webhooks:write')
  host = connectorHost({
    storage: join(folder.path, 'storage'),
    scratch: join(folder.path, 'scratch'),
    vars: {
      SIGNING_SECRET: 'the-signing-secret-of-the-crash-test',
      PUBLIC_URL,
      ALLOW_ANONYMOUS: 'true',
      ...calendly.settings,
    },
  })
  connector = await host.start(inject('workerScript'))
})
afterEach(async () => {
  await connector.kill()
  host.close()
  await calendly.stop()
  folder.remove()
})

const restart = async (): Promise<void> => {
  await connector.kill()
  connector = await host.start(inject('workerScript'))
}

/** Sends a delivery until it is answered 200, wherever the connector is by then. */
async function delivered(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = await request.text()
  for (;;) {
    const response = await fetch(new URL(pathname + search, connector.url), {
      method: 'POST',
      headers: request.headers,
      body,
    }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return response
    await pause(20)
  }
}

interface Listed {
  events: { type: string; data: { booking_id: string } }[]
}
async function created(): Promise<string[]> {
  const response = await fetch(new URL('/v1/events?limit=100', connector.url))
  const { events } = (await response.json()) as Listed
  return events.filter(({ type }) => type === 'booking.created').map(({ data }) => data.booking_id)
}

describe('a connector that is killed with SIGKILL while providers send webhooks', () => {
  it('loses none that it has answered with 200, and publishes each booking once', async () => {
    await fetch(new URL('/v1/admin/provider-webhooks', connector.url), { method: 'POST' })
    const random = randomFrom(7)
    const first = Math.ceil((Date.now() + 2 * DAY) / DAY) * DAY
    const booked = Array.from({ length: BOOKINGS }, (_, index) => {
      const invitee = { email: 'robin@plumbwick.example', name: 'Robin Roe', timezone: null }
      return `bk_${calendly.bookOnPage(first + index * 30 * MINUTE, invitee)}`
    })
    const sending = calendly.webhooks.deliver(async (request) => {
      // About as fast as they can be followed.
      await pause(random.int(0, 150))
      return delivered(request)
    })
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(random.int(50, 900))
      await restart()
    }
    expect(await sending).toEqual(booked.map(() => 200))
    await restart()
    await expect.poll(created, { interval: 500 }).toHaveLength(BOOKINGS)
    expect((await created()).toSorted()).toEqual(booked.toSorted())
  })
})
