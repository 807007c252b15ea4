import type { Practice } from '../../../../src/core/domain/practice.ts'
import type { Ports } from '../../../../src/core/ports/services.ts'
import { PRACTICE as ANY_PRACTICE } from '../../../support/practice.ts'
import type { Kept } from '../auditor/records.ts'
import type { Instance } from './durable-object.ts'
import { exchangeOf } from './network.ts'
import { recordsPort } from './records.ts'
import { EVENT_TYPE } from './scheduling.ts'
import type { World } from './world.ts'

export const PRACTICE: Practice = {
  ...ANY_PRACTICE,
  timezone: 'UTC',
  eventTypes: [{ name: 'consult', id: EVENT_TYPE }],
}

/** The ports of one instance, under the settings of the version it was deployed with. */
export function portsOf(world: World, instance: Instance<Kept>): Ports {
  const { keyring, scheduling, payments, timeline, faults, settings } = world
  const exchange = exchangeOf(world, instance)
  const blind = () => faults.strikes('staleList')
  const out = <T>(send: () => Promise<T>): Promise<T> =>
    instance.own(
      new Promise<T>((resolve, reject) =>
        instance.release(() => void send().then(resolve, reject)),
      ),
    )
  return {
    practice: PRACTICE,
    scheduling: scheduling.port(exchange, blind),
    payments: payments.port(exchange, settings.linkStyle, blind),
    records: recordsPort(world, out),
    keyring: async () => keyring,
    now: () => timeline.now + instance.skew,
  }
}

/** The ports of a confirmation object. */
export function portsFor(world: World, instance: Instance<Kept>): () => Promise<Ports> {
  const { random, timeline } = world
  const ports = portsOf(world, instance)
  return async () => {
    if (random.chance(0.7)) return ports
    // Opening the keyring takes a moment, and in it everything can happen.
    const { promise, resolve } = Promise.withResolvers<void>()
    timeline.after(random.int(0, 5), `${instance.name} is ready to act`, resolve)
    await instance.own(promise)
    return ports
  }
}
