import { expect, test } from 'vitest'

import { OWNED_KINDS } from '../../../../src/core/domain/records.ts'
import {
  ownedLine,
  ownedSchema,
  ownedView,
} from '../../../../src/practice/operations/record-views.ts'

test('a new kind of record is listed with its client from its line alone, with all its fields but the client', () => {
  const row = { ...OWNED_KINDS[0]!, kind: 'note' as 'intake', at: 'created_at' }
  const value = JSON.stringify({
    client_id: 'cl_1',
    note_id: 'note_1',
    length: 12,
    recorded_at: '2037-11-23T14:05:40Z',
  })
  const view = ownedView(row, { value })
  expect(view).toEqual({ note_id: 'note_1', length: 12, created_at: '2037-11-23T14:05:40Z' })
  expect(ownedSchema(row).parse(view)).toEqual(view)
  expect(ownedLine(row, view)).toBe('2037-11-23T14:05:40Z: note_id: note_1, length: 12')
})
