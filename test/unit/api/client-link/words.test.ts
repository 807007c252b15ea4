import { describe, expect, test } from 'vitest'

import { clockAt } from '../../../../src/api/client-link/clock.ts'
import { LANGUAGES, wantedLanguage } from '../../../../src/api/client-link/link-page.ts'
import { english as englishOf } from '../../../../src/api/client-link/words-en.ts'
import { spanish as spanishOf } from '../../../../src/api/client-link/words-es.ts'
import { type PageLanguage, nameIn } from '../../../../src/core/domain/practice.ts'

const NAMED = { practice: '«practice»', provider: '«calendar»', phone: '«phone»' }
const [ENGLISH, SPANISH] = [englishOf(NAMED), spanishOf(NAMED)]

/** Every text of a table by its place; a function is asked with what tells the languages apart. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const clock = clockAt(Date.parse('2026-12-03T14:00:00Z'), 'America/New_York', 'en-US')
    const given = /day$|time$/.test(path) ? [clock] : ['«first»', '«second»']
    return [[path, String((value as (...all: unknown[]) => unknown)(...given))]]
  }
  return Object.entries(value as object).flatMap(([name, one]) => textsOf(one, `${path}.${name}`))
}

/** What is the same word in both languages, and names. */
const SAME =
  /^\.(error|zones\.|zoneTime|options\.entity_type\.llc|options\.has_existing_cpa\.no|times\.zoneOf)/

describe('the words in Spanish', () => {
  const english = new Map(textsOf(ENGLISH))
  const spanish = textsOf(SPANISH)

  test('are there for every text, and differ from the English ones', () => {
    expect(spanish.map(([path]) => path)).toEqual([...english.keys()])
    const left = spanish.filter(([path, text]) => english.get(path) === text && !SAME.test(path))
    expect(left).toEqual([])
  })

  test('name the practice, the calendar and the number wherever the English ones do', () => {
    const names = ['«first»', '«second»', ...Object.values(NAMED)]
    const named = (text: string) => names.filter((one) => text.includes(one))
    for (const [path, text] of spanish)
      expect([path, named(text)]).toEqual([path, named(english.get(path)!)])
  })
})

describe('a practice whose settings give no name', () => {
  const unnamed = (language: PageLanguage) => nameIn({ name: 'the practice' }, language)

  test.each(Object.entries(LANGUAGES) as [PageLanguage, (typeof LANGUAGES)['en']][])(
    'is called something in the words of %s, with a capital where a sentence begins with it',
    (language, { wordsOf }) => {
      const practice = unnamed(language)
      const texts = textsOf(wordsOf({ ...NAMED, practice })).map(([, text]) => text)
      expect(texts.filter((text) => text.includes(practice)).length).toBeGreaterThan(10)
      const atStart = new RegExp(`(^|[.!?] )${practice}`)
      expect(texts.filter((text) => atStart.test(text))).toEqual([])
    },
  )

  test('has no effect on a name of its own, which is written as its owner writes it', () => {
    expect(nameIn({ name: 'iTax' }, 'es')).toBe('iTax')
    expect(englishOf({ ...NAMED, practice: 'iTax' }).times.who).toMatch(/^iTax asks/)
    expect(unnamed('es')).not.toBe(unnamed('en'))
    // Such a name has its full stop already.
    for (const wordsOf of [englishOf, spanishOf])
      expect(JSON.stringify(textsOf(wordsOf({ ...NAMED, practice: 'Tax, Inc.' })))).not.toContain(
        '..',
      )
  })
})

describe('the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['ES-us', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.5, es;q=0.7', 'es'],
    ['pt-BR,pt;q=0.9,es;q=0.6,en;q=0.4', 'es'],
    ['fr', 'en'],
    ['es;q=0, fr', 'en'],
    ['*', 'en'],
    ['est', 'en'],
    ['es;q=x,en;q=0.1', 'es'],
    ['constructor, toString;q=2', 'en'],
  ])('of a browser that asks for %j is %s', (header, language) => {
    expect(wantedLanguage(header)).toBe(language)
  })

  test.each([
    ['en', 'Sunday, November 1', '1:30 AM', 'Sun'],
    ['es', 'Domingo, 1 de noviembre', '1:30 a. m.', 'dom'],
  ] as const)('%s says a day and a time as people there do', (language, day, time, short) => {
    const words = LANGUAGES[language].wordsOf(NAMED)
    // The second half past one of the night in which the clocks go back.
    const clock = clockAt(Date.parse('2026-11-01T06:30:00Z'), 'America/New_York', words.locale)
    expect([words.day(clock), words.time(clock), clock.shortWeekday]).toEqual([day, time, short])
  })

  test.each([
    ['2026-12-03T05:00:00Z', '12:00 AM', '12:00 a. m.'],
    ['2026-12-03T17:05:00Z', '12:05 PM', '12:05 p. m.'],
    ['2026-12-03T23:59:00Z', '6:59 PM', '6:59 p. m.'],
  ])('%s in New York is %s', (at, english, spanish) => {
    const said = [ENGLISH, SPANISH].map((words) =>
      words.time(clockAt(Date.parse(at), 'America/New_York', words.locale)),
    )
    expect(said).toEqual([english, spanish])
  })
})
