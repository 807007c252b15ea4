import { describe, expect, test } from 'vitest'

import {
  OWNED_KINDS,
  RECORD_KINDS,
  type RecordKind,
  kindOf,
  ownerOf,
  recordId,
  recordKey,
} from '../../../../src/core/domain/records.ts'

const KINDS = Object.keys(RECORD_KINDS) as RecordKind[]
const keyOf = recordKey as (kind: RecordKind, ...ids: string[]) => string

describe('for every kind of record', () => {
  test.each(KINDS)('%s: the key says kind, id and owner', (kind) => {
    const key = keyOf(kind, 'cl_one', 'two')
    const { owner, key: pattern } = RECORD_KINDS[kind]
    expect(kindOf(key)).toBe(kind)
    expect(recordId(key)).toBe(pattern.includes('}:{') ? 'two' : 'cl_one')
    expect(ownerOf(key)).toBe(owner === null ? undefined : 'cl_one')
  })

  test.each(KINDS)('%s: a key that names a client belongs to that client', (kind) => {
    const { owner, key } = RECORD_KINDS[kind]
    expect(owner === 'client').toBe(key.includes('{client}'))
  })

  test.each(KINDS)('%s: the owner sees how many there are, or who the client is', (kind) => {
    const isCounted = OWNED_KINDS.some((one) => one.kind === kind)
    expect(isCounted).toBe(RECORD_KINDS[kind].owner !== null && kind !== 'client')
  })
})

test('an id of a provider may hold a colon, and the key of the end of a booking is no key of a booking', () => {
  expect([kindOf('booking:bk_a:b'), recordId('booking:bk_a:b')]).toEqual(['booking', 'bk_a:b'])
  expect([kindOf('booking:bk_a:end'), recordId('booking:bk_a:end')]).toEqual([
    'booking_end',
    'bk_a',
  ])
})

test('a key of an unknown kind is refused', () => {
  expect(() => kindOf('note:1')).toThrow()
})
