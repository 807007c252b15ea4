import type { AppContext } from '../../../api/http/app-env.ts'
import { sha256, sha256Base64url } from '../../../core/crypto/encoding.ts'
import { ALERT_ARRIVED } from '../../../core/domain/audit/entry.ts'
import { LONGEST_NAME, trimmed } from '../../../core/domain/name.ts'
import { freeText } from '../../../core/domain/sensitive-data/sensitive-data.ts'
import { DAY, MINUTE } from '../../../core/domain/time/duration.ts'
import { jsonIn } from '../../../core/json.ts'
import type { Passkey } from '../../../core/ports/access.ts'
import { askTwice, passkeyServices, wantProof } from '../../access/fresh-proof.ts'
import { INVITATION_PATH } from '../../access/pages/sign-in.ts'
import { newInvitationToken } from '../../access/passkey-enrolment.ts'
import { callerOfPasskey, factsOfPasskey, isOwners, newPasskey } from '../../access/passkey.ts'
import { approverSessionOf, closeSession, ownForm } from '../../access/session.ts'
import type { Finding } from '../../health/check-runner.ts'
import { selfCheck } from '../../health/self-check.ts'
import { type Act, type Show, formAgain, notOwn, nothingChanged } from '../shell/handlers.ts'
import {
  type Visit,
  approversPasskeys,
  formerApprovers,
  ownersPasskeys,
  part,
  shellOf,
} from '../shell/load.ts'
import { healthPage, invitationMadePage, passkeysPage, peoplePage, rulesPage } from './page.ts'

const settingsShell = (c: AppContext, visit: Visit) => shellOf(c, '/owner/settings', visit)

export const showRules: Show = async (c, visit) => rulesPage(await settingsShell(c, visit))

export const showPasskeys: Show = async (c, visit) => {
  const { owner } = c.var.services.access
  const [shell, passkeys] = await Promise.all([
    settingsShell(c, visit),
    part(async () => ownersPasskeys(await owner.passkeys())),
  ])
  return passkeysPage(shell, passkeys)
}

export const showPeople: Show = async (c, visit) => {
  const { owner } = c.var.services.access
  const [shell, approvers, invitations] = await Promise.all([
    settingsShell(c, visit),
    part(async () => {
      const [passkeys, known] = await Promise.all([owner.passkeys(), owner.approvers()])
      return [...approversPasskeys(passkeys), ...formerApprovers(known)]
    }),
    part(() => owner.invitations()),
  ])
  return peoplePage(shell, approvers, invitations)
}

export const showHealth = async (c: AppContext, visit: Visit, findings?: Finding[]) =>
  healthPage(await settingsShell(c, visit), c.var.services.alertHost, findings)

export const examine: Act = async (c, { session }) => {
  const findings = await selfCheck(
    c.env,
    c.var.site().origin,
    'examine_installation',
    c.var.log.caller,
  )
  return c.html(await showHealth(c, { session }, findings))
}

/**
 * Posts an alert, so that the owner sees whether alerts arrive. One a minute: a session alone
 * cannot flood a channel.
 */
export const testAlert: Act = async (c) => {
  const { services } = c.var
  const wait = await services.access.attempts.countCall('test_alert', 'owner', 1, MINUTE)
  if (wait > 0) return 'alert_wait'
  if (!(await services.sendTestAlert())) return 'no_alert'
  c.var.note({ event: 'check', code: ALERT_ARRIVED })
  return 'alert'
}

/** Ends an invitation that no one has used. */
export const withdrawInvitation: Act = async (c, { form }) => {
  return (await c.var.services.access.owner.withdrawInvitation(form.get('id') ?? ''))
    ? 'uninvited'
    : nothingChanged(c, 'This invitation was used or has ended. Look at who approves now.')
}

const INVITED_FOR = DAY

/** Makes a link with which someone becomes an approver, on a proof: it is shown once. */
export const inviteApprover: Act = async (c, own) => {
  const name = nameIn(own.form)
  const again = (why: string) => formAgain(c, own, showPeople, { name: why })
  if (name === undefined) return again(NAME_WANTED)
  await wantProof(c, own, {
    question: `Let \u2068${name}\u2069 approve changes?`,
    changes: [
      'The first person who opens the link makes a passkey. With it they can approve changes.',
    ],
    facts: [name],
    verb: 'Make the link with your passkey',
  })
  const token = newInvitationToken()
  await c.var.noteBefore({ event: 'enrolment', code: 'invited' })
  if (!(await c.var.services.access.owner.invite(await sha256(token), name, INVITED_FOR)))
    return again('Too many invitations are open. Withdraw one, or wait: each ends after a day.')
  const shell = await settingsShell(c, own)
  return c.html(
    invitationMadePage(shell, name, `${c.var.site().origin}${INVITATION_PATH}#${token}`),
  )
}

