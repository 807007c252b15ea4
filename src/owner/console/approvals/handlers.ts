import { html } from 'hono/html'
import * as z from 'zod'

import type { AppContext } from '../../../api/http/app-env.ts'
import type { Html } from '../../../api/pages/layout.ts'
import { approvalPath, isOpenApproval } from '../../../core/domain/approval.ts'
import { emailSchema } from '../../../core/domain/email.ts'
import { capitalised, trimmed } from '../../../core/domain/name.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import { instantOf } from '../../../core/domain/time/time.ts'
import { jsonIn } from '../../../core/json.ts'
import type { AuditMark, NumberedEntry } from '../../../core/ports/audit.ts'
import type { ApprovalView, Decided } from '../../../core/ports/confirmation.ts'
import { isIndexOf } from '../../../practice/operations/client/identity.ts'
import { needsNoPerson } from '../../../practice/operations/house-rules.ts'
import { practiceMode } from '../../../practice/operations/operation.ts'
import {
  askApproval,
  passkeyServices,
  approvalProof,
  noteRefusedProof,
  notInTrial,
} from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { PROOF } from '../../access/passkey.ts'
import { type OwnForm, type Session, ownForm } from '../../access/session.ts'
import { entriesWithFacts } from '../audit/handlers.ts'
import { auditAddress } from '../audit/query.ts'
import { codeTitle, operationTitle } from '../audit/sentences.ts'
import { clockOn } from '../shell/dates.ts'
import { type Show, notOwn, nothingChanged, signedIn } from '../shell/handlers.ts'
import { type CallerNames, callerNamesOf, itemsOf, nameOf } from '../shell/items.ts'
import { callerItems, callerNames, hasEnded, part, shellOf, waitingChanges } from '../shell/load.ts'
import { type SentForm, consolePage, listed } from '../shell/shell.ts'
import {
  type ApprovalPageView,
  type KnownClient,
  approvalPage,
  approvalsPage,
  type Comparison,
  NEXT,
  othersOf,
} from './page.ts'

/** How long the page waits for a commit that is at work, so that it can say how it ended; in milliseconds. */
const TIMEOUT_MS = 3 * SECOND

const DECIDED_SHOWN = 5

/** Shows one change that waits for a person, or what became of it. Changes nothing. */
export const showApproval: Show = async (c, { session }) => {
  const asked = await c.var.services.approvals.read(c.req.param('operation_id') ?? '', TIMEOUT_MS)
  return asked ? shown(c, session, asked) : noSuchChange(c, session)
}

/** What waits for a person. */
export const showApprovals: Show = async (c, { session }) => {
  const isOwner = session.approver === null
  const [shell, names, decided] = await Promise.all([
    shellOf(c, '/owner/approvals', { session }),
    callerNames(c),
    isOwner ? entriesWithFacts(c, { event: 'approval', limit: DECIDED_SHOWN }) : undefined,
  ])
  return approvalsPage(shell, names, decided)
}

export async function shown(
  c: AppContext,
  session: Session,
  asked: ApprovalView,
  {
    refused,
    compared,
    again,
  }: Partial<Pick<ApprovalPageView, 'refused' | 'compared'>> & { again?: SentForm } = {},
) {
  const decidedBy = asked.decision?.by ?? ''
  const [shell, items, isGone, question, declined, client] = await Promise.all([
    shellOf(c, '/owner/approvals', { session, done: await before(c), refused: again }),
    callerItems(c),
    hasEnded(c, asked.caller),
    asked.status === 'waiting' ? askApproval(await passkeyServices(c), session, asked) : undefined,
    part(() => c.var.services.approvals.declined(asked.caller)),
    isOpenApproval(asked) && asked.addressIndex.length > 0
      ? part(() => clientOf(c, asked))
      : undefined,
  ])
  const isReleased =
    asked.status === 'waiting' && shell.rules !== 'unread' && needsNoPerson(shell.rules, asked)
  const names = callerNamesOf(items)
  const [asker = 'unread' as const] = listed(itemsOf(items, asked.caller))
  const view = {
    shell,
    asked: isReleased ? { ...asked, status: 'lifted' as const } : asked,
    caller: nameOf(names, asked.caller),
    asker: isGone ? undefined : asker,
    title: operationTitle(asked.operation),
    question: isGone ? undefined : question,
    refused: refused && !isOpenApproval(asked) ? ('late' as const) : refused,
    compared,
    declined,
    client,
    by: decidedBy === c.var.log.caller ? 'you' : personName(names, decidedBy),
  }
  const status = refused === undefined ? 200 : 403
  return c.html(approvalPage(view), again ? 422 : status)
}

