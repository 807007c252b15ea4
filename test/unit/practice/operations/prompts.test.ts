import { expect, test } from 'vitest'

import { PROMPTS } from '../../../../src/practice/operations/prompts.ts'

const textOf = (name: string, given: Record<string, string>) =>
  PROMPTS.find((prompt) => prompt.name === name)!.text(given)

test('words that a host split at their spaces are joined again, and are no time zone', () => {
  const text = textOf('book_a_consult', { when: '"next', timezone: 'Tuesday' })
  expect(text).toContain('"next Tuesday"')
  expect(text).not.toContain('in the time zone')
  expect(text).toContain('If my words look cut short, ask me for the rest.')
})

test('a time zone is accepted in any case, and the prompt mentions one only if it is given', () => {
  expect(textOf('book_a_consult', { when: 'Friday', timezone: 'america/chicago' })).toContain(
    'in the time zone america/chicago',
  )
  expect(textOf('book_a_consult', { when: 'Friday', timezone: '' })).not.toContain('time zone')
})

test('every prompt asks for the preview to be shown, for a yes, and for the same key after any doubt', () => {
  for (const { text } of PROMPTS)
    for (const part of [
      /show me the preview/,
      /wait for my yes/,
      /repeat the same call with the same key/,
      /never choose a new key/,
    ])
      expect(text({})).toMatch(part)
})
