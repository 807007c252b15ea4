import { DAY } from '../../../src/core/domain/time/duration.ts'
/** Virtual time and what will happen in it. Nothing in a run waits for the real clock. */
export interface Timeline {
  readonly now: number
  /** Plans something; returns how to call it off. What is planned as an aside is no occasion for anything else to happen. */
  after(ms: number, what: string, run: () => void | Promise<void>, aside?: 'aside'): () => void
  /** The clock jumps; what was planned in between comes late. */
  leap(ms: number): void
  /** Takes the next event that is due by then, and moves the clock to it; undefined when there is none. */
  next(until: number): Planned | undefined
  note(text: string): void
  readonly trace: readonly string[]
}

export interface Planned {
  at: number
  order: number
  what: string
  run: (() => void | Promise<void>) | undefined
  isAside: boolean
}

const earlier = (one: Planned, other: Planned): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** A timeline that starts at a moment; with `traced` it writes down what happens. */
export function timelineFrom(start: number, traced: boolean): Timeline {
  let now = start
  let order = 0
  const heap: Planned[] = []
  const trace: string[] = []

  function push(entry: Planned): void {
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!earlier(entry, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  function pop(): Planned {
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && earlier(heap[child + 1]!, heap[child]!)) child += 1
        if (!earlier(heap[child]!, last)) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = last
    }
    return first
  }

  return {
    get now() {
      return now
    },
    after(ms, what, run, aside) {
      const at = now + Math.max(0, Math.round(ms))
      const entry: Planned = { at, order: order++, what, run, isAside: aside !== undefined }
      push(entry)
      return () => (entry.run = undefined)
    },
    leap: (ms) => (now += ms),
    next(until) {
      while (heap[0] && (!heap[0].run || heap[0].at <= until)) {
        const entry = pop()
        if (!entry.run) continue
        now = Math.max(now, entry.at)
        if (traced) trace.push(`${clock(now - start)}  ${entry.what}`)
        return entry
      }
      now = Math.max(now, Math.min(until, heap[0]?.at ?? until))
      return undefined
    },
    note: (text) => traced && trace.push(`${clock(now - start)}    ${text}`),
    trace,
  }
}

/** `2d 03:04:05.678` since the start of the run. */
function clock(ms: number): string {
  const days = Math.floor(ms / DAY)
  return `${days > 0 ? `${days}d ` : ''}${new Date(ms).toISOString().slice(11, 23)}`
}