const personName = (names: CallerNames, caller: string) =>
  caller === OWNER_ID ? 'the owner' : nameOf(names, caller)

/** What was decided just before, where one change led to the next; the address alone says nothing. */
async function before(c: AppContext): Promise<Html | undefined> {
  const id = c.req.query(AFTER)
  const read = id && (await part(() => c.var.services.approvals.read(id)))
  if (!read || read === 'unread' || !read.decision) return undefined
  const word = capitalised(read.decision.is)
  return html`${word}. <a href="${approvalPath(id)}">Look at that change</a>. This is the next one.`
}

/** In the address of a change: the one that was decided before it. */
const AFTER = 'after'

/** The newest client that was made here with the address of a change. */
async function clientOf(
  c: AppContext,
  { addressIndex }: ApprovalView,
): Promise<KnownClient | 'none'> {
  const { services } = c.var
  const mode = practiceMode(services)
  const { entries, count } = await services.records.linkedTo(addressIndex, 'client', mode, 1)
  const [newest] = entries
  if (!newest) return 'none'
  const { display_name, recorded_at } = clientRecord.parse(JSON.parse(newest.value))
  return { name: display_name, since: instantOf(recorded_at), others: count - 1 }
}

const clientRecord = z.lazy(() => z.object({ display_name: z.string(), recorded_at: z.string() }))

/**
 * Nothing is kept of a change any more: what became of it is in the audit log, if a person ever had
 * to approve it.
 */
async function noSuchChange(c: AppContext, session: Session) {
  const id = c.req.param('operation_id') ?? ''
  const isId = /^[0-9a-f]{64}$/.test(id)
  const [shell, names, found] = await Promise.all([
    shellOf(c, '/owner/approvals', { session }),
    callerNames(c),
    isId ? part(() => endOf(c, id)) : [],
  ])
  const entries = listed<NumberedEntry>(found)
  const title = entries[0] ? operationTitle(entries[0].operation) : 'This request is closed'
  const text = entries[0]
    ? 'This is what the audit log says about it.'
    : 'No change waits for approval at this address. For 30 days, this page shows how a change ended.'
  const ended = ({ event, code, caller }: NumberedEntry) => {
    if (event === 'approval')
      return html`${codeTitle(code)} by <bdi>${personName(names, caller)}</bdi>`
    return code === 'committed' ? 'The change was made' : html`The change ended: ${codeTitle(code)}`
  }
  const body = html`<h1>${title}</h1>
    <p>${text}</p>
    <ul>
      ${entries.map((entry) => html`<li>${clockOn(entry.at, shell.clock)}: ${ended(entry)}.</li>`)}
    </ul>
    ${shell.isOwner && isId && html`<p><a href="${auditAddress({ id })}">All its entries</a></p>`}`
  return c.html(consolePage(shell, title, body), entries.length > 0 ? 200 : 404)
}

/** How far back the log is looked through, in pages of it. */
const MOST_PAGES = 10

/**
 * The entries that say how a change ended which a person has decided about, the oldest first; none
 * of any other.
 */
