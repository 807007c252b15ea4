import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import {
  type FinalReply,
  type Done,
  type FlowRecord,
  type Previewed,
  type Running,
  SCHEDULE,
} from '../../../src/core/confirm/record.ts'
import type { AuditEntry } from '../../../src/core/domain/audit/entry.ts'
import {
  type HappenedEvent,
  clientDeleted,
  eventOf,
  factOf,
} from '../../../src/core/domain/events/topics.ts'
import type { LookupOutcome } from '../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../src/core/domain/problem/problem.ts'
import { DAY, HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import type { ApprovalView, ConfirmationCall } from '../../../src/core/ports/confirmation.ts'
import { exampleEntry } from '../../support/example-entry.ts'
import { judgeAuditLog } from './auditor/audit-log.ts'
import { judgeTree } from './auditor/audit-tree.ts'
import { auditor, type Watched } from './auditor/auditor.ts'
import { judgeEvents } from './auditor/events.ts'
import { INVARIANTS, type Invariant, NOT_SEEN_HERE } from './auditor/invariants.ts'
import type { Act, Attempt, Shown, TrueBooking } from './auditor/ledger.ts'
import type { Kept } from './auditor/records.ts'
import {
  type Sent,
  type SubscriptionsLedger,
  subscriptionsLedger,
} from './auditor/subscriptions.ts'
import { operationIdOf } from './world/cloudflare.ts'
import { CAUGHT_BY } from './wrong-policies.ts'

const T1 = '2026-11-24T10:00:00Z'
const NOTHING: Kept = { record: undefined, alarm: undefined }
const refused: LookupOutcome = {
  is: 'refused',
  refusal: { code: 'slot_unavailable', effect: 'none' },
}
const PINS: Record<string, Record<string, string>> = {
  book_consult: { start_time: T1, end_time: '2026-11-24T10:30:00Z' },
  cancel_booking: { booking_id: 'bk_1' },
  respond_to_booking: { booking_id: 'bk_1', decision: 'accept' },
  reschedule_booking: {
    booking_id: 'bk_1',
    start_time: T1,
    end_time: '2026-11-24T10:30:00Z',
    old_start_time: '2026-11-23T10:00:00Z',
    old_end_time: '2026-11-23T10:30:00Z',
  },
}

/** A booking as the provider has it. */
const THERE: TrueBooking = {
  id: 'bk_1',
  start: Date.parse(T1),
  end: Date.parse(T1) + 30 * MINUTE,
  waits: false,
  invitee: { email: 'a@example.net' },
  listedFrom: 0,
  changedAt: 0,
}
const FIND = { name: 'find_bookings', id: 'A@example.net' } as const
const rowOf = ({ id, start, end }: TrueBooking) => ({
  booking_id: id,
  start_time: new Date(start).toISOString(),
  end_time: new Date(end).toISOString(),
})

/** The other people on a booking, and a preview that counts them. */
const GUESTS = ['a@example.net', 'b@example.net']
const COUNTED = {
  pinned: { other_people: 2 },
  preview: { other_people: 2 },
  warnings: ['2 other people are on this booking.'],
}

const entryOf = (event: 'preview' | 'approval' | 'commit'): AuditEntry =>
  exampleEntry({ id: event, at: 0, event, caller: 'c', operation_id: operationIdOf('a') })

const NOW = 1000
const NEED = { level: 'person', digest: 'digest of g', url: '', since: 0 } as const
const decided = (is: 'approved' | 'declined') => ({
  ...NEED,
  decision: { is, by: 'owner', at: NOW },
})
const VIEW = { id: 'g', digest: NEED.digest } as ApprovalView

const LET_IN = { day: '2026-11-24', caller: 'c', flow: 'a', operation: 'book_consult' }

/** An auditor, and the objects it watches, moved by hand. */
function watching(operation = 'book_consult') {
  const objects = new Map<string, Watched>()
  const bookings = new Map<string, TrueBooking>()
  const audit = auditor({
    objects: () => [...objects.values()],
    isListed: () => true,
    linkNamed: () => undefined,
    bookingNamed: (id) => bookings.get(id),
    bookings: () => [...bookings.values()],
    length: () => ({ ms: 30 * MINUTE, since: 0 }),
    starts: [Date.parse(T1)],
  })
  let now = NOW
  /** What previews pin and show of the other people on a booking. */
  let others: { pinned?: object; preview?: object; warnings?: string[] } = {}

  /** An object keeps a record, durably. */
  function keep(name: string, record: FlowRecord | undefined, alarm = true): void {
    const before = objects.get(name)?.disk ?? NOTHING
    const disk = { record, alarm: alarm ? { at: now + 1 } : undefined }
    objects.set(name, { name, disk, excused: false })
    audit.durable(name, before, disk, now)
  }
  const recordOf = (id: string, change: Partial<Previewed> = {}): Previewed => ({
    v: 1,
    operation,
    mode: 'live',
    adapterId: 'calendly',
    origin: '',
    keyId: 'k',
    fingerprint: 'f',
    id,
    expiresAt: 5000,
    shown: { preview: {}, summary: '', warnings: [] },
    digest: '',
    pinned: { ...PINS[operation]!, ...others.pinned },
    index: [],
    subject: null,
    recordId: null,
    seq: 1,
    state: 'previewed',
    ...change,
  })
  const running = (id: string, change: Partial<Running> = {}): Running => ({
    ...recordOf(id),
    state: 'running',
    step: 0,
    compensating: false,
    unconfirmedSends: 1,
    firstSent: 0,
    lastSent: 0,
    lookups: 0,
    stepResults: [],
    seq: 2,
    ...change,
  })
  const done = (id: string, answer: FinalReply, change: Partial<Done> = {}): Done => {
    const { shown: _shown, pinned: _pinned, index: _index, ...kept } = recordOf(id)
    return { ...kept, state: 'done', seq: 3, answer, endedAt: now, ...change }
  }
  const callOf = (id: string, change: Partial<ConfirmationCall> = {}): ConfirmationCall => ({
    operation,
    input: {},
    confirm: true,
    token: { id },
    fingerprints: { k: 'f' },
    origin: '',
    scopes: [],
    by: { caller: 'c', app: null, request_id: null },
    ...change,
  })
  const arrive = (name: string, call: ConfirmationCall, tag = 'p') =>
    audit.arrived({ object: name, call, tag, met: objects.get(name)?.disk.record })
  const say = (name: string, call: ConfirmationCall, refusal: Refusal, tag = 'p') =>
    audit.replied(
      arrive(name, call, tag),
      { is: 'refused', refusal, replayed: false },
      objects.get(name)?.disk.record,
    )

  /** A preview that was shown. */
  function preview(name: string, id: string, reason?: string, said: Shown = {}): void {
    const arrival = arrive(name, callOf(id, { confirm: false, token: 'missing' }))
    keep(name, recordOf(id))
    const { preview: counted, warnings = [] } = others
    const shown = { preview: { reason, ...said, ...counted }, summary: '', warnings }
    audit.replied(
      arrival,
      { is: 'preview', mode: 'live', id, keyId: 'k', expiresAt: 5000, ...shown },
      objects.get(name)?.disk.record,
    )
  }
  function attempt(id: string, act: Act, change: Partial<Attempt> = {}): Attempt {
    const of = audit.ledger.generations.get(id)!
    const by = { outdated: false }
    const { step = 0, undo = false } = change
    return {
      act,
      marker: `${id}.${step}${undo ? 'u' : ''}`,
      of,
      step,
      undo,
      sentAt: now,
      landsUntil: now + HOUR,
      by,
      awaited: true,
      ...change,
    }
  }
  /** A preview, a commit that was asked for, and its intent. */
  function begin(name: string, id: string, reason?: string, said?: Shown): void {
    preview(name, id, reason, said)
    arrive(name, callOf(id))
    keep(name, running(id))
  }
  return {
    audit,
    done,
    bookings,
    keep,
    recordOf,
    running,
    callOf,
    arrive,
    say,
    preview,
    attempt,
    begin,
    found: () => audit.violation?.invariant,
    others: (given: typeof others) => void (others = given),
    later: (ms: number) => (now += ms),
  }
}

type Watching = ReturnType<typeof watching>

/** What the auditor finds after this has happened to the objects that it watches. */
const afterChange =
  (operation: string, happens: (w: Watching) => void) => (): Invariant | undefined => {
    const w = watching(operation)
    happens(w)
    return w.found()
  }
const after = (happens: (w: Watching) => void) => afterChange('book_consult', happens)
const afterDeliveries = (happens: (webhook: Webhook) => void) => () => webhookJudged(happens)

const sends = (w: Watching, id: string, act: Act = 'book', change: Partial<Attempt> = {}) => {
  const sent = w.attempt(id, act, change)
  w.audit.sending(sent, { target: 'bk_1' })
  return sent
}

/** What the auditor finds after this has happened to a move of a booking with these other people on it. */
const moveOf =
  (guests: readonly string[], happens: (w: Watching) => void) => (): Invariant | undefined => {
    const w = watching('reschedule_booking')
    if (guests.length > 0) w.others(COUNTED)
    w.bookings.set('bk_1', { ...THERE, invitee: { ...THERE.invitee, guests } })
    happens(w)
    return w.found()
  }

/** A move to the same time another day, whose new booking has these people, is answered so. */
function moved(w: Watching, guests: readonly string[], result: object, summary: string): void {
  w.begin('a', 'g')
  const sent = w.attempt('g', 'move')
  w.audit.sending(sent, { target: 'bk_1' })
  w.bookings.set('bk_7', { ...THERE, id: 'bk_7', invitee: { ...THERE.invitee, guests } })
  w.audit.effect(sent, { act: 'move', marker: 'g.0', undo: false, id: 'bk_7' })
  w.audit.answered(sent, { is: 'ok', facts: {} })
  const times = { start_time: T1, end_time: '2026-11-24T10:30:00Z' }
  const body = { result: { booking_id: 'bk_7', ...times, ...result }, summary }
  w.keep('a', w.done('g', { is: 'committed', body }))
}

type Recorded = readonly [key: string, value: object | null]
const RECORD = ['client:cl_1', { recorded_at: '2026-11-23T14:00:00Z' }] as const
const OTHER = ['client:cl_2', { recorded_at: '2026-11-23T14:00:00Z' }] as const

/** What the auditor finds where there are these records, and the events of those are published, and more. */
function eventsJudged(
  there: readonly Recorded[],
  published: readonly Recorded[],
  more: readonly HappenedEvent[] = [],
): Invariant | undefined {
  const w = watching()
  const rows = there.map(([key, value]) => ({
    key,
    mode: 'mock',
    value: value === null ? null : JSON.stringify(value),
  }))
  const events = [...published.map(([key, value]) => eventOf(key, 'mock', { ...value })!), ...more]
  judgeEvents({
    auditor: w.audit,
    events: { events: new Map(events.map((event) => [factOf(event), event])) },
    records: {
      query: (sql) => rows.filter(({ value }) => (value !== null) === sql.includes('IS NOT NULL')),
    },
  })
  return w.found()
}

/** For each invariant what breaks it, beside the wrong policies that show the same in whole runs. */
const BROKEN: Partial<Record<Invariant, Record<string, () => Invariant | undefined>>> = {
  I1: {
    'a second answer while the first may still arrive': afterChange('respond_to_booking', (w) => {
      w.begin('a', 'g')
      w.audit.answered(responds(w), { is: 'unknown' })
      w.audit.looked('g.0', { is: 'not_found' }, 'look', NOW)
      responds(w)
    }),
    'two effects of one step': after((w) => {
      w.begin('a', 'g')
      const sent = sends(w, 'g')
      for (const id of ['bk_7', 'bk_8'])
        w.audit.effect(sent, { act: 'book', marker: sent.marker, undo: false, id })
    }),
  },
  I4: {
    'a mutation whose preview no one was shown': after((w) => {
      w.arrive('a', w.callOf('g', { confirm: false }))
      w.keep('a', w.recordOf('g'))
      w.arrive('a', w.callOf('g'))
      w.keep('a', w.running('g'))
      sends(w, 'g')
    }),
  },
  I5: {
    'a commit with a bad token that is let through': after((w) => {
      w.preview('a', 'g')
      w.say('a', w.callOf('g', { token: 'invalid' }), { code: 'provider_busy', effect: 'none' })
    }),
  },
  I6: {
    'two mutations under way from one instance': afterChange('cancel_booking', (w) => {
      w.begin('a', 'g')
      const by = { outdated: false }
      sends(w, 'g', 'cancel', { by })
      sends(w, 'g', 'cancel', { by })
    }),
  },
  I7: {
    'an end that is answered otherwise than before': after((w) => {
      w.preview('a', 'g')
      const answer = {
        is: 'refused',
        refusal: { code: 'partially_applied', effect: 'partial' },
      } as const
      w.audit.ledger.generations.get('g')!.operation = 'reschedule_booking'
      const arrival = w.audit.arrived({
        object: 'a',
        call: w.callOf('g'),
        tag: 'p',
        met: w.done('g', answer),
      })
      const other = { code: 'outcome_unknown', effect: 'unknown' } as const
      w.audit.replied(arrival, { is: 'refused', refusal: other, replayed: true }, undefined)
    }),
  },
  I8: {
    'an effect that lands after it was denied': after((w) => {
      w.begin('a', 'g')
      const sent = sends(w, 'g')
      w.audit.answered(sent, refused)
      w.say('a', w.callOf('g'), { code: 'slot_unavailable', effect: 'none' })
      w.audit.effect(sent, { act: 'book', marker: 'g.0', undo: false, id: 'bk_7' })
    }),
  },
  I9: {
    'committed, and nothing is there': after((w) => {
      w.begin('a', 'g')
      const body = { result: { booking_id: 'bk_7' } }
      w.keep('a', w.done('g', { is: 'committed', body }))
    }),
    'accepted, and the request still waits': afterChange('respond_to_booking', (w) => {
      w.bookings.set('bk_1', { ...THERE, waits: true })
      w.begin('a', 'g')
      const body = { result: { booking_id: 'bk_1', decision: 'accept' } }
      w.keep('a', w.done('g', { is: 'committed', body }))
    }),
  },
  I10: {
    'an answer of no effect while the outcome is in doubt': after((w) => {
      w.begin('a', 'g')
      w.audit.answered(sends(w, 'g'), { is: 'unknown' })
      w.say('a', w.callOf('g'), { code: 'provider_busy', effect: 'none' })
    }),
  },
  I11: {
    'a step backwards': afterChange('reschedule_booking', (w) => {
      w.begin('a', 'g')
      w.keep('a', w.running('g', { seq: 3, step: 1 }))
      w.keep('a', w.running('g', { seq: 4, step: 0 }))
    }),
    'a change that does not count': after((w) => {
      w.begin('a', 'g')
      w.keep('a', w.running('g', { unconfirmedSends: 2 }))
    }),
  },
  I12: {
    'another payload that is not refused': after((w) => {
      w.preview('a', 'g')
      const other = w.callOf('g', { fingerprints: { k: 'other' } })
      w.say('a', other, { code: 'provider_busy', effect: 'none' }, 'q')
    }),
  },
  I13: {
    'a start after the end of the preview': after((w) => {
      const before = { record: w.recordOf('g'), alarm: undefined }
      w.audit.saved('a', before, { record: w.running('g'), alarm: undefined }, 5000)
    }),
  },
  I15: {
    'restored, and the new booking is there': afterChange('reschedule_booking', (w) => {
      w.begin('a', 'g')
      const sent = sends(w, 'g', 'cancel')
      w.audit.effect(sent, { act: 'cancel', marker: 'g.0', undo: false, id: 'bk_1' })
      w.audit.effect(sent, { act: 'book', marker: 'g.1', undo: false, id: 'bk_7' })
      const refusal = { code: 'reschedule_restored', effect: 'partial' } as const
      w.keep('a', w.done('g', { is: 'refused', refusal }))
    }),
  },
  I16: {
    'an undo while the step it answers to is in doubt': afterChange('reschedule_booking', (w) => {
      w.begin('a', 'g')
      w.keep('a', w.running('g', { seq: 3, step: 1 }))
      w.audit.answered(sends(w, 'g', 'book', { step: 1 }), { is: 'unknown' })
      w.keep('a', w.running('g', { seq: 4, step: 0, compensating: true }))
    }),
  },
  I17: {
    'a cancel of another booking': afterChange('cancel_booking', (w) => {
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'cancel'), { target: 'bk_2' })
    }),
    'an answer to another request': afterChange('respond_to_booking', (w) => {
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'respond'), { target: 'bk_2', decision: 'accept' })
    }),
    'another answer than the preview showed': afterChange('respond_to_booking', (w) => {
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'respond'), { target: 'bk_1', decision: 'decline' })
    }),
  },
  I18: {
    'running without an alarm': after((w) => {
      w.preview('a', 'g')
      w.keep('a', w.running('g'), false)
      w.audit.inspect(NOW)
    }),
  },
  I20: {
    'an address in base64': after((w) => {
      w.audit.scan('an answer', {
        note: Buffer.from('To quillbirdsong.1@example.com').toString('base64'),
      })
    }),
    'a name in capitals': after((w) => {
      w.keep('a', w.recordOf('g', { origin: 'ADA STORMPETREL' }))
    }),
  },
  I21: {
    'someone else who learns more than that there is nothing': after((w) => {
      w.audit.strangerAnswered('key', 'confirmation_token_invalid')
    }),
  },
  I22: {
    'the same time under another key': after((w) => {
      w.begin('a', 'g')
      w.begin('b', 'h')
      sends(w, 'h')
    }),
  },
  I23: {
    'a running record that is forgotten': after((w) => {
      w.begin('a', 'g')
      w.later(2 * SCHEDULE.retain)
      w.keep('a', undefined)
    }),
    'a preview that is forgotten early': after((w) => {
      w.preview('a', 'g')
      w.later(SCHEDULE.retain / 2)
      w.keep('a', undefined)
    }),
  },
  I26: {
    'a booking at another time than was shown': () => {
      const start = Date.parse(T1) + 60 * MINUTE
      const end = start + 30 * MINUTE
      return booked(
        { start, end },
        { start_time: '2026-11-24T11:00:00Z', end_time: '2026-11-24T11:30:00Z' },
      )
    },
    'a booking that is longer than the answer says': () =>
      booked(
        { start: Date.parse(T1), end: Date.parse(T1) + 60 * MINUTE },
        { start_time: T1, end_time: '2026-11-24T10:30:00Z' },
      ),
  },
  I29: {
    'a change that is admitted after a pause was answered': after((w) => {
      w.audit.rulesAsked('*', { paused: true }).answered()
      w.audit.admitted(LET_IN)
    }),
    'a commit that began though no one let it in': after((w) => {
      w.audit.admitted(LET_IN)
      w.audit.began('a', w.recordOf('g'))
      w.audit.began('a', w.recordOf('g'))
    }),
  },
  I30: {
    'a change more than the day has': after((w) => {
      w.audit.rulesAsked('c', { changes_a_day: 1 }).answered()
      for (const flow of ['a', 'a', 'b']) w.audit.admitted({ ...LET_IN, flow })
    }),
    'an operation that is not allowed': after((w) => {
      w.audit.rulesAsked('c', { operations: [] }).answered()
      w.audit.admitted(LET_IN)
    }),
  },
  I31: {
    'an amount above what a rule lets pass': afterChange('create_payment_link', (w) => {
      const approval = [
        { operation: 'create_payment_link', above: { usd: 100 }, level: 'person' as const },
      ]
      w.audit.rulesAsked('c', { approval }).answered()
      const link = { ...LET_IN, operation: 'create_payment_link', currency: 'usd' }
      w.audit.admitted({ ...link, amount: 100 })
      w.audit.began('a', w.recordOf('g'))
      expect(w.found()).toBeUndefined()
      w.audit.admitted({ ...link, amount: 101 })
      w.audit.began('a', w.recordOf('h'))
    }),
    'a preview that was said to need one': after((w) => {
      w.audit.admitted(LET_IN)
      w.audit.began('a', w.recordOf('g', { need: NEED }))
    }),
  },
  I32: {
    'a change that is said to be declined after it has begun': after((w) => {
      w.audit.approves(VIEW)
      w.audit.admitted(LET_IN)
      w.audit.began('a', w.recordOf('g', { need: NEED }))
      w.audit.declined('a', VIEW)
    }),
  },
  I28: {
    'a client that had been deleted': afterChange('create_client_profile', (w) => {
      w.audit.deletion('cl_1', 'decided')
      w.audit.readBegins({ name: 'get_client', id: 'cl_1' }, NOW)({ is: 'shown', body: {} })
    }),
    'a client that no one made': after((w) => {
      w.audit.readBegins(
        { name: 'list_clients' },
        NOW,
      )({
        is: 'shown',
        body: { clients: [{ client_id: 'cl_1' }] },
      })
    }),
    'a time that no one offers': after((w) => {
      const slots = [{ start_time: '2026-11-24T12:00:00Z' }]
      w.audit.readBegins({ name: 'list_availability' }, NOW)({ is: 'shown', body: { slots } })
    }),
    'other times than a booking has': after((w) => {
      w.bookings.set('bk_1', { ...THERE, end: THERE.start + 60 * MINUTE })
      const booking = { start_time: T1, end_time: '2026-11-24T10:30:00Z' }
      w.audit.readBegins(
        { name: 'get_booking', id: 'bk_1' },
        NOW,
      )({ is: 'shown', body: { booking } })
    }),
    'another state than a booking has': after((w) => {
      w.bookings.set('bk_1', { ...THERE, waits: true })
      const booking = { ...rowOf(THERE), state: 'confirmed' }
      w.audit.readBegins(
        { name: 'get_booking', id: 'bk_1' },
        NOW,
      )({ is: 'shown', body: { booking } })
    }),
    'the booking of another person': () =>
      found([{ ...THERE, invitee: { email: 'b@example.net' } }], [rowOf(THERE)]),
    'a booking of a person twice': () => found([THERE], [rowOf(THERE), rowOf(THERE)]),
    'a later booking first': () => found([LATER, THERE], [rowOf(LATER), rowOf(THERE)]),
    'a part of the bookings as all': () => found([THERE, LATER], [rowOf(LATER)]),
  },
  I33: {
    'an event of no record': () => eventsJudged([RECORD], [RECORD, OTHER]),
    'a deletion of a client who is not deleted': () =>
      eventsJudged([RECORD], [RECORD], [clientDeleted('cl_1', 'mock', NOW)]),
    'a deleted client whose creation was published and the deletion never': () =>
      eventsJudged([[RECORD[0], null]], [RECORD]),
  },
  I35: {
    'an entry that was changed after a checkpoint': () => treeJudged(['a', 'B', 'c']),
    'an entry that took the place of another': () => treeJudged(['b', 'a', 'c']),
    'a log that lost an entry of a checkpoint': () => treeJudged(['a']),
    'an entry that is there twice': () => treeJudged(['a', 'b', 'b']),
    'an entry that was dropped, and no entry says so': () =>
      treeJudged(['a', 'b', 'c'], undefined, 1),
    'a number that was left out': () => treeJudged(['a', 'b', 'c'], (i) => (i > 1 ? i + 1 : i)),
  },
  I36: {
    'an event that was refused three times, and is sent after the next': afterDeliveries(
      ({ sends }) => {
        for (const status of [422, 422, 422]) sends(1, status)
        for (const place of [2, 1]) sends(place)
      },
    ),
    'an event that is skipped after two refusals': afterDeliveries(({ sends }) => {
      sends(1, 422)
      sends(1, 422)
      sends(2)
    }),
    'an event that is sent again after its answer was taken': afterDeliveries(({ sends }) => {
      sends(1)
      sends(1)
    }),
    'an event of another topic': afterDeliveries(({ ledger, sends }) => {
      ledger.appended(4, 'client.deleted')
      for (const place of [1, 2, 3, 4]) sends(place)
    }),
    'an event that is sent after the webhook was removed': afterDeliveries(({ ledger, sends }) => {
      ledger.over('wh', 'removed')
      sends(1)
    }),
    'an event that never arrived': afterDeliveries(({ sends, rests }) => {
      sends(1)
      sends(2)
      rests('active')
    }),
    'a webhook that no one made': afterDeliveries(({ begins }) => begins(1, {}, 'other')),
    'a webhook that ended by itself': afterDeliveries(({ rests }) => rests('ended')),
    'a webhook that stays paused although its endpoint is well': afterDeliveries(({ rests }) =>
      rests('paused'),
    ),
    'a webhook that was forgotten': afterDeliveries(({ rests }) => rests(undefined)),
    'a webhook that is active after it was removed': afterDeliveries(({ ledger, rests }) => {
      ledger.over('wh', 'removed')
      rests('active')
    }),
  },
  I25: {
    'a decision without an entry in the audit log': after((w) => {
      w.keep('a', w.recordOf('g', { need: NEED }))
      w.keep('a', w.recordOf('g', { need: decided('approved'), seq: 2 }))
      const voidedBy = { code: 'approval_declined', effect: 'none' } as const
      w.keep('a', w.recordOf('g', { need: decided('declined'), voidedBy, seq: 3 }))
      judgeAuditLog(w.audit.ledger, [entryOf('preview'), entryOf('approval'), entryOf('approval')])
      expect(w.found()).toBeUndefined()
      judgeAuditLog(w.audit.ledger, [entryOf('preview'), entryOf('approval')])
    }),
    'a lifted approval without an entry in the audit log': after((w) => {
      w.keep('a', w.recordOf('g', { need: NEED }))
      w.keep('a', w.recordOf('g', { need: { ...NEED, lifted: true }, seq: 2 }))
      judgeAuditLog(w.audit.ledger, [entryOf('preview'), entryOf('preview')])
      expect(w.found()).toBeUndefined()
      judgeAuditLog(w.audit.ledger, [entryOf('preview')])
    }),
    'an end that never was': after((w) => {
      w.begin('a', 'g')
      judgeAuditLog(w.audit.ledger, [entryOf('preview'), entryOf('commit')])
    }),
  },
  I37: {
    'another answer of the invitee than the preview showed': after((w) => {
      w.begin('a', 'g', undefined, { answers: [{ question: 'Why?', answer: 'Taxes' }] })
      const said = { answers: [{ id: 'q', answer: 'An estate' }], place: null, phone: null }
      w.audit.sending(w.attempt('g', 'book'), { target: '', said })
    }),
    'a number that no preview showed': after((w) => {
      w.begin('a', 'g')
      const said = { answers: [], place: { id: 'l', words: '+12025550147' }, phone: null }
      w.audit.sending(w.attempt('g', 'book'), { target: '', said })
    }),
    'a move without the answers of the old booking': afterChange('reschedule_booking', (w) => {
      const said = { answers: [{ id: 'q', answer: 'Taxes' }], place: null, phone: null }
      w.bookings.set('bk_1', { ...THERE, invitee: { ...THERE.invitee, said } })
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'book'), { target: '' })
    }),
    'one preview that is shown with two texts': afterChange('cancel_booking', (w) => {
      w.preview('a', 'g', 'We are closed.')
      w.preview('a', 'g', 'We are open.')
    }),
  },
  I39: {
    'a move with some of them': moveOf(GUESTS, (w) => {
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'book'), { target: '', guests: GUESTS.slice(1) })
    }),
    'more of them than the preview counted': moveOf([...GUESTS, 'c@example.net'], (w) => {
      w.bookings.get('bk_1')!.othersChanged = true
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'book'), { target: '', guests: [...GUESTS, 'c@example.net'] })
    }),
    'the people of another booking on a new one': after((w) => {
      w.begin('a', 'g')
      w.audit.sending(w.attempt('g', 'book'), { target: '', guests: GUESTS })
    }),
    'a preview that does not count them': moveOf(GUESTS, (w) => {
      w.others({ pinned: COUNTED.pinned })
      w.preview('a', 'g')
    }),
    'a preview without a word of them': moveOf(GUESTS, (w) => {
      w.others({ ...COUNTED, warnings: [] })
      w.preview('a', 'g')
    }),
    'an answer that counts them all, though one was lost': moveOf(GUESTS, (w) =>
      moved(w, GUESTS.slice(1), { other_people: 2 }, 'Moved.'),
    ),
    'an answer that does not say that one was lost': moveOf(GUESTS, (w) =>
      moved(w, GUESTS.slice(1), { other_people: 1 }, 'Moved.'),
    ),
  },
  I40: {
    'an answer that names a length that the booking has not': moveOf(GUESTS, (w) =>
      moved(w, GUESTS, { other_people: 2 }, 'Moved, for 45 minutes instead of 30.'),
    ),
  },
}

