import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { jsonMistake, readFields } from '../../../../src/api/http/body.ts'

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

test.each([
  ['of an old charset', Buffer.from('{"invitee_name": "José"}', 'latin1'), /UTF-8/],
  ['of UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /UTF-8/],
  ['that are compressed', gzipSync('{}'), /compressed/],
  ['of half an object', Buffer.from('{"a":\n'), /line 2, column 1$/],
])('why bytes %s are no JSON', async (_what, body, why) => {
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request('https://example.com/', { method: 'POST', headers, body })
  expect(await readFields(request)).toMatchObject({ why: expect.stringMatching(why) as string })
})
