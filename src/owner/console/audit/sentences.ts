import { html } from 'hono/html'

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

/** Who acted, with the way to the page of the caller. */
export const whoLink = (entry: NumberedEntry, names: CallerNames) => {
  const owner = ownerOf(entry)
  if (owner === undefined) return callerLink(names, entry.caller)
  return owner === 'Your first key'
    ? html`<a href="${callerPath('owner')}">${owner}</a>`
    : html`${owner}`
}

/** The call that registers webhooks at the providers is a check in the log, too. */
const REGISTERS = 'register_provider_webhooks'

/**
 * A sentence for each event and each code of its own, in which `wordsOf` fills what is in braces. A
 * fact, an app and a holder come after a colon, so a sentence ends with them. `other` is for the codes
 * of problems, checks and topics.
 */
const SENTENCES: {
  [E in AuditEvent]: Record<
    E extends keyof typeof AUDIT_CODES ? (typeof AUDIT_CODES)[E][number] : never,
    string
  > & { other?: string }
} = {
  preview: {
    ok: '{who} previewed {thing}{fact}',
    approval_needed: '{who} previewed {thing}{fact}. A person has to approve it.',
    approval_lifted: '{who} asked again to {act}{fact}. Your approval was no longer needed.',
  },
  commit: {
    committed: '{who} {done}{fact}{differs}',
    other: '{who} tried to {act}{fact}. {title}.',
  },
  approval: {
    approved: '{who} approved {thing}{fact}',
    declined: '{who} declined {thing}{fact}',
  },
  replay: {
    preview: '{who} asked again for the preview of {thing}, and got the same one',
    committed:
      '{who} repeated a call to {act}{fact}. The answer was the same, and nothing was done twice.',
    other: '{who} repeated a call to {act}, and got the same refusal. {title}.',
  },
  refusal: {},
  unresolved: {
    outcome_unknown: '{who} tried to {act}{fact}. The provider did not answer',
    needs_attention:
      'The connector does not know the outcome of a call to {act}{fact}. Check at the provider, and record it on Home.',
  },
  resolution: {
    happened: 'You resolved an uncertain change: it was made ({act})',
    did_not_happen: 'You resolved an uncertain change: it was not made ({act})',
  },
  sign_in: { ok: '{who} signed in' },
  enrolment: {
    added: 'A passkey was added{holder}',
    renamed: 'A passkey was renamed{holder}',
    invited: 'You invited a person to approve changes',
    removed: 'A passkey was removed{holder}',
    let_in: 'You allowed a passkey again that was held after the restore',
  },
  consent: {
    allowed: 'You connected an app{app}',
    denied: 'You refused an app{app}',
    disconnected: 'You disconnected an app{app}',
    repeated:
      'An app used one refresh token twice within 30 seconds{app}. It got the same answer: it had two windows open, or an answer was lost.',
    reused:
      'An app was disconnected{app}. Its sign-in code or refresh token was used a second time, by a copy of the app or by another program. Connect it again if you know why.',
  },
  key: {
    created: '{who} made the key “{about}”',
    rotated: '{who} gave the key “{about}” another secret',
    revoked: '{who} revoked the key “{about}”',
    reviewed: '{who} confirmed the apps and keys from before a provider was live',
    let_in: 'You allowed the key “{about}” again, which was held after the restore',
  },
  rules: {
    paused: '{who} paused {about}',
    resumed: '{who} resumed {about}',
    changed: '{who} changed the rules of {about}',
  },
  webhook: {
    created: '{who} created a webhook',
    rotated: '{who} gave another secret to a webhook',
    resumed: '{who} resumed a webhook',
    removed: '{who} removed a webhook',
    paused_by_owner: '{who} paused a webhook',
    paused: 'A webhook of {who} was paused, because its deliveries failed',
    ended: 'A webhook of {who} ended, because its receiver or its maker is gone',
  },
  deletion: { ok: '{who} deleted a client' },
  log_key: { added: 'The log got a new signing key' },
  retention: { dropped: 'Entries below {dropped_below} were old enough to be dropped' },
  review: {
    noted: 'You reviewed the log, up to entry {up_to}',
    refusals_dismissed: 'You dismissed the refusals of “{about}” on Home',
    repaired: 'You said that what a provider refused is mended',
  },
  backup: { ok: '{who} got a backup' },
  restored: { ok: 'The connector was restored from a backup' },
  found_after_restore: { other: 'Found at a provider after the restore: {code}{fact}' },
  check: {
    ok: 'The connector checked itself and found no problem',
    alert_arrived: '{who} had a test alert sent, and it was delivered',
    acted_on_mock: 'Someone acted on the mock calendar, as if at the provider',
    other: 'A check of the connector failed: {title}',
  },
}

