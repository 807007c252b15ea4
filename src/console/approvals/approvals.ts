import type { Context } from 'hono'
import { html } from 'hono/html'
import { approvalProof, askApproval, notInTrial, parsed, passkeyServices } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { pageUnderName } from '../../access/owner-services.ts'
import { type Html, notePage } from '../../access/pages/layout.ts'
import { signInPage } from '../../access/pages/sign-in.ts'
import { PROOF, callerOfApprover } from '../../access/passkey.ts'
import { type ApproverSession, approverSessionOf, ownForm } from '../../access/session.ts'
import { approvalPath, isOpenApproval } from '../../domain/rules/approval.ts'
import { SECOND } from '../../domain/time/duration.ts'
import { emailSchema } from '../../domain/email.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readBody } from '../../http/body.ts'
import type { ApprovalView, Decided } from '../../ports/approvals.ts'
import { notOwn, nothingChanged } from '../shell/acts.ts'
import { isIndexOf } from '../../operations/client/identity.ts'
import { type ApprovalPageView, type Comparison, approvalPage, approvalsPage } from './page.ts'
import { auditAddress } from '../audit/query.ts'
import type { AuditMark, NumberedEntry } from '../../ports/audit.ts'
import { codeTitle, operationTitle } from '../audit/audit.ts'
import { clockOn } from '../shell/dates.ts'
import { callerNamesOf } from '../shell/items.ts'
import { callerItems, callerName, clockOf, part } from '../shell/load.ts'

/** How long the page waits for a commit that is at work, so that it can say how it ended; in milliseconds. */
const TIMEOUT_MS = 3 * SECOND

const REASON = 'Sign in to see which change a person has to approve, and what became of it.'

/** Shows one change that waits for a person, or what became of it; nothing before they have signed in. Changes nothing. */
export async function showApproval(c: Context<AppEnv>): Promise<Response> {
  const session = await signedIn(c)
  if (!session) return signInFirst(c)
  const asked = await c.var.services.approvals.read(c.req.param('operation_id') ?? '', TIMEOUT_MS)
  return asked ? shown(c, session, asked) : noSuchChange(c, session)
}

export async function showApprovals(c: Context<AppEnv>): Promise<Response> {
  const session = await signedIn(c)
  if (!session) return signInFirst(c)
  const [waiting, items] = await Promise.all([part(() => c.var.services.approvals.waiting()), callerItems(c)])
  const names = callerNamesOf(items)
  const visitor = { csrf: session.csrf, isOwner: session.approver === null }
  return c.html(approvalsPage(c.var.site().practice.name, waiting, names, clockOf(c), visitor))
}

/** Approves a change, on a passkey used for just what the page showed, or declines it. */
export async function decideApproval(c: Context<AppEnv>): Promise<Response> {
  const session = await signedIn(c)
  const form = session && ownForm(c, session, await readBody(c.req.raw))
  if (!form) return notOwn(c)
  if (session.isTrial) return notInTrial(c)
  const operationId = c.req.param('operation_id') ?? ''
  const { approvals } = c.var.services
  const asked = await approvals.read(operationId)
  if (!asked) return noSuchChange(c, session)
  const { id, digest, shown: preview } = asked
  // What was shown is what is decided: a newer preview under the same key is shown first.
  if (form.get('id') !== id || form.get('digest') !== digest)
    return shown(c, session, asked, { refused: 'ended' })
  if (form.get('decision') === 'decline') {
    const proof = { shown: preview, digest }
    return decided(c, session, asked, { id, digest, decision: 'decline', by: c.var.log.caller, proof })
  }
  if (form.get('decision') === 'compare' && asked.status === 'waiting')
    return shown(c, session, asked, { compared: await compared(c, asked, form.get('address') ?? '') })
  if (form.get('decision') === 'compare') return shown(c, session, asked, { refused: 'late' })
  if (form.get('decision') !== 'approve')
    return nothingChanged(c, 'The form says neither approve nor decline. Open the page again.')
  const proven = await approvalProof({
    services: await passkeyServices(c),
    session,
    approved: asked,
    nonce: form.get('nonce') ?? '',
    answer: parsed(form.get(PROOF) ?? ''),
  })
  if (typeof proven === 'string') {
    c.var.log.code = 'proof_refused'
    c.var.note({ event: 'refusal', code: 'unauthenticated' })
    return shown(c, session, asked, { refused: proven })
  }
  return decided(c, session, asked, { id, digest, decision: 'approve', ...proven })
}

/** Decides, and leads to the page that says what became of it. A decision that came too late is answered at once. */
async function decided(
  c: Context<AppEnv>,
  session: ApproverSession,
  asked: ApprovalView,
  decision: Decided,
): Promise<Response> {
  const { approvals } = c.var.services
  if ((await approvals.decide(asked, decision)) !== 'ended')
    return c.redirect(approvalPath(asked.operation_id), 303)
  const now = await approvals.read(asked.operation_id)
  return now ? shown(c, session, now, { refused: 'late' }) : noSuchChange(c, session)
}

