import { describe, expect, test } from 'vitest'

import {
  type AppliedRules,
  type AskedChange,
  type Rules,
  EVERYBODY,
  NO_RULES,
  askedChange,
  changesLeft,
  fewLeftWarning,
  loosens,
  pauseRefusal,
  refusalBy,
  rulesSchemaFor,
  sentencesOf,
  wantsPerson,
} from '../../../../../src/core/domain/rules/house-rules.ts'
import { HOUR } from '../../../../../src/core/domain/time/duration.ts'

const ZONE = 'America/New_York'
/** A Tuesday, 10:00 AM EST. */
const NOW = Date.parse('2026-11-24T15:00:00Z')
const WEEKDAYS = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }

const everybody = (rules: Partial<Rules>, changesToday = 0): AppliedRules => ({
  caller: EVERYBODY,
  rules: { ...NO_RULES, ...rules },
  pausedSince: rules.paused ? NOW - HOUR : null,
  changesToday,
})
const own = (rules: Partial<Rules>, changesToday = 0): AppliedRules => ({
  ...everybody(rules, changesToday),
  caller: 'key:1',
})
const book: AskedChange = { caller: 'key:1', operation: 'book_consult' }
const link = (amount: number, currency = 'usd'): AskedChange =>
  askedChange('key:1', 'create_payment_link', { amount, currency, invoice_id: 'in_1' })
const refused = (sets: AppliedRules[], change = book, now = NOW) =>
  refusalBy(sets, change, now, ZONE)

describe('what the house rules allow', () => {
  test.each<[string, AppliedRules[], AskedChange]>([
    ['no set at all', [], book],
    ['sets without a rule', [everybody({}), own({})], link(1e9)],
    ['an operation that is named', [everybody({ operations: ['book_consult'] })], book],
    ['the largest amount itself', [everybody({ max_link: { usd: 50000 } })], link(50000)],
    ['a currency in capitals', [everybody({ max_link: { usd: 50000 } })], link(50000, 'USD')],
    ['a change without an amount under a rule for links', [everybody({ max_link: {} })], book],
    ['a moment within the hours', [everybody({ hours: WEEKDAYS })], book],
    ['the last change of the day', [everybody({ changes_a_day: 5 }, 4)], book],
  ])('%s passes', (_what, sets, change) => {
    expect(refused(sets, change)).toBeUndefined()
  })

  type Refused = [what: string, sets: AppliedRules[], change: AskedChange, allows: string]
  const CHANGES = everybody({ operations: ['cancel_booking', 'reschedule_booking'] })
  const BOOKS = own({ operations: ['book_consult', 'cancel_booking'] })
  const CANCELS = 'Only these changes: cancel_booking.'
  const OPERATIONS: Refused[] = [
    [
      'an operation that is not named',
      [CHANGES],
      book,
      'Only these changes: cancel_booking, reschedule_booking.',
    ],
    ['any change where none is named', [own({ operations: [] })], book, 'No changes.'],
    ['what only one of two sets names', [CHANGES, BOOKS], book, CANCELS],
  ]
  const UP_TO_500 = everybody({ max_link: { usd: 50000 } })
  const UP_TO_100 = own({ max_link: { usd: 10000 } })
  const IN_YEN_TOO = everybody({ max_link: { usd: 50000, jpy: 9000 } })
  const AMOUNTS: Refused[] = [
    [
      'one cent more than the largest amount',
      [UP_TO_500],
      link(50001),
      'Payment links up to $500.00.',
    ],
    [
      'a currency that is not named',
      [IN_YEN_TOO],
      link(1, 'eur'),
      'Payment links up to $500.00, or up to ¥9,000.',
    ],
    [
      'a currency that only one of two sets names',
      [IN_YEN_TOO, UP_TO_100],
      link(1, 'jpy'),
      'Payment links up to $100.00.',
    ],
    [
      'more than the smaller of two amounts',
      [UP_TO_500, UP_TO_100],
      link(10001),
      'Payment links up to $100.00.',
    ],
    ['any link where no currency is named', [own({ max_link: {} })], link(0), 'No payment links.'],
  ]
  const ofAll = (limit: number, counted: number) => everybody({ changes_a_day: limit }, counted)
  const ofOne = (limit: number, counted: number) => own({ changes_a_day: limit }, counted)
  const FIVE = 'At most 5 changes a day in total, for all callers together.'
  const ONE = 'At most 1 change a day.'
  const COUNTS: Refused[] = [
    ['one change more than the day has', [ofAll(5, 5)], book, FIVE],
    ['a caller whose own day is used up, not that of all', [ofAll(50, 5), ofOne(1, 1)], book, ONE],
  ]
  test.each([
    ...OPERATIONS.map((row) => [...row, 'operations'] as const),
    ...AMOUNTS.map((row) => [...row, 'max_link'] as const),
    ...COUNTS.map((row) => [...row, 'changes_a_day'] as const),
  ])('%s is refused, with what is allowed', (_what, sets, change, allows, name) => {
    const refusal = { code: 'house_rule', effect: 'none', rule: { name, allows } }
    expect(refused(sets, change)).toMatchObject(refusal)
  })

  test('The refusal of a full day says when the next day of the practice begins, in its zone', () => {
    expect(refused([everybody({ changes_a_day: 5 }, 5)])).toMatchObject({
      rule: { allowed_at: '2026-11-25T00:00:00-05:00' },
      retry_after_seconds: 14 * 3600,
    })
  })

  test('… or when the hours of that day begin, and no time where no day allows a change', () => {
    const hours = { days: [2, 4], from: '08:00', to: '18:00' }
    expect(refused([everybody({ changes_a_day: 5, hours }, 5)])?.rule?.allowed_at).toBe(
      '2026-11-26T08:00:00-05:00',
    )
    const never = refused([everybody({ changes_a_day: 0 })])
    expect(never?.rule).not.toHaveProperty('allowed_at')
    expect(never).not.toHaveProperty('retry_after_seconds')
  })

  test('A pause is refused before any rule, and says since when', () => {
    const sets = [everybody({ paused: true, operations: [] })]
    expect(refused(sets)).toEqual({
      code: 'paused',
      effect: 'none',
      paused_at: '2026-11-24T09:00:00-05:00',
    })
    expect(pauseRefusal([everybody({}), own({ paused: true })], ZONE)?.detail).toContain(
      'this caller',
    )
    expect(pauseRefusal([everybody({ operations: [] }), own({})], ZONE)).toBeUndefined()
  })
})

