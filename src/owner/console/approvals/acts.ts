import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { readBody } from '../../../api/http/body.ts'
import { approvalPath } from '../../../core/domain/approval.ts'
import { emailSchema } from '../../../core/domain/email.ts'
import type { ApprovalView, Decided } from '../../../core/ports/confirmation.ts'
import { isIndexOf } from '../../../practice/operations/client/identity.ts'
import { approvalProof, notInTrial, parsed, passkeyServices } from '../../access/fresh-proof.ts'
import { PROOF } from '../../access/passkey.ts'
import { type ApproverSession, ownForm } from '../../access/session.ts'
import { notOwn, nothingChanged } from '../shell/handlers.ts'
import { part } from '../shell/load.ts'
import { signedIn, shown, noSuchChange } from './load.ts'
import { type Comparison, NEXT } from './page.ts'

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
  const goesOn = form.get('next') === NEXT
  // What was shown is what is decided: a newer preview under the same key is shown first.
  if (form.get('id') !== id || form.get('digest') !== digest)
    return shown(c, session, asked, { refused: 'ended' })
  if (form.get('decision') === 'decline') {
    const proof = { shown: preview, digest }
    return decided(
      c,
      session,
      asked,
      {
        id,
        digest,
        decision: 'decline',
        by: c.var.log.caller,
        proof,
      },
      goesOn,
    )
  }
  if (form.get('decision') === 'compare' && asked.status === 'waiting') {
    const is = await compared(c, asked, form.get('address') ?? '')
    if (is !== 'malformed') return shown(c, session, asked, { compared: is })
    const errors = { address: 'Enter a whole email address. Nothing was compared.' }
    return shown(c, session, asked, { again: { action: c.req.path, sent: form, errors } })
  }
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
  return decided(c, session, asked, { id, digest, decision: 'approve', ...proven }, goesOn)
}

/** The page of the next change that waits, which says what was decided; without one, that of this change. */
async function pathAfter(
  c: Context<AppEnv>,
  { operation_id }: ApprovalView,
  { decision }: Decided,
  goesOn: boolean,
): Promise<string> {
  const waiting = goesOn ? await part(() => c.var.services.approvals.waiting()) : []
  const others = waiting === 'unread' ? [] : waiting
  const next = others.find((one) => one.operation_id !== operation_id)
  if (!next) return approvalPath(operation_id)
  return `${approvalPath(next.operation_id)}?${decision}=${operation_id}`
}

/**
 * Decides, and leads to the page that says what became of it. A decision that came too late is
 * answered at once.
 */
async function decided(
  c: Context<AppEnv>,
  session: ApproverSession,
  asked: ApprovalView,
  decision: Decided,
  goesOn: boolean,
): Promise<Response> {
  const { approvals } = c.var.services
  if ((await approvals.decide(asked, decision)) !== 'ended')
    return c.redirect(await pathAfter(c, asked, decision, goesOn), 303)
  const now = await approvals.read(asked.operation_id)
  return now ? shown(c, session, now, { refused: 'late' }) : noSuchChange(c, session)
}

/** Compares an address, which is kept nowhere, with the one of the change. */
async function compared(
  c: Context<AppEnv>,
  asked: ApprovalView,
  address: string,
): Promise<Comparison | 'malformed'> {
  const email = emailSchema.safeParse(address.trim())
  if (!email.success) return 'malformed'
  const { services } = c.var
  if (!(await services.approvals.countComparison(asked))) return 'too often'
  const isSame = await isIndexOf(await services.keyring(), asked.addressIndex, email.data)
  if (isSame === undefined) return 'unknown'
  return isSame ? 'same' : 'other'
}
