import type { Context } from 'hono'
import { notePage } from '../../access/pages/layout.ts'
import { asFile, linesOf } from '../../admin/audit-export.ts'
import { DAY } from '../../domain/time/duration.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { hostOf } from '../../domain/origin.ts'
import { type Act, nothingChanged, proofFor } from '../shell/acts.ts'
import { auditPage, auditEntryPage, codeTitle, EVENT_TITLES, operationTitle } from './audit.ts'
import { type AuditFilters, auditAddress, filtersIn, markIn, questionOf } from './query.ts'
import { type CallerNames, nameOf, callerNamesOf } from '../shell/items.ts'
import { callerItems, type Visit, clockOf, part, shellOf } from '../shell/load.ts'
import type { ShellView } from '../shell/shell.ts'

const ON_PAGE = 50
/** How far around an entry others of the same change are looked for. */
const NEARBY = 31 * DAY

const callerNames = async (c: Context<AppEnv>): Promise<CallerNames> => callerNamesOf(await callerItems(c))

export async function showAudit(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const given = new URL(c.req.url).searchParams
  const filters = filtersIn(given)
  const asked = questionOf(filters, clockOf(c).zone)
  const after = markIn(given)
  const look =
    'errors' in asked
      ? undefined
      : part(() => c.var.services.audit.page({ ...asked.question, ...(after && { after }), limit: ON_PAGE }))
  const [shell, names, found, log] = await Promise.all([
    shellOf(c, '/owner/audit', visit),
    callerNames(c),
    look,
    part(() => c.var.services.audit.state(hostOf(c.var.site().origin))),
  ])
  const errors = 'errors' in asked ? asked.errors : {}
  // What is not right is not shown again: it could be an email address.
  const right = Object.fromEntries(Object.keys(errors).map((name) => [name, '']))
  const shown = { ...filters, ...right }
  return auditPage({ shell, filters: shown, errors, names, found, log, isLater: after !== undefined })
}

export async function showEntry(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const index = /^\d{1,15}$/.test(c.req.param('index') ?? '') ? Number(c.req.param('index')) : -1
  const { audit } = c.var.services
  const [shell, names, entry] = await Promise.all([
    shellOf(c, '/owner/audit', visit),
    callerNames(c),
    part(() => audit.entry(index)),
  ])
  if (entry === 'unread') return missing(c, shell, 'This entry could not be read just now.', 503)
  if (entry === null) return missing(c, shell, 'There is no entry with this number, or none any more.', 404)
  const { operation_id, at } = entry
  const sameChange =
    operation_id === null
      ? undefined
      : await part(() => audit.page({ operation_id, from: at - NEARBY, to: at + NEARBY, limit: ON_PAGE }))
  return auditEntryPage({ shell, entry, names, sameChange })
}

const missing = (c: Context<AppEnv>, { place }: ShellView, why: string, status: 404 | 503) =>
  c.html(notePage('Not here', place, why), status)

export const noteReview: Act = async (c, { form }) => {
  const upTo = form.get('up_to') ?? ''
  const index = /^\d{1,15}$/.test(upTo) ? Number(upTo) : -1
  if ((await c.var.services.audit.entry(index)) === null)
    return nothingChanged(c, 'There is no entry with this number.')
  await c.var.noteBefore({ event: 'review', code: 'noted', about: { up_to: index } })
  return 'reviewed'
}

/** Sends what filters find as a file, on a proof: whoever has only the session reads page by page. */
export const exportAudit: Act = async (c, own) => {
  const filters = filtersIn(own.form)
  const asked = questionOf(filters, clockOf(c).zone)
  if ('errors' in asked) return nothingChanged(c, 'These filters are not right. Look at them again.')
  const asksForProof = await proofFor(c, own, {
    name: 'export_audit',
    question: 'Download the audit log?',
    changes: filtersInWords(filters, await callerNames(c)),
    facts: Object.values(filters),
    verb: 'Download with your passkey',
    back: auditAddress(filters),
  })
  if (asksForProof) return asksForProof
  return asFile(linesOf(c.var.services.audit, asked.question, 'csv'), 'csv')
}

function filtersInWords(filters: AuditFilters, names: CallerNames): string[] {
  const { event, caller, operation, code, id, from, to } = filters
  const said = [
    event === '' ? '' : `Only: ${EVENT_TITLES[event as keyof typeof EVENT_TITLES]}.`,
    caller === '' ? '' : `Only of: ${nameOf(names, caller)}.`,
    operation === '' ? '' : `Only: ${operationTitle(operation)}.`,
    code === '' ? '' : `Only with the code: ${codeTitle(code)}.`,
    id === '' ? '' : `Only about: ${id}.`,
    from === '' ? '' : `From ${from} on.`,
    to === '' ? '' : `Up to ${to}.`,
  ].filter((text) => text !== '')
  return [
    'Who did what, without names and email addresses, as a file.',
    ...(said.length > 0 ? said : ['All entries.']),
  ]
}
