import { expect, test } from 'vitest'
import type * as z from 'zod'

import { OPERATIONS } from '../../../../src/practice/operations/index.ts'
import type { Operation } from '../../../../src/practice/operations/operation.ts'
import {
  compiledSchemasOf,
  fast,
  requestSchema,
} from '../../../../src/practice/operations/schemas.ts'
import '../../../../src/practice/operations/perform.ts'
import { bent, replaced } from '../../../security/fuzz/oddities.ts'
import { randomFrom } from '../../../support/random.ts'

/** A value that a compiled schema of an operation takes. */
function exampleFor(operation: Operation, schema: z.ZodType): unknown {
  const { example } = operation
  if (operation.kind !== 'read') return { ...example.input, confirm: false }
  return schema === operation.output ? example.result : example.input
}

test.each(OPERATIONS)(
  'what $name takes, and a long answer, is judged alike, compiled or not',
  (operation) => {
    const random = randomFrom(operation.name.length)
    const schemas = compiledSchemasOf(operation)
    expect(schemas).toContain(
      operation.kind === 'read' ? operation.input : requestSchema(operation),
    )
    for (const schema of schemas) {
      const value = exampleFor(operation, schema)
      const compiled = fast(schema)
      expect(compiled).not.toBe(schema)
      const verdict = (by: z.ZodType, one: unknown) => {
        const { success, data, error } = by.safeParse(one)
        return { success, data, issues: error?.issues }
      }
      expect(verdict(compiled, value).success).toBe(true)
      for (let n = 0; n < 60; n++) {
        const change = random.pick([bent, replaced])
        const odd = n === 0 ? value : change(value, random, () => 'zqxfuzz')
        expect(verdict(compiled, odd)).toEqual(verdict(schema, odd))
      }
    }
  },
)
