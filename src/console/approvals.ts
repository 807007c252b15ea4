import type { Context } from 'hono'
import { approvalProof, askApproval } from '../access/approval-proof.ts'
import { notInTrial, parsed, passkeyServices } from '../access/fresh-proof.ts'
import { OWNER_ID } from '../access/oauth-server.ts'
import { notePage } from '../access/pages/layout.ts'
import { signInPage } from '../access/pages/sign-in.ts'
import { PROOF, callerOfApprover } from '../access/passkey.ts'
import { type ApproverSession, approverSessionOf, ownForm } from '../access/session.ts'
import { approvalPath } from '../domain/approval.ts'
import { emailSchema } from '../domain/email.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readBody } from '../http/body.ts'
import type { ApprovalView } from '../ports/approvals.ts'
import { notOwn, nothingChanged } from './acts.ts'
import { isIndexOf } from '../operations/email-index.ts'
import { type ApprovalPageView, type Comparison, approvalPage, approvalsPage } from './approval-page.ts'
import { operationTitle } from './audit-words.ts'
import { callerNamesOf, nameOf } from './caller-names.ts'
import { callerItems } from './items-load.ts'
import { clockOf, part } from './load.ts'

const REASON = 'A change waits for somebody to approve it. Sign in to see what it is.'

/** Shows one change that waits for a person; nothing before they have signed in. Changes nothing. */
export async function showApproval(c: Context<AppEnv>): Promise<Response> {
  const session = await signedIn(c)
  if (!session) return signInFirst(c)
  const asked = await c.var.services.approvals.read(c.req.param('operation_id') ?? '')
  return asked ? shown(c, session, asked) : noSuchChange(c)
}

/** Lists the changes that wait for a person. */
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
  if (!asked) return noSuchChange(c)
  const { id, digest, shown: preview } = asked
  // What was shown is what is decided: a newer preview under the same key is shown first.
  if (form.get('id') !== id || form.get('digest') !== digest)
    return shown(c, session, asked, { refused: 'ended' })
  if (form.get('decision') === 'decline') {
    const proof = { shown: preview, digest }
    await approvals.decide(asked, { id, digest, decision: 'decline', by: c.var.log.caller, proof })
    return c.redirect(approvalPath(operationId), 303)
  }
  if (form.get('decision') === 'compare')
    return shown(c, session, asked, { compared: await compared(c, asked, form.get('address') ?? '') })
  if (form.get('decision') !== 'approve')
    return nothingChanged(c, 'The form says neither approve nor decline. Open the page again.')
  const proven = await approvalProof(
    await passkeyServices(c),
    session,
    asked,
    form.get('nonce') ?? '',
    parsed(form.get(PROOF) ?? ''),
  )
  if (typeof proven === 'string') {
    c.var.log.code = 'proof_refused'
    c.var.note({ event: 'refusal', code: 'unauthenticated' })
    return shown(c, session, asked, { refused: proven })
  }
  await approvals.decide(asked, { id, digest, decision: 'approve', ...proven })
  return c.redirect(approvalPath(operationId), 303)
}

async function signedIn(c: Context<AppEnv>): Promise<ApproverSession | undefined> {
  const session = await approverSessionOf(c, c.var.services.access)
  if (session)
    c.var.log.caller = session.approver === null ? OWNER_ID : await callerOfApprover(session.approver)
  return session
}

function signInFirst(c: Context<AppEnv>): Response | Promise<Response> {
  const { origin, practice } = c.var.site()
  return c.html(signInPage(practice.name, origin, REASON))
}

async function shown(
  c: Context<AppEnv>,
  session: ApproverSession,
  asked: ApprovalView,
  { refused, compared }: Partial<Pick<ApprovalPageView, 'refused' | 'compared'>> = {},
): Promise<Response> {
  const [question, items, declined] = await Promise.all([
    asked.status === 'waiting' ? askApproval(await passkeyServices(c), session, asked) : undefined,
    callerItems(c),
    part(() => c.var.services.approvals.declined(asked.caller)),
  ])
  const names = callerNamesOf(items)
  const view = {
    asked,
    caller: nameOf(names, asked.caller),
    title: operationTitle(asked.operation),
    clock: clockOf(c),
    csrf: session.csrf,
    question,
    refused,
    compared,
    declined,
  }
  return c.html(approvalPage(c.var.site().practice.name, view), refused === undefined ? 200 : 403)
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

const noSuchChange = (c: Context<AppEnv>) =>
  c.html(
    notePage(
      'There is nothing to decide',
      c.var.site().practice.name,
      'No change waits here. It may have been made, or its preview has ended.',
    ),
    404,
  )
