import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { differences } from './differences.ts'
import { type Shapes, read } from './shape.ts'

/** The shapes that were promised last. */
export const SHAPES = fileURLToPath(new URL('shapes.txt', import.meta.url))
const CHANGES = new URL('../../../docs/changes.md', import.meta.url)

export const promised = () => read(readFileSync(SHAPES, 'utf8'))

/** What docs/changes.md says of the newest version, which its first section is about. */
export function newestNotes(text = readFileSync(CHANGES, 'utf8')): {
  version: string
  notes: string
} {
  const [, section = ''] = text.split(/^## /m)
  const [version = '', ...notes] = section.split('\n')
  return { version: version.split(' ')[0]!, notes: notes.join('\n') }
}

/** Where a new field is, as a note names it: a route or a schema. A tool has the fields of its route. */
const PLACE = /^(?:schema (\w+)|([A-Z]+ \/[^\s:]+)) /

/** What a line of the notes names of an addition, with its place: a later field may have the same name elsewhere. */
function namesOf(noted: string, what: string): string[] {
  const [, schema, route] = PLACE.exec(what) ?? []
  return [...new Set([noted, schema ?? route ?? noted])].map((one) => `\`${one}\``)
}

/** What is wrong with the shapes of now, in words that say what to do: breaks, and additions without a note. */
export function mistakes(
  now: Shapes,
  was = promised().shapes,
  { version, notes } = newestNotes(),
): string[] {
  return differences(was, now).flatMap(({ is, what, need, noted }) => {
    if (is === 'break') return [`BREAK ${what}. ${need}`]
    const names = noted === undefined ? [] : namesOf(noted, what)
    if (notes.split('\n').some((line) => names.every((one) => line.includes(one)))) return []
    return [
      `ADDITION ${what}. Say so in docs/changes.md under ${version}, in a line with ${names.join(' and ')}.`,
    ]
  })
}
