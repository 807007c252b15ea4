import { type AuditEntry, auditEntry } from '../../src/core/domain/audit/entry.ts'

/** An entry of the audit log, for tests that care only for some of its fields. */
export const exampleEntry = (more: Partial<AuditEntry> = {}): AuditEntry =>
  auditEntry({
    id: 'one',
    at: Date.parse('2026-11-21T12:00:00Z'),
    event: 'preview',
    caller: 'key:one',
    operation: 'book_consult',
    code: 'ok',
    ...more,
  })