describe('the hours of the house', () => {
  const at = (time: string, hours: Rules['hours'] = WEEKDAYS, zone = ZONE) =>
    refusalBy([everybody({ hours })], book, Date.parse(time), zone)?.rule?.allowed_at

  test.each([
    ['the first moment', '2026-11-24T08:00:00-05:00', undefined],
    ['the last millisecond', '2026-11-24T17:59:59.999-05:00', undefined],
    ['a millisecond too early', '2026-11-24T07:59:59.999-05:00', '2026-11-24T08:00:00-05:00'],
    ['the end itself', '2026-11-24T18:00:00-05:00', '2026-11-25T08:00:00-05:00'],
    ['Friday evening', '2026-11-27T18:00:00-05:00', '2026-11-30T08:00:00-05:00'],
    ['a Sunday', '2026-11-29T10:00:00-05:00', '2026-11-30T08:00:00-05:00'],
  ])('%s of Monday to Friday, eight to six', (_what, time, from) => {
    expect(at(time)).toBe(from)
  })

  const LATE = { days: [5], from: '22:00', to: '02:00' }
  test.each([
    ['Friday before they begin', '2026-11-27T21:59:00-05:00', '2026-11-27T22:00:00-05:00'],
    ['Friday night', '2026-11-27T23:00:00-05:00', undefined],
    ['after midnight, on the Saturday', '2026-11-28T01:59:59-05:00', undefined],
    ['when they end, on the Saturday', '2026-11-28T02:00:00-05:00', '2026-12-04T22:00:00-05:00'],
    [
      'after midnight on a Friday, which belongs to the Thursday',
      '2026-11-27T01:00:00-05:00',
      '2026-11-27T22:00:00-05:00',
    ],
  ])('%s, where they go past midnight', (_what, time, from) => {
    expect(at(time, LATE)).toBe(from)
  })

  const NIGHT = { days: [7], from: '02:15', to: '02:45' }
  const TO_FOUR = { ...NIGHT, to: '04:00' }
  const TWICE = { days: [7], from: '01:00', to: '01:30' }
  const TUESDAY = { days: [2], from: '00:00', to: '24:00' }
  test.each([
    // On 2027-03-14 the clock goes from 1:59 to 3:00: these hours do not come.
    [
      'hours that the spring change leaves out',
      NIGHT,
      '2027-03-13T12:00:00-05:00',
      '2027-03-21T02:15:00-04:00',
    ],
    [
      'hours that begin in the hour left out',
      TO_FOUR,
      '2027-03-14T01:59:59-05:00',
      '2027-03-14T03:00:00-04:00',
    ],
    // On 2026-11-01 the clock goes from 1:59 back to 1:00.
    [
      'an hour that comes twice, between them',
      TWICE,
      '2026-11-01T01:30:00-04:00',
      '2026-11-01T01:00:00-05:00',
    ],
    ['the second time of an hour that comes twice', TWICE, '2026-11-01T01:29:00-05:00', undefined],
    ['whole days', TUESDAY, '2026-11-24T23:59:59-05:00', undefined],
  ])('%s', (_what, hours, time, from) => {
    expect(at(time, hours)).toBe(from)
  })

  test('Where two sets have hours, a change may be made when both do, and the refusal says when that is', () => {
    const sets = [
      everybody({ hours: WEEKDAYS }),
      own({ hours: { days: [2, 3], from: '16:00', to: '20:00' } }),
    ]
    const refusal = refused(sets, book, NOW + 3 * HOUR)
    expect(refusal?.rule).toEqual({
      name: 'hours',
      allows:
        'Changes Monday to Friday, 8:00 AM to 6:00 PM EST. Changes Tuesday and Wednesday, 4:00 PM to 8:00 PM EST.',
      allowed_at: '2026-11-24T16:00:00-05:00',
    })
    expect(refusal?.retry_after_seconds).toBe(3 * 3600)
    expect(refused(sets, book, NOW + 7 * HOUR)).toBeUndefined()
    expect(refused(sets, book, NOW + 8 * HOUR)?.rule?.allowed_at).toBe('2026-11-25T16:00:00-05:00')
  })

  test('Hours that never meet are refused without a time', () => {
    const sets = [
      everybody({ hours: WEEKDAYS }),
      own({ hours: { days: [6], from: '08:00', to: '18:00' } }),
    ]
    expect(refused(sets)?.rule).toHaveProperty('allows')
    expect(refused(sets)?.rule).not.toHaveProperty('allowed_at')
    expect(refused(sets)).not.toHaveProperty('retry_after_seconds')
  })
})

