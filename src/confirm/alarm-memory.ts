/**
 * What an instance knows of its own alarm, so that one which is set for the right time is not set again: that would be
 * a write. It must be notified of every ring, since an alarm that rang is gone, also where it rang before its time.
 */
export function alarmMemory(now: () => number) {
  let set: number | undefined
  return {
    /** Whether a save has to set the alarm, or delete it: it is not known to be set for this time. */
    mustSet(due: number | undefined): boolean {
      if (due !== undefined && due === set && due > now()) return false
      set = due
      return true
    },
    /** The alarm rang or was deleted. */
    gone(): void {
      set = undefined
    },
  }
}
