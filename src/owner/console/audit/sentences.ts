import { html } from 'hono/html'

import { ifDefined } from '../../../api/http/html.ts'
import type { Html } from '../../../api/pages/layout.ts'
import type { AUDIT_CODES, AuditEvent } from '../../../core/domain/audit/entry.ts'
import { spokenName, uncapitalised } from '../../../core/domain/name.ts'
import { PROBLEMS } from '../../../core/domain/problem/problems.ts'
import { EVERYBODY } from '../../../core/domain/rules/house-rules.ts'
import type { AuditPage, NumberedEntry } from '../../../core/ports/audit.ts'
import { RULE_TITLES } from '../../../practice/operations/house-rules.ts'
import { OPERATIONS, PAGE_MUTATIONS } from '../../../practice/operations/index.ts'
import { WITHDRAW } from '../../../practice/operations/invite-client.ts'
import { type CallerNames, callerLink, callerPath, holderOf, nameOf } from '../shell/items.ts'

/** What entries are about, masked, and who approved which change. */
export interface EntryFacts {
  /** By the id of the record, or by `previewOf` of a preview that became one. */
  records: ReadonlyMap<string, string>
  approvers: ReadonlyMap<string, string>
}

/** Entries of the log, with what they are about; `next` is where the page after them begins. */
export interface ShownEntries extends AuditPage {
  facts: EntryFacts
}

export const NO_FACTS: EntryFacts = { records: new Map(), approvers: new Map() }

/** A preview, by its change and what it showed; a commit of just that has the same. */
export const previewOf = ({ operation_id, shown }: NumberedEntry) => `${operation_id}|${shown}`

const titles = new Map([...OPERATIONS, ...PAGE_MUTATIONS].map(({ name, title }) => [name, title]))

export const operationTitle = (name: string) => titles.get(name) ?? spokenName(name)

export const codeTitle = (code: string) =>
  code in PROBLEMS ? PROBLEMS[code as keyof typeof PROBLEMS].title : spokenName(code)

/** What a change is called once it is made, and as a thing. A later kind of change is said by its title. */
const CHANGES: Record<string, { done: string; thing: string }> = {
  book_consult: { done: 'booked a consult', thing: 'a consult' },
  reschedule_booking: { done: 'moved a consult', thing: 'a move of a consult' },
  cancel_booking: { done: 'cancelled a consult', thing: 'a cancellation' },
  respond_to_booking: {
    done: 'answered a booking request',
    thing: 'an answer to a booking request',
  },
  create_client_profile: { done: 'created a client', thing: 'a new client' },
  submit_intake_answers: { done: 'submitted intake answers', thing: 'intake answers' },
  create_payment_link: { done: 'made a payment link', thing: 'a payment link' },
  end_payment_link: { done: 'ended a payment link', thing: 'the end of a payment link' },
  invite_client: { done: 'made a client link', thing: 'a client link' },
  complete_client_link: { done: 'filled it in', thing: 'a client link that is filled in' },
  withdraw_client_link: { done: 'withdrew a client link', thing: 'the end of a client link' },
}

/** `book a consult`, for the middle of a sentence. */
const actOf = (operation: string) => uncapitalised(operationTitle(operation))

const doneOf = (operation: string) =>
  CHANGES[operation]?.done ?? `made a change: ${actOf(operation)}`

const OF_THE_OWNER: ReadonlySet<AuditEvent> = new Set([
  'approval',
  'consent',
  'sign_in',
  'resolution',
  'review',
])

/** The owner in words, where an entry is of the owner: over the API it is of the first key. */
function ownerOf({ caller, operation, event }: NumberedEntry) {
  // It is kept under the link, but no holder of a link withdraws it.
  if (operation === WITHDRAW) return 'You (or an admin key)'
  if (caller !== 'owner') return undefined
  return operation.startsWith('owner_') || OF_THE_OWNER.has(event) ? 'You' : 'Your first key'
}

