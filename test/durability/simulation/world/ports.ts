import type { Ports } from '../../../../src/ports/index.ts'
import type { Practice } from '../../../../src/domain/practice.ts'
import type { Kept } from '../auditor/records.ts'
import type { Life } from './durable-object.ts'
import { exchangeOf } from './network.ts'
import { recordsPort } from './records.ts'
import { EVENT_TYPE } from './scheduling.ts'
import type { World } from './world.ts'

export const PRACTICE: Practice = {
  name: 'the practice',
  timezone: 'UTC',
  schedulingPageUrl: null,
  eventTypes: [{ name: 'consult', id: EVENT_TYPE }],
}

/** The ports of one instance, under the settings of the version it was deployed with. */
export function portsOf(world: World, life: Life<Kept>): Ports {
  const { keyring, scheduling, payments, timeline, weather, draw } = world
  const exchange = exchangeOf(world, life)
  const blind = () => weather.strikes('staleList')
  const out = <T>(send: () => Promise<T>): Promise<T> =>
    life.own(new Promise<T>((resolve, reject) => life.release(() => void send().then(resolve, reject))))
  return {
    practice: PRACTICE,
    scheduling: scheduling.port(exchange, blind),
    payments: payments.port(exchange, draw.linkStyle, blind),
    records: recordsPort(world, out),
    keyring: async () => keyring,
    now: () => timeline.now + life.skew,
  }
}

/** The ports of a confirmation object. */
export function portsFor(world: World, life: Life<Kept>): () => Promise<Ports> {
  const { random, timeline } = world
  const ports = portsOf(world, life)
  return async () => {
    if (random.chance(0.7)) return ports
    // Opening the keyring takes a moment, and in it everything can happen.
    const { promise, resolve } = Promise.withResolvers<void>()
    timeline.after(random.int(0, 5), `${life.name} is ready to act`, resolve)
    await life.own(promise)
    return ports
  }
}
