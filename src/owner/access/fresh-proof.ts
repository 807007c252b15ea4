import type { AppContext } from '../../api/http/app-env.ts'
import { sha256Base64url, fromBase64url } from '../../core/crypto/encoding.ts'
import type { Facts } from '../../core/domain/facts.ts'
import { spokenName } from '../../core/domain/name.ts'
import { underName } from '../../core/domain/origin.ts'
import { jsonIn } from '../../core/json.ts'
import type { Passkey } from '../../core/ports/access.ts'
import type { ApprovalView } from '../../core/ports/confirmation.ts'
import { PageInstead, askToSignIn, noteAnswer } from './owner-pages.ts'
import {
  FIRST,
  type ConfirmView,
  type OwnerAct,
  type Question,
  confirmPage,
} from './pages/confirm.ts'
import {
  PROOF,
  type PasskeyServices,
  passkeyOptions,
  provenPasskey,
  type Purpose,
  newChallenge,
  openChallenge,
  type ApprovalQuestion,
  type NoProof,
  authenticationOptions,
  callerOfPasskey,
  isOwners,
  provenBy,
} from './passkey.ts'
import type { OwnForm, Session } from './session.ts'

/** Fields of a form that are not carried on: each page has its own. */
const OWN_FIELDS = new Set(['csrf', PROOF, FIRST])
const carriedOn = (form: URLSearchParams) => [...form].filter(([name]) => !OWN_FIELDS.has(name))

/**
 * Wants a passkey used for just this act, in this session, within five minutes and once. Raises the
 * page that asks for it, unless the form brings that proof: its button sends the same form again
 * with the proof.
 */
export async function wantProof(c: AppContext, own: OwnForm, act: OwnerAct): Promise<void> {
  const { session, form } = own
  if (session.isTrial) throw new PageInstead(notInTrial(c))
  const purpose = `act:${await digestOf(c.var.log.operation, act, session)}` as const
  const services = await passkeyServices(c)
  const given = form.get(PROOF)
  const proven =
    given === null ? undefined : await provenPasskey(services, purpose, jsonIn(given), isOwners)
  if (typeof proven === 'object') return
  if (proven !== undefined) {
    c.status(403)
    noteRefusedProof(c)
  }
  const options = JSON.stringify(await passkeyOptions(services, purpose))
  throw new PageInstead(asksAgain(c, own, act, { options, refused: proven }))
}

/** Logs that a passkey did not prove what it was asked for. */
export function noteRefusedProof(c: AppContext) {
  c.var.log.code = 'proof_refused'
  c.var.note({ event: 'refusal', code: 'unauthenticated' })
}

/** The field of a form that was asked about once more. */
const SURE = 'sure'

/** Raises a page that asks once more before what cannot be taken back, unless the form says it was asked. */
export function askTwice(c: AppContext, own: OwnForm, act: Question): void {
  if (own.form.has(SURE)) return
  own.form.set(SURE, '')
  throw new PageInstead(asksAgain(c, own, act))
}

/**
 * The page that lets the owner send a form once more which was sent after they were signed out: with a
 * button, or first with a sign-in. What was entered is in that page alone.
 */
export function sentTooLate(
  c: AppContext,
  session: Session | undefined,
  form: URLSearchParams,
  back: string,
) {
  c.status(403)
  c.var.log.code = 'form_refused'
  // This session was asked nothing yet.
  form.delete(SURE)
  if (session)
    return asksAgain(
      c,
      { session, form, back },
      {
        question: `Send the form “${spokenName(c.var.log.operation.replace('owner_', ''))}” again?`,
        changes: ['You signed in after you opened its page. Nothing was changed.'],
        verb: 'Send it',
      },
    )
  return askToSignIn(
    c,
    'Nothing was changed: you were signed out. Sign in, and you can send the form again as you filled it in.',
    { action: c.req.path, fields: carriedOn(form) },
  )
}

/**
 * The page that asks for an act, whose button sends the same form again: with a proof, where one is
 * wanted.
 */
function asksAgain(
  c: AppContext,
  { session: { csrf }, form, back = '/owner' }: OwnForm,
  act: Question,
  proof?: Pick<ConfirmView, 'options' | 'refused'>,
) {
  const page = confirmPage(c.var.site().practice.name, {
    act,
    ...proof,
    action: c.req.path,
    back,
    fields: carriedOn(form),
    csrf,
  })
  return c.html(page)
}

/** Refuses what a trial session cannot do, and says how it is done. */
export function notInTrial(c: AppContext) {
  c.var.log.code = 'proof_refused'
  const here = `--url ${underName(c.var.site().origin)}`
  const text =
    'This needs the owner’s passkey, and a trial has none. ' +
    `To try it, run: npm run enrol -- ${here}. ` +
    `To resume without a passkey, run: npm run pause -- --resume ${here}`
  return noteAnswer(c, 'Not in a trial', text, 403)
}

export async function passkeyServices(c: AppContext): Promise<PasskeyServices> {
  const { origin, practice } = c.var.site()
  const place = { origin, name: practice.name }
  return {
    access: c.var.services.access,
    keyring: await c.var.services.keyring(),
    place,
    now: Date.now(),
  }
}

const digestOf = (operation: string, { question, changes, facts }: OwnerAct, { hash }: Session) =>
  sha256Base64url(JSON.stringify([hash, operation, question, changes, facts]))

type Approved = Pick<ApprovalView, 'operation_id' | 'id' | 'shown' | 'digest'>

/** Asks for a passkey that approves just this, in this session, within five minutes and once. */
export async function askApproval(
  services: PasskeyServices,
  session: Session,
  approved: Approved,
): Promise<ApprovalQuestion> {
  const nonce = await newChallenge(services, purposeOf(session, approved))
  const challenge = fromBase64url(await challengeOf(approved, nonce))
  return {
    nonce,
    options: JSON.stringify(await authenticationOptions(services, challenge, isPasskeyOf(session))),
  }
}

/**
 * What proves offline, with the public key in its enrolment entry, that a passkey approved just
 * this; otherwise why not.
 */
export async function approvalProof(
  services: PasskeyServices,
  session: Session,
  approved: Approved,
  { nonce, answer }: { nonce: string; answer: unknown },
): Promise<{ by: string; proof: Facts } | NoProof> {
  const once = await openChallenge(services, purposeOf(session, approved), nonce)
  if (!once) return 'ended'
  const text = await challengeOf(approved, nonce)
  const proven = await provenBy(services, answer, { text, once }, isPasskeyOf(session))
  if (typeof proven === 'string') return proven
  const { shown, digest } = approved
  const {
    passkey,
    response: { response },
  } = proven
  const proof = {
    shown,
    digest,
    nonce,
    credential: await sha256Base64url(passkey.id),
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
  return { by: await callerOfPasskey(passkey), proof }
}

/** The owner uses any passkey of the owner, someone who approves the one that they signed in with. */
const isPasskeyOf =
  ({ approver }: Session) =>
  (passkey: Passkey) =>
    approver === null ? isOwners(passkey) : passkey.id === approver

/** What the passkey signs: `SHA-256("approve-v1|approve|" shown "|" digest "|" nonce)`, in base64url. */
const challengeOf = ({ shown, digest }: Approved, nonce: string) =>
  sha256Base64url(['approve-v1', 'approve', shown, digest, nonce].join('|'))

const purposeOf = ({ hash }: Session, { operation_id, id, digest }: Approved): Purpose =>
  `approve:${[hash, operation_id, id, digest].join('.')}`
