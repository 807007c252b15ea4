import { MINUTE } from '../src/domain/duration.ts'

/** A part of an object that has work for later. */
export interface AlarmPart {
  /** When it wants to be woken, in epoch milliseconds; undefined while nothing waits. It is asked often. */
  dueAt(): number | undefined
  /** Does what is due, a bounded amount, within seconds. */
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
  /** When a part that failed may try again. */
  readonly #notBefore = new Map<AlarmPart, number>()
  /** When the next alarm comes, as far as this instance knows. */
  #comesAt = Infinity

  constructor(storage: AlarmStorage, parts: readonly AlarmPart[]) {
    this.#storage = storage
    this.#parts = parts
  }

  /** Sees to it that the alarm comes in time: to be called whenever a part may want to be woken earlier than before. */
  async set(): Promise<void> {
    const now = Date.now()
    const first = Math.min(...this.#parts.map((part) => this.#dueAt(part)))
    const at = Math.max(first, now)
    // One that comes earlier is left alone, since to set it is a write. One that should have come by now may be lost.
    if (first === Infinity || (this.#comesAt <= at && this.#comesAt > now)) return
    this.#comesAt = at
    const set = await this.#storage.getAlarm()
    if (set === null || set > at) await this.#storage.setAlarm(at)
  }

  /** The alarm came. A part that fails is tried again in a minute, and does not hold up the others. */
  async ring(): Promise<void> {
    this.#comesAt = Infinity
    const now = Date.now()
    const due = this.#parts.filter((part) => this.#dueAt(part) <= now)
    await Promise.all(
      due.map(async (part) => {
        this.#notBefore.delete(part)
        try {
          await part.ring()
        } catch {
          this.#notBefore.set(part, now + MINUTE)
        }
      }),
    )
    await this.set()
  }

  #dueAt(part: AlarmPart): number {
    return Math.max(wantedAt(part), this.#notBefore.get(part) ?? 0)
  }
}

/** A part that cannot say counts as due, so that it fails and is tried again: settings may be wrong for a while. */
function wantedAt(part: AlarmPart): number {
  try {
    return part.dueAt() ?? Infinity
  } catch {
    return 0
  }
}
