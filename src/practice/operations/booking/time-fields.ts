import * as z from 'zod'

import type { Slot } from '../../../core/domain/availability.ts'
import type { Facts } from '../../../core/domain/facts.ts'
import type { EventType } from '../../../core/domain/practice.ts'
import { type Refusal, invalidField } from '../../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { DAY, MINUTE } from '../../../core/domain/time/duration.ts'
import { instantOf, isoInZone, localTime, spokenTime } from '../../../core/domain/time/time.ts'
import { offsetDetail } from '../../../core/domain/time/written-time.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'

/** A span of time in answers: in the asked zone with its offset, and in words. */
export const timeFields = {
  start_time: z.string().meta({ format: 'date-time' }),
  end_time: z.string().meta({ format: 'date-time' }),
  timezone: z.string().meta({ description: 'IANA time zone name.' }),
  local_time: z.string().meta({ description: 'The start in words, in that zone.' }),
}

export const timeFieldsOf = ({ start, end }: Slot, timezone: string) => ({
  start_time: isoInZone(start, timezone),
  end_time: isoInZone(end, timezone),
  timezone,
  local_time: localTime(start, timezone),
})

export const minutesOf = ({ start, end }: Slot): number => Math.round((end - start) / MINUTE)

type Shown = Record<'start_time' | 'end_time' | 'timezone' | 'event_type', string>

/** The fields that differ though they may look the same: two addresses can have one mask. */
export const differsBesides = ({ stepResults }: { stepResults: readonly Facts[] }): string[] =>
  stepResults.at(-1)?.['other_address'] === true ? ['invitee_email'] : []

export const OTHER_ADDRESS =
  ' The scheduling provider has it under another email address than the one that was sent. Tell the person.'

/** A sentence about a booking that is not the one its preview showed; empty if it is. */
export function differenceOf(previewed: Shown, made: Shown, practiceZone: string): string {
  const [was, is] = [previewed, made].map(({ start_time, end_time }) => {
    const slot = { start: instantOf(start_time), end: instantOf(end_time) }
    return { start: slot.start, minutes: minutesOf(slot) }
  }) as [Span, Span]
  const spoken = (at: number) => spokenTime(at, practiceZone, made.timezone)
  const others = [
    was.start !== is.start && `it was to begin on ${spoken(was.start)}`,
    was.minutes !== is.minutes &&
      `it takes ${is.minutes} minutes instead of ${was.minutes}, until ${spoken(instantOf(made.end_time))}`,
    previewed.event_type !== made.event_type &&
      `it is a ${made.event_type} instead of a ${previewed.event_type}`,
  ].filter((words) => words !== false)
  if (others.length === 0) return ''
  return ` This is not what the preview showed: ${others.join('; ')}. Tell the person.`
}

interface Span {
  start: number
  minutes: number
}

/** The instant of a start_time that lies in the future. Raises `validation_failed`. */
export function futureInstant(startTime: string, now: number): number {
  const start = instantOf(startTime)
  if (start <= now) throw invalidField('/start_time', 'Expected a time in the future.')
  return start
}

/**
 * What the refusal of a time that is not free says of it, if its offset is not one that its zone
 * has then: the answer would say that the time which the person meant is not free.
 */
export function notFree(
  startTime: string,
  zones: readonly [string, ...string[]],
): Pick<Refusal, 'detail'> {
  const about = offsetDetail(startTime, zones)
  return about === undefined ? {} : { detail: `${PROBLEMS.slot_unavailable.detail} ${about}` }
}

export async function slotAt(
  scheduling: Scheduling,
  eventType: EventType,
  start: number,
): Promise<Slot | undefined> {
  const slots = await scheduling.slots(eventType, start, start + DAY)
  return slots.find((slot) => slot.start === start)
}
