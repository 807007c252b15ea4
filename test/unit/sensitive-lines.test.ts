import { describe, expect, it, test } from 'vitest'
import { redactContacts, sensitiveKind } from '../../src/domain/sensitive.ts'
import { CONTACTS, NO_CONTACTS } from './contact-lines.ts'
import { ACCEPTED, REFUSED } from './sensitive-lines.ts'

describe('identity, card and account numbers and documents are refused as people write them', () => {
  for (const [kind, lines] of Object.entries(REFUSED))
    test.each(lines)(`${kind}: %s`, (line) => expect(sensitiveKind(line)).toBeDefined())
})

describe('what people write to a financial practice is accepted', () => {
  test.each(ACCEPTED)('%s', (line) => expect(sensitiveKind(line)).toBeUndefined())
})

describe('contacts become labels as people write them', () => {
  test.each(CONTACTS)('%s', (note, kept) => expect(redactContacts(note)).toBe(kept))
})

describe('notes without contacts are kept word for word', () => {
  test.each(NO_CONTACTS)('%s', (note) => expect(redactContacts(note)).toBe(note))
})

it('there are at least 200 lines of each', () => {
  expect(Object.values(REFUSED).flat().length).toBeGreaterThanOrEqual(200)
  expect(ACCEPTED.length).toBeGreaterThanOrEqual(200)
})
