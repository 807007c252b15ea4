import { expect, inject, test } from 'vitest'

import recorded from '../../src/api/openapi/recorded.json' with { type: 'json' }
import { recordExamples } from '../../src/cli/reference/record.ts'

/** What differs in each run: ids, tokens and signatures, and the seconds of the clock. */
const VARYING: [RegExp, string][] = [
  [/T\d\d:\d\d:(?!00)\d\d(\.\d+)?/g, 'T<now>'],
  // Also in the first second of a minute: the journey begins at 6:00 PM in New York, where nothing is free.
  [/T(?:23|18):(?:00|15):\d\d(?:\.\d+)?(Z|-05:00)/g, 'T<now>$1'],
  [/\b(ccn_|whsec_)\S+/g, '$1<secret>'],
  // A full stop after one ends its sentence.
  [/[A-Za-z0-9+/_=.-]*\d[A-Za-z0-9+/_=.-]{14,}[A-Za-z0-9+/_=-]|[A-Za-z0-9+/_=-]{22,}/g, '<random>'],
]

function withoutVarying(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVarying)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withoutVarying(inner)]),
    )
  if (typeof value !== 'string') return value
  return VARYING.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), value)
}

test('the examples of the reference are what the mock answers today: test/README.md says how to record them again', async () => {
  const again = await recordExamples(inject('workerScript'))
  expect(Object.keys(again)).toEqual(Object.keys(recorded))
  for (const [name, call] of Object.entries(again))
    expect([name, withoutVarying(call)]).toEqual([
      name,
      withoutVarying(recorded[name as keyof typeof recorded]),
    ])
})
