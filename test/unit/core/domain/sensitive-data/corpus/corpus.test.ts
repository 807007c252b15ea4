import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { isContact, isHarmless, isTelling, notesIn } from './corpus.ts'

const { source, notes } = notesIn('notes.txt')

it('the notes are those that were written before the rules: to judge others, write another file', () => {
  expect(createHash('sha256').update(source).digest('hex')).toBe(
    '64d581373df8de1368a90bc91afd1f7a04824c7a86b322b58e77a575c2a7b0cc',
  )
})

it('each note stands once, and is harmless, tells a number of a known kind, or holds a contact', () => {
  expect(new Set(notes.map(({ text }) => text)).size).toBe(notes.length)
  expect(notes.filter(isHarmless)).toHaveLength(571)
  expect(notes.filter(isTelling)).toHaveLength(154)
  expect(notes.filter(isContact)).toHaveLength(49)
  const kinds = new Set(notes.filter(isTelling).map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual([
    'bank_account',
    'card',
    'ein',
    'iban',
    'itin',
    'national_id',
    'routing_number',
    'ssn',
  ])
  expect(notes.filter(isTelling).every(({ telling }) => telling !== '')).toBe(true)
  expect(notes.filter(isContact).every(({ text, kept }) => text !== kept)).toBe(true)
})
