import type { Random } from '../../../support/random.ts'
import type { Timeline } from '../timeline.ts'
import type { Weather } from '../fault-profile.ts'

export interface Surroundings {
  random: Random
  timeline: Timeline
  weather: Weather
}

/** What the platform says to an instance whose time is over, and to whoever called it. */
export class Reset extends Error {}

/**
 * One instance of an object: its memory, what it wrote and is not yet durable, and what it sent meanwhile. A crash takes
 * all of it. What it waits for never settles once it is gone.
 */
export interface Life<T> {
  readonly name: string
  alive: boolean
  /** A newer version was deployed: its first access to storage ends it. */
  outdated: boolean
  /** Tasks that keep it from being evicted. */
  tasks: number
  /** How far its clock is off, in milliseconds. */
  readonly skew: number
  /** What it reads: its own writes included, durable or not. */
  value: T
  /** Any access to storage. Raises `Reset` in an outdated instance, and ends it. */
  touch(): void
  /** Writes; durable some time later, in order. */
  write(next: T): void
  /** Lets something out once all that was written so far is durable; never, if it is lost. */
  release(effect: () => void): void
  own<V>(promise: Promise<V>): Promise<V>
}

export interface DurableObject<T, S> {
  readonly name: string
  /** What is durable. */
  readonly disk: T
  readonly current: { life: Life<T>; self: S } | undefined
  /** The instance that the next event meets; made if there is none. */
  enter(): { life: Life<T>; self: S }
  /** Calls a method from outside. Rejects when the call, the instance or the answer is lost. */
  call<V>(
    what: string,
    method: (self: S, life: Life<T>) => V | Promise<V>,
    leaves?: (value: V) => void,
  ): Promise<V>
  /** Changes what is durable without an instance, as the platform does with alarms. */
  settle(value: T): void
  crash(): void
  /** A new version: the present instance may go on for a while, beside its successor. */
  deploy(): void
  /** An idle instance goes without a trace; false if it is not idle. */
  evict(): boolean
}

interface Insides<T> {
  buffered: { value: T; held: (() => void)[] }[]
  /** How to tell those who wait for an answer that there will be none. */
  waiting: Set<() => void>
  flush(): void
}

interface Kind<T, S> {
  name: string
  empty: T
  /** Runs in a new instance before any event reaches it. */
  construct(life: Life<T>): S
  becameDurable?(before: T, after: T): void
  /** An instance ended, other than by eviction. */
  ended?(life: Life<T>): void
  /** A method threw, though its instance lives. */
  threw(error: unknown): void
}

const LONGEST_AFTERLIFE = 30_000

/** An object of the platform, with buffered and durable writes and an output gate. */
export function durableObject<T, S>(world: Surroundings, kind: Kind<T, S>): DurableObject<T, S> {
  const { random, timeline, weather } = world
  const { name } = kind
  let disk = kind.empty
  let current: { life: Life<T>; self: S } | undefined
  const insides = new WeakMap<Life<T>, Insides<T>>()

  const settle = (value: T): void => {
    const before = disk
    disk = value
    kind.becameDurable?.(before, value)
  }

  function begin(): { life: Life<T>; self: S } {
    const buffered: Insides<T>['buffered'] = []
    let lastFlush = 0

    const flush = (): void => {
      const write = life.alive ? buffered.shift() : undefined
      if (!write) return
      settle(write.value)
      for (const effect of write.held) if (life.alive) effect()
    }
    const life: Life<T> = {
      name,
      alive: true,
      outdated: false,
      tasks: 0,
      skew: random.chance(0.5) ? random.int(-500, 500) : 0,
      value: disk,
      touch() {
        if (life.outdated) end(life, 0)
        if (!life.alive) throw new Reset(`${name} was reset`)
      },
      write(next) {
        life.touch()
        life.value = next
        buffered.push({ value: next, held: [] })
        const delay = weather.strikes('flushSlow') ? random.int(500, 20_000) : random.int(0, 12)
        lastFlush = Math.max(lastFlush, timeline.now + delay)
        timeline.after(lastFlush - timeline.now, `${name}: a write becomes durable`, flush)
      },
      release(effect) {
        if (!life.alive) return
        const last = buffered.at(-1)
        if (last) last.held.push(effect)
        else effect()
      },
      own: (promise) =>
        new Promise((resolve, reject) => {
          promise.then(
            (value) => life.alive && resolve(value),
            (error: unknown) => life.alive && reject(error),
          )
        }),
    }
    insides.set(life, { buffered, waiting: new Set(), flush })
    return { life, self: kind.construct(life) }
  }

  /** The instance ends; of what it wrote, some of the oldest may be durable already, unnoticed. */
  function end(life: Life<T>, survivors = weather.strikes('writesLost') ? 0 : random.int(0, 3)): void {
    if (!life.alive) return
    const { buffered, waiting } = insides.get(life)!
    timeline.note(`${name} ends${buffered.length > 0 ? `, ${buffered.length} writes not durable` : ''}`)
    if (current?.life === life) current = undefined
    life.alive = false
    for (const { value } of buffered.slice(0, survivors)) settle(value)
    for (const fail of waiting) fail()
    kind.ended?.(life)
  }

  const enter = () => (current ??= begin())
  const leg = () => random.int(1, 30)

  return {
    name,
    get disk() {
      return disk
    },
    get current() {
      return current
    },
    enter,
    settle,
    call<V>(
      what: string,
      method: (self: S, life: Life<T>) => V | Promise<V>,
      leaves?: (value: V) => void,
    ): Promise<V> {
      const { promise, resolve, reject } = Promise.withResolvers<V>()
      const breakOff = () =>
        timeline.after(leg(), `${what} breaks off`, () => reject(new Reset('Network connection lost.')))
      const lost = weather.strikes('rpcLost')
      if (lost && random.chance(0.5)) {
        breakOff()
        return promise
      }
      timeline.after(leg(), `${what} arrives at ${name}`, () => {
        const { life, self } = enter()
        const { waiting } = insides.get(life)!
        const fail = (): void => {
          waiting.delete(fail)
          breakOff()
        }
        waiting.add(fail)
        const reply = (value: V): void => {
          waiting.delete(fail)
          leaves?.(value)
          if (lost) breakOff()
          else timeline.after(leg(), `${what} is answered`, () => resolve(value))
        }
        const started = new Promise<V>((go) => go(method(self, life)))
        started.then(
          (value) => life.release(() => reply(value)),
          (error: unknown) => {
            if (!life.alive) return
            kind.threw(error)
            fail()
          },
        )
      })
      return promise
    },
    crash: () => current && end(current.life),
    deploy() {
      if (!current) return
      const { life } = current
      const { buffered, flush } = insides.get(life)!
      // No successor ever meets a write of its predecessor that is still on its way.
      if (buffered.length > 0 && weather.strikes('writesLost')) return end(life, 0)
      while (life.alive && buffered.length > 0) flush()
      life.outdated = true
      current = undefined
      timeline.after(LONGEST_AFTERLIFE, `${name}: the old instance has to go`, () => end(life))
    },
    evict() {
      if (!current || current.life.tasks > 0) return false
      const { buffered, waiting } = insides.get(current.life)!
      if (buffered.length > 0 || waiting.size > 0) return false
      current.life.alive = false
      current = undefined
      return true
    },
  }
}
