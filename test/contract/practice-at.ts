import type { Ports } from '../../src/core/ports/services.ts'
import { type World, practice } from '../support/fake-host.ts'
import { callerOf } from '../unit/core/confirm/caller.ts'

export const iso = (ms: number): string => new Date(ms).toISOString()

/** A practice with one kind of consult, which has this id at its provider, and these ports in place of the mocks. */
export function practiceAt(eventTypeId: string, ports: Partial<Ports>, world: World = practice()) {
  world.adapt = (all) => ({
    ...all,
    ...ports,
    practice: { ...all.practice, eventTypes: [{ name: 'consult', id: eventTypeId }] },
  })
  return {
    world,
    aBooking: (start: number, invitee_email: string) =>
      callerOf(world, 'book_consult', {
        start_time: iso(start),
        timezone: 'America/New_York',
        invitee_email,
      }),
    aMove: (booking_id: string, start: number) =>
      callerOf(world, 'reschedule_booking', { booking_id, start_time: iso(start) }),
  }
}
