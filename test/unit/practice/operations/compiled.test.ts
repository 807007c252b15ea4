import { expect, test } from 'vitest'
import type * as z from 'zod'

import { OPERATIONS } from '../../../../src/practice/operations/index.ts'
import type { Operation } from '../../../../src/practice/operations/operation.ts'
import {
  fast,
  committedSchema,
  previewSchema,
  requestSchema,
} from '../../../../src/practice/operations/schemas.ts'
import '../../../../src/practice/operations/perform.ts'
import { bent, replaced } from '../../../security/fuzz/oddities.ts'
import { randomFrom } from '../../../support/random.ts'

/** Each schema of an operation, with a value that it takes. */
function examplesOf(operation: Operation): [z.ZodType, unknown][] {
  const { example, name } = operation
  if (operation.kind === 'read')
    return [
      [operation.input, example.input],
      [operation.output, example.result],
    ]
  const about = { operation: name, mode: 'mock', summary: 'A consult.' }
  const preview = {
    status: 'preview',
    preview: operation.example.preview,
    warnings: [],
    next_step: 'Ask.',
  }
  return [
    [requestSchema(operation), { ...example.input, confirm: false }],
    [
      previewSchema(operation),
      { ...about, ...preview, confirmation_token: 'token', expires_at: '2037-01-01T00:00:00Z' },
    ],
    [
      committedSchema(operation),
      {
        ...about,
        status: 'committed',
        result: example.result,
        committed_at: '2037-01-01T00:00:00Z',
      },
    ],
  ]
}

test.each(OPERATIONS)(
  'what $name takes and answers is judged alike, compiled or not',
  (operation) => {
    const random = randomFrom(operation.name.length)
    for (const [schema, value] of examplesOf(operation)) {
      const compiled = fast(schema)
      expect(compiled).not.toBe(schema)
      const verdict = (by: z.ZodType, one: unknown) => {
        const { success, data, error } = by.safeParse(one)
        return { success, data, issues: error?.issues }
      }
      expect(verdict(compiled, value).success).toBe(true)
      for (let n = 0; n < 300; n++) {
        const change = random.pick([bent, replaced])
        const odd = n === 0 ? value : change(value, random, () => 'zqxfuzz')
        expect(verdict(compiled, odd)).toEqual(verdict(schema, odd))
      }
    }
  },
)
