import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { readBody } from '../../../api/http/body.ts'
import { notePage } from '../../../api/pages/layout.ts'
import { sha256Base64url } from '../../../core/crypto/encoding.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import type { Passkey } from '../../../core/ports/access.ts'
import { disconnect } from '../../access/connected-apps.ts'
import { askedTwice, parsed, passkeyServices, withoutProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { pageUnderName } from '../../access/owner-services.ts'
import type { OwnerAct } from '../../access/pages/confirm.ts'
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
import { ENDS, LONGEST_NAME, callerPath } from './items.ts'
import { type Visit, approversPasskeys, callerItems, ownersPasskeys, part } from './load.ts'
import { pluralOf } from './shell.ts'

const DONE = {
  paused: 'Paused. Changes that had begun are finished, and no new one begins.',
  resumed: 'Resumed. Apps and keys can act again.',
  rules: 'The rules are saved, and apply from now on.',
  app: 'The app is disconnected. It stops within a minute.',
  known: 'You confirmed the apps and keys from before a provider was live.',
  key: 'The key is revoked. It stops within a minute.',
  webhook: 'The webhook is removed. Nothing more is sent to it.',
  webhook_resumed: 'The webhook is on again. It sends what it missed first.',
  added: 'The passkey is added. You can sign in with it too.',
  passkey: 'The passkey is removed, and what was signed in with it is signed out.',
  named: 'The passkey has its new name.',
  alert: 'The test alert was delivered. Check that you can see it.',
  no_alert: 'The test alert was not delivered. Check the address in the setting ALERT_WEBHOOK_URL.',
  uninvited: 'The invitation is withdrawn. Its link no longer works.',
  last: 'Nothing was removed: you could not sign in without your last passkey.',
  reviewed: 'The log now says that you looked through it.',
  dismissed: 'Dismissed. You see it again if it happens again.',
  resolved: 'Saved. The change is resolved.',
  deleted: 'The client is deleted. Pages may still show it for about a minute.',
  withdrawn: 'The link is withdrawn. It no longer works.',
  everywhere: 'You are signed out everywhere, here too.',
}
export type ActDone = keyof typeof DONE

const isDone = (text: string | undefined): text is ActDone =>
  text !== undefined && Object.hasOwn(DONE, text)

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
    if (!session && (await approverSessionOf(c, c.var.services.access)))
      return c.redirect('/owner/approvals')
    if (!session) {
      const reason = done ?? 'Here you pause your agents, set their rules, and see what they did.'
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
  const again = await askedToEnd(c, own, 'app', 'You can connect the app again later.')
  if (again) return again
  await disconnect(c, own.form.get('id') ?? '')
  return 'app'
}

export const revokeOwnersKey: Act = async (c, own) => {
  const again = await askedToEnd(
    c,
    own,
    'key',
    'You cannot get this key back. You can make a new one.',
  )
  if (again) return again
  await revokeKey(c, own.form.get('id') ?? '')
  return 'key'
}

/** Asks once more before the access of an app or a key ends that is listed, and says what stops with it. */
async function askedToEnd(
  c: Context<AppEnv>,
  own: OwnForm,
  kind: keyof typeof ENDS,
  after: string,
) {
  const { apps, keys } = await callerItems(c)
  const all = [apps, keys].flatMap((items) => (items === 'unread' ? [] : items))
  const item = all.find(({ id }) => id === own.form.get('id'))
  if (!item) return undefined
  const { name, caller = '' } = item
  const week = {
    caller,
    event: 'commit',
    code: 'committed',
    from: Date.now() - 7 * DAY,
    limit: 100,
  } as const
  const made = await part(() => c.var.services.audit.page(week))
  const number = made === 'unread' ? 0 : made.entries.length
  return askedTwice(c, own.session, own.form, {
    question: `${ENDS[kind].verb} \u2068${name}\u2069?`,
    changes: [
      `It made ${number === 0 ? 'no change' : pluralOf(number, 'change')} this week.`,
      'It stops within a minute. A change that has begun is finished.',
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
    changes: ['A person who has it can sign in as you, and do everything that you can do here.'],
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
  if (!item) return nothingChanged(c, 'This passkey was removed already.')
  const asksForProof = await proofFor(c, own, {
    question: `Remove \u2068${item.name}\u2069?`,
    changes: [
      'It can no longer sign in or approve, and what was signed in with it is signed out.',
      ...(await stillApproved(c, approver)).map(
        (change) => `Already approved, and can still be made: ${change}`,
      ),
    ],
    facts: [id],
    verb: 'Remove it with your passkey',
    back: approver ? '/owner/settings/people' : '/owner/settings/passkeys',
  })
  if (asksForProof) return asksForProof
  if (!(await access.owner.removePasskey(id))) return 'last'
  c.var.note({
    event: 'enrolment',
    code: 'removed',
    about: { credential: await sha256Base64url(id) },
  })
  return 'passkey'
}

/** What an approver has approved and is not made yet: it can still be made after they are removed. */
async function stillApproved(c: Context<AppEnv>, approver: Passkey | undefined): Promise<string[]> {
  if (!approver) return []
  const { approvals, audit } = c.var.services
  const caller = await callerOfPasskey(approver)
  const given = {
    caller,
    event: 'approval',
    code: 'approved',
    from: Date.now() - DAY,
    limit: 50,
  } as const
  const ids = new Set(
    (await audit.page(given)).entries.flatMap(({ operation_id }) => operation_id ?? []),
  )
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
    changes: ['You and the people who approve are signed out on all devices.'],
    verb: 'Sign out everywhere',
    back: '/owner/settings/passkeys',
  })
  if (again) return again
  await c.var.services.access.owner.endSessions()
  return 'everywhere'
}

const NOT_MADE =
  'The connector could not check the new passkey, or it took longer than five minutes. Press Add a passkey again.'

export const notOwn = (c: Context<AppEnv>): Response | Promise<Response> =>
  nothingChanged(
    c,
    'You were signed out, or the page was too old. Open the page again, and press the button there.',
  )

export function nothingChanged(c: Context<AppEnv>, why: string): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  return c.html(notePage('Nothing was changed', c.var.site().practice.name, why), 403)
}
