import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

/** Words that no one says today, with what to write in their place. */
const INSTEAD: Record<string, string> = {
  nobody: '“no one”, or say who cannot: “the caller cannot …”',
  somebody: '“someone”, or say who: “a person”, “the client”, “another caller”',
  whoever: 'the one that is meant: “a person who …”, “the caller”, “you”',
  anew: '“again”, or another verb: “regenerate”, “restart”',
}

/** This file, which names the words. */
const OWN_NAME = 'test/unit/docs/english.test.ts'

const FILES = [
  'README.md',
  ...globSync([
    'docs/**/*.md',
    'docs/examples/*.{ts,py}',
    'src/**/*.ts',
    'durable-objects/**/*.ts',
    'test/**/*.{ts,md}',
    '.github/**/*.{md,yml}',
  ]),
  '.ci/run',
].filter((path) => !/^docs\/reference\/|\/node_modules\//.test(path) && !path.endsWith(OWN_NAME))

/** Each word, and at the beginning of a sentence; a constant in capitals is none. */
const WORDS = Object.keys(INSTEAD).map(
  (word) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`,
)

// An address, an id or the name of a variable is no sentence.
const WORD = new RegExp(`(?<![\\w.@/:=-])(?:${WORDS.join('|')})(?![\\w@/(:=-]|\\.\\w)`, 'g')

test('no text of the source, the tests or the docs says nobody, somebody, whoever or anew', () => {
  const found = FILES.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        (line.match(WORD) ?? []).map(
          (word) => `${path}:${at + 1} says “${word}”: write ${INSTEAD[word.toLowerCase()]}`,
        ),
      ),
  )
  expect(FILES.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})
