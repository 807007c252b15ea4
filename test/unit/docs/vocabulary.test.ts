import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words of a private dialect, and what the field says instead. */
const OLD_WORDS = new Map([
  ['told', 'answered, reported, audited'],
  ['untold', 'pending, absent'],
  ['heard', 'received, step result'],
  ['trail', 'audit log'],
  ['standing', 'status'],
  ['courier', 'outbox'],
  ['errand', 'task, command'],
  ['rush', 'burst, event sampler'],
  ['desk', 'lock, coordinator'],
  ['hands', 'commands'],
  ['moment', 'instant, time'],
  ['moments', 'instants, times'],
  ['inside', 'health, bindings'],
  ['insides', 'internals'],
  ['weather', 'faults'],
  ['life', 'instance'],
  ['rehearsal', 'mock, trial, dry run'],
  ['rehearses', 'mocks, tries'],
  ['trouble', 'fault, issue'],
  ['looks', 'lookups'],
])

const ROOTS = ['src', 'durable-objects', 'test']
const root = new URL('../../../', import.meta.url)

const files = ROOTS.flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`),
)

/** Comments, strings and regular expressions, each whole; of a template, the text up to its next expression or its end. */
const SKIPPED =
  /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=(?:[(,=:[!&|?{};>]|return|^)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\/[a-z]*/
const TOKENS = new RegExp(`${SKIPPED.source}|[\`{}]|[\\p{L}_$][\\p{L}\\d_$]*`, 'gmu')
const TEMPLATE_TEXT = /(?:\\[^]|(?!\$\{)[^`\\])*/uy

/** The identifiers and keywords of a source file. */
function identifiersIn(source: string): Set<string> {
  const found = new Set<string>()
  /** For each open brace, whether it is the expression of a template. */
  const braces: boolean[] = []
  for (TOKENS.lastIndex = 0; ;) {
    const token = TOKENS.exec(source)?.[0]
    if (token === undefined) return found
    if (token === '{') braces.push(false)
    else if (token === '`' || (token === '}' && braces.pop())) {
      TEMPLATE_TEXT.lastIndex = TOKENS.lastIndex
      TEMPLATE_TEXT.exec(source)
      const isExpression = source.startsWith('${', TEMPLATE_TEXT.lastIndex)
      if (isExpression) braces.push(true)
      TOKENS.lastIndex = TEMPLATE_TEXT.lastIndex + (isExpression ? 2 : 1)
    } else if (/^[\p{L}_$]/u.test(token)) found.add(token)
  }
}

/** `toldTheOwner` or `told-the-owner` as told, the, owner. */
const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)

const isThisFile = (path: string): boolean => path.endsWith('vocabulary.test.ts')

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm

/** Each provider has its own files with the same functions; a port and the object behind it have one name. */
const isSameThing = (one: string, other: string): boolean => {
  const areIn = (...folders: string[]) =>
    [one, other].every((path) => folders.some((folder) => path.startsWith(folder))) &&
    folders.every((folder) => [one, other].some((path) => path.startsWith(folder)))
  return areIn('src/core/ports/', 'durable-objects/') || areIn('src/practice/adapters/')
}

const oldWordsIn = (path: string, names: Iterable<string>): string[] =>
  [...names].flatMap((name) =>
    wordsIn(name)
      .filter((word) => OLD_WORDS.has(word))
      .map((word) => `${path}: ${name}; better than "${word}": ${OLD_WORDS.get(word)}`),
  )

test('no file name has a word of the old dialect', () => {
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap((path) => oldWordsIn(path, [path]))).toEqual([])
})

test('no identifier has a word of the old dialect', () => {
  expect(
    files.flatMap((path) => oldWordsIn(path, identifiersIn(readFileSync(new URL(path, root), 'utf8')))),
  ).toEqual([])
})

test('no text of the connector but the command npm run rehearse speaks of a rehearsal, where it means a mock, a trial or a dry run', () => {
  const texts = [
    'README.md',
    'package.json',
    '.dev.vars.example',
    ...files.filter((path) => !isThisFile(path)),
  ]
  expect(texts.filter((path) => /rehears(?!e\b)/i.test(readFileSync(new URL(path, root), 'utf8')))).toEqual(
    [],
  )
})

test('an exported name means one thing in src and durable-objects', () => {
  const places = new Map<string, string[]>()
  for (const path of files.filter((one) => !one.startsWith('test/'))) {
    const source = readFileSync(new URL(path, root), 'utf8')
    for (const [, name] of source.matchAll(EXPORTED)) {
      const others = places.get(name!) ?? []
      if (!others.some((other) => isSameThing(other, path))) places.set(name!, [...others, path])
    }
  }
  const twice = [...places].filter(([, paths]) => paths.length > 1)
  expect(twice).toEqual([])
})

test('identifiers are found in code and in templates, and not in comments, strings or patterns', () => {
  const source = [
    'const toldOwner = `told ${heardBy(`told ${{ a: trailOf }.a} told`)} told` // told',
    "/* told */ const rushHour = /['told`]/.test('told') ? \"told\" : x.deskId",
  ].join('\n')
  const found = oldWordsIn('a.ts', identifiersIn(source)).map((line) => line.split(/: |;/)[1])
  expect(found).toEqual(['toldOwner', 'heardBy', 'trailOf', 'rushHour', 'deskId'])
})
