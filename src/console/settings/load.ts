import type { Context } from 'hono'
import { isOwners } from '../../access/passkey.ts'
import { selfCheck } from '../../health/self-check.ts'
import type { Finding } from '../../health/check-runner.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { INVITATION_PATH } from '../../access/pages/sign-in.ts'
import { newInvitationToken } from '../../access/passkey-enrolment.ts'
import { sha256 } from '../../crypto/encoding.ts'
import { DAY } from '../../domain/time/duration.ts'
import { type Act, nothingChanged, proofFor } from '../shell/acts.ts'
import { LONGEST_NAME, invitationMadePage, ownerSettingsPage } from './settings.ts'
import {
  approverItem,
  approversAmong,
  formerApproverItems,
  passkeyItem,
  type Visit,
  part,
  shellOf,
} from '../shell/load.ts'
import type { RefusedForm } from '../rules/section.ts'

/** The page of the settings; after a form that was refused, or after a check, with what came of it. */
export async function showSettings(
  c: Context<AppEnv>,
  visit: Visit,
  { refused, findings }: { refused?: RefusedForm; findings?: Finding[] } = {},
): Promise<string> {
  const { access } = c.var.services
  const [shell, all, known] = await Promise.all([
    shellOf(c, '/owner/settings', visit),
    part(() => access.owner.passkeys()),
    part(() => access.owner.approvers()),
  ])
  const passkeys = all === 'unread' ? all : all.filter(isOwners).map(passkeyItem)
  const approvers =
    all === 'unread' || known === 'unread'
      ? 'unread'
      : [...approversAmong(all).map(approverItem), ...formerApproverItems(known)]
  return ownerSettingsPage({ shell, passkeys, approvers, refused, findings })
}

export const examine: Act = async (c, { session }) => {
  const findings = await selfCheck(c.env, c.var.site().origin, 'examine_installation', c.var.log.caller)
  return c.html(await showSettings(c, { session }, { findings }))
}

const INVITED_FOR = DAY

/** Makes a link with which somebody becomes an approver, on a proof: it is shown once. */
export const inviteApprover: Act = async (c, own) => {
  const name = (own.form.get('name') ?? '').trim()
  if (name === '' || name.length > LONGEST_NAME)
    return nothingChanged(c, `Give a name of 1 to ${LONGEST_NAME} characters for whoever is to approve.`)
  const asksForProof = await proofFor(c, own, {
    name: 'invite_approver',
    question: `Let ${name} approve changes?`,
    changes: ['Whoever opens the link first makes a passkey, and with it approves what agents ask for.'],
    facts: [name],
    verb: 'Make the link with your passkey',
    back: '/owner/settings',
  })
  if (asksForProof) return asksForProof
  const token = newInvitationToken()
  await c.var.noteBefore({ event: 'enrolment', code: 'invited' })
  if (!(await c.var.services.access.owner.invite(await sha256(token), name, INVITED_FOR)))
    return nothingChanged(c, 'Too many invitations are open. They end after a day.')
  const { origin, practice } = c.var.site()
  return c.html(invitationMadePage(practice.name, name, `${origin}${INVITATION_PATH}#${token}`))
}
