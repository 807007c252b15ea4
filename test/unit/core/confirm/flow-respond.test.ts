import { describe, expect, test } from 'vitest'

import { eventOf } from '../../../../src/core/domain/events/topics.ts'
import { DAY, HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import {
  BOOKING,
  type Reply,
  anExistingBooking,
  callerOf,
  personApproves,
  replace,
} from './caller.ts'

type Fields = Record<string, unknown>

const START = Date.parse(BOOKING.start_time)

/** A practice with a request, and a caller who answers it. */
async function requested(decision: 'accept' | 'decline', more: Fields = {}) {
  const world = practice()
  const booking_id = await anExistingBooking(world, 'open')
  const answer = callerOf(world, 'respond_to_booking', { booking_id, decision, ...more })
  const [row] = world.calendar.rows
  return { world, booking_id, answer, row: row! }
}

const bodyOf = (reply: Reply): Fields => (reply.is === 'answer' ? reply.body : { ...reply.refusal })
const recordsIn = (world: World): [string, Fields][] =>
  world.puts.map(({ key, value }) => [key, value as Fields])

describe('the answer to a booking request', () => {
  test.each([
    ['accept', 'confirmed', 'Accept', 'Accepted'],
    ['decline', 'cancelled', 'Decline', 'Declined'],
  ] as const)(
    '%s: is previewed, changes nothing until it is committed, and then once',
    async (decision, state, asks, says) => {
      const { world, booking_id, answer, row } = await requested(decision)
      const preview = await answer.preview()
      expect(bodyOf(preview)).toMatchObject({
        status: 'preview',
        summary: `${asks} the request for the consult on Tuesday, November 24, 2026 at 10:00 AM EST for j***@***.com.`,
        preview: { booking_id, decision, state: 'pending_host_approval', reason: null },
      })
      expect(row.request).toBe('open')
      const commit = await answer.commit()
      expect(bodyOf(commit)).toMatchObject({
        status: 'committed',
        summary: expect.stringContaining(`${says} the request for the consult`),
        result: { booking_id, decision, state },
      })
      expect(row.request).toBe(decision)
      expect(await answer.commit()).toMatchObject({ status: 'committed', replayed: true })
      expect(
        bodyOf(await callerOf(world, 'respond_to_booking', { booking_id, decision }).preview()),
      ).toMatchObject(
        decision === 'accept'
          ? { code: 'booking_not_pending', effect: 'none' }
          : {
              code: 'booking_not_active',
              detail: 'The booking is declined or cancelled already; nothing was done.',
            },
      )
    },
  )

  test('that was held up before it left is not sent, since a look may have ended the wait for it', async () => {
    const { world, answer, row } = await requested('accept')
    await answer.preview()
    await world.idle()
    let heldUp = 2 * MINUTE
    world.wrote = () => {
      world.pass(heldUp)
      heldUp = 0
    }
    await answer.commit()
    await world.idle()
    expect([heldUp, row.request, (await answer.record())?.state]).toEqual([0, 'open', 'previewed'])
    expect(await answer.commit()).toMatchObject({ status: 'committed' })
    expect(row.request).toBe('accept')
  })

  test('leaves a record and an event, and nothing of the invitee', async () => {
    const { world, booking_id, answer } = await requested('accept')
    await answer.preview()
    await answer.commit()
    await world.idle()
    const [[key, record] = ['', {}]] = recordsIn(world).filter(([name]) =>
      name.endsWith(':acceptance'),
    )
    expect(key).toBe(`booking:${booking_id}:acceptance`)
    expect(JSON.stringify(record)).not.toMatch(/invitee|j\*/)
    expect(eventOf(key, 'mock', record)).toMatchObject({
      type: 'booking.confirmed',
      data: { booking_id, state: 'confirmed', event_type: 'consult', source: 'connector' },
    })
  })

  test('of a decline is the end of the booking', async () => {
    const { world, booking_id, answer } = await requested('decline')
    await answer.preview()
    await answer.commit()
    await world.idle()
    const [[key, record] = ['', {}]] = recordsIn(world).filter(([name]) => name.endsWith(':end'))
    expect(eventOf(key, 'mock', record)).toMatchObject({
      type: 'booking.cancelled',
      data: { booking_id, state: 'cancelled', source: 'connector' },
    })
  })

  test('is not given for a booking that does not wait, nor for none', async () => {
    const world = practice()
    const booking_id = await anExistingBooking(world)
    const answers = (id: string) =>
      callerOf(world, 'respond_to_booking', { booking_id: id, decision: 'accept' }).preview()
    expect(bodyOf(await answers(booking_id))).toMatchObject({
      code: 'booking_not_pending',
      effect: 'none',
    })
    expect(bodyOf(await answers('bk_mock_none'))).toMatchObject({ code: 'booking_not_found' })
    expect(world.calendar.rows).toHaveLength(1)
  })

  test('is refused with a provider that lets no booking wait, and says what to do instead', async () => {
    const { world, answer } = await requested('accept')
    replace(world, 'scheduling', () => ({ provider: 'calendly', respond: undefined }) as object)
    expect(bodyOf(await answer.preview())).toMatchObject({
      code: 'booking_not_pending',
      effect: 'none',
      detail: expect.stringMatching(/^Calendly has no bookings that wait/),
      next_step: expect.stringContaining('cancel_booking'),
    })
  })

  test('is stale where the request was moved after the preview: what was shown is what commits', async () => {
    for (const decision of ['accept', 'decline'] as const) {
      const { answer, row } = await requested(decision)
      await answer.preview()
      Object.assign(row, { start: START + HOUR, end: START + HOUR + 30 * MINUTE })
      expect(bodyOf(await answer.commit())).toMatchObject({ code: 'preview_stale', effect: 'none' })
      expect(row.request).toBe('open')
    }
  })

  test.each([
    ['accepted', { request: 'accept' }, 'booking_not_pending'],
    ['declined', { request: 'decline', cancelled_by: 'declined' }, 'booking_not_active'],
    ['cancelled', { cancelled_by: 'by hand' }, 'booking_not_active'],
  ] as const)('says so where it was %s elsewhere after the preview', async (_how, change, code) => {
    for (const decision of ['accept', 'decline'] as const) {
      const { answer, row } = await requested(decision)
      await answer.preview()
      Object.assign(row, change)
      expect(bodyOf(await answer.commit())).toMatchObject({ code, effect: 'none' })
      expect(row).toMatchObject(change)
    }
  })

  test('of a request whose time has passed is none', async () => {
    const { world, answer } = await requested('accept')
    world.pass(2 * DAY)
    expect(bodyOf(await answer.preview())).toMatchObject({ code: 'booking_not_active' })
  })

  test('waits for a person where a rule says so', async () => {
    const { world, answer, row } = await requested('accept')
    world.rules = personApproves('respond_to_booking')
    expect(bodyOf(await answer.preview())).toMatchObject({ approval: { status: 'pending' } })
    expect(bodyOf(await answer.commit())).toMatchObject({ code: 'approval_pending' })
    expect(row.request).toBe('open')
  })
})

describe('the reason of a decline', () => {
  test('is shown as it goes out, with labels, and kept nowhere', async () => {
    const reason = 'Ask zebulon@client.example.com or call 312-555-0147.'
    const { world, answer } = await requested('decline', { reason })
    const said: unknown[] = []
    replace(world, 'scheduling', ({ respond }) => ({
      respond: {
        ...respond!,
        execute: (given, marker) => {
          said.push(given.reason)
          return respond!.execute(given, marker)
        },
      },
    }))
    const preview = await answer.preview()
    const shown = 'Ask [email] or call [phone].'
    expect(bodyOf(preview)).toMatchObject({ preview: { reason: shown } })
    expect(bodyOf(preview)['warnings']).toContainEqual(expect.stringContaining('with labels'))
    const commit = await answer.commit()
    await world.idle()
    expect(said).toEqual([shown])
    expect(
      JSON.stringify([commit, world.puts, await answer.record(), world.auditLog()]),
    ).not.toMatch(/zebulon|0147|Ask \[email/)
  })

  test('goes with no acceptance, which Cal.com would drop', async () => {
    const { answer } = await requested('accept', { reason: 'Welcome.' })
    expect(bodyOf(await answer.preview())).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/reason' }],
    })
  })
})

