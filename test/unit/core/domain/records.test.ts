import { describe, expect, test } from 'vitest'

import {
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
})

test('the owner sees what a client owns: the profile, and how many intake answers there are', () => {
  const owned = KINDS.filter((kind) => RECORD_KINDS[kind].owner === 'client')
  const how =
    'show another kind in get-client.ts and admin/clients.ts: it is erased with the client'
  expect(owned, how).toEqual(['client', 'intake'])
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