/** Who acted, in a sentence: a row is one link, so no one in it is a link of their own. */
const whoOf = (entry: NumberedEntry, names: CallerNames) =>
  html`<bdi>${ownerOf(entry) ?? nameOf(names, entry.caller)}</bdi>`

/** The same with the way to the page of the caller. */
export const whoLink = (entry: NumberedEntry, names: CallerNames) => {
  const owner = ownerOf(entry)
  if (owner === undefined) return callerLink(names, entry.caller)
  return owner === 'Your first key'
    ? html`<a href="${callerPath('owner')}">${owner}</a>`
    : html`${owner}`
}

/** What a sentence is made of. */
interface Said {
  entry: NumberedEntry
  who: Html
  /** `book a consult`, and `a consult`. */
  act: string
  thing: string
  /** What its code is called. */
  title: string
  /** What it is about, after a colon; nothing where that is not known. */
  fact: Html | ''
  /** Whose passkey it is about, after a colon; nothing for the owner's. */
  holder: Html | ''
  /** The name of the key or caller that it is about. */
  about: Html
}

type Sentence = (said: Said) => Html

/** The app that an entry names, after a colon. */
const itsApp = ({ entry: { app } }: Said) => (app === null ? '' : `: ${app}`)

const webhook =
  (act: string): Sentence =>
  ({ who }) =>
    html`${who} ${act} a webhook`

/**
 * A sentence for each event and each code of its own; `other` is for the codes of problems, checks
 * and topics.
 */