/** Adds the passkey that the browser has just made, on the proof of another one for just this one. */
export const addPasskey: Act = async (c, own) => {
  const services = await passkeyServices(c)
  const made = await newPasskey(services, jsonIn(own.form.get('credential') ?? ''))
  if (!made) return nothingChanged(c, NOT_MADE)
  const { id, publicKey } = made.passkey
  await wantProof(c, own, {
    question: 'Add the passkey that you have just made?',
    changes: ['A person who has it can sign in as you, and do everything that you can do here.'],
    facts: [id, publicKey],
    verb: 'Add it, with a passkey you had before',
  })
  const about = await factsOfPasskey(made.passkey)
  await c.var.noteBefore({ event: 'enrolment', code: 'added', about })
  return (await services.access.owner.enrol(made.passkey, made.challenge, undefined))
    ? 'added'
    : nothingChanged(c, NOT_MADE)
}

/** What the owner calls a passkey, such as the device that has it. */
export const namePasskey: Act = async (c, own) => {
  const name = nameIn(own.form)
  if (name === undefined) return formAgain(c, own, showPasskeys, { name: NAME_WANTED })
  const id = own.form.get('id') ?? ''
  const { owner } = c.var.services.access
  if (!ownersPasskeys(await owner.passkeys()).some((one) => one.id === id))
    return nothingChanged(c, 'This passkey was removed already.')
  await owner.namePasskey(id, name)
  const credential = await sha256Base64url(id)
  c.var.note({ event: 'enrolment', code: 'renamed', about: { credential } })
  return 'named'
}

/** The name in a form, as every text is kept; undefined where it shows nothing, or is none. */
const nameIn = (form: URLSearchParams) =>
  freeText(LONGEST_NAME)
    .min(1)
    .safeParse(trimmed(form.get('name') ?? '')).data

const NAME_WANTED = `Give a name of 1 to ${LONGEST_NAME} characters, and no number of a person or account.`

/** Removes a passkey, on a proof: a session alone could lock out the owner or an approver. */
export const removePasskey: Act = async (c, own) => {
  const id = own.form.get('id') ?? ''
  const { access } = c.var.services
  const all = await access.owner.passkeys()
  const owners = ownersPasskeys(all)
  const approver = all.find((one) => one.id === id && !isOwners(one))
  if (!approver && owners.length < 2) return 'last'
  const item = [...owners, ...approversPasskeys(all)].find((one) => one.id === id)
  if (!item) return nothingChanged(c, 'This passkey was removed already.')
  await wantProof(c, own, {
    question: `Remove \u2068${item.name}\u2069?`,
    changes: [
      'This passkey can no longer sign in or approve, and every session that it opened is signed out.',
      ...(await stillApproved(c, approver)).map(
        (change) => `Already approved, and can still be made: ${change}`,
      ),
    ],
    facts: [id],
    verb: 'Remove it with your passkey',
  })
  if (!(await access.owner.removePasskey(id))) return 'last'
  c.var.note({
    event: 'enrolment',
    code: 'removed',
    about: { credential: await sha256Base64url(id) },
  })
  return 'passkey'
}

/** What an approver has approved and is not made yet: it can still be made after they are removed. */
async function stillApproved(c: AppContext, approver: Passkey | undefined): Promise<string[]> {
  if (!approver) return []
  const { approvals, audit } = c.var.services
  const caller = await callerOfPasskey(approver)
  const given = { caller, event: 'approval', code: 'approved', from: Date.now() - DAY } as const
  const { entries, next } = await audit.page({ ...given, limit: 50 })
  const ids = new Set(entries.flatMap(({ operation_id }) => operation_id ?? []))
  const views = await Promise.all([...ids].map((id) => approvals.read(id)))
  const approved = views.flatMap((view) => (view?.status === 'approved' ? [view.summary] : []))
  // Each that is looked at is a call of its own, and the platform bounds those of a request.
  return next ? [...approved, 'perhaps others. The log lists them.'] : approved
}

export async function signOut(c: AppContext) {
  const own = await ownForm(c, await approverSessionOf(c))
  if (!own) return notOwn(c)
  await closeSession(c, own.session)
  return c.redirect('/owner', 303)
}

export const signOutEverywhere: Act = async (c, own) => {
  askTwice(c, own, {
    question: 'Sign out everywhere?',
    changes: ['You and all approvers are signed out on all devices.'],
    verb: 'Sign out everywhere',
    back: '/owner/settings/passkeys',
  })
  await c.var.services.access.owner.endSessions()
  return 'everywhere'
}

const NOT_MADE =
  'The connector could not check the new passkey, or it took longer than five minutes. ' +
  'Press Add a passkey again.'
