import { expect, test } from 'vitest'

import { emailIndex } from '../../../../src/practice/operations/client/identity.ts'
import { practice } from '../../../support/fake-host.ts'
import { emptyRecords } from '../../../support/fakes/records.ts'
import {
  anExistingBooking,
  callerOf,
  NEW_TIME,
  previewedMove,
  replace,
  type Reply,
} from './caller.ts'

const GOES_ELSEWHERE = 'The booking goes to another email address than it has now.'
const SAME_MASK =
  'Both addresses look the same masked: compare the whole new address, as it was sent, with the client’s.'

/** A practice whose provider returns whole addresses, as a live one does, and a booking for Jordan. */
async function live(email = 'jordan@client.example.com') {
  const world = practice()
  const booking_id = await anExistingBooking(world)
  const provider = { email }
  replace(world, 'scheduling', (scheduling) => ({
    invitee: async (id) => {
      const invitee = await scheduling.invitee(id)
      return invitee && { ...invitee, email: provider.email }
    },
  }))
  return { world, booking_id, provider }
}

const bodyOf = (reply: Reply) => {
  if (reply.is !== 'answer') throw new Error(reply.code)
  return reply.body as {
    preview: Record<string, unknown>
    result: Record<string, unknown>
    summary: string
    warnings: string[]
  }
}

test('a move to an address with the same mask says everywhere that the invitee changes', async () => {
  const { world, booking_id } = await live()
  const fields = { booking_id, start_time: NEW_TIME }
  const honest = bodyOf(await callerOf(world, 'reschedule_booking', fields).preview())
  const move = callerOf(world, 'reschedule_booking', {
    ...fields,
    invitee_email: 'jack@evil.example.com',
  })
  const other = bodyOf(await move.preview())
  expect(honest.preview).not.toHaveProperty('invitee_changed')
  expect(honest.warnings).not.toContain(GOES_ELSEWHERE)
  expect(other.preview).toEqual({ ...honest.preview, invitee_changed: true })
  expect(other.warnings).toEqual([GOES_ELSEWHERE, SAME_MASK, ...honest.warnings])
  const addition = ', and to another email address, which looks the same masked: j***@***.com.'
  expect(other.summary).toBe(honest.summary.replace(/\.$/, addition))

  const { result, summary } = bodyOf(await move.commit())
  expect(result).toMatchObject({ invitee_changed: true, invitee_email: 'j***@***.com' })
  expect(summary).toContain(
    'and to another email address, which looks the same masked: j***@***.com',
  )
  await world.idle()
  expect(JSON.stringify(world.puts)).not.toMatch(/invitee_changed|evil/)
})

test('a move to an address whose mask differs shows both masks', async () => {
  const { world, booking_id } = await live()
  const move = callerOf(world, 'reschedule_booking', {
    booking_id,
    start_time: NEW_TIME,
    invitee_email: 'kim@example.org',
  })
  const { preview, summary, warnings } = bodyOf(await move.preview())
  expect(preview).toMatchObject({
    invitee_changed: true,
    old_invitee_email: 'j***@***.com',
    invitee_email: 'k***@***.org',
  })
  expect(warnings).toContain(GOES_ELSEWHERE)
  expect(warnings).not.toContain(SAME_MASK)
  expect(summary).toMatch(
    /^Move the consult of j\*\*\*@\*\*\*\.com from .*, and to another email address: k\*\*\*@\*\*\*\.org\.$/,
  )
  expect(bodyOf(await move.commit()).summary).toMatch(
    /^Moved the consult of j\*\*\*@\*\*\*\.com to .*, and to another email address: k\*\*\*@\*\*\*\.org; it is now /,
  )
})

test('a move with the address that the booking has keeps its invitee, however the address is written', async () => {
  const { world, booking_id } = await live()
  for (const invitee_email of ['jordan@client.example.com', 'jordan@CLIENT.example.com']) {
    const fields = { booking_id, start_time: NEW_TIME, invitee_email }
    const { preview, warnings } = bodyOf(
      await callerOf(world, 'reschedule_booking', fields).preview(),
    )
    expect(preview).not.toHaveProperty('invitee_changed')
    expect(warnings).not.toContain(GOES_ELSEWHERE)
  }
})

test('the mock, which keeps masks only, tells two addresses apart by the hash of the booking', async () => {
  const world = practice()
  const booking_id = await anExistingBooking(world)
  replace(world, 'records', (_had, ports) => ({
    ...emptyRecords,
    async linkedTo(asked) {
      const keyring = await ports.keyring()
      const links = await emailIndex(keyring, keyring.current, 'jordan@client.example.com')
      const entries = links.some((link) => asked.includes(link))
        ? [{ seq: 1, key: `booking:${booking_id}`, value: '{}', ended: false }]
        : []
      return { entries, count: entries.length }
    },
  }))
  const previewed = async (invitee_email: string) => {
    const fields = { booking_id, start_time: NEW_TIME, invitee_email }
    return bodyOf(await callerOf(world, 'reschedule_booking', fields).preview()).preview
  }
  expect(await previewed('jordan@client.example.com')).not.toHaveProperty('invitee_changed')
  expect(await previewed('jack@evil.example.com')).toHaveProperty('invitee_changed', true)
  expect(await previewed('kim@example.org')).toHaveProperty('invitee_changed', true)
})

test('a move whose old invitee changed after the preview is refused as stale', async () => {
  const { world, booking_id, provider } = await live()
  const fields = { booking_id, start_time: NEW_TIME, invitee_email: 'kim@example.org' }
  const move = callerOf(world, 'reschedule_booking', fields)
  await move.preview()
  provider.email = 'someone.else@client.example.com'
  expect(await move.commit()).toMatchObject({
    code: 'preview_stale',
    refusal: { changes: [{ field: 'old_invitee' }] },
  })
})

test('an old time that is booked again with another length is answered with that length', async () => {
  const { world, move } = await previewedMove()
  world.fail('book', 'refused')
  replace(world, 'scheduling', (scheduling) => ({
    async book(request, marker) {
      const ran = await scheduling.book(request, marker)
      const facts = { end_time: '2026-11-24T16:00:00Z' }
      return ran.is === 'ok' ? { is: 'ok', facts: { ...ran.facts, ...facts } } : ran
    },
  }))
  expect(await move.commit()).toMatchObject({
    code: 'reschedule_restored',
    refusal: {
      booking: { start_time: '2026-11-24T10:00:00-05:00', end_time: '2026-11-24T11:00:00-05:00' },
    },
  })
})
