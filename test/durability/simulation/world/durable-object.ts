import type { Random } from '../../../support/random.ts'
import type { FaultProfile } from '../fault-profile.ts'
import type { Timeline } from '../timeline.ts'

export interface Surroundings {
  random: Random
  timeline: Timeline
  faults: FaultProfile
}

/** How far the clock of an instance can be off, in milliseconds. */
export const MOST_SKEW = 500

/** What the platform says to an instance whose time is over, and to its caller. */
export class Reset extends Error {}

/**
 * One instance of an object: its memory, what it wrote and is not yet durable, and what it sent meanwhile. A crash takes
 * all of it. What it waits for never settles once it is gone.
 */
export interface Instance<T> {
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
  readonly current: { instance: Instance<T>; self: S } | undefined
  /** The instance that the next event meets; made if there is none. */
  enter(): { instance: Instance<T>; self: S }
  /** Calls a method from outside. Rejects when the call, the instance or the answer is lost. */
  call<V>(
    what: string,
    method: (self: S, instance: Instance<T>) => V | Promise<V>,
    leaves?: (value: V) => void,
  ): Promise<V>
  /** Changes what is durable without an instance, as the platform does with alarms. */
  persist(value: T): void
  crash(): void
  /** A new version: the present instance may go on for a while, beside its successor. */
  deploy(): void
  /** An idle instance goes without a trace; false if it is not idle. */
  evict(): boolean
}

interface Internals<T> {
  buffered: { value: T; held: (() => void)[] }[]
  /** How to tell those who wait for an answer that there will be none. */
  waiting: Set<() => void>
  flush(): void
}

interface Kind<T, S> {
  name: string
  empty: T
  /** Runs in a new instance before any event reaches it. */
  construct(instance: Instance<T>): S
  becameDurable?(before: T, after: T): void
  /** An instance ended, other than by eviction. */
  ended?(instance: Instance<T>): void
  /** A method threw, though its instance lives. */
  threw(error: unknown): void
}

const LONGEST_AFTERLIFE = 30_000

/** An object of the platform, with buffered and durable writes and an output gate. */
export function durableObject<T, S>(world: Surroundings, kind: Kind<T, S>): DurableObject<T, S> {
  const { random, timeline, faults } = world
  const { name } = kind
  let disk = kind.empty
  let current: { instance: Instance<T>; self: S } | undefined
  const internals = new WeakMap<Instance<T>, Internals<T>>()

  const persist = (value: T): void => {
    const before = disk
    disk = value
    kind.becameDurable?.(before, value)
  }

  function begin(): { instance: Instance<T>; self: S } {
    const buffered: Internals<T>['buffered'] = []
    let lastFlush = 0

    const flush = (): void => {
      const write = instance.alive ? buffered.shift() : undefined
      if (!write) return
      persist(write.value)
      for (const effect of write.held) if (instance.alive) effect()
    }
    const instance: Instance<T> = {
      name,
      alive: true,
      outdated: false,
      tasks: 0,
      skew: random.chance(0.5) ? random.int(-MOST_SKEW, MOST_SKEW) : 0,
      value: disk,
      touch() {
        if (instance.outdated) end(instance, 0)
        if (!instance.alive) throw new Reset(`${name} was reset`)
      },
      write(next) {
        instance.touch()
        instance.value = next
        buffered.push({ value: next, held: [] })
        const delay = faults.strikes('flushSlow') ? random.int(500, 20_000) : random.int(0, 12)
        lastFlush = Math.max(lastFlush, timeline.now + delay)
        timeline.after(lastFlush - timeline.now, `${name}: a write becomes durable`, flush)
      },
      release(effect) {
        if (!instance.alive) return
        const last = buffered.at(-1)
        if (last) last.held.push(effect)
        else effect()
      },
      own: (promise) =>
        new Promise((resolve, reject) => {
          promise.then(
            (value) => instance.alive && resolve(value),
            (error: unknown) => instance.alive && reject(error),
          )
        }),
    }
    internals.set(instance, { buffered, waiting: new Set(), flush })
    return { instance, self: kind.construct(instance) }
  }

  /** The instance ends; of what it wrote, some of the oldest may be durable already, unnoticed. */
  function end(
    instance: Instance<T>,
    survivors = faults.strikes('writesLost') ? 0 : random.int(0, 3),
  ): void {
    if (!instance.alive) return
    const { buffered, waiting } = internals.get(instance)!
    timeline.note(
      `${name} ends${buffered.length > 0 ? `, ${buffered.length} writes not durable` : ''}`,
    )
    if (current?.instance === instance) current = undefined
    instance.alive = false
    for (const { value } of buffered.slice(0, survivors)) persist(value)
    for (const fail of waiting) fail()
    kind.ended?.(instance)
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
    persist,
    call<V>(
      what: string,
      method: (self: S, instance: Instance<T>) => V | Promise<V>,
      leaves?: (value: V) => void,
    ): Promise<V> {
      const { promise, resolve, reject } = Promise.withResolvers<V>()
      const breakOff = () =>
        timeline.after(leg(), `${what} breaks off`, () =>
          reject(new Reset('Network connection lost.')),
        )
      const lost = faults.strikes('rpcLost')
      if (lost && random.chance(0.5)) {
        breakOff()
        return promise
      }
      timeline.after(leg(), `${what} arrives at ${name}`, () => {
        const { instance, self } = enter()
        const { waiting } = internals.get(instance)!
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
        const started = new Promise<V>((go) => go(method(self, instance)))
        started.then(
          (value) => instance.release(() => reply(value)),
          (error: unknown) => {
            if (!instance.alive) return
            kind.threw(error)
            fail()
          },
        )
      })
      return promise
    },
    crash: () => current && end(current.instance),
    deploy() {
      if (!current) return
      const { instance } = current
      const { buffered, flush } = internals.get(instance)!
      // No successor ever meets a write of its predecessor that is still on its way.
      if (buffered.length > 0 && faults.strikes('writesLost')) return end(instance, 0)
      while (instance.alive && buffered.length > 0) flush()
      instance.outdated = true
      current = undefined
      timeline.after(LONGEST_AFTERLIFE, `${name}: the old instance has to go`, () => end(instance))
    },
    evict() {
      if (!current || current.instance.tasks > 0) return false
      const { buffered, waiting } = internals.get(current.instance)!
      if (buffered.length > 0 || waiting.size > 0) return false
      current.instance.alive = false
      current = undefined
      return true
    },
  }
}
