import type { Context } from 'hono'
import { disconnect } from '../../access/connected-apps.ts'
import type { OwnerAct } from '../../access/pages/confirm.ts'
import { parsed, passkeyServices, withoutProof } from '../../access/fresh-proof.ts'
import { OWNER_ID } from '../../access/oauth-server.ts'
import { pageUnderName } from '../../access/owner-services.ts'
import { notePage } from '../../access/pages/layout.ts'
import { signInPage } from '../../access/pages/sign-in.ts'
import { factsOfPasskey, isOwners, newPasskey } from '../../access/passkey.ts'
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
import { approverItem, approversAmong, passkeyItem, type Visit } from './load.ts'

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
  passkey: 'The passkey is removed, and all sign-ins have ended, this one too.',
  last: 'The last passkey stays: without it nobody could sign in.',
  reviewed: 'It is noted that you have looked through the log.',
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

export const disconnectApp: Act = async (c, { form }) => {
  await disconnect(c, form.get('id') ?? '')
  return 'app'
}

export const revokeOwnersKey: Act = async (c, { form }) => {
  await revokeKey(c, form.get('id') ?? '')
  return 'key'
}

/** Adds the passkey that the browser has just made, on the proof of another one for just this one. */
export const addPasskey: Act = async (c, own) => {
  const services = await passkeyServices(c)
  const made = await newPasskey(services, parsed(own.form.get('credential') ?? ''))
  if (!made) return nothingChanged(c, NOT_MADE)
  const { id, publicKey } = made.passkey
  const asksForProof = await proofFor(c, own, {
    name: 'add_passkey',
    question: 'Add the passkey that you have just made?',
    changes: ['Whoever holds it can sign in as the owner, and do everything that you can do here.'],
    facts: [id, publicKey],
    verb: 'Add it, with a passkey you had before',
    back: '/owner/settings',
  })
  if (asksForProof) return asksForProof
  const about = await factsOfPasskey(made.passkey)
  await c.var.noteBefore({ event: 'enrolment', code: 'added', about })
  return (await services.access.owner.enrol(made.passkey, made.challenge, undefined))
    ? 'added'
    : nothingChanged(c, NOT_MADE)
}

/** Removes a passkey, on a proof: a session alone could lock out the owner or whoever approves. */
export const removePasskey: Act = async (c, own) => {
  const id = own.form.get('id') ?? ''
  const { access } = c.var.services
  const all = await access.owner.passkeys()
  const owners = all.filter(isOwners).map(passkeyItem)
  const approver = approversAmong(all).find((one) => one.id === id)
  if (!approver && owners.length < 2) return 'last'
  const item = approver ? approverItem(approver) : owners.find((one) => one.id === id)
  if (!item) return nothingChanged(c, 'This passkey is not there any more.')
  const asksForProof = await proofFor(c, own, {
    name: 'remove_passkey',
    question: `Remove \u2068${item.name}\u2069?`,
    changes: ['Nobody can sign in or approve with it any more.', 'All sign-ins end, this one too.'],
    facts: [id],
    verb: 'Remove it with your passkey',
    back: '/owner/settings',
  })
  if (asksForProof) return asksForProof
  if (!(await access.owner.removePasskey(id))) return 'last'
  c.var.note({ event: 'enrolment', code: 'removed', about: { credential: await sha256Base64url(id) } })
  return 'passkey'
}

export async function signOut(c: Context<AppEnv>): Promise<Response> {
  const { access } = c.var.services
  const session = await approverSessionOf(c, access)
  if (!session || !ownForm(c, session, await readBody(c.req.raw))) return notOwn(c)
  await closeSession(c, access, session)
  return c.redirect('/owner', 303)
}

export const signOutEverywhere: Act = async (c) => {
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
