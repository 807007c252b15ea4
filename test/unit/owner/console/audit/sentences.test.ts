import { describe, expect, test } from 'vitest'

import {
  AUDIT_CODES,
  AUDIT_EVENTS,
  type AuditEvent,
} from '../../../../../src/core/domain/audit/entry.ts'
import { PROBLEMS } from '../../../../../src/core/domain/problem/problems.ts'
import type { NumberedEntry } from '../../../../../src/core/ports/audit.ts'
import { inWords } from '../../../../../src/owner/console/audit/sentences.ts'
import { callerNamesOf } from '../../../../../src/owner/console/shell/items.ts'
import { PAGE_MUTATIONS } from '../../../../../src/practice/operations/index.ts'
import { textOf } from '../text-of.ts'
import { ITEMS, entry } from '../views.ts'

const NAMES = callerNamesOf(ITEMS)
const LINK = 'link:cl_x'

const said = (more: Partial<NumberedEntry>): string =>
  textOf(`${inWords(entry(more), NAMES) as string}`).trim()

describe('an entry of the log in words', () => {
  test.each([
    [
      { event: 'refusal', code: 'rate_limited', operation: 'mcp' },
      'Claude made a call that was refused. Too many calls.',
    ],
    [
      { event: 'refusal', code: 'approval_pending', operation: 'cancel_booking' },
      'Claude is waiting for a person to approve: cancel a booking',
    ],
    [
      {
        event: 'key',
        code: 'created',
        caller: 'owner',
        operation: 'owner_make_key',
        record_id: 'key:two',
      },
      'You made the key “ Front desk ”',
    ],
    [
      {
        event: 'key',
        code: 'revoked',
        caller: 'owner',
        operation: 'revoke_api_key',
        record_id: 'key:three',
      },
      'Your first key revoked the key “ Old ”',
    ],
    [
      {
        event: 'commit',
        code: 'committed',
        operation: 'book_consult',
        about: { approved: 'agent', differs_from_preview: 'start_time, end_time' },
      },
      'Claude booked a consult. This is not what the preview showed: start time, end time',
    ],
  ] as [Partial<NumberedEntry>, string][])(
    'is chosen by its event and its code: %o',
    (more, text) => {
      expect(said({ caller: 'oauth:owner:https://claude.ai/oauth/metadata', ...more })).toBe(text)
    },
  )

  const all = (Object.keys(AUDIT_EVENTS) as AuditEvent[]).flatMap((event) => {
    const own: readonly string[] =
      event in AUDIT_CODES ? AUDIT_CODES[event as keyof typeof AUDIT_CODES] : []
    const others = ['commit', 'replay', 'refusal'].includes(event) ? Object.keys(PROBLEMS) : []
    return [...own, ...others].map((code): [AuditEvent, string] => [event, code])
  })

  test.each(all)('has no name of a program in its sentence: %s, %s', (event, code) => {
    const places = event === 'refusal' ? ['mcp', 'none'] : []
    for (const operation of [...places, 'book_consult', 'owner_make_key', 'complete_client_link']) {
      const text = said({ event, code, operation, caller: LINK, record_id: null })
      expect(text).not.toMatch(/\w_\w|undefined|\bmcp\b|, complete a client link/)
      expect(text.length).toBeGreaterThan(10)
    }
  })

  test('names each change that a page makes, too', () => {
    for (const { name } of PAGE_MUTATIONS)
      expect(said({ operation: name }), `add ${name} to the changes that have words`).not.toContain(
        'made a change',
      )
  })
})
