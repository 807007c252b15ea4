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
  /** When it wants to be woken, in epoch milliseconds; Infinity while nothing waits. It is asked often. */
  dueAt(): number
  /** Does what is due, a bounded amount. */
  ring(): Promise<void>
}

interface AlarmStorage {
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

/** The alarm of an object. One that comes earlier is left alone, since to set it is a write. */
export class Alarm {
  readonly #storage: AlarmStorage
  /** When the next one comes, as far as this instance knows. */
  #comesAt = Infinity

  constructor(storage: AlarmStorage) {
    this.#storage = storage
  }

  /** Sees to it that it comes by then. Rejects where it could not be set; the next call tries again. */
  async by(at: number) {
    const now = Date.now()
    // One that should have come by now may be lost.
    if (this.#comesAt <= at && this.#comesAt > now) return
    this.#comesAt = at
    try {
      const set = await this.#storage.getAlarm()
      if (set === null || set > at || set <= now - LOST_AFTER_MS) await this.#storage.setAlarm(at)
    } catch (thrown) {
      this.rang()
      throw thrown
    }
  }

  /** It came. If its work fails too often the platform gives up: then the next call sets it again. */
  rang() {
    this.#comesAt = Infinity
  }
}

/** The one alarm of an object, for all of its parts. It comes when the first of them wants to be woken. */
export class SharedAlarm {
  readonly #alarm: Alarm
  readonly #parts: readonly AlarmPart[]
  /** When a part that failed, or has not ended yet, may be rung again. */
  readonly #notBefore = new Map<AlarmPart, number>()

  constructor(storage: AlarmStorage, parts: readonly AlarmPart[]) {
    this.#alarm = new Alarm(storage)
    this.#parts = parts
  }

  /**
   * Sees to it that the alarm comes in time: to be called whenever a part may want to be woken
   * earlier than before.
   */
  async set() {
    const first = Math.min(...this.#parts.map((part) => this.#dueAt(part)))
    if (first !== Infinity) await this.#alarm.by(Math.max(first, Date.now()))
  }

  /**
   * The alarm came. A part that fails is tried again in a minute; neither it nor one that takes
   * long holds up the others.
   */
  async ring() {
    this.#alarm.rang()
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
 * A part that cannot say counts as due, so that it fails and is tried again: settings may be wrong
 * for a while.
 */
function wantedAt(part: AlarmPart): number {
  try {
    return part.dueAt()
  } catch {
    return 0
  }
}
