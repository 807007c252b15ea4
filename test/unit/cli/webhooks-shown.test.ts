import { describe, expect, test } from 'vitest'

import {
  type WebhookShown,
  testLines,
  waitingWords,
  webhookLines,
} from '../../../src/cli/webhooks-shown.ts'
import { DELIVERY_RESULTS } from '../../../src/core/domain/events/webhook-schedule.ts'

const command = (words: string) => `run ${words}`
const webhook = (given: Partial<WebhookShown>): WebhookShown => ({
  webhook_id: 'wh_1',
  caller: 'owner',
  events: ['booking.created', 'booking.cancelled'],
  host: 'hooks.example.com',
  state: 'active',
  created_at: '2026-11-20T09:00:00Z',
  last_ok_at: null,
  first_failed_at: null,
  last_result: null,
  waiting: 0,
  skipped: 0,
  ...given,
})

describe('a webhook in words', () => {
  test('says of one that is paused why, what waits, and by which command it goes on', () => {
    const first_failed_at = '2026-11-18T09:00:00Z'
    const given = {
      state: 'paused',
      first_failed_at,
      last_result: 'timeout',
      waiting: 7,
      skipped: 2,
    } as const
    const text = webhookLines(webhook(given), command)
    expect(text).toContain('7 events wait; 2 events skipped\n')
    expect(text).toContain('deliveries failed: the receiver did not answer within 15 seconds')
    expect(text).toContain('run resume wh_1')
    expect(text).not.toContain('run secret')
  })

  test('does not say of one that its owner paused that it failed', () => {
    const text = webhookLines(webhook({ state: 'paused', last_result: 'ok' }), command)
    expect(text).toContain('paused\n  to send the waiting events: run resume wh_1')
    expect(text).not.toContain('fail')
  })

  test('says of one whose secret is lost that it needs another before it goes on', () => {
    const text = webhookLines(
      webhook({ state: 'paused', last_result: 'secret_lost', waiting: 1 }),
      command,
    )
    expect(text).toContain('1 event waits')
    expect(text).toContain('run secret wh_1, then run resume wh_1')
  })

  test('says of one that has ended whether its receiver or its key ended it', () => {
    const ended = { state: 'ended', last_ok_at: '2026-11-20T10:00:00Z' } as const
    expect(webhookLines(webhook({ ...ended, last_result: 'gone' }), command)).toContain(
      'answered 410',
    )
    const byKey = webhookLines(webhook({ ...ended, last_result: 'ok' }), command)
    expect(byKey).toContain('the key that made it has ended')
    expect(byKey).not.toContain('410')
  })

  test('does not pretend to know how many wait where they are counted no further', () => {
    expect([0, 1, 999, 1000].map(waitingWords)).toEqual([
      'nothing waits',
      '1 event waits',
      '999 events wait',
      'at least 1,000 events wait',
    ])
  })
})

test.each(DELIVERY_RESULTS.filter((result) => result !== 'ok'))(
  'a test that ends in %s says what to do, and how to try again',
  (result) => {
    const text = testLines({ webhook_id: 'wh_1', result, duration_ms: 12 }, command)
    expect(text).toMatch(/^[A-Z][^\n]*, after 12 ms\. [A-Z][^\n]+\nThen try again: run test wh_1$/)
  },
)
