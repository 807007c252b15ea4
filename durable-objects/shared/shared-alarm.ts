import { MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { withTimeout } from '../../src/core/with-timeout.ts'

/**
 * How long parts hold the alarm, which does not come again meanwhile; what takes longer goes on
 * beside the next one.
 */
const RUN_BUDGET_MS = 5 * SECOND
/** When a part that has not ended by then, such as one that was lost with its instance, is rung again. */
const LEASE_MS = 5 * MINUTE
/** An alarm that is so late counts as lost, although the storage still says that it comes. */
const LOST_AFTER_MS = 5 * SECOND

/** A part of an object that has work for later. */
export interface AlarmPart {
  /** When it wants to be woken, in epoch milliseconds; undefined while nothing waits. It is asked often. */
  dueAt(): number | undefined
  /** Does what is due, a bounded amount. */
  ring(): Promise<void>
}

interface AlarmStorage {
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

/** The one alarm of an object, for all of its parts. It comes when the first of them wants to be woken. */
export class SharedAlarm {
  readonly #storage: AlarmStorage
  readonly #parts: readonly AlarmPart[]
  /** When a part that failed, or has not ended yet, may be rung again. */
  readonly #notBefore = new Map<AlarmPart, number>()
  /** When the next alarm comes, as far as this instance knows. */
  #comesAt = Infinity

  constructor(storage: AlarmStorage, parts: readonly AlarmPart[]) {
    this.#storage = storage
    this.#parts = parts
  }

  /**
   * Sees to it that the alarm comes in time: to be called whenever a part may want to be woken
   * earlier than before.
   */
  async set() {
    const now = Date.now()
    const first = Math.min(...this.#parts.map((part) => this.#dueAt(part)))
    const at = Math.max(first, now)
    // One that comes earlier is left alone, since to set it is a write. One that should have come
    // by now may be lost.
    if (first === Infinity || (this.#comesAt <= at && this.#comesAt > now)) return
    this.#comesAt = at
    try {
      const set = await this.#storage.getAlarm()
      if (isTooLate(set, at, now)) await this.#storage.setAlarm(at)
    } catch (thrown) {
      this.#comesAt = Infinity
      throw thrown
    }
  }

  /**
   * The alarm came. A part that fails is tried again in a minute; neither it nor one that takes
   * long holds up the others.
   */
  async ring() {
    this.#comesAt = Infinity
    const now = Date.now()
    const due = this.#parts.filter((part) => this.#dueAt(part) <= now)
    const rung = Promise.all(
      due.map(async (part) => {
        const surelyOver = now + LEASE_MS
        this.#notBefore.set(part, surelyOver)
        let again = 0
        try {
          await part.ring()
          // One that cannot say when it wants to be woken has failed, too.
          part.dueAt()
        } catch {
          again = now + MINUTE
        }
        // One that took so long that it was rung a second time waits for the second.
        if (this.#notBefore.get(part) === surelyOver) this.#notBefore.set(part, again)
      }),
    )
    if ((await withTimeout(rung, RUN_BUDGET_MS)) === 'late')
      void rung.then(() => this.set()).catch(() => {})
    await this.set()
  }

  #dueAt(part: AlarmPart): number {
    return Math.max(wantedAt(part), this.#notBefore.get(part) ?? 0)
  }
}

/**
 * Whether the alarm of an object, as its storage says, does not come by `at`: none is set, a later
 * one, or one that was lost.
 */
export const isTooLate = (set: number | null, at: number, now: number) =>
  set === null || set > at || set <= now - LOST_AFTER_MS

/**
 * A part that cannot say counts as due, so that it fails and is tried again: settings may be wrong
 * for a while.
 */
function wantedAt(part: AlarmPart): number {
  try {
    return part.dueAt() ?? Infinity
  } catch {
    return 0
  }
}
