import { describe, expect, it, test } from 'vitest'

import { approvalText } from '../../../../../src/core/confirm/approval.ts'
import type { Previewed } from '../../../../../src/core/confirm/record.ts'
import { settingsFrom } from '../../../../../src/core/settings.ts'
import { practice } from '../../../../support/fake-host.ts'
import { callerOf } from '../../../core/confirm/caller.ts'

const START = '2026-11-24T15:00:00Z'

function withTerms(text: string | null) {
  const world = practice()
  let en = text
  world.adapt = (ports) => ({
    ...ports,
    practice: { ...ports.practice, bookingTerms: { en, es: null } },
  })
  const booking = callerOf(world, 'book_consult', {
    start_time: START,
    timezone: 'America/New_York',
    invitee_email: 'jane@client.example',
  })
  return { booking, change: (to: string | null) => void (en = to) }
}

const warningsIn = (reply: unknown) => (reply as { body: { warnings: string[] } }).body.warnings

describe('the terms of the practice', () => {
  it('stand first in the preview of a booking, quoted on one line', async () => {
    const { booking } = withTerms('Cancel a day before,\n\nor pay $50. “No shows” pay all.')
    expect(warningsIn(await booking.preview())[0]).toBe(
      'The terms of the practice, to be shown to the person: “Cancel a day before, or pay $50. "No shows" pay all.”',
    )
    expect(await booking.commit()).toMatchObject({ status: 'committed' })
  })

  it('are part of what a person approves', async () => {
    const { booking } = withTerms('Pay $50.')
    await booking.preview()
    expect(approvalText((await booking.record()) as Previewed, [])).toContain('“Pay $50.”')
  })

  it('that are not set are not mentioned', async () => {
    const { booking } = withTerms(null)
    expect(JSON.stringify(await booking.preview())).not.toMatch(/terms/i)
  })

  test.each([
    ['other', 'Pay $50.', 'Pay $500.'],
    ['first', null, 'Pay $50.'],
    ['no', 'Pay $50.', null],
  ])(
    '%s terms after the preview make it stale, so no one agrees to what was not shown',
    async (_what, was, now) => {
      const { booking, change } = withTerms(was)
      await booking.preview()
      change(now)
      expect(await booking.commit()).toMatchObject({
        code: 'preview_stale',
        refusal: { effect: 'none', changes: [{ field: 'terms', was, now }] },
      })
    },
  )
})

describe('the setting BOOKING_TERMS', () => {
  const termsOf = (BOOKING_TERMS: string) =>
    settingsFrom({ BOOKING_TERMS }).practice.bookingTerms.en

  it('takes 500 characters, without the white space around them', () => {
    expect(termsOf(` ${'x'.repeat(500)}\n`)).toBe('x'.repeat(500))
    expect(() => termsOf('x'.repeat(501))).toThrow('not_configured')
  })

  it.each(['', '  \n'])('that is blank (%j) is none', (text) => {
    expect(termsOf(text)).toBeNull()
  })
})
