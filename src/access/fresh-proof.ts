import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { sha256Base64url } from '../crypto/encoding.ts'
import { confirmPage } from './pages/confirm.ts'
import { PROOF, type PasskeyServices, passkeyOptions, provesPasskey } from './passkey.ts'
import { notePage } from './pages/layout.ts'
import type { Session } from './session.ts'

/** Something the owner is about to do that a session alone must not: it lets somebody in or do more, deletes, or exports. */
export interface OwnerAct {
  name:
    | 'resume'
    | 'loosen_rules'
    | 'add_passkey'
    | 'allow_app'
    | 'settle'
    | 'export_audit'
    | 'delete_client'
    | 'invite_approver'
  /** The question that the page puts, and the sentences under it: what the owner is shown is part of what is proven. */
  question: string
  changes: readonly string[]
  /** What exactly it changes, where the sentences do not say all of it. */
  facts: readonly string[]
  /** What the button says. */
  verb: string
  /** Where whoever does not want it after all goes on; the first page unless given. */
  back?: string
}

/** Fields of a form that are not carried on: each page has its own. */
const OWN_FIELDS = new Set(['csrf', PROOF])

/**
 * Wants a passkey used for just this act: within five minutes, in this session, and once. Undefined if the form brings
 * that proof. Otherwise the page that asks for it: it shows the act, and its button sends the same form again with the
 * proof. A proof for another act, for the same act with other facts, from another session, too old or used before is
 * worth nothing.
 */
export async function withoutProof(
  c: Context<AppEnv>,
  session: Session,
  form: URLSearchParams,
  act: OwnerAct,
): Promise<Response | undefined> {
  if (session.isTrial) return notInTrial(c)
  const purpose = `act:${await digestOf(act, session)}` as const
  const services = await passkeyServices(c)
  const given = form.get(PROOF)
  const proof = given === null ? undefined : await provesPasskey(services, purpose, parsed(given))
  if (proof === 'good') return undefined
  if (proof !== undefined) {
    c.var.log.code = 'proof_refused'
    c.var.note({ event: 'refusal', code: 'unauthenticated' })
  }
  const page = confirmPage(services.place.name, {
    act,
    action: c.req.path,
    fields: [...form].filter(([name]) => !OWN_FIELDS.has(name)),
    csrf: session.csrf,
    options: JSON.stringify(await passkeyOptions(services, purpose)),
    refused: proof,
  })
  return c.html(page, proof === undefined ? 200 : 403)
}

/** Refuses what a trial session cannot do, and says how it is done. */
export function notInTrial(c: Context<AppEnv>): Response | Promise<Response> {
  c.var.log.code = 'proof_refused'
  const { practice, origin } = c.var.site()
  const text = `This wants a passkey of the owner, and a trial session has none. To try it, run: npm run enrol -- --url ${origin}. To resume without one, run: npm run pause -- --resume`
  return c.html(notePage('Not in a trial', practice.name, text), 403)
}

/** What passkeys are checked with, for a request. */
export async function passkeyServices(c: Context<AppEnv>): Promise<PasskeyServices> {
  const { origin, practice } = c.var.site()
  const place = { origin, name: practice.name }
  return { access: c.var.services.access, keyring: await c.var.services.keyring(), place, now: Date.now() }
}

/** JSON of a form's field, or nothing. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const digestOf = ({ name, question, changes, facts }: OwnerAct, { hash }: Session): Promise<string> =>
  sha256Base64url(JSON.stringify([hash, name, question, changes, facts]))
