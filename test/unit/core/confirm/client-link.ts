import {
  type Ask,
  callerOfLink,
  readClientLink,
} from '../../../../src/practice/operations/invite-client.ts'
import type { World } from '../../../support/fake-host.ts'
import { type Caller, callerOf } from './caller.ts'

/** What no one but the provider may ever see, and the values of a form with it. */
export const TYPED = { name: 'Jordan Zibblethwaite', email: 'jordan.canary@plumbwick.example' }
export const PHONE = '212-555-0147'

/** Tuesday, 10:00 and 11:00 in New York; free in the mock calendar. */
export const TIMES = ['2026-11-24T10:00:00-05:00', '2026-11-24T11:00:00-05:00'] as const

export const ALL: Ask[] = ['details', 'intake', 'time']

/** What someone types on a link that asks for this. */
export const typed = (ask: readonly Ask[], start_time: string = TIMES[0], more: object = {}) => ({
  ...TYPED,
  acknowledged: false,
  ...(ask.includes('details') && { entity_type: 'individual' }),
  ...(ask.includes('intake') && {
    answers: { primary_goal: 'retirement', notes: `Call ${PHONE} before noon.` },
  }),
  ...(ask.includes('time') && { start_time }),
  ...more,
})

/** A link that was made, and all who act under it. */
export async function linkIn(world: World, ask: readonly Ask[] = ALL, more: object = {}) {
  const maker = callerOf(world, 'invite_client', { ask, ...more })
  await maker.preview()
  const made = await maker.commit()
  if (made.is !== 'answer') throw new Error(`no link: ${made.code}`)
  await world.idle()
  const result = made.body['result'] as { link_id: string; url: string; expires_at: string }
  const { link_id } = result
  const under = (operation: string, fields: object): Caller =>
    callerOf(
      world,
      operation,
      { link_id, ...fields },
      { key: link_id, caller: callerOfLink(link_id) },
    )
  return {
    maker,
    made,
    ...result,
    /** A window in which these values are typed. */
    tab: (start_time: string = TIMES[0], fields: object = {}) =>
      under('complete_client_link', typed(ask, start_time, fields)),
    owner: () => under('withdraw_client_link', {}),
    read: async () => readClientLink(await world.ports(), link_id),
  }
}
