import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { sha256 } from '../../../core/crypto/encoding.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { INVITATION_PATH } from '../../access/pages/sign-in.ts'
import { newInvitationToken } from '../../access/passkey-enrolment.ts'
import { selfCheck } from '../../health/self-check.ts'
import { type Act, NAME_WANTED, nothingChanged, proofFor } from '../shell/acts.ts'
import { LONGEST_NAME, type OwnerItem } from '../shell/items.ts'
import {
  type Visit,
  approversPasskeys,
  formerApprovers,
  ownersPasskeys,
  part,
  shellOf,
} from '../shell/load.ts'
import type { Part } from '../shell/shell.ts'
import {
  type SettingsPart,
  type SettingsView,
  invitationMadePage,
  ownerSettingsPage,
} from './settings.ts'

type Shown = Partial<Pick<SettingsView, 'refused' | 'findings'>>

/** A part of the settings; after a form that was refused, or after a check, with what came of it. */
export const showSettings =
  (shown: SettingsPart) =>
  async (c: Context<AppEnv>, visit: Visit, { refused, findings }: Shown = {}): Promise<string> => {
    const { access, alertHost } = c.var.services
    const [shell, all, known, invitations] = await Promise.all([
      shellOf(c, '/owner/settings', visit),
      part(() => access.owner.passkeys()),
      part(() => access.owner.approvers()),
      part(() => access.owner.invitations()),
    ])
    const passkeys = all === 'unread' ? all : ownersPasskeys(all)
    const approvers: Part<OwnerItem[]> =
      all === 'unread' || known === 'unread'
        ? 'unread'
        : [...approversPasskeys(all), ...formerApprovers(known)]
    const people = { passkeys, approvers, invitations }
    return ownerSettingsPage({ shell, part: shown, ...people, refused, findings, alertHost })
  }

export const examine: Act = async (c, { session }) => {
  const findings = await selfCheck(
    c.env,
    c.var.site().origin,
    'examine_installation',
    c.var.log.caller,
  )
  return c.html(await showSettings('/owner/settings/health')(c, { session }, { findings }))
}

/** Posts an alert, so that the owner sees whether they arrive. */
export const testAlert: Act = async (c) =>
  (await c.var.services.sendTestAlert()) ? 'alert' : 'no_alert'

/** Ends an invitation that nobody has used. */
export const withdrawInvitation: Act = async (c, { form }) => {
  await c.var.services.access.owner.withdrawInvitation(form.get('id') ?? '')
  return 'uninvited'
}

const INVITED_FOR = DAY

/** Makes a link with which somebody becomes an approver, on a proof: it is shown once. */
export const inviteApprover: Act = async (c, own) => {
  const name = (own.form.get('name') ?? '').trim()
  if (name === '' || name.length > LONGEST_NAME) return nothingChanged(c, NAME_WANTED)
  const asksForProof = await proofFor(c, own, {
    question: `Let ${name} approve changes?`,
    changes: [
      'The first person who opens the link makes a passkey. With it they can approve changes.',
    ],
    facts: [name],
    verb: 'Make the link with your passkey',
    back: '/owner/settings/people',
  })
  if (asksForProof) return asksForProof
  const token = newInvitationToken()
  await c.var.noteBefore({ event: 'enrolment', code: 'invited' })
  if (!(await c.var.services.access.owner.invite(await sha256(token), name, INVITED_FOR)))
    return nothingChanged(
      c,
      'Too many invitations are open. Withdraw one, or wait: each ends after a day.',
    )
  const shell = await shellOf(c, '/owner/settings', own)
  return c.html(
    invitationMadePage(shell, name, `${c.var.site().origin}${INVITATION_PATH}#${token}`),
  )
}
