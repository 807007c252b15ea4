import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import type { AppContext } from '../../api/http/app-env.ts'
import { readForm } from '../../api/http/body.ts'
import { isForeignForm } from '../../api/http/foreign.ts'
import { newToken, sha256, sha256Base64url } from '../../core/crypto/encoding.ts'
import { APPROVER } from '../../core/domain/audit/entry.ts'
import { HOUR, MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Passkey } from '../../core/ports/access.ts'
import { isTrial } from './owner-pages.ts'

const LIFETIME = 12 * HOUR
/** What is kept with a session that was not opened by a passkey. */
const TRIAL = 'trial'
// Lax, not Strict: an app sends the browser here from its own site, and the owner may be signed in already.
const PAGES_ONLY = { path: '/', httpOnly: true, sameSite: 'Lax' } as const

/** The owner, or someone who may approve and decline changes, signed in with this browser. */
export interface Session {
  hash: string
  /** Goes into every form and is wanted back. */
  csrf: string
  /** It was opened by the link of a local trial: it looks, and gives no proof. */
  isTrial: boolean
  /** The passkey that opened it; null if it is the owner's. */
  approver: string | null
}

/** The valid session of a request of the owner, if any. That of someone who only approves is none. */
export async function sessionOf(c: AppContext): Promise<Session | undefined> {
  const session = await approverSessionOf(c)
  return session?.approver === null ? session : undefined
}

/** The valid session of a request of the owner, or of someone who approves changes. */
export async function approverSessionOf(c: AppContext): Promise<Session | undefined> {
  const token = getCookie(c, cookieName(c))
  if (token === undefined) return undefined
  const hash = await sha256(token)
  const content = await c.var.services.access.owner.readTicket('session', hash)
  if (content === undefined || (content === TRIAL && !isTrial(c))) return undefined
  const approver = content.startsWith(APPROVER) ? content.slice(APPROVER.length) : null
  return {
    hash,
    csrf: await sha256Base64url(`csrf:${token}`),
    isTrial: content === TRIAL,
    approver,
  }
}

/** Signs someone in with this browser, by a passkey used just now; a session that it had before ends. */
export const openSession = (c: AppContext, { id, role }: Pick<Passkey, 'id' | 'role'>) =>
  begin(c, (role === 'owner' ? 'owner:' : APPROVER) + id)

export const openTrialSession = (c: AppContext) => begin(c, TRIAL)

async function begin(c: AppContext, content: string) {
  const { owner } = c.var.services.access
  const before = await approverSessionOf(c)
  if (before) await owner.takeTicket('session', before.hash)
  const token = newToken()
  await owner.issueTicket('session', await sha256(token), content, LIFETIME)
  keep(c, cookieName(c), token, LIFETIME / SECOND)
}

/** Sets a cookie that only our own pages get, for so many seconds. */
const keep = (c: AppContext, name: string, value: string, maxAge: number) =>
  setCookie(c, name, value, { ...PAGES_ONLY, secure: isSecure(c), maxAge })

const drop = (c: AppContext, name: string) =>
  deleteCookie(c, name, { path: '/', secure: isSecure(c) })

export async function closeSession(c: AppContext, session: Session) {
  await c.var.services.access.owner.takeTicket('session', session.hash)
  drop(c, cookieName(c))
}

const SAID_FOR = MINUTE / SECOND
const doneName = (c: AppContext) => `${cookieName(c)}-done`

/** Makes the next page of this browser confirm what was done. */
export const remember = (c: AppContext, done: string) => keep(c, doneName(c), done, SAID_FOR)

/** What was done just before in this browser, once. */
export function recall(c: AppContext): string | undefined {
  const done = getCookie(c, doneName(c))
  if (done !== undefined) drop(c, doneName(c))
  return done
}

/** A form that a page of this session sent. */
export interface OwnForm {
  session: Session
  form: URLSearchParams
  /** The page on which it ends; the first page unless given. */
  back?: string
}

/** The form that a page of this session sent, or undefined for any other. */
export async function ownForm(
  c: AppContext,
  session: Session | undefined,
): Promise<OwnForm | undefined> {
  const form = session && (await formOfOurs(c))
  return form && isFormOf(session, form) ? { session, form } : undefined
}

/** The form that a page of ours sent, of whichever session; undefined for any other. */
export async function formOfOurs(c: AppContext): Promise<URLSearchParams | undefined> {
  const form = await readForm(c.req.raw)
  return isForeign(c) ? undefined : form
}

/** Whether a page of this session sent the form. */
export const isFormOf = ({ csrf }: Session, form: URLSearchParams) => form.get('csrf') === csrf

/** Whether another site's page may have sent this. A page of a trial hides its origin. */
export const isForeign = (c: AppContext) => isForeignForm(c, isTrial(c))

const isSecure = (c: AppContext) => c.var.site().origin.startsWith('https:')

/** The prefix binds the cookie to this host; browsers want https for it, which loopback does not have. */
const cookieName = (c: AppContext): string => (isSecure(c) ? '__Host-owner' : 'owner')
