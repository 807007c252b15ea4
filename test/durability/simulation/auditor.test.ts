import { describe, expect, it } from 'vitest'

import {
  type FinalReply,
  type Done,
  type FlowRecord,
  type Previewed,
  type Running,
  SCHEDULE,
} from '../../../src/core/confirm/record.ts'
import type { Refusal } from '../../../src/core/domain/problem/problem.ts'
import { DAY, HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import type { ConfirmationCall } from '../../../src/core/ports/confirmation.ts'
import { auditor, type Watched } from './auditor/auditor.ts'
import { INVARIANTS, type Invariant, NOT_SEEN_HERE } from './auditor/invariants.ts'
import type { Act, Attempt, TrueBooking } from './auditor/ledger.ts'
import type { Kept } from './auditor/records.ts'
import { CAUGHT_BY } from './wrong-policies.ts'

const T1 = '2026-11-24T10:00:00Z'
const NOTHING: Kept = { record: undefined, alarm: undefined }
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

const NOW = 1000
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
    pinned: PINS[operation]!,
    index: [],
    subject: null,
    recordId: null,
    by: { caller: 'tester', app: null, request_id: null },
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
  function preview(name: string, id: string): void {
    const arrival = arrive(name, callOf(id, { confirm: false, token: 'missing' }))
    keep(name, recordOf(id))
    const shown = { preview: {}, summary: '', warnings: [] }
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
  function begin(name: string, id: string): void {
    preview(name, id)
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

const sends = (w: Watching, id: string, act: Act = 'book', change: Partial<Attempt> = {}) => {
  const sent = w.attempt(id, act, change)
  w.audit.sending(sent, { target: 'bk_1' })
  return sent
}

/** What breaks each invariant that no wrong policy breaks in a whole run. */
const BROKEN: Partial<Record<Invariant, Record<string, () => Invariant | undefined>>> = {
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
  I28: {
    'a client that had been deleted': afterChange('create_client_profile', (w) => {
      w.audit.deletion('cl_1', 'decided')
      w.audit.readBegins({ name: 'get_client', id: 'cl_1' }, NOW)({ is: 'shown', body: {} })
    }),
    'a time that no one offers': after((w) => {
      const slots = [{ start_time: '2026-11-24T12:00:00Z' }]
      w.audit.readBegins({ name: 'list_availability' }, NOW)({ is: 'shown', body: { slots } })
    }),
    'the booking of another person': () =>
      found([{ ...THERE, invitee: { email: 'b@example.net' } }], [rowOf(THERE)]),
    'a part of the bookings as all': () => found([THERE, LATER], [rowOf(LATER)]),
  },
}

const LATER: TrueBooking = { ...THERE, id: 'bk_2', start: THERE.start + DAY, end: THERE.end + DAY }

/** What the auditor finds where a person has these bookings, and these rows are shown as all of them. */
function found(there: readonly TrueBooking[], rows: object[]): Invariant | undefined {
  const w = watching()
  for (const one of there) w.bookings.set(one.id, one)
  w.audit.readBegins(FIND, NOW)({ is: 'shown', body: { bookings: rows, complete: true } })
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
