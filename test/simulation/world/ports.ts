import type { Ports } from '../../../src/ports/index.ts'
import type { Practice } from '../../../src/domain/practice.ts'
import type { Kept } from '../auditor/records.ts'
import { kvRecords, namespaceOf, notedClients, registerClient, type RegisterStub } from './cloudflare.ts'
import type { Life } from './durable-object.ts'
import { exchangeOf } from './exchange.ts'
import type { RegisterMethods } from './register.ts'
import { EVENT_TYPE } from './scheduling.ts'
import type { World } from './world.ts'

export const PRACTICE: Practice = {
  name: 'the practice',
  timezone: 'UTC',
  schedulingPageUrl: null,
  eventTypes: [{ name: 'consult', id: EVENT_TYPE }],
}

const REGISTER_METHODS: readonly (keyof RegisterMethods)[] = [
  'note',
  'put',
  'get',
  'known',
  'newest',
  'tiedTo',
  'tied',
  'keysLike',
]

/** The ports of one instance, under the settings of the version it was deployed with; `flow` is the one that acts. */
export function portsOf(world: World, life: Life<Kept>, flow: string | undefined): Ports {
  const { keyring, scheduling, payments, timeline, weather, draw } = world
  const exchange = exchangeOf(world, life)
  const blind = () => weather.strikes('staleList')
  const out = <T>(send: () => Promise<T>): Promise<T> =>
    life.own(new Promise<T>((resolve, reject) => life.release(() => void send().then(resolve, reject))))
  const stub = Object.fromEntries(
    REGISTER_METHODS.map((method) => [
      method,
      (...args: unknown[]) =>
        out(() =>
          world.register.call(method, (register) =>
            (register[method] as (...given: unknown[]) => unknown)(...args),
          ),
        ),
    ]),
  ) as unknown as RegisterStub
  const REGISTER = namespaceOf(() => stub)
  const CLIENTS = namespaceOf((clientId) => ({
    eraseToo: (late: string) =>
      out(() => world.client(clientId).call('erase too', (erasure) => erasure.eraseToo(late))),
  }))
  return {
    practice: PRACTICE,
    scheduling: scheduling.port(exchange, blind),
    payments: payments.port(exchange, draw.linkStyle, blind),
    register: registerClient(REGISTER),
    records: kvRecords({ RECORDS: world.records.kv(out), REGISTER, CLIENTS }, flow),
    clients: notedClients(REGISTER, flow),
    keyring: async () => keyring,
    now: () => timeline.now + life.skew,
  }
}

/** The ports of a confirmation object. */
export function portsFor(world: World, life: Life<Kept>): () => Promise<Ports> {
  const { random, timeline } = world
  const ports = portsOf(world, life, life.name)
  return async () => {
    if (random.chance(0.7)) return ports
    // Opening the keyring takes a moment, and in it everything can happen.
    const { promise, resolve } = Promise.withResolvers<void>()
    timeline.after(random.int(0, 5), `${life.name} is ready to act`, resolve)
    await life.own(promise)
    return ports
  }
}