describe('a change that loosens a set of rules', () => {
  const ONE_CENT = { max_link: { usd: 1 }, hours: WEEKDAYS }
  const BOOK: Partial<Rules> = { operations: ['book_consult'] }
  const CANCEL: Partial<Rules> = { operations: ['cancel_booking'] }
  const BOTH: Partial<Rules> = { operations: ['book_consult', 'cancel_booking'] }
  const NIGHTS = { hours: { ...WEEKDAYS, from: '18:00', to: '08:00' } }
  test.each<[string, Partial<Rules>, Partial<Rules>, boolean]>([
    ['nothing changed', ONE_CENT, structuredClone(ONE_CENT), false],
    ['a pause', {}, { paused: true }, false],
    ['a resume', { paused: true }, {}, true],
    ['a resume beside something stricter', { paused: true }, { operations: [] }, true],
    ['a first list of operations', {}, BOOK, false],
    ['an operation less', BOTH, BOOK, false],
    ['an operation instead of another', BOOK, CANCEL, true],
    ['no list any more', { operations: [] }, {}, true],
    ['a smaller amount', { max_link: { usd: 2 } }, { max_link: { usd: 1 } }, false],
    ['a larger amount', { max_link: { usd: 2 } }, { max_link: { usd: 3 } }, true],
    ['another currency', { max_link: { usd: 2 } }, { max_link: { usd: 2, eur: 0 } }, true],
    ['a currency less', { max_link: { usd: 2, eur: 0 } }, { max_link: { usd: 2 } }, false],
    [
      'shorter hours',
      { hours: WEEKDAYS },
      { hours: { days: [5], from: '17:00', to: '18:00' } },
      false,
    ],
    ['a minute more', { hours: WEEKDAYS }, { hours: { ...WEEKDAYS, to: '18:01' } }, true],
    ['the same hours past midnight', { hours: WEEKDAYS }, NIGHTS, true],
    [
      'part of hours past midnight, over the end of the week',
      { hours: { days: [7], from: '22:00', to: '06:00' } },
      { hours: { days: [1], from: '00:00', to: '05:00' } },
      false,
    ],
    ['fewer changes', { changes_a_day: 5 }, { changes_a_day: 4 }, false],
    ['one change more', { changes_a_day: 5 }, { changes_a_day: 6 }, true],
    ['any number of changes', { changes_a_day: 5 }, {}, true],
  ])('%s', (_what, before, after, looser) => {
    expect(loosens({ ...NO_RULES, ...before }, { ...NO_RULES, ...after })).toBe(looser)
  })
})

