import type { ProviderBookingState } from '../../../../src/core/domain/events/provider-changes.ts'
import { problem } from '../../../../src/core/domain/problem/problem.ts'
import type { ProviderSources } from '../../../../src/core/ports/provider-sync.ts'
import { PRACTICE } from './ports.ts'
import { EVENT_TYPE, type SimulatedBooking, stateOf } from './scheduling.ts'
import type { World } from './world.ts'

/** What is asked to follow the provider, over the objects and the provider of the run. */
export function sourcesIn(world: World): ProviderSources {
  const { faults, coordinator } = world
  const seenOf = (one: SimulatedBooking): ProviderBookingState => ({
    bookingId: one.id,
    eventTypeId: EVENT_TYPE,
    state: stateOf(one),
    start: one.start,
    end: one.end,
    createdAt: one.madeAt,
    noShow: one.noShow ?? false,
    ...(one.movedFrom !== undefined && { movedFrom: one.movedFrom }),
    ...(one.movedTo !== undefined && { movedTo: one.movedTo }),
    ...(world.settings.showsMarkers && { marker: madeUnder(one) }),
  })
  /** A move keeps what the booking carried. */
  const madeUnder = (one: SimulatedBooking): string | null => {
    const before = world.scheduling.bookings.get(one.movedFrom ?? '')
    return before ? madeUnder(before) : (one.marker ?? null)
  }
  const read = <T>(answer: () => T): Promise<T> =>
    new Promise((resolve, reject) =>
      world.timeline.after(world.random.int(1, 300), 'the log reads at the provider', () =>
        faults.strikes('readFails') ? reject(problem('provider_busy')) : resolve(answer()),
      ),
    )
  return {
    practice: PRACTICE,
    scheduling: {
      mode: 'live',
      provider: 'calendly',
      seen: (bookingId) =>
        read(() => {
          const one = world.scheduling.bookings.get(bookingId)
          return one && seenOf(one)
        }),
      upcoming: ({ from, to }) =>
        read(() => ({
          bookings: [...world.scheduling.bookings.values()]
            .filter(
              ({ over, start, listedFrom }) =>
                !over && start >= from && start < to && listedFrom <= world.timeline.now,
            )
            .map(seenOf),
          next: undefined,
        })),
    },
    payments: { mode: 'live', seen: (id) => read(() => world.payments.seen(id)) },
    // No client of this world has a link.
    completeLink: () => Promise.resolve(),
    known: (keys) => world.records.object.call('known', (records) => records.known(keys)),
    async look(lockKeys, named) {
      const madeAt = named?.createdAt ?? null
      const holders = await coordinator.call('holders', (rows) => rows.holders(lockKeys, madeAt))
      const looked = await Promise.all(holders.map((holder) => world.object(holder).look(named)))
      return looked.find((operationId) => operationId !== undefined)
    },
  }
}
