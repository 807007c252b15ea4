import { expect, test } from 'vitest'

import { readableLine } from '../../../src/cli/readable-log.ts'

test.each([
  'no JSON',
  '{"event":"something_new","request_id":"r-1"}',
  '{"message":"x"}',
  'null',
  '7',
])('what is not known stays as it is, and ends nothing: %s', (line) => {
  expect(readableLine(line, new Date())).toBe(line)
})
