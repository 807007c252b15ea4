import { expect, test } from 'vitest'
import * as z from 'zod'

import { built } from '../../../../src/core/domain/lazy.ts'

test('a lazy schema is built at its first use, and once', () => {
  let times = 0
  const schema = z.lazy(() => {
    times++
    return z.object({ id: z.string() })
  })
  const list = z.array(schema.nullish().catch(null))
  expect(times).toBe(0)
  list.parse([{ id: 'a' }, { id: 'b' }])
  schema.safeParse({})
  expect(built(schema).shape.id.parse('c')).toBe('c')
  expect(built(schema.meta({ description: 'a copy' }))).toBe(built(schema))
  expect(times).toBe(1)
})

test('a schema that is not lazy is itself', () => {
  const schema = z.object({})
  expect(built(schema)).toBe(schema)
})

const FIELDS: Record<string, () => z.ZodType> = {
  required: () => z.string(),
  optional: () => z.string().optional(),
  nullish: () => z.object({ id: z.string() }).nullish(),
  'caught, as a value': () => z.string().catch(''),
  'caught, as nothing': () => z.string().nullish().catch(undefined),
  'with a default': () => z.boolean().default(true),
  transformed: () =>
    z
      .string()
      .nullish()
      .transform((text) => text ?? 'none'),
  unknown: () => z.unknown().optional(),
}
const SENT: Record<string, unknown> = {
  text: 'a',
  object: { id: 'a' },
  null: null,
  undefined,
  number: 1,
}

test.each(Object.entries(FIELDS))('a field that is %s is the same where it is lazy', (_, make) => {
  const eager = z.object({ field: make() })
  const lazy = z.object({ field: z.lazy(make) })
  const sent = [{}, ...Object.values(SENT).map((field) => ({ field }))]
  for (const value of sent) {
    const [one, other] = [eager.safeParse(value), lazy.safeParse(value)]
    expect(other.data).toStrictEqual(one.data)
    expect(other.error?.issues).toEqual(one.error?.issues)
  }
})
