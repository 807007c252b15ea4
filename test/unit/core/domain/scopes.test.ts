import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import {
  BY_NAME_SCOPES,
  DEFAULT_SCOPES,
  SCOPES,
  type Scope,
  requireOwnScopes,
} from '../../../../src/core/domain/scopes.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'

/** The changes of the specification. A credential that may do everything may make them. */
const SPECIFIED = [
  'book_consult',
  'reschedule_booking',
  'cancel_booking',
  'create_client_profile',
  'submit_intake_answers',
  'create_payment_link',
]

test('the page on access names every scope', () => {
  const page = readFileSync('docs/operate/access.md', 'utf8')
  const missing = Object.keys(SCOPES).filter((scope) => !page.includes(`\`${scope}\``))
  expect(missing, 'name it in docs/operate/access.md').toEqual([])
})

test.each(Object.values(SCOPES))('“%s” is for a person, who knows no names of scopes', (text) => {
  expect(text).not.toMatch(/scope|[a-z_]:[a-z]/)
})

describe.each(MUTATIONS)('$name', ({ name, scope }) => {
  const isSpecified = SPECIFIED.includes(name)
  const granted = isSpecified ? 'without being named' : 'by name alone'

  test(`is granted ${granted}`, () => {
    const why = `${name}: write a scope of its own into BY_NAME_SCOPES of src/core/domain/scopes.ts`
    expect(DEFAULT_SCOPES.includes(scope), why).toBe(isSpecified)
    expect(BY_NAME_SCOPES.includes(scope), why).toBe(!isSpecified)
  })
})

test.each(BY_NAME_SCOPES)(
  '%s can be granted by the first key of the owner, and by no key that lacks it',
  (scope) => {
    const owner = { scopes: DEFAULT_SCOPES, granted: [] }
    expect(() => requireOwnScopes(owner, [scope])).not.toThrow()
    const granted: Scope[] = ['admin', 'bookings:write']
    expect(() => requireOwnScopes({ scopes: granted, granted }, [scope])).toThrow(
      'insufficient_scope',
    )
    expect(() => requireOwnScopes({ scopes: [...granted, scope], granted }, [scope])).not.toThrow()
  },
)
