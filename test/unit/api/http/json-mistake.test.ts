import { expect, test } from 'vitest'

import { jsonMistake } from '../../../../src/api/http/body.ts'

test.each([
  ['{"invitee_name": ,', 1, 18],
  ['{"a": 1,}', 1, 9],
  ['{"a": 1\n "b": 2}', 2, 2],
  ['[1, 2', 1, 6],
  ['{a: 1}', 1, 2],
  ["{'a': 1}", 1, 2],
  ['{"a": "x\ny"}', 1, 7],
  ['{"a": True}', 1, 7],
  ['{"a": 01}', 1, 8],
  ['{"a": 1}}', 1, 9],
  ['{"a": "\\x"}', 1, 7],
  ['{"a" 1}', 1, 6],
  ['{"a": [1, 2}', 1, 12],
  ['\r\n{"é👍": "x" "y"}', 2, 12],
  ['key=value', 1, 1],
])('%j is no JSON at line %i, column %i', (json, line, column) => {
  expect(() => JSON.parse(json)).toThrow()
  expect(jsonMistake(json)).toEqual({ line, column })
})

test.each(['{}', '[]', '{"a":[{"b":null},"\\u00e9",-1.5e+3,true,false]}', ' 1 ', '"x"'])(
  'the place of what is right is its end: %j',
  (json) => expect(jsonMistake(json)).toEqual({ line: 1, column: json.length + 1 }),
)