interface Webhook {
  ledger: SubscriptionsLedger
  begins(place: number, by?: object, id?: string): Sent | undefined
  sends(place: number, status?: number): void
  rests(state: 'active' | 'paused' | 'ended' | undefined): void
}
/** What the auditor finds of a webhook `wh` of the caller c that is owed the events at 1, 2 and 3, after what happens to it. */
function webhookJudged(happens: (webhook: Webhook) => void): Invariant | undefined {
  const w = watching()
  const ledger = subscriptionsLedger(w.audit)
  const instance = {}
  for (const place of [1, 2, 3]) ledger.appended(place, 'client.created')
  ledger.made('wh', 'c', ['client.created'], 0)
  const begins = (place: number, by = instance, id = 'wh') => ledger.sending(id, place, by, NOW)
  happens({
    ledger,
    begins,
    sends(place, status = 204) {
      const sent = begins(place)!
      ledger.arrived(sent, status)
      ledger.answered(sent, status, true)
    },
    rests: (state) => ledger.atRest(new Map(state && [['wh', state]])),
  })
  return w.found()
}

/** What the auditor finds where these are the entries, and a checkpoint was made of the first two when they were a and b. */
function treeJudged(
  entries: readonly string[],
  numbered = (i: number) => i,
  droppedBelow = 0,
): Invariant | undefined {
  const w = watching()
  const sha = (text: string) => createHash('sha256').update(text, 'latin1').digest()
  const root = sha(`\x01${['a', 'b'].map((leaf) => sha(`\0${leaf}`).toString('latin1')).join('')}`)
  const leaves = entries.map((leaf, i) =>
    i < droppedBelow ? { i, hash: sha(`\0${leaf}`).toString('base64') } : { i: numbered(i), leaf },
  )
  judgeTree(w.audit.report, leaves, [{ size: 2, root }])
  return w.found()
}

