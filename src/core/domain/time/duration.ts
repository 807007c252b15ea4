/** Durations in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The day of a time in epoch milliseconds, in UTC: `2026-11-24`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
