import { expect, test } from 'vitest'

import { leafText, parseLeaf } from '../../../../../src/core/domain/audit/leaf.ts'
import type { NumberedEntry } from '../../../../../src/core/ports/audit.ts'

const entry: NumberedEntry = {
  index: 7,
  at: 1_795_000_000_000,
  id: 'ab12.3.committed',
  event: 'commit',
  caller: 'key:zapier',
  app: null,
  operation: 'book_consult',
  code: 'committed',
  record_id: 'bk_mock_1',
  operation_id: 'ab12',
  request_id: null,
  times: 1,
  shown: 'c2hvd24',
  about: { approved: 'agent' },
}
const LEAF =
  '{"about":{"approved":"agent","shown":"c2hvd24"},"app":null,"at":1795000000000,"caller":"key:zapier",' +
  '"code":"committed","event":"commit","id":"ab12.3.committed","operation":"book_consult",' +
  '"operation_id":"ab12","record_id":"bk_mock_1","request_id":null,"times":1,"v":1}'

test('the leaf of an entry is canonical JSON, with what was shown in `about` and without its number', () => {
  expect(leafText(entry)).toBe(LEAF)
  expect(parseLeaf(LEAF)).toEqual(JSON.parse(LEAF))
})

test('an entry that shows nothing keeps its `about` as it is', () => {
  expect(JSON.parse(leafText({ ...entry, shown: null, about: null }))).toMatchObject({
    about: null,
  })
  expect(JSON.parse(leafText({ ...entry, about: null }))).toMatchObject({
    about: { shown: 'c2hvd24' },
  })
})

test('the order in which the fields of an entry stand makes no difference', () => {
  const reversed = Object.fromEntries(Object.entries(entry).reverse()) as unknown as NumberedEntry
  expect(leafText(reversed)).toBe(LEAF)
})

test.each([
  ['that is not JSON', LEAF.slice(1)],
  ['that is a list', '[]'],
  ['that is null', 'null'],
  ['of another version', LEAF.replace('"v":1', '"v":2')],
  ['with a space more', LEAF.replace('"v":1', '"v": 1')],
  ['with a field twice', LEAF.replace('"v":1', '"times":1,"v":1')],
  ['with a field more', LEAF.replace('"v":1', '"v":1,"w":1')],
  ['without a field', LEAF.replace('"app":null,', '')],
  ['with its fields in another order', LEAF.replace('"times":1,"v":1', '"v":1,"times":1')],
  ['with a number written otherwise', LEAF.replace('"times":1,', '"times":1.0,')],
  ['with a text for a number', LEAF.replace('"times":1,', '"times":"1",')],
  ['with a number for a text', LEAF.replace('"code":"committed"', '"code":1')],
  ['with a list in `about`', LEAF.replace('"agent"', '["agent"]')],
  ['with half a surrogate pair', LEAF.replace('"agent"', '"\\ud800"')],
  ['with an escape that is not needed', LEAF.replace('"agent"', '"\\u0061gent"')],
])('a leaf %s is refused', (_, text) => {
  expect(() => parseLeaf(text)).toThrow('an entry')
})
