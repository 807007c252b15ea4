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
    ['Jane (she/her) O’Brien-Smith', 'J. S.'],
    ['Sra. Ana María Núñez', 'A. N.'],
    ['Mr. and Mrs. John Doe 3rd', 'J. D.'],
    ['Jane Doe, Ph.D., C.P.A.', 'J. D.'],
    ['Jane E.A. Roe', 'J. R.'],
    ['Rev. Dr. J. Doe III', 'J. D.'],
    ['Dr. Doe', 'D.'],
    ['Jr.', 'J.'],
    ['Mr. Sr.', 'M. S.'],
    ['J.D.', 'J. D.'],
    ['3M Company 42', 'M. C.'],
    ['  \u202eÉmile\u200b  Zola ', 'É. Z.'],
    ['山田太郎', '山.'],
    ['ßeta ﬁn', 'S. F.'],
    ['Jane Doe jane＠example.com', 'J.'],
  ])('%s', (name, shown) => expect(initials(name)).toBe(shown))

  test.each('mr and mrs ms miss mx dr prof sr sra srta rev attn'.split(' '))(
    '%s before a name is none of it',
    (title) => expect(initials(`${title} Jane Doe`)).toBe('J. D.'),
  )

  test.each('jr sr 2nd 3rd ii iii iv esq md phd jd cpa ea cfp cfa mba dds rn'.split(' '))(
    '%s behind a name is none of it',
    (suffix) => expect(initials(`Jane Doe ${suffix}`)).toBe('J. D.'),
  )

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
  '"null"',
  'Jordan Doe (undefined)',
  'None Jordan',
  '%(name)s',
  'firstName',
  'No name provided',
  'Guest 12',
  'Ｎ／Ａ',
  'Mr. & Mrs.',
  'Sin nombre',
  'N/D',
  'recQ7d2Lm0Xa9Tb4Z',
  '0c4de1a7-51f0-4b7e-9a35-2f6d80b1c9e4',
  ...(
    'to be determined|to be confirmed|to be announced|same as above|as above|see above|self|myself|me|invalid date|' +
    'mi nombre|su nombre|null Jordan|NULL Jordan|undefined Jo|UNDEFINED Jo|NONE Jo|none Jo|nan Jo|NaN Jo|S/N'
  ).split('|'),
  ...(
    'null undefined none nil nan na unknown unnamed noname anonymous anon missing empty blank placeholder ' +
    'default example sample string object test tester testing tbd tba tbc true false yes no not name ' +
    'first last full display firstname lastname fullname your my here user client customer invitee ' +
    'attendee guest provided given known specified unspecified available applicable entered new lead ' +
    'contact caller wireless visitor website web form dear valued there enter person todo fixme error ' +
    'loading demo dummy taxpayer spouse prospect hello array nombre apellido apellidos cliente clienta ' +
    'usuario prueba invitado desconocido desconocida ninguno ninguna nuevo nueva mr and mrs ms miss mx dr ' +
    'prof sr sra srta rev attn'
  )
    .split(' ')
    .map((word) => `${word} ${word}`),
])('%j reads like a placeholder', (name) => {
  expect(placeholderWarnings(name)).toEqual([expect.stringContaining('placeholder')])
})

test.each([
  'Jordan Doe',
  'Nan Goldin',
  'S. N.',
  'Na Li',
  'Joe Guest',
  'Second to None LLC',
  'N. A. Smith',
  '李',
  'Unknown Pleasures LLC',
  'No Ji-woo',
  'Christopher Null',
  'Mr. None',
  '24HourFitness',
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