async function endOf(c: AppContext, operation_id: string): Promise<NumberedEntry[]> {
  let after: AuditMark | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await c.var.services.audit.page({
      operation_id,
      limit: 50,
      after,
    })
    const found = page.entries.filter(({ event }) => event === 'approval' || event === 'commit')
    if (found.some(({ event }) => event === 'approval')) return found.toReversed()
    after = page.next
    if (!after) break
  }
  return []
}

/** Approves a change, on a passkey used for just what the page showed, or declines it. */
export async function decideApproval(c: AppContext) {
  const own = await ownForm(c, await signedIn(c))
  if (!own) return notOwn(c)
  const { session, form } = own
  if (session.isTrial) return notInTrial(c)
  const operationId = c.req.param('operation_id') ?? ''
  const asked = await c.var.services.approvals.read(operationId)
  if (!asked) return noSuchChange(c, session)
  const { id, digest } = asked
  // What was shown is what is decided: a newer preview under the same key is shown first.
  if (form.get('id') !== id || form.get('digest') !== digest)
    return shown(c, session, asked, { refused: 'ended' })
  const decision = form.get('decision')
  if (decision === 'decline') return decided(c, own, asked, declining(asked, c.var.log.caller))
  if (decision === 'compare') {
    if (asked.status !== 'waiting') return shown(c, session, asked, { refused: 'late' })
    const is = await compared(c, asked, form.get('address') ?? '')
    if (is !== 'malformed') return shown(c, session, asked, { compared: is })
    const errors = { address: 'Enter a whole email address. Nothing was compared.' }
    return shown(c, session, asked, { again: { action: c.req.path, sent: form, errors } })
  }
  if (decision !== 'approve')
    return nothingChanged(c, 'The form says neither approve nor decline. Open the page again.')
  const proven = await approvalProof(await passkeyServices(c), session, asked, {
    nonce: form.get('nonce') ?? '',
    answer: jsonIn(form.get(PROOF) ?? ''),
  })
  if (typeof proven === 'string') {
    noteRefusedProof(c)
    return shown(c, session, asked, { refused: proven })
  }
  return decided(c, own, asked, { id, digest, decision, ...proven })
}

/** The decision of someone who declines just what was shown. */
export const declining = ({ id, digest, shown }: ApprovalView, by: string): Decided => ({
  id,
  digest,
  decision: 'decline',
  by,
  proof: { shown, digest },
})

/** The page of the next change that waits, which says what was decided; without one, that of this change. */
async function pathAfter(c: AppContext, form: URLSearchParams, asked: ApprovalView) {
  const { operation_id } = asked
  const goesOn = form.get('next') === NEXT
  const [next] = othersOf(goesOn ? await waitingChanges(c) : [], asked)
  if (!next) return approvalPath(operation_id)
  return `${approvalPath(next.operation_id)}?${AFTER}=${operation_id}`
}

/**
 * Decides, and leads to the page that says what became of it. A decision that came too late is
 * answered at once.
 */
async function decided(
  c: AppContext,
  { session, form }: OwnForm,
  asked: ApprovalView,
  decision: Decided,
) {
  const { approvals } = c.var.services
  if ((await approvals.decide(asked, decision)) !== 'ended')
    return c.redirect(await pathAfter(c, form, asked), 303)
  const now = await approvals.read(asked.operation_id)
  return now ? shown(c, session, now, { refused: 'late' }) : noSuchChange(c, session)
}

/** Compares an address, which is kept nowhere, with the one of the change. */
async function compared(
  c: AppContext,
  asked: ApprovalView,
  address: string,
): Promise<Comparison | 'malformed'> {
  const email = emailSchema.safeParse(trimmed(address))
  if (!email.success) return 'malformed'
  const { services } = c.var
  if (!(await services.approvals.countComparison(asked))) return 'too often'
  const isSame = await isIndexOf(await services.keyring(), asked.addressIndex, email.data)
  if (isSame === undefined) return 'unknown'
  return isSame ? 'same' : 'other'
}
