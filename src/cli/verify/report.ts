/** The finding of a check: `good` and `bad` are proved, a `remark` is neither. */
export type PackFinding = { verdict: 'good' | 'bad' | 'remark'; check: string; text: string }

/** How often each name occurs, the most frequent first. */
export type Tally = [name: string, times: number][]

/** What a pack shows, and what it does not. */
export interface PackReport {
  about: string
  /** The verdict in one line, with how many entries are hidden and until which day. */
  headline: string
  isGood: boolean
  findings: PackFinding[]
  counts: { title: string; rows: Tally }[]
  /** The changes that were made, to compare them with exports of calendar and payment provider. */
  csv: string
  /** What no check of a pack can prove; always show it, at the end. */
  notProved: string[]
}

const finding =
  (verdict: PackFinding['verdict']) =>
  (check: string, text: string): PackFinding => ({ verdict, check, text })

export const good = finding('good')
export const bad = finding('bad')
export const remark = finding('remark')

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day in UTC, as in `3 November 2026`. */
export const dayOf = (at: number) =>
  Math.abs(at) <= 8.64e15 ? DAY_FORMAT.format(at) : 'a day that no calendar has'

const MOST_NAMED = 10

/** The first ten numbers of a list, and how many more there are. */
export const numbersOf = (numbers: readonly number[]) =>
  numbers.slice(0, MOST_NAMED).join(', ') +
  (numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '')
