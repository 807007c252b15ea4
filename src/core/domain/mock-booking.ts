import * as z from 'zod'

import type { Decision } from './booking.ts'

/** A booking of the mock provider; it holds no personal data. */
export interface MockBooking {
  id: string
  event_type_id: string
  start: number
  end: number
  timezone: string
  masked_email: string
  initials: string | null
  marker: string
  cancelled_by: string | null
  created_at: number
  no_show: 0 | 1
  /** The bookings before and after it, where a person moved it on the page of the mock. */
  moved_from: string | null
  moved_to: string | null
  /** A keyed hash of the invitee's address, by which the booking is found. */
  contact?: string | null
  /** Whether it waits for the practice, or how the practice answered; null where it never waited. */
  request?: 'open' | Decision | null
}

export type NewMockBooking = Omit<
  MockBooking,
  'id' | 'cancelled_by' | 'created_at' | 'no_show' | 'moved_from' | 'moved_to'
>

/** What has happened to an invoice of the mock. */
export type MockPayment = { status: 'open' | 'paid' | 'void'; failures: number }

/** A payment link of the mock; amounts in minor units. */
export interface MockLink {
  id: string
  invoice_id: string
  amount: number
  currency: string
  marker: string
  active: 0 | 1
  completed: 0 | 1
}

export type NewMockLink = Pick<MockLink, 'invoice_id' | 'amount' | 'currency' | 'marker'>

/** A query to the calendar of the mock provider; times are epoch milliseconds. */
export interface MockBookingsWanted {
  from: number
  to: number
  active: boolean
  waiting: boolean
  cancelled: boolean
  eventTypeIds: string[]
  /** Start and id of the last booking of the page before. */
  after: number
  afterId: string
  most: number
  /** Only those of these keyed hashes of an address. */
  contacts?: string[]
}

const ACTIONS = [
  'slots',
  'event_type',
  'list',
  'book',
  'cancel',
  'respond',
  'invoice',
  'link',
  'end_link',
  'notification',
] as const
const FAILURES = ['busy', 'misconfigured', 'refused', 'timeout_before', 'timeout_after'] as const
const FAULTS = ['ok', ...FAILURES, 'slow', 'changed', 'lost', 'twice', 'late', 'early'] as const

export type Action = (typeof ACTIONS)[number]
export type Fault = (typeof FAULTS)[number]

export type ScriptedFault = { action: Action; fault: Fault; stays: boolean }

/** Faults for trials, such as `book:refused,link:timeout_after*`. A call uses one up unless it has a `*`. */
export const faultScriptSchema = z.string().transform((script, context): ScriptedFault[] =>
  script
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .flatMap((step) => {
      const [, name, kind, star] = /^(\w+):(\w+)(\*?)$/.exec(step) ?? []
      const action = ACTIONS.find((one) => one === name)
      const fault = FAULTS.find((one) => one === kind)
      if (action && fault) return [{ action, fault, stays: star === '*' }]
      context.addIssue({ code: 'custom', message: 'a step is not action:fault' })
      return []
    }),
)
