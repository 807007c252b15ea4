import { stripVTControlCharacters } from 'node:util'

import { expect, test } from 'vitest'

import { readableLine } from '../../../src/cli/readable-log.ts'

const lineOf = (entry: object): string =>
  stripVTControlCharacters(readableLine(JSON.stringify(entry), new Date())).slice('00:00:00'.length)

test.each([
  [{ event: 'rate_limiter_failed', request_id: 'r-1' }, '  calls could not be counted  r-1'],
  [{ event: 'audit_failed', request_id: 'r-1' }, '  an audit entry was lost  r-1'],
  [{ event: 'recovered' }, '  recovered'],
  [
    { event: 'webhook_paused', webhook_id: 'wh_1', caller: 'key:2dc2' },
    '  webhook paused  key:2dc2  wh_1  (npm run webhooks)',
  ],
  [
    { event: 'provider_webhook_broken', provider: 'calendly' },
    '  provider webhook broken  calendly  (npm run doctor)',
  ],
])('a log line that is not about an answer becomes words: %j', (entry, expected) => {
  expect(lineOf(entry)).toBe(expected)
})

test.each([
  'no JSON',
  '{"event":"something_new","request_id":"r-1"}',
  '{"message":"x"}',
  'null',
  '7',
])('what is not known stays as it is, and ends nothing: %s', (line) => {
  expect(readableLine(line, new Date())).toBe(line)
})