describe('the house rules in words', () => {
  test('Each rule is a sentence, and a set without rules has none', () => {
    const sets = [
      everybody({ max_link: { usd: 50000 }, hours: WEEKDAYS, changes_a_day: 100 }),
      own({
        paused: true,
        operations: ['book_consult'],
        max_link: { usd: 2000 },
        changes_a_day: 1,
      }),
    ]
    expect(sentencesOf(sets, NOW, ZONE)).toEqual([
      'This caller is paused.',
      'Only these changes: book_consult.',
      'Payment links up to $20.00.',
      'Changes Monday to Friday, 8:00 AM to 6:00 PM EST.',
      'At most 100 changes a day in total, for all callers together.',
      'At most 1 change a day.',
    ])
    expect(sentencesOf([everybody({}), own({})], NOW, ZONE)).toEqual([])
    const hours = { days: [6, 7], from: '00:00', to: '24:00' }
    expect(sentencesOf([own({ hours })], NOW, ZONE)).toEqual([
      'Changes Saturday and Sunday, 12:00 AM to midnight EST.',
    ])
  })

  test('The changes that are left are those of the stricter set, and never fewer than none', () => {
    expect(changesLeft([everybody({}), own({})])).toBeNull()
    expect(changesLeft([everybody({ changes_a_day: 100 }, 98), own({ changes_a_day: 5 }, 1)])).toBe(
      2,
    )
    expect(changesLeft([own({ changes_a_day: 5 }, 9)])).toBe(0)
  })

  test('A preview warns when three changes or fewer are left', () => {
    const warning = (changesToday: number) =>
      fewLeftWarning([everybody({ changes_a_day: 10 }, changesToday)])
    expect([0, 6].map(warning)).toEqual([undefined, undefined])
    expect([7, 9].map(warning)).toEqual([
      'The rules of the owner allow 3 more changes today, with this one.',
      'The rules of the owner allow one more change today: this one.',
    ])
    expect(fewLeftWarning([everybody({})])).toBeUndefined()
  })
})

describe('a set of rules in a request', () => {
  const schema = rulesSchemaFor(
    ['book_consult', 'cancel_booking', 'create_payment_link'],
    ['create_payment_link'],
    ['book_consult'],
  )

  test('A set with every rule is taken, currencies in lower case', () => {
    const rules = {
      ...NO_RULES,
      operations: ['book_consult'],
      max_link: { USD: 50000 },
      hours: WEEKDAYS,
    }
    expect(schema.parse(rules)).toEqual({ ...rules, max_link: { usd: 50000 } })
  })

  test.each<[string, object]>([
    ['a rule that is left out', { hours: undefined }],
    ['a rule that does not exist', { max_bookings: 3 }],
    ['an operation that does not exist', { operations: ['book'] }],
    ['a currency that is none', { max_link: { dollars: 1 } }],
    ['a currency that does not exist', { max_link: { dol: 1 } }],
    ['half a cent', { max_link: { usd: 0.5 } }],
    ['a day that is none', { hours: { ...WEEKDAYS, days: [0] } }],
    ['no day', { hours: { ...WEEKDAYS, days: [] } }],
    ['a time that is none', { hours: { ...WEEKDAYS, from: '8:00' } }],
    ['hours that end when they begin', { hours: { ...WEEKDAYS, to: '08:00' } }],
    ['a negative number of changes', { changes_a_day: -1 }],
  ])('%s is refused', (_what, change) => {
    expect(schema.safeParse({ ...NO_RULES, ...change }).success).toBe(false)
  })
})