const LATER: TrueBooking = { ...THERE, id: 'bk_2', start: THERE.start + DAY, end: THERE.end + DAY }

/** What the auditor finds where a person has these bookings, and these rows are shown as all of them. */
function found(there: readonly TrueBooking[], rows: object[]): Invariant | undefined {
  const w = watching()
  for (const one of there) w.bookings.set(one.id, one)
  w.audit.readBegins(FIND, NOW)({ is: 'shown', body: { bookings: rows, complete: true } })
  return w.found()
}

/** The answer of the flow `g` leaves. */
function responds(w: ReturnType<typeof watching>): Attempt {
  const sent = w.attempt('g', 'respond')
  w.audit.sending(sent, { target: 'bk_1', decision: 'accept' })
  return sent
}

/** A booking that was made, and an end that names it with these times. */
function booked(
  there: { start: number; end: number },
  times: { start_time: string; end_time: string },
) {
  const w = watching()
  w.begin('a', 'g')
  const sent = sends(w, 'g')
  w.bookings.set('bk_7', { ...THERE, id: 'bk_7', ...there })
  w.audit.effect(sent, { act: 'book', marker: 'g.0', undo: false, id: 'bk_7' })
  w.audit.answered(sent, { is: 'ok', facts: {} })
  const body = { result: { booking_id: 'bk_7', ...times } }
  w.keep('a', w.done('g', { is: 'committed', body }))
  return w.found()
}

describe('the auditor sees', () => {
  const cases = Object.entries(BROKEN).flatMap(([invariant, ways]) =>
    Object.entries(ways).map(([way, breakIt]) => [way, invariant, breakIt] as const),
  )
  it.each(cases)('%s (%s)', (_way, invariant, breakIt) => {
    expect(breakIt()).toBe(invariant)
  })

  it('every invariant, or says why not', () => {
    const unseen = Object.keys(INVARIANTS).filter(
      (invariant) =>
        !(invariant in BROKEN) &&
        !(invariant in NOT_SEEN_HERE) &&
        !Object.values(CAUGHT_BY)
          .flat()
          .includes(invariant as Invariant),
    )
    expect(unseen).toEqual([])
  })
})