/** What is said of such a check. */
const REGISTRATION = {
  ...SENTENCES.check,
  ok: 'The connector registered its webhooks at the providers',
  other: 'The connector could not register a webhook at a provider: {title}',
}

/** Refusals with a sentence of their own, in place of the title of their problem. */
const REFUSED: Record<string, string> = {
  protocol_error: '{who} sent a call that the connector does not know, or could not read',
  notification_refused: 'A notification was refused: it is not signed as those of {provider} are',
  approval_pending: '{who} is waiting for a person to approve {thing}{fact}',
  approval_declined: '{who} was told that a person declined {thing}{fact}',
  confirmation_expired: '{who} came too late to {act}: its preview had expired',
  idempotency_key_reused:
    '{who} was refused: it used one idempotency key for two different calls ({act})',
  insufficient_scope: '{who} could not {act}, because you had not allowed it',
  rate_limited: '{who} had to wait to {act}: it called too often',
  paused: '{who} could not {act}, because it was paused',
  house_rule: '{who} could not {act}. {rule}.',
}

/** The sentence of an entry. A later version may have written a code that this one does not know. */
function sentenceOf({ event, code, operation, caller }: NumberedEntry): string {
  if (event === 'refusal') return refused(operation, code)
  if (event === 'backup' && code === 'ok' && caller === 'none') return 'A backup was made'
  const ofEvent: Record<string, string | undefined> =
    event === 'check' && operation === REGISTERS ? REGISTRATION : SENTENCES[event]
  const known = Object.hasOwn(ofEvent, code) ? ofEvent[code] : ofEvent['other']
  return known ?? '{who}: {event}, {title}'
}

function refused(operation: string, code: string) {
  if (operation.startsWith('owner_') && code === 'unauthenticated')
    return 'A passkey was refused in the console'
  const known = Object.hasOwn(REFUSED, code) ? REFUSED[code] : undefined
  // `mcp`, say, is a place and no act.
  const isAct = titles.has(operation) || operation.includes('_')
  if (known !== undefined && (isAct || !/\{(?:act|thing)\}/.test(known))) return known
  return isAct ? '{who} could not {act}. {title}.' : '{who} made a call that was refused. {title}.'
}

const colon = (text: string | undefined) =>
  text === undefined || text === '' ? '' : html`: <bdi>${text}</bdi>`

/** What the sentences are filled with; a row is one link, so no one in it is a link of their own. */
function wordsOf(
  entry: NumberedEntry,
  names: CallerNames,
  { records }: EntryFacts,
): Record<string, unknown> {
  const { event, caller, app, operation, code, record_id, about } = entry
  const { differs_from_preview: differs, rule } = about ?? {}
  const act = uncapitalised(operationTitle(operation))
  const { done = `made a change: ${act}`, thing = `a change: ${act}` } = CHANGES[operation] ?? {}
  return {
    ...about,
    who: html`<bdi>${ownerOf(entry) ?? nameOf(names, caller)}</bdi>`,
    act,
    done,
    thing,
    event: spokenName(event),
    code: spokenName(code),
    title: codeTitle(code),
    // What it is about, and whose passkey that is; nothing where that is not known, or the owner's.
    fact: colon(records.get(record_id ?? previewOf(entry))),
    holder: colon(holderOf(names, entry)),
    app: colon(app ?? undefined),
    about:
      record_id === null || record_id === EVERYBODY
        ? 'all callers'
        : html`<bdi>${nameOf(names, record_id)}</bdi>`,
    differs:
      typeof differs === 'string' &&
      `. This is not what the preview showed: ${differs.replaceAll('_', ' ')}`,
    provider: spokenName(/calcom|calendly|stripe|mock/.exec(operation)?.[0] ?? 'the provider'),
    rule:
      typeof rule === 'string' && rule in RULE_TITLES
        ? `Your rule “${RULE_TITLES[rule as keyof typeof RULE_TITLES]}” forbids it`
        : 'One of your rules forbids it',
  }
}

/**
 * An entry in a sentence: chosen by its event and its code, with what it is about and how often it
 * happened.
 */
export function inWords(entry: NumberedEntry, names: CallerNames, facts: EntryFacts = NO_FACTS) {
  const { event, times, operation_id } = entry
  const words = wordsOf(entry, names, facts)
  const parts = sentenceOf(entry).split(/\{(\w+)\}/)
  const by = event === 'commit' ? facts.approvers.get(operation_id ?? '') : undefined
  const approved =
    by !== undefined &&
    html` · approved by <bdi>${by === 'owner' ? 'you' : nameOf(names, by)}</bdi>`
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : words[part]))}${approved}${times > 1 && html` <strong>${times}\u00a0×</strong>`}`
}
