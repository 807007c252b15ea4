import type { Context } from 'hono'
import { disconnect } from '../../access/connected-apps.ts'
import type { OwnerAct } from '../../access/pages/confirm.ts'
import { askedTwice, parsed, passkeyServices, withoutProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { pageUnderName } from '../../access/owner-services.ts'
import { notePage } from '../../access/pages/layout.ts'
import { signInPage } from '../../access/pages/sign-in.ts'
import { callerOfPasskey, factsOfPasskey, isOwners, newPasskey } from '../../access/passkey.ts'
import {
  type Session,
  approverSessionOf,
  closeSession,
  ownForm,
  recall,
  remember,
  sessionOf,
} from '../../access/session.ts'
import { revokeKey } from '../../admin/keys.ts'
import { sha256Base64url } from '../../crypto/encoding.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readBody } from '../../http/body.ts'
import type { Passkey } from '../../ports/access.ts'
import { DAY } from '../../domain/time/duration.ts'
import { pluralOf } from './shell.ts'
import { ENDS, LONGEST_NAME, callerPath } from './items.ts'
import { type Visit, approversPasskeys, callerItems, ownersPasskeys, part } from './load.ts'

const DONE = {
  paused: 'Paused. Changes already under way are finished; nothing new begins.',
  resumed: 'Resumed.',
  rules: 'The rules are saved, and hold from now on.',
  app: 'The app is disconnected. It can take up to a minute until this is known everywhere.',
  known: 'You know all who were let in before a provider was live.',
  key: 'The key is revoked. It can take up to a minute until this is known everywhere.',
  webhook: 'The webhook is removed; nothing more is sent there.',
  webhook_resumed: 'The webhook goes on from where it stopped.',
  added: 'The passkey is added. From now on you can sign in with it too.',
  passkey: 'The passkey is removed, and its sign-ins have ended.',
  named: 'The passkey has its name.',
  alert: 'A test was sent, and it arrived. Look whether you see it.',
  no_alert: 'The test did not arrive. Check the address in the setting ALERT_WEBHOOK_URL.',
  uninvited: 'The invitation is withdrawn: its link is worth nothing now.',
  last: 'The last passkey stays: without it nobody could sign in.',
  reviewed: 'It is noted that you have looked through the log.',
  dismissed: 'Dismissed. It is shown again if it happens again.',
  settled: 'Your word is kept, and the change goes on from there.',
  deleted: 'The client is deleted. Copies in caches may show it for about a minute more.',
  withdrawn: 'The link is withdrawn: nobody can use it any more.',
  everywhere: 'All sign-ins have ended, this one too.',
}
export type ActDone = keyof typeof DONE

const isDone = (text: string | undefined): text is ActDone => text !== undefined && Object.hasOwn(DONE, text)

export interface OwnForm {
  session: Session
  form: URLSearchParams
}

/** What a form does: it says what was done, or answers with a page of its own. */
export type Act = (c: Context<AppEnv>, own: OwnForm) => Promise<ActDone | Response>

export type Show = (c: Context<AppEnv>, visit: Visit) => Promise<string | Response>

/** Shows a page to the owner, or that for signing in: then the same address shows the page. */
export const pageOf =
  (show: Show) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const { practice } = c.var.site()
    const session = await sessionOf(c, c.var.services.access)
    // The address alone says nothing: anybody can send the owner there.
    const recalled = recall(c)
    const done = recalled === c.req.query('done') && isDone(recalled) ? DONE[recalled] : undefined
    if (!session && (await approverSessionOf(c, c.var.services.access))) return c.redirect('/owner/approvals')
    if (!session) {
      const reason =
        done ?? 'Pause your agents, set their rules, and see who uses this connector and what they did.'
      return c.html(signInPage(practice.name, pageUnderName(c), reason))
    }
    c.var.log.caller = OWNER_ID
    const page = await show(c, { session, done })
    return page instanceof Response ? page : c.html(page)
  }

/** Runs an act for a form that a page of this session sent; any other changes nothing. Ends on the page of `back`. */
export const handlerOf =
  (act: Act, back: (form: URLSearchParams) => string) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const session = await sessionOf(c, c.var.services.access)
    const form = session && ownForm(c, session, await readBody(c.req.raw))
    if (!form) return notOwn(c)
    c.var.log.caller = OWNER_ID
    const done = await act(c, { session, form })
    if (done instanceof Response) return done
    remember(c, done)
    return c.redirect(`${back(form)}?done=${done}`, 303)
  }

/** Asks for the proof of an act, unless the form brings it. */
export const proofFor = (c: Context<AppEnv>, { session, form }: OwnForm, act: OwnerAct) =>
  withoutProof(c, session, form, act)

export const disconnectApp: Act = async (c, own) => {
  const again = await askedToEnd(c, own, 'app', 'The app can be connected again, and you decide then.')
  if (again) return again
  await disconnect(c, own.form.get('id') ?? '')
  return 'app'
}

export const revokeOwnersKey: Act = async (c, own) => {
  const again = await askedToEnd(c, own, 'key', 'A key does not come back: you would make another one.')
  if (again) return again
  await revokeKey(c, own.form.get('id') ?? '')
  return 'key'
}

