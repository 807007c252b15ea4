import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import type { Kept } from '../auditor/records.ts'
import type { DurableObject, Instance } from './durable-object.ts'
import type { World } from './world.ts'

/** The alarm of one object, as the platform keeps it: at least once, now and then late, twice, or lost with its instance. */
export interface AlarmClock<T> {
  /** What is durable about the alarm has changed. */
  set(before: Kept['alarm'], after: Kept['alarm']): void
  ended(instance: Instance<T>): void
  readonly excused: boolean
  readonly rings: number
}

const RETRY = 2000
const MOST_RETRIES = 6

export function alarmClock<T extends Pick<Kept, 'alarm'>, S>(
  world: World,
  object: DurableObject<T, S>,
  handle: (self: S, instance: Instance<T>) => Promise<void>,
): AlarmClock<T> {
  const { random, timeline, faults, tally } = world
  let callOff = (): void => {}
  /** The instance whose handler is at work, and the alarm that woke it. */
  let ringing: { instance: Instance<T>; rung: Kept['alarm'] } | undefined
  let due = false
  let retries = 0
  let retrying = false
  let lost = false
  let rings = 0

  function plan(alarm: number): void {
    const late = faults.strikes('alarmLate') ? random.int(1000, HOUR) : random.int(0, 40)
    callOff = timeline.after(alarm - timeline.now + late, `${object.name}: its alarm rings`, ring)
  }

  function ring(): void {
    retrying = false
    const rung = object.disk.alarm
    if (rung === undefined) return
    // The platform runs one handler of an object at a time.
    if (ringing) {
      due = true
      return
    }
    rings += 1
    tally.count('alarms')
    // A new instance may see the alarm that woke it as still set, or as gone.
    const fresh = object.current === undefined
    if (fresh && random.chance(0.5)) object.persist({ ...object.disk, alarm: undefined })
    const { instance, self } = object.enter()
    if (instance.value.alarm === rung) instance.value = { ...instance.value, alarm: undefined }
    const one = { instance, rung }
    ringing = one
    const end = (): void => {
      if (ringing !== one) return
      ringing = undefined
      retries = 0
      if (object.disk.alarm === rung) object.persist({ ...object.disk, alarm: undefined })
      ringIfDue()
      if (faults.strikes('alarmTwice')) again()
    }
    work(self, instance, () => instance.release(end))
  }

  function ringIfDue(): void {
    if (!due) return
    due = false
    retrying = true
    callOff = timeline.after(1, `${object.name}: its alarm rings`, ring)
  }

  function work(self: S, instance: Instance<T>, done: () => void): void {
    instance.tasks += 1
    handle(self, instance).then(
      () => {
        instance.tasks -= 1
        if (instance.alive) done()
      },
      (error: unknown) => {
        instance.tasks -= 1
        if (instance.alive)
          world.auditor.report('I19', `the alarm of ${object.name} threw ${String(error)}`)
      },
    )
  }

  function again(): void {
    timeline.after(random.int(0, 10_000), `${object.name}: its alarm rings once more`, () => {
      if (ringing) return
      const { instance, self } = object.enter()
      work(self, instance, () => {})
    })
  }

  return {
    set(before, after) {
      if (before === after) return
      callOff()
      due = false
      lost = false
      retrying = false
      if (after) plan(after.at)
    },
    ended(instance) {
      if (ringing?.instance !== instance) return
      const { rung } = ringing
      ringing = undefined
      // A newer alarm was set and stands; it may have come already while the handler was at work.
      if (object.disk.alarm !== undefined && object.disk.alarm !== rung) return ringIfDue()
      if (retries >= MOST_RETRIES || faults.strikes('alarmLost')) {
        retries = 0
        object.persist({ ...object.disk, alarm: undefined })
        lost = true
        return
      }
      if (object.disk.alarm === undefined) object.persist({ ...object.disk, alarm: rung })
      callOff()
      retrying = true
      callOff = timeline.after(
        RETRY * 2 ** retries++,
        `${object.name}: its alarm is tried again`,
        ring,
      )
    },
    get excused() {
      return ringing !== undefined || retrying || lost
    },
    get rings() {
      return rings
    },
  }
}
