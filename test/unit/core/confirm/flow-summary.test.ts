import { expect, test } from 'vitest'

import { practice } from '../../../support/fake-host.ts'
import { emptyRecords } from '../../../support/fakes/records.ts'
import { BOOKING, NEW_TIME, anExistingBooking, callerOf, replace } from './caller.ts'

const OLD = 'Tuesday, November 24, 2026 at 10:00 AM EST'
const NEW = 'Wednesday, November 25, 2026 at 2:00 PM EST'
const OLD_IN_TOKYO = `${OLD} (for the client: Wednesday, November 25, 2026 at 12:00 AM GMT+9)`
const NEW_IN_TOKYO = `${NEW} (for the client: Thursday, November 26, 2026 at 4:00 AM GMT+9)`

/** What a change says in a sentence: before it is made, and after. */
async function summariesOf(operation: string, fields: object, world = practice()) {
  const change = callerOf(world, operation, fields)
  const replies = [await change.preview(), await change.commit()]
  return replies.map((reply) => (reply.is === 'answer' ? reply.body['summary'] : reply))
}

test('a consult is booked in the time of the practice first, whatever zone is asked for', async () => {
  const inTokyo = await summariesOf('book_consult', { ...BOOKING, timezone: 'Asia/Tokyo' })
  expect(inTokyo).toEqual([
    `Book a 30-minute consult on ${OLD_IN_TOKYO} for j***@***.com.`,
    `Booked a 30-minute consult on ${OLD_IN_TOKYO} for j***@***.com.`,
  ])
  const inLima = await summariesOf('book_consult', { ...BOOKING, timezone: 'America/Lima' })
  expect(inLima).toEqual([
    `Book a 30-minute consult on ${OLD} for j***@***.com.`,
    `Booked a 30-minute consult on ${OLD} for j***@***.com.`,
  ])
})

test('its fields stay in the zone that was asked for', async () => {
  const booking = callerOf(practice(), 'book_consult', { ...BOOKING, timezone: 'Asia/Tokyo' })
  expect(await booking.preview()).toMatchObject({
    body: {
      preview: {
        start_time: '2026-11-25T00:00:00+09:00',
        timezone: 'Asia/Tokyo',
        local_time: 'Wednesday, November 25, 2026, 12:00 AM GMT+9',
      },
    },
  })
})

test('a consult is moved from and to the time of the practice first', async () => {
  const world = practice()
  const booking_id = await anExistingBooking(world)
  const fields = { booking_id, start_time: NEW_TIME, timezone: 'Asia/Tokyo' }
  expect(await summariesOf('reschedule_booking', fields, world)).toEqual([
    `Move the consult of j***@***.com from ${OLD_IN_TOKYO} to ${NEW_IN_TOKYO}.`,
    `Moved the consult of j***@***.com to ${NEW_IN_TOKYO}; it is now bk_mock_0002.`,
  ])
})

test('a consult that someone booked in another zone is cancelled in the time of the practice first', async () => {
  const world = practice()
  await callerOf(world, 'book_consult', { ...BOOKING, timezone: 'Asia/Tokyo' }).preview()
  const booking = callerOf(world, 'book_consult', { ...BOOKING, timezone: 'Asia/Tokyo' })
  await booking.preview()
  await booking.commit()
  expect(await summariesOf('cancel_booking', { booking_id: 'bk_mock_0001' }, world)).toEqual([
    `Cancel the consult on ${OLD_IN_TOKYO} for j***@***.com.`,
    `Cancelled the consult on ${OLD_IN_TOKYO} for j***@***.com.`,
  ])
})

test('a warning of another consult says the time of the practice first', async () => {
  const world = practice()
  const kept = { booking_id: 'bk_mock_other', start_time: '2026-11-25T19:00:00Z' }
  const value = JSON.stringify(kept)
  const entry = { seq: 0, kind: 'booking', key: 'booking:bk_mock_other', value, ended: false }
  const linkedTo = async () => ({ entries: [entry], count: 1 })
  replace(world, 'records', () => ({ ...emptyRecords, linkedTo }))
  const booking = callerOf(world, 'book_consult', { ...BOOKING, timezone: 'Asia/Tokyo' })
  expect(await booking.preview()).toMatchObject({
    body: { warnings: [expect.stringContaining(`${NEW_IN_TOKYO} (bk_mock_other)`)] },
  })
})
