import type { Ran } from '../../../domain/outcome.ts'
import type { Refusal } from '../../../domain/problem.ts'
import { secondsToWait } from '../../provider-http.ts'
import { ADVICE } from './messages.ts'

/** An answer without effect: for good, or of this send only. */
export type Refused = Extract<Ran, { refusal: Refusal }>

export const refused = (code: Refusal['code'], detail?: string): Refused => ({
  is: 'refused',
  refusal: { code, effect: 'none', ...(detail === undefined ? {} : { detail }) },
})
export const busy = (seconds: number): Refused => ({
  is: 'busy',
  refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: seconds },
})
export const misconfigured = (detail: string): Refused => ({
  is: 'busy',
  refusal: { code: 'provider_misconfigured', effect: 'none', detail },
})

export const notActive = refused('booking_not_active')
export const notFound = refused('booking_not_found')
export const badEventTypeId = misconfigured(ADVICE.eventTypeId)

/** Cal.com counts calls per minute; that is also how long to wait when it does not say. */
const WINDOW = 60

/** How many seconds to wait after a 429. There is a header of each limit, and only one that is used up counts. */
export function waitIn(headers: Headers, now: number): number {
  const resets: string[] = []
  headers.forEach((_value, name) => {
    const [, limit] = /^x-ratelimit-reset(.*)$/i.exec(name) ?? []
    if (limit === undefined) return
    if (Number(headers.get(`x-ratelimit-remaining${limit}`) ?? 0) <= 0) resets.push(name)
  })
  return secondsToWait(headers, ['retry-after', ...resets], now) ?? WINDOW
}
