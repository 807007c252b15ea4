import { describe, expect, test } from 'vitest'

import type { StepOutcome } from '../../../../src/core/domain/outcome.ts'
import { practiceAt } from '../../../contract/practice-at.ts'
import { START, practice } from '../../../support/fake-host.ts'

const AT = START + 3 * 86_400_000

/** A flow whose provider ends a booking so, and cannot find it. */
async function committed(...outcomes: StepOutcome[]) {
  const world = practice()
  const { aBooking } = practiceAt('consult', {}, world)
  const adapt = world.adapt
  world.adapt = (all) => {
    const ports = adapt(all)
    const scheduling = {
      ...ports.scheduling,
      slots: async () => [{ start: AT, end: AT + 1_800_000 }],
      book: async () => outcomes.shift() ?? { is: 'unknown' as const },
      findBooked: async () => ({ is: 'not_found' as const }),
    }
    return { ...ports, scheduling }
  }
  const booking = aBooking(AT, 'jane@client.example')
  await booking.preview()
  return { booking, reply: await booking.commit() }
}

describe('a change in doubt', () => {
  test('whose answer came says that it was not understood, also when it is asked again', async () => {
    const { booking, reply } = await committed({ is: 'unknown', answered: true })
    const said = {
      code: 'outcome_unknown',
      refusal: {
        effect: 'unknown',
        detail: expect.stringMatching(/its answer does not say whether it was made/) as string,
      },
    }
    expect(reply).toMatchObject(said)
    expect(await booking.commit()).toMatchObject(said)
  })

  test('whose answer did not come says nothing of an answer', async () => {
    const { reply } = await committed({ is: 'unknown' })
    expect(reply).toMatchObject({ code: 'outcome_unknown', refusal: { effect: 'unknown' } })
    expect(JSON.stringify(reply)).not.toContain('its answer does not say')
  })
})
