import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { initials } from '../../../../src/core/domain/name.ts'

describe('a name is shown as its initials', () => {
  test.each([
    ['Jane Q. Doe', 'J. D.'],
    ['Jane', 'J.'],
    ['jane doe', 'J. D.'],
    ['Doe, Jane', 'D. J.'],
    ['Jane (she/her) O’Brien-Smith', 'J. S.'],
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