describe('an answer whose own answer was lost', () => {
  /** The next call to the provider is lost, before it acted or after. */
  function lose(world: World, when: 'before' | 'after') {
    let sends = 0
    let isLost = true
    replace(world, 'scheduling', ({ respond }) => ({
      respond: {
        ...respond!,
        execute: async (...given) => {
          sends += 1
          if (!isLost) return respond!.execute(...given)
          isLost = false
          if (when === 'after') await respond!.execute(...given)
          return { is: 'unknown' }
        },
      },
    }))
    return { sends: () => sends }
  }

  test.each(['accept', 'decline'] as const)(
    '%s: is found, and not sent again',
    async (decision) => {
      const { world, answer } = await requested(decision)
      const { sends } = lose(world, 'after')
      await answer.preview()
      expect(bodyOf(await answer.commit())).toMatchObject({
        code: 'outcome_unknown',
        effect: 'unknown',
      })
      expect(bodyOf(await answer.commit())).toMatchObject({
        status: 'committed',
        result: { decision },
      })
      expect(sends()).toBe(1)
    },
  )

  test('and that never arrived stays in doubt until nothing can be on its way, and then had no effect', async () => {
    const { world, answer, row } = await requested('accept')
    const { sends } = lose(world, 'before')
    await answer.preview()
    expect(bodyOf(await answer.commit())).toMatchObject({ code: 'outcome_unknown' })
    world.pass(9 * MINUTE)
    expect(bodyOf(await answer.commit())).toMatchObject({ code: 'outcome_unknown' })
    world.pass(MINUTE)
    expect(bodyOf(await answer.commit())).toMatchObject({ code: 'provider_busy', effect: 'none' })
    expect([sends(), row.request]).toEqual([1, 'open'])
  })

  test('is not claimed, nor denied, where the booking was cancelled meanwhile', async () => {
    const { world, answer, row } = await requested('accept')
    lose(world, 'after')
    await answer.preview()
    await answer.commit()
    row.cancelled_by = 'by hand'
    world.pass(DAY)
    expect(bodyOf(await answer.commit())).toMatchObject({
      code: 'outcome_unknown',
      effect: 'unknown',
    })
  })
})
