import type { WantedTime } from '../../../core/domain/availability.ts'
import type { Refusal } from '../../../core/domain/problem/problem.ts'
import type { ProblemCode } from '../../../core/domain/problem/problems.ts'
import { DAY, SECOND } from '../../../core/domain/time/duration.ts'
import { isoInZone } from '../../../core/domain/time/time.ts'
import type { Ports } from '../../../core/ports/services.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import { type Context, unlessPaused } from '../context.ts'

const CODES: readonly ProblemCode[] = [
  'slot_unavailable',
  'reschedule_restored',
  'partially_applied',
]

const NEAREST = 3

/** A week, which providers answer in one call. */
const LOOKED_AT = { days: 7 * DAY, before: 3 * DAY }

const TIMEOUT_MS = 2 * SECOND

type Ask = Pick<Ports, 'practice' | 'scheduling' | 'now'>

/**
 * Adds the nearest free times and the scheduling page to the refusal of a time, within two seconds.
 * One that names its times already stays as it is: it names none where another time does not help.
 */
export async function withNearbyTimes(
  refusal: Refusal,
  wantedTime: (ports: Ask) => Promise<WantedTime | undefined>,
  { caller, services }: Pick<Context, 'caller' | 'services'>,
): Promise<Refusal> {
  if (!CODES.includes(refusal.code) || refusal.free_slots) return refusal
  const page = services.practice.schedulingPageUrl
  const read = unlessPaused({ caller, services }, () => nearbyTimes(wantedTime, services))
  const found = await withTimeout(read, TIMEOUT_MS).catch(() => 'late' as const)
  const link = page === null ? {} : { scheduling_page_url: page }
  return { ...refusal, ...(found === 'late' ? {} : found), ...link }
}

async function nearbyTimes(
  wantedTime: (ports: Ask) => Promise<WantedTime | undefined>,
  ports: Ask,
): Promise<Pick<Refusal, 'free_slots'>> {
  const wanted = await wantedTime(ports)
  if (!wanted) return {}
  const { eventType, start, timezone } = wanted
  const from = Math.max(ports.now(), start - LOOKED_AT.before)
  const free = await ports.scheduling.slots({ timezone, ...eventType }, from, from + LOOKED_AT.days)
  const nearest = free
    .map((slot) => slot.start)
    .filter((one) => one !== start)
    .toSorted((one, other) => Math.abs(one - start) - Math.abs(other - start))
    .slice(0, NEAREST)
    .toSorted((one, other) => one - other)
  if (nearest.length === 0) return {}
  return { free_slots: nearest.map((one) => ({ start_time: isoInZone(one, timezone) })) }
}
