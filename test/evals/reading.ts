/** What a model can read out of an answer: only what stands in it, however it is put. */

/** A time as it was shown; without the offset it cannot be sent back. */
export interface ShownTime {
  /** `2026-11-24`, in the zone that was asked for. */
  date: string
  /** `14:30`, in that zone. */
  clock: string
  /** `-05:00`, or null where none was shown. */
  offset: string | null
}

const MONTHS =
  'January February March April May June July August September October November December'
const SPOKEN_DATE = new RegExp(`(${MONTHS.replaceAll(' ', '|')}) (\\d{1,2}), (\\d{4})`)
const SPOKEN_TIME = new RegExp(`${SPOKEN_DATE.source}(?: at|,) (\\d{1,2}:\\d{2} [AP]M)`, 'g')
const RFC_3339 = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(Z|[+-]\d\d:\d\d)/g

const isoDate = (month: string, day: string, year: string): string => {
  const number = MONTHS.split(' ').indexOf(month) + 1
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `2:30 PM` and `14:30` as `14:30`. */
function clockOf(text: string): string {
  const [, hours = '', minutes = '', half] = /(\d{1,2}):(\d{2})(?: ([AP]M))?/.exec(text) ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'PM' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

const parsed = (seen: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(seen) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** The free times in an answer: the starts of slots, or a line for each day with the clock times. */
export function timesIn(seen: string): ShownTime[] {
  const body = parsed(seen)
  if (body) {
    const slots = (body['slots'] ?? body['free_slots'] ?? []) as (string | { start_time: string })[]
    const starts = slots.map((slot) => (typeof slot === 'string' ? slot : slot.start_time))
    return rfc3339In(starts.join('\n'))
  }
  return seen.split('\n').flatMap((line) => {
    const spoken = SPOKEN_DATE.exec(line)
    const date = spoken
      ? isoDate(spoken[1]!, spoken[2]!, spoken[3]!)
      : /\d{4}-\d\d-\d\d/.exec(line)?.[0]
    const [head = '', ...rest] = line.split(': ')
    if (line.includes('T') && RFC_3339.test(line)) return rfc3339In(line)
    if (date === undefined || rest.length === 0 || !head.includes(date.slice(0, 4))) return []
    const offset = /[\s(,]([+-]\d\d:\d\d|Z)(?=\W|$)/.exec(head)?.[1] ?? null
    const clocks = rest.join(': ').match(/\d{1,2}:\d{2}(?: [AP]M)?/g) ?? []
    return clocks.map((clock) => ({ date, clock: clockOf(clock), offset }))
  })
}

const rfc3339In = (text: string): ShownTime[] =>
  [...text.matchAll(RFC_3339)].map(([, date = '', clock = '', offset = '']) => ({
    date,
    clock,
    offset,
  }))

/** The times that an answer says in words, as a person reads them. */
export const spokenTimesIn = (seen: string): { date: string; clock: string }[] =>
  [...seen.matchAll(SPOKEN_TIME)].map(([, month = '', day = '', year = '', clock = '']) => ({
    date: isoDate(month, day, year),
    clock: clockOf(clock),
  }))

export const tokenIn = (seen: string): string | undefined => /\bct_[\w.-]*[\w-]/.exec(seen)?.[0]

/** The id with this prefix that a commit made; of a moved booking the new one. */
export function idIn(seen: string, prefix: 'bk_' | 'cl_', known?: string): string | undefined {
  const ids = seen.match(new RegExp(`\\b${prefix}[\\w-]{6,}`, 'g')) ?? []
  return ids.find((id) => id !== known)
}

/** The address of the payment page. */
export const linkIn = (seen: string): string | undefined =>
  /https?:\/\/[^\s"<>]*[^\s"<>.,)]/.exec(seen.replaceAll(/"type":"[^"]*"/g, ''))?.[0]

/** Codes after which the same call may be sent again. */
const AGAIN =
  /\b(outcome_unknown|commit_in_progress|provider_busy|duplicate_in_doubt|preview_stale|confirmation_expired)\b/

export const saysTryAgain = (seen: string): boolean => AGAIN.test(seen)
export const saysTaken = (seen: string): boolean =>
  /\b(slot_unavailable|reschedule_restored)\b/.test(seen)

/** The warnings of a preview. */
export function warningsIn(seen: string): string[] {
  const warnings = parsed(seen)?.['warnings']
  if (Array.isArray(warnings)) return warnings.map(String)
  return seen.split('\n').filter((line) => /^(Note|Warning)s?: /.test(line))
}
