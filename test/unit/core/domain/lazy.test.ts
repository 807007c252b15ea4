import { expect, test, vi } from 'vitest'
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

test('a plain sentence makes no long pattern: to make all takes a third of a second', async () => {
  const long: string[] = []
  const construct = (real: typeof RegExp, given: [string, string?]) => {
    if (given[0].length > 500) long.push(given[0])
    return new real(...given)
  }
  vi.stubGlobal('RegExp', new Proxy(RegExp, { construct }))
  vi.resetModules()
  const { holdsTemplate } = await import('../../../../src/core/domain/unfilled-template.ts')
  const { redactContacts } = await import('../../../../src/core/domain/sensitive-data/contacts.ts')
  const { sensitivePart } =
    await import('../../../../src/core/domain/sensitive-data/sensitive-data.ts')
  long.length = 0
  for (const text of ['Travelling.', 'We are 2 adults, best after 3:30 in June.'])
    expect([sensitivePart(text), redactContacts(text), holdsTemplate(text)]).toEqual([
      undefined,
      text,
      false,
    ])
  vi.unstubAllGlobals()
  expect(long).toEqual([])
})
