import { beforeAll, describe, expect, test } from 'vitest'

import type { Caller } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'
import { ZONE, callerWith, done, freeStarts } from '../support/transports.ts'

const EMAIL = 'Dana.Fields@practice-guests.example'
const NAME = 'Dana Fields'
const PERSONAL = /dana|fields@|practice-guests/i

const connector = sharedConnector()
let reader: Caller
let starts: string[]
beforeAll(async () => {
  reader = await callerWith(connector, ['bookings:read'])
  starts = await freeStarts(connector)
})

const search = (body: object, by: Caller = reader) => by.rest('/v1/bookings/search', { body })
const found = async (invitee_email: string, more: object = {}) =>
  (await search({ invitee_email, ...more })).body.bookings?.map(({ booking_id }) => booking_id)

const book = async (at: number, invitee_email: string) => {
  const fields = { timezone: ZONE, invitee_email, invitee_name: NAME, start_time: starts[at] }
  return String((await done(connector, 'REST', 'book_consult', fields)).result['booking_id'])
}

describe('find_bookings', () => {
  test('finds a booking that was moved without naming the address again, in either case, and not the old one', async () => {
    const address = 'moved@practice-guests.example'
    const booking_id = await book(5, address)
    const moved = await done(connector, 'REST', 'reschedule_booking', {
      booking_id,
      start_time: starts[6],
    })
    const again = await done(connector, 'REST', 'reschedule_booking', {
      booking_id: moved.result['booking_id'],
      start_time: starts[7],
    })
    expect(await found(address.toUpperCase())).toEqual([again.result['booking_id']])
    expect(await found(address, { state: 'cancelled' })).toEqual([
      booking_id,
      moved.result['booking_id'],
    ])
    await done(connector, 'REST', 'cancel_booking', { booking_id: again.result['booking_id'] })
    expect(await found(address)).toEqual([])
  })

  test.each([
    [{}, '/invitee_email'],
    [{ invitee_email: 'd***@***.example' }, '/invitee_email'],
    [{ invitee_email: EMAIL, from: '2020-01-01' }, '/from'],
    [{ invitee_email: EMAIL, to: '2020-01-01' }, '/to'],
    [{ invitee_email: EMAIL, to: '2999-01-01' }, '/to'],
    [{ invitee_email: EMAIL, state: 'gone' }, '/state'],
    [{ invitee_email: EMAIL, invitee_name: NAME }, ''],
    [{ invitee_email: EMAIL, cursor: 'x' }, ''],
  ])('refuses %j, naming the field and not the value', async (body, pointer) => {
    const reply = await search(body)
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    })
    expect(reply.text).not.toMatch(PERSONAL)
  })

  test('is asked by POST alone, so that no address stands in a URL', async () => {
    const reply = await reader.rest(`/v1/bookings/search?invitee_email=${EMAIL}`)
    expect(reply.status).toBe(405)
    expect(connector.logs.join('\n')).toContain('find_bookings')
    expect(connector.logs.join('\n')).not.toMatch(PERSONAL)
  })
})
