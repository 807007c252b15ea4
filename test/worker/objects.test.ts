import { expect, test, vi } from 'vitest'

import type { Env } from '../../src/practice/env.ts'
import { theOne } from '../../src/practice/wiring/objects.ts'

/** The name and the options with which an object is looked up under these settings. */
function lookedUp(settings: Record<string, string>): unknown[] {
  const get = vi.fn()
  theOne(
    { AUDIT_LOG: { get, idFromName: (name: string) => name }, ...settings } as unknown as Env,
    'AUDIT_LOG',
  )()
  return get.mock.calls[0]!
}

test.each([
  ['America/Denver', { locationHint: 'wnam' }],
  ['UTC', undefined],
  ['nowhere', undefined],
])(
  'the one audit log of a practice in the zone %s is looked up with %j',
  (PRACTICE_TIMEZONE, options) => {
    expect(lookedUp({ PRACTICE_TIMEZONE })).toEqual(['audit-log', options])
  },
)
