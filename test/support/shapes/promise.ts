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

/** What is wrong with the shapes of now, in words that say what to do: breaks, and additions without a note. */
export function mistakes(now: Shapes): string[] {
  const { version, notes } = newestNotes()
  return differences(promised().shapes, now).flatMap(({ is, what, need, noted }) => {
    if (is === 'break') return [`BREAK ${what}. ${need}`]
    const isMissing = noted !== undefined && !notes.includes(`\`${noted}\``)
    return isMissing
      ? [`ADDITION ${what}. Say so in docs/changes.md under ${version}, with \`${noted}\` in it.`]
      : []
  })
}