const SENTENCES: {
  [E in AuditEvent]: Record<
    E extends keyof typeof AUDIT_CODES ? (typeof AUDIT_CODES)[E][number] : never,
    Sentence
  > & { other?: Sentence }
} = {
  preview: {
    ok: ({ who, thing, fact }) => html`${who} previewed ${thing}${fact}`,
    approval_needed: ({ who, thing, fact }) =>
      html`${who} previewed ${thing}${fact}. A person has to approve it.`,
    approval_lifted: ({ who, act, fact }) =>
      html`${who} asked again to ${act}${fact}. Your approval was no longer needed.`,
  },
  commit: {
    committed: ({ who, entry, fact }) =>
      html`${who} ${doneOf(entry.operation)}${fact}${notAsPreviewed(entry)}`,
    other: ({ who, act, title, fact }) => html`${who} tried to ${act}${fact}. ${title}.`,
  },
  approval: {
    approved: ({ who, thing, fact }) => html`${who} approved ${thing}${fact}`,
    declined: ({ who, thing, fact }) => html`${who} declined ${thing}${fact}`,
  },
  replay: {
    preview: ({ who, thing }) =>
      html`${who} asked again for the preview of ${thing}, and got the same one`,
    committed: ({ who, act, fact }) =>
      html`${who} repeated a call to ${act}${fact}, and got the same answer. Nothing was done twice.`,
    other: ({ who, act, title }) =>
      html`${who} repeated a call to ${act}, and got the same refusal. ${title}.`,
  },
  refusal: { other: refused },
  unresolved: {
    outcome_unknown: ({ who, act, fact }) =>
      html`${who} tried to ${act}${fact}. The provider did not answer`,
    needs_attention: ({ act, fact }) =>
      html`The connector does not know whether a call to ${act}${fact} took effect. Check at the provider, and record the outcome on Home.`,
  },
  resolution: {
    happened: ({ act }) => html`You resolved an uncertain change: it was made (${act})`,
    did_not_happen: ({ act }) => html`You resolved an uncertain change: it was not made (${act})`,
  },
  sign_in: { ok: ({ who }) => html`${who} signed in` },
  enrolment: {
    added: ({ holder }) => html`A passkey was added${holder}`,
    renamed: ({ holder }) => html`A passkey was renamed${holder}`,
    invited: () => html`You invited a person to approve changes`,
    removed: ({ holder }) => html`A passkey was removed${holder}`,
    let_in: () => html`You allowed a passkey again that was held after the restore`,
  },
  consent: {
    allowed: (said) => html`You connected an app${itsApp(said)}`,
    denied: (said) => html`You refused an app${itsApp(said)}`,
    disconnected: (said) => html`You disconnected an app${itsApp(said)}`,
    repeated: (said) =>
      html`An app used one refresh token twice within 30 seconds and got the same answer. It had two windows open, or an answer was lost${itsApp(said)}`,
    reused: (said) =>
      html`An app was disconnected, because its sign-in code or refresh token was used a second time, by a copy of the app or by another program. Connect it again if you know why${itsApp(said)}`,
  },
  key: {
    created: ({ who, about }) => html`${who} made the key “${about}”`,
    rotated: ({ who, about }) => html`${who} gave the key “${about}” another secret`,
    revoked: ({ who, about }) => html`${who} revoked the key “${about}”`,
    reviewed: ({ who }) => html`${who} confirmed the apps and keys from before a provider was live`,
    let_in: ({ about }) =>
      html`You allowed the key “${about}” again, which was held after the restore`,
  },
  rules: {
    paused: ({ who, about }) => html`${who} paused ${about}`,
    resumed: ({ who, about }) => html`${who} resumed ${about}`,
    changed: ({ who, about }) => html`${who} changed the rules of ${about}`,
  },
  webhook: {
    created: webhook('created'),
    rotated: webhook('gave another secret to'),
    resumed: webhook('resumed'),
    removed: webhook('removed'),
    paused_by_owner: webhook('paused'),
    paused: ({ who }) => html`A webhook of ${who} was paused, because its deliveries failed`,
    ended: ({ who }) => html`A webhook of ${who} ended, because its receiver or its maker is gone`,
  },
  deletion: { ok: ({ who }) => html`${who} deleted a client` },
  log_key: { added: () => html`The log got a new signing key` },
  retention: {
    dropped: ({ entry }) =>
      html`Entries below ${entry.about?.['dropped_below']} were old enough to be dropped`,
  },
  review: {
    noted: ({ entry }) => html`You reviewed the log, up to entry ${entry.about?.['up_to']}`,
    refusals_dismissed: ({ about }) => html`You dismissed the refusals of “${about}” on Home`,
    repaired: () => html`You said that what a provider refused is mended`,
  },
  backup: {
    ok: ({ who, entry }) =>
      entry.caller === 'none' ? html`A backup was made` : html`${who} got a backup`,
  },
  restored: { ok: () => html`The connector was restored from a backup` },
  found_after_restore: {
    other: ({ entry, fact }) =>
      html`Found at a provider after the restore: ${spokenName(entry.code)}${fact}`,
  },
  check: {
    ok: ({ entry }) =>
      entry.operation === REGISTERS
        ? html`The connector registered its webhooks at the providers`
        : html`The connector checked itself and found no problem`,
    alert_arrived: ({ who }) => html`${who} had a test alert sent, and it was delivered`,
    acted_on_mock: () => html`Someone acted on the mock calendar, as if at the provider`,
    other: ({ entry, title }) =>
      entry.operation === REGISTERS
        ? html`The connector could not register a webhook at a provider: ${title}`
        : html`A check of the connector failed: ${title}`,
  },
}

function notAsPreviewed({ about }: NumberedEntry) {
  const differs = about?.['differs_from_preview']
  return typeof differs === 'string'
    ? html`. This is not what the preview showed: ${differs.replaceAll('_', ' ')}`
    : ''
}

/** The call that registers webhooks at the providers is a check in the log, too. */
const REGISTERS = 'register_provider_webhooks'