async function signedIn(c: Context<AppEnv>): Promise<ApproverSession | undefined> {
  const session = await approverSessionOf(c, c.var.services.access)
  if (session)
    c.var.log.caller = session.approver === null ? OWNER_ID : await callerOfApprover(session.approver)
  return session
}

function signInFirst(c: Context<AppEnv>): Response | Promise<Response> {
  return c.html(signInPage(c.var.site().practice.name, pageUnderName(c), REASON))
}

async function shown(
  c: Context<AppEnv>,
  session: ApproverSession,
  asked: ApprovalView,
  { refused, compared }: Partial<Pick<ApprovalPageView, 'refused' | 'compared'>> = {},
): Promise<Response> {
  const decidedBy = asked.decision?.by ?? ''
  const [caller, by, question, declined, entry] = await Promise.all([
    callerName(c, asked.caller),
    decidedBy === c.var.log.caller ? 'you' : decidedBy === OWNER_ID ? 'the owner' : callerName(c, decidedBy),
    asked.status === 'waiting' ? askApproval(await passkeyServices(c), session, asked) : undefined,
    part(() => c.var.services.approvals.declined(asked.caller)),
    entryOf(c, asked),
  ])
  const view = {
    asked,
    caller,
    title: operationTitle(asked.operation),
    clock: clockOf(c),
    csrf: session.csrf,
    question,
    refused: refused && !isOpenApproval(asked) ? ('late' as const) : refused,
    compared,
    declined,
    by,
    entry,
    isOwner: session.approver === null,
  }
  return c.html(approvalPage(c.var.site().practice.name, view), refused === undefined ? 200 : 403)
}

async function entryOf(
  c: Context<AppEnv>,
  { operation_id, decision, endedAt }: ApprovalView,
): Promise<number | undefined> {
  const from = endedAt ?? decision?.at
  if (from === undefined) return undefined
  // The newest entry of that moment: a commit or its refusal, or else the decision.
  const query = { operation_id, from, to: from + 1, limit: 1 }
  const page = await part(() => c.var.services.audit.page(query))
  return page === 'unread' ? undefined : page.entries[0]?.index
}

/** Compares an address, which is kept nowhere, with the one of the change. */
async function compared(c: Context<AppEnv>, asked: ApprovalView, address: string): Promise<Comparison> {
  const email = emailSchema.safeParse(address.trim())
  if (!email.success) return 'malformed'
  const { services } = c.var
  if (!(await services.approvals.countComparison(asked))) return 'too often'
  const isSame = await isIndexOf(await services.keyring(), asked.addressIndex, email.data)
  return isSame === undefined ? 'unknown' : isSame ? 'same' : 'other'
}

/** Nothing is kept of a change any more: what became of it is in the audit log, if a person ever had to approve it. */
async function noSuchChange(c: Context<AppEnv>, { approver }: ApproverSession): Promise<Response> {
  const id = c.req.param('operation_id') ?? ''
  const entries = /^[0-9a-f]{64}$/.test(id) ? await part(() => endOf(c, id)) : []
  const { name } = c.var.site().practice
  const log =
    approver === null && entries !== 'unread' && /^[0-9a-f]{64}$/.test(id)
      ? html`<p><a href="${auditAddress({ id })}">What the audit log has of it</a></p>`
      : ''
  if (entries !== 'unread' && entries.length > 0) {
    const lines = await Promise.all(entries.map((entry) => endLine(c, entry)))
    const ended = html`<ul>
        ${lines}
      </ul>
      ${log}`
    return c.html(
      notePage(operationTitle(entries[0]!.operation), name, 'The audit log says what became of it.', ended),
    )
  }
  const text =
    'No change that a person has to approve is known at this address. What became of one is shown here for 30 days.'
  return c.html(notePage('There is nothing to decide', name, text, log), 404)
}

/** How far back the log is looked through, in pages of it. */
const MOST_PAGES = 10

/** The entries that say how a change ended which a person has decided about, the oldest first; none of any other. */
async function endOf(c: Context<AppEnv>, operation_id: string): Promise<NumberedEntry[]> {
  let after: AuditMark | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await c.var.services.audit.page({ operation_id, limit: 50, ...(after && { after }) })
    const found = page.entries.filter(({ event }) => event === 'approval' || event === 'commit')
    if (found.some(({ event }) => event === 'approval')) return found.toReversed()
    after = page.next
    if (!after) break
  }
  return []
}

async function endLine(c: Context<AppEnv>, { at, event, code, caller }: NumberedEntry): Promise<Html> {
  const who = caller === OWNER_ID ? 'the owner' : await callerName(c, caller)
  const made = code === 'committed' ? 'The change was made.' : html`The change ended: ${codeTitle(code)}.`
  const decided = html`${codeTitle(code)} by <bdi>${who}</bdi>.`
  return html`<li>${clockOn(at, clockOf(c))}: ${event === 'approval' ? decided : made}</li>`
}
