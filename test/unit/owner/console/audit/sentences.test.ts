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
  test('says of a commit what of it is not as the preview showed it', () => {
    const about = { approved: 'agent', differs_from_preview: 'start_time, end_time' }
    expect(said({ event: 'commit', code: 'committed', operation: 'book_consult', about })).toMatch(
      /not what the preview showed: start time, end time$/,
    )
  })

  const all = (Object.keys(AUDIT_EVENTS) as AuditEvent[]).flatMap((event) => {
    const own: readonly string[] =
      event in AUDIT_CODES ? AUDIT_CODES[event as keyof typeof AUDIT_CODES] : []
    const others = ['commit', 'replay', 'refusal'].includes(event) ? Object.keys(PROBLEMS) : []
    return [...own, ...others].map((code): [AuditEvent, string] => [event, code])
  })

  test.each(all)('ends a sentence with what it is about: %s, %s', (event, code) => {
    const about = { event, code, app: 'the fact', record_id: 'bk_1' }
    const facts = { records: new Map([['bk_1', 'the fact']]), approvers: new Map() }
    const text = textOf(`${inWords(entry(about), NAMES, facts) as string}`)
    expect(text).not.toMatch(/: the fact(?! *(?:\.|$))/)
  })

  test.each(all)('has no name of a program in its sentence: %s, %s', (event, code) => {
    const places = event === 'refusal' ? ['mcp', 'none'] : []
    for (const operation of [...places, 'book_consult', 'owner_make_key', 'complete_client_link']) {
      const text = said({ event, code, operation, caller: LINK, record_id: null })
      expect(text).not.toMatch(/\w_\w|undefined|[{}]|\bmcp\b|, complete a client link/)
      expect(text.length).toBeGreaterThan(10)
    }
  })

  test('does not lay a withdrawal, which is kept under the link, on a holder of the link', () => {
    expect(said({ operation: 'withdraw_client_link', caller: 'client_link:cil_x' })).toMatch(
      /^You /,
    )
  })

  test('names each change that a page makes, too', () => {
    for (const { name } of PAGE_MUTATIONS)
      expect(said({ operation: name }), `add ${name} to the changes that have words`).not.toContain(
        'made a change',
      )
  })
})