/** Refusals with a sentence of their own, in place of the title of their problem. */
const REFUSED: Record<string, Sentence> = {
  protocol_error: ({ who }) =>
    html`${who} sent a call that the connector does not know, or could not read`,
  notification_refused: ({ entry }) =>
    html`A notification was refused: it is not signed as those of ${providerOf(entry)} are`,
  approval_pending: ({ who, act, fact }) =>
    html`${who} is waiting for a person to approve: ${act}${fact}`,
  approval_declined: ({ who, act, fact }) =>
    html`${who} was told that a person declined: ${act}${fact}`,
  confirmation_expired: ({ who, act }) =>
    html`${who} came too late to ${act}: its preview had expired`,
  idempotency_key_reused: ({ who, act }) =>
    html`${who} was refused: it used one idempotency key for two different calls (${act})`,
  insufficient_scope: ({ who, act }) =>
    html`${who} could not ${act}, because you had not allowed it`,
  rate_limited: ({ who, act }) => html`${who} had to wait to ${act}: it called too often`,
  paused: ({ who, act }) => html`${who} could not ${act}, because it was paused`,
  house_rule: ({ who, act, entry }) => {
    const rule = String(entry.about?.['rule'] ?? '')
    const named =
      rule in RULE_TITLES
        ? `Your rule “${RULE_TITLES[rule as keyof typeof RULE_TITLES]}” forbids it`
        : 'One of your rules forbids it'
    return html`${who} could not ${act}. ${named}.`
  },
}

function refused(said: Said) {
  const { who, act, entry, title } = said
  const { operation, code } = entry
  if (operation.startsWith('owner_') && code === 'unauthenticated')
    return html`A passkey was refused in the console`
  const known = Object.hasOwn(REFUSED, code) ? REFUSED[code] : undefined
  // `mcp`, say, is a place and no act.
  const isAct = titles.has(operation) || operation.includes('_')
  if (known && (isAct || !OF_ACTS.has(code))) return known(said)
  return isAct
    ? html`${who} could not ${act}. ${title}.`
    : html`${who} made a call that was refused. ${title}.`
}

/** These say what was tried. */
const OF_ACTS: ReadonlySet<string> = new Set(
  Object.keys(REFUSED).filter((code) => !['protocol_error', 'notification_refused'].includes(code)),
)

const providerOf = ({ operation }: NumberedEntry) =>
  spokenName(/calcom|calendly|stripe|mock/.exec(operation)?.[0] ?? 'the provider')

const colon = (text: string | undefined) =>
  text === undefined || text === '' ? '' : html`: <bdi>${text}</bdi>`

/**
 * An entry in a sentence: chosen by its event and its code, with what it is about and how often it
 * happened.
 */
export function inWords(entry: NumberedEntry, names: CallerNames, facts: EntryFacts = NO_FACTS) {
  const { event, code, operation, times, record_id, operation_id } = entry
  const said: Said = {
    entry,
    who: whoOf(entry, names),
    act: actOf(operation),
    thing: CHANGES[operation]?.thing ?? `a change: ${actOf(operation)}`,
    title: codeTitle(code),
    fact: colon(facts.records.get(record_id ?? previewOf(entry))),
    holder: colon(holderOf(names, entry)),
    about:
      record_id === null || record_id === EVERYBODY
        ? html`all callers`
        : html`<bdi>${nameOf(names, record_id)}</bdi>`,
  }
  const ofEvent: Record<string, Sentence | undefined> = SENTENCES[event]
  const sentence = (Object.hasOwn(ofEvent, code) && ofEvent[code]) || ofEvent['other'] || unknown
  const by = event === 'commit' ? facts.approvers.get(operation_id ?? '') : undefined
  const approved = ifDefined(
    by,
    (caller) =>
      html` · approved by <bdi>${caller === 'owner' ? 'you' : nameOf(names, caller)}</bdi>`,
  )
  return html`${sentence(said)}${approved}${times > 1 ? html` <strong>${times}\u00a0×</strong>` : ''}`
}

/** A code that this version does not know, in a log that a later one wrote. */
const unknown: Sentence = ({ who, entry, title }) =>
  html`${who}: ${spokenName(entry.event)}, ${title}`
