import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import {
  initials,
  placeholderWarnings,
  standsForNothing,
} from '../../../../src/core/domain/name.ts'

describe('a name is shown as its initials', () => {
  test.each([
    ['Jane Q. Doe', 'J. D.'],
    ['Jane', 'J.'],
    ['jane doe', 'J. D.'],
    ['Doe, Jane', 'D. J.'],
    ['Jane (she/her) O’Brien-Smith', 'J. S.'],
    ['Sra. Ana María Núñez', 'A. N.'],
    ['Mr. and Mrs. John Doe 3rd', 'J. D.'],
    ['Jane Roe-Doe CPA, EA', 'J. D.'],
    ['Jane Doe, Ph.D., C.P.A.', 'J. D.'],
    ['Jane E.A. Roe', 'J. R.'],
    ['Rev. Dr. J. Doe III', 'J. D.'],
    ['Dr. Doe', 'D.'],
    ['Jr.', 'J.'],
    ['Mr. Sr.', 'M. S.'],
    ['J. D.', 'J. D.'],
    ['J.D.', 'J. D.'],
    ['Doe Family Trust', 'D. T.'],
    ['3M Company 42', 'M. C.'],
    ['Smith & Co.', 'S. C.'],
    ['  \u202eÉmile\u200b  Zola ', 'É. Z.'],
    ['e\u0301mile', 'É.'],
    ['山田太郎', '山.'],
    ['ßeta ﬁn', 'S. F.'],
    ['\u{10428}eta', '\u{10400}.'],
    ['👩‍💻 Ada 🎉 Lovelace 🎉', 'A. L.'],
    ['jane.doe@example.com', 'J.'],
    ['Jane Doe jane＠example.com', 'J.'],
  ])('%s', (name, shown) => expect(initials(name)).toBe(shown))

  test.each(['', '  ', '...', '—', '42', '\u200b', '🎉'])(
    'without letters there are none: %s',
    (name) => expect(initials(name)).toBe('—'),
  )
})

const anyName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.lorem({ maxCount: 4 }),
)

it('never shows more than two letters', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(initials(name)).toMatch(/^(?:\p{L}\.(?: \p{L}\.)?|—)$/u)
    }),
    { numRuns: 1_000 },
  )
})

it('initials of initials are the same', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(initials(initials(name))).toBe(initials(name))
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  '-',
  '?',
  '—',
  '123',
  '"null"',
  "'null'",
  'null.',
  'NULL, JORDAN',
  'Jordan Doe (undefined)',
  'n.a.',
  'N / A',
  'N-A',
  'None None',
  'None Jordan',
  'jordan nan',
  'noname',
  'Demo Client',
  'unknown invitee',
  'Anonymous',
  'test',
  'Test User',
  'tbc',
  'to be confirmed',
  '(none)',
  '%(name)s',
  '$name',
  '{0}',
  '{{}}',
  'First Last',
  'Firstname Lastname',
  'firstName',
  'Customer',
  'string',
  'placeholder',
  'your name here',
  'true',
  'No name provided',
  'Guest 12',
  'New Lead',
  'WIRELESS CALLER',
  'Website visitor #204',
  'Ｎ／Ａ',
  'ｎｕｌｌ',
  'there',
  'Valued Customer',
  'Enter your name',
  'Mr. & Mrs.',
  'Same as above',
  'Sin nombre',
  'Clienta nueva',
  'N/D',
  'Loading...',
  'recQ7d2Lm0Xa9Tb4Z',
  '0c4de1a7-51f0-4b7e-9a35-2f6d80b1c9e4',
])('%j reads like a placeholder', (name) => {
  expect(placeholderWarnings(name)).toEqual([expect.stringContaining('placeholder')])
})

test.each([
  'Jordan Doe',
  'Nan Goldin',
  'S. N.',
  'Nil Patel',
  'Na Li',
  'Joe Guest',
  'Ada Webb 2',
  'New Horizons LLC',
  'Will Test',
  'Second to None LLC',
  'Ann Sample',
  'N. A. Smith',
  '李',
  'Tested Trust LLC',
  '3M',
  'Unknown Pleasures LLC',
  'Ángel Núñez',
  'No Ji-woo',
  'Guest Family Trust',
  'Christopher Null',
  'Null Set Games',
  'Mr. None',
  'Undefined Films LLC',
  'John Dear',
  '24HourFitness',
  'Studio 54 Tax 2 Go',
  '1-800-Flowers',
  'H2O2Wellness',
])('%j is a name, or a part of one', (name) => {
  expect(placeholderWarnings(name)).toEqual([])
})

test('a text stands for nothing where a program wrote that it had none', () => {
  for (const text of ['null', 'N/A', 'None', 'n.a.', '"undefined"', 'null null'])
    expect(standsForNothing(text), text).toBe(true)
  for (const text of ['', '-', 'not needed', 'None of these times fit', 'N/A until May'])
    expect(standsForNothing(text), text).toBe(false)
})
