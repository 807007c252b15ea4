import { asFile, linesOf } from '../../admin/audit-export.ts'
import { type Act, nothingChanged, proofFor } from '../shell/handlers.ts'
import { type CallerNames, nameOf } from '../shell/items.ts'
import { clockOf } from '../shell/load.ts'
import { callerNames } from './load.ts'
import { kindTitle } from './page.ts'
import { type AuditFilters, auditAddress, filtersIn, questionOf } from './query.ts'
import { operationTitle } from './sentences.ts'

export const noteReview: Act = async (c, { form }) => {
  const upTo = form.get('up_to') ?? ''
  const index = /^\d{1,15}$/.test(upTo) ? Number(upTo) : -1
  if ((await c.var.services.audit.entry(index)) === null)
    return nothingChanged(c, 'There is no entry with this number.')
  await c.var.noteBefore({ event: 'review', code: 'noted', about: { up_to: index } })
  return 'reviewed'
}

/** Sends what filters find as a file, on a proof: with the session alone the log is read page by page. */
export const exportAudit: Act = async (c, own) => {
  const filters = filtersIn(own.form)
  const asked = questionOf(filters, clockOf(c).zone)
  // The page of these filters marks what is wrong with them.
  if ('errors' in asked) return c.redirect(auditAddress(filters), 303)
  const asksForProof = await proofFor(c, own, {
    question: 'Download the audit log?',
    changes: filtersInWords(filters, await callerNames(c)),
    facts: Object.values(filters),
    verb: 'Download with your passkey',
    back: auditAddress(filters),
  })
  if (asksForProof) return asksForProof
  return asFile(linesOf(c.var.services.audit, asked.question, 'csv'), 'csv')
}

function filtersInWords(
  { event, caller, operation, ...filters }: AuditFilters,
  names: CallerNames,
): string[] {
  const said = Object.entries({
    kind: event && kindTitle(event),
    caller: caller && nameOf(names, caller),
    operation: operation && operationTitle(operation),
    ...filters,
  }).flatMap(([name, value]) =>
    value === '' ? [] : `Only entries of this ${WORDS[name] ?? name}: ${value}.`,
  )
  return [
    'Who did what, without names and email addresses, as a file.',
    ...(said.length > 0 ? said : ['All entries.']),
  ]
}

const WORDS: Record<string, string> = { from: 'day and later', to: 'day and earlier' }