/** Asks once more before the access of an app or a key ends that is listed, and says what stops with it. */
async function askedToEnd(c: Context<AppEnv>, own: OwnForm, kind: keyof typeof ENDS, after: string) {
  const { apps, keys } = await callerItems(c)
  const all = [apps, keys].flatMap((items) => (items === 'unread' ? [] : items))
  const item = all.find(({ id }) => id === own.form.get('id'))
  if (!item) return undefined
  const { name, caller = '' } = item
  const week = { caller, event: 'commit', code: 'committed', from: Date.now() - 7 * DAY, limit: 100 } as const
  const made = await part(() => c.var.services.audit.page(week))
  const number = made === 'unread' ? 0 : made.entries.length
  return askedTwice(c, own.session, own.form, {
    question: `${ENDS[kind].verb} \u2068${name}\u2069?`,
    changes: [
      `It made ${number === 0 ? 'no change' : pluralOf(number, 'change')} this week.`,
      'What it does stops within a minute. What is under way is finished.',
      after,
    ],
    verb: ENDS[kind].verb,
    back: callerPath(caller),
  })
}

/** Adds the passkey that the browser has just made, on the proof of another one for just this one. */
export const addPasskey: Act = async (c, own) => {
  const services = await passkeyServices(c)
  const made = await newPasskey(services, parsed(own.form.get('credential') ?? ''))
  if (!made) return nothingChanged(c, NOT_MADE)
  const { id, publicKey } = made.passkey
  const asksForProof = await proofFor(c, own, {
    question: 'Add the passkey that you have just made?',
    changes: ['Whoever holds it can sign in as the owner, and do everything that you can do here.'],
    facts: [id, publicKey],
    verb: 'Add it, with a passkey you had before',
    back: '/owner/settings/passkeys',
  })
  if (asksForProof) return asksForProof
  const about = await factsOfPasskey(made.passkey)
  await c.var.noteBefore({ event: 'enrolment', code: 'added', about })
  return (await services.access.owner.enrol(made.passkey, made.challenge, undefined))
    ? 'added'
    : nothingChanged(c, NOT_MADE)
}

/** What the owner calls a passkey, such as the device that has it. */
export const namePasskey: Act = async (c, { form }) => {
  const name = (form.get('name') ?? '').trim()
  if (name === '' || name.length > LONGEST_NAME) return nothingChanged(c, NAME_WANTED)
  await c.var.services.access.owner.namePasskey(form.get('id') ?? '', name)
  return 'named'
}

export const NAME_WANTED = `Give a name of 1 to ${LONGEST_NAME} characters.`

/** Removes a passkey, on a proof: a session alone could lock out the owner or whoever approves. */
export const removePasskey: Act = async (c, own) => {
  const id = own.form.get('id') ?? ''
  const { access } = c.var.services
  const all = await access.owner.passkeys()
  const owners = ownersPasskeys(all)
  const approver = all.find((one) => one.id === id && !isOwners(one))
  if (!approver && owners.length < 2) return 'last'
  const item = [...owners, ...approversPasskeys(all)].find((one) => one.id === id)
  if (!item) return nothingChanged(c, 'This passkey is not there any more.')
  const asksForProof = await proofFor(c, own, {
    question: `Remove \u2068${item.name}\u2069?`,
    changes: [
      'Nobody can sign in or approve with it any more, and its sign-ins end.',
      ...(await stillApproved(c, approver)).map((change) => `Approved, and can still be made: ${change}`),
    ],
    facts: [id],
    verb: 'Remove it with your passkey',
    back: approver ? '/owner/settings/people' : '/owner/settings/passkeys',
  })
  if (asksForProof) return asksForProof
  if (!(await access.owner.removePasskey(id))) return 'last'
  c.var.note({ event: 'enrolment', code: 'removed', about: { credential: await sha256Base64url(id) } })
  return 'passkey'
}

/** What somebody has approved and is not made yet; that can still be made after they are gone. */
async function stillApproved(c: Context<AppEnv>, approver: Passkey | undefined): Promise<string[]> {
  if (!approver) return []
  const { approvals, audit } = c.var.services
  const caller = await callerOfPasskey(approver)
  const given = { caller, event: 'approval', code: 'approved', from: Date.now() - DAY, limit: 50 } as const
  const ids = new Set((await audit.page(given)).entries.flatMap(({ operation_id }) => operation_id ?? []))
  const views = await Promise.all([...ids].map((id) => approvals.read(id)))
  return views.flatMap((view) => (view?.status === 'approved' ? [view.summary] : []))
}

export async function signOut(c: Context<AppEnv>): Promise<Response> {
  const { access } = c.var.services
  const session = await approverSessionOf(c, access)
  if (!session || !ownForm(c, session, await readBody(c.req.raw))) return notOwn(c)
  await closeSession(c, access, session)
  return c.redirect('/owner', 303)
}

export const signOutEverywhere: Act = async (c, { form, session }) => {
  const again = await askedTwice(c, session, form, {
    question: 'Sign out everywhere?',
    changes: ['You are signed out on all devices, and so is everybody who approves.'],
    verb: 'Sign out everywhere',
    back: '/owner/settings/passkeys',
  })
  if (again) return again
  await c.var.services.access.owner.endSessions()
  return 'everywhere'
}

const NOT_MADE = 'The new passkey could not be checked, or took longer than five minutes. Make it again.'

export const notOwn = (c: Context<AppEnv>): Response | Promise<Response> =>
  nothingChanged(
    c,
    'This did not come from a page of yours, or you were signed out meanwhile. Open the page again.',
  )

export function nothingChanged(c: Context<AppEnv>, why: string): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  return c.html(notePage('Nothing was changed', c.var.site().practice.name, why), 403)
}