describe('a change that lets someone else do others', () => {
  const invite: AskedChange = {
    caller: 'key:1',
    operation: 'invite_client',
    parts: ['create_client_profile', 'book_consult'],
  }
  const act = (approved: boolean): AskedChange => ({ ...invite, heldTo: 'maker', approved })
  const person = (operation: string) =>
    everybody({ approval: [{ operation, level: 'person', unless: undefined }] })

  test.each([
    ['none', ['invite_client', 'create_client_profile', 'book_consult'], undefined],
    ['one of them', ['invite_client', 'book_consult'], 'create_client_profile'],
    ['itself', ['create_client_profile', 'book_consult'], ''],
  ])('is refused where the list lacks %s', (_what, operations, lacks) => {
    const refusal = refused([everybody({ operations })], invite)
    if (lacks === undefined) return expect(refusal).toBeUndefined()
    expect(refusal).toMatchObject({ code: 'house_rule', rule: { name: 'operations' } })
    const part = `This one lets its holder do ${lacks}.`
    expect(refusal?.rule?.allows.includes(part)).toBe(lacks !== '')
  })

  test.each([
    [5, 3, true],
    [5, 4, false],
    [2, 0, true],
    [1, 0, false],
  ])('counts as two: of %i a day, after %i: %s', (changes_a_day, today, passes) => {
    const refusal = refused([everybody({ changes_a_day }, today)], invite)
    expect(refusal === undefined).toBe(passes)
    if (refusal) expect(refusal.rule?.allows).toContain('This one counts as 2.')
    // Tomorrow it may be allowed, unless no day allows two.
    if (refusal) expect(refusal.rule?.allowed_at !== undefined).toBe(changes_a_day > 1)
  })

  test('is warned of where few are left', () => {
    const left = (today: number) => fewLeftWarning([everybody({ changes_a_day: 10 }, today)], 2)
    expect(left(5)).toBeUndefined()
    expect(left(6)).toBe('The rules of the owner allow 4 more changes today. This one counts as 2.')
  })

  test.each(['invite_client', 'create_client_profile', 'book_consult', '*'])(
    'wants a person where %s does, for the making and for what was made without one',
    (operation) => {
      const sets = [person(operation)]
      expect(wantsPerson(sets, invite)).toBe(true)
      const isPart = operation !== 'invite_client'
      expect(refused(sets, act(false)) !== undefined).toBe(isPart)
      expect(refused(sets, act(true))).toBeUndefined()
      expect(wantsPerson(sets, act(false))).toBe(false)
    },
  )

  test('is stopped by a pause of its maker, whatever a person approved', () => {
    expect(refused([own({ paused: true })], act(true))).toMatchObject({ code: 'paused' })
  })

  test.each([
    ['operations', { operations: [] }],
    ['operations', { operations: ['invite_client', 'book_consult'] as const }],
    ['operations', { operations: ['reschedule_booking', 'create_client_profile'] as const }],
    ['changes_a_day', { changes_a_day: 0 }],
    [undefined, { operations: ['create_client_profile', 'book_consult'] as const }],
    [undefined, { changes_a_day: 1 }],
    [undefined, { hours: { days: [1], from: '03:00', to: '03:01' } }],
  ])('made by a client, is stopped by %s in %j, whatever a person approved', (name, change) => {
    const rules = { ...change } as Partial<Rules>
    for (const set of [own(rules, 5), everybody(rules, 5)])
      for (const approved of [true, false])
        expect(refused([set], act(approved))?.rule?.name).toBe(name)
  })
})
