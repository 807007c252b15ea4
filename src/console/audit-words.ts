import { html } from 'hono/html'
import type { Html } from '../access/pages/layout.ts'
import { EVERYBODY } from '../domain/house-rules.ts'
import { PROBLEMS } from '../domain/problems.ts'
import { OPERATIONS, READS } from '../operations/index.ts'
import { AUDIT_EVENTS, type AuditEvent } from '../domain/audit-entry.ts'
import type { NumberedEntry } from '../ports/audit.ts'
import { type CallerNames, callerLink, nameOf } from './caller-names.ts'

const titles = new Map([...OPERATIONS, ...READS].map(({ name, title }) => [name, title]))

/** A name of a program as it is said: `Weekly check` for `weekly_check`. */
const spoken = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** What an operation is called; a call that is none is named by itself. */
export const operationTitle = (name: string): string => titles.get(name) ?? spoken(name)

/** What a code of the log means, where it is that of a problem. */
export const codeTitle = (code: string): string =>
  code in PROBLEMS ? PROBLEMS[code as keyof typeof PROBLEMS].title : spoken(code)

/** What each kind of entry is called, to choose from. */
export const EVENT_TITLES = {
  preview: 'Previews',
  commit: 'Changes that ended',
  approval: 'Approvals',
  replay: 'Repeats',
  refusal: 'Refusals',
  doubt: 'Outcomes not known',
  settlement: 'Outcomes that you settled',
  sign_in: 'Sign-ins',
  enrolment: 'Passkeys',
  consent: 'Apps let in or disconnected',
  key: 'API keys',
  rules: 'Rules and pauses',
  webhook: 'Webhooks',
  deletion: 'Clients deleted',
  log_key: 'Keys of the log',
  review: 'Reviews of the log',
  check: 'Self-checks',
} as const satisfies Record<AuditEvent, string>

/** How an entry is to be taken, for those who look down the list. */
export type Tone = 'good' | 'bad' | 'open' | 'plain'

export function toneOf({ event, code }: NumberedEntry): Tone {
  if (event === 'commit') return code === 'committed' ? 'good' : 'bad'
  if (event === 'refusal') return 'bad'
  if (event === 'doubt') return 'open'
  return 'plain'
}

const ACTS: Partial<Record<AuditEvent, Record<string, string>>> = {
  enrolment: {
    added: 'A passkey was added.',
    invited: 'You invited somebody to approve changes.',
    removed: 'A passkey was removed.',
  },
  key: {
    created: 'An API key was created.',
    rotated: 'An API key was given another secret.',
    revoked: 'An API key was revoked.',
  },
  webhook: {
    created: 'A webhook was created.',
    rotated: 'A webhook was given another secret.',
    resumed: 'A webhook was resumed.',
    removed: 'A webhook was removed.',
    paused: 'Deliveries to a webhook failed for so long that they stopped.',
    ended: 'A webhook ended: its receiver, or whoever made it, is gone.',
  },
  consent: {
    allowed: 'You let an app in',
    denied: 'You did not let an app in',
    disconnected: 'You disconnected an app',
    reused: 'A code or token was used twice, so the access of an app ended',
  },
}

/** An entry in a sentence. */
export function inWords(entry: NumberedEntry, names: CallerNames): Html {
  const { event, code, operation, app, times } = entry
  const who = callerLink(names, entry.caller)
  const what = operationTitle(operation)
  const often = times > 1 ? ` (${times} times)` : ''
  const act = ACTS[event]?.[code]
  switch (event) {
    case 'preview':
      return code === 'approval_lifted'
        ? html`${who} came back with: ${what}. No rule asked for a person any more.`
        : html`${who} previewed: ${what}.`
    case 'commit':
      return code === 'committed'
        ? html`${who} made a change: ${what}.`
        : html`${who} began: ${what}. It ended as “${codeTitle(code)}”.`
    case 'approval':
      return html`${entry.caller === 'owner' ? 'You' : who} ${DECISIONS[code] ?? 'decided about'} a change:
      ${what}.`
    case 'replay':
      return html`${who} repeated a call and got the answer that was there: ${what}${often}.`
    case 'refusal':
      return html`${who} was refused: ${what}. ${codeTitle(code)}${often}.`
    case 'doubt':
      return html`${who} sent: ${what}. Its outcome was not known then${often}.`
    case 'settlement':
      return html`You said that a change in doubt ${code === 'happened' ? 'happened' : 'did not happen'}.`
    case 'sign_in':
      return html`${entry.caller === 'owner' ? 'You' : who} signed in${often}.`
    case 'rules':
      return html`${who} ${RULES_ACTS[code] ?? 'changed the rules'}: ${rulesOf(entry, names)}.`
    case 'deletion':
      return html`${who} deleted a client.`
    case 'review':
      return html`You noted that you had looked through the log, up to entry ${entry.about?.['up_to']}.`
    case 'log_key':
      return html`A key began to sign the log.`
    case 'check':
      return code === 'ok'
        ? html`The connector examined itself, and all was well.`
        : html`The connector examined itself, and “${codeTitle(code)}” was not well.`
    default:
      if (act === undefined) return html`${AUDIT_EVENTS[event]} ${codeTitle(code)}${often}.`
      return app === null ? html`${act.replace(/\.?$/, '.')}` : html`${act}, of ${app}.`
  }
}

const DECISIONS: Record<string, string> = { approved: 'approved', declined: 'declined' }

const RULES_ACTS: Record<string, string> = {
  paused: 'paused',
  resumed: 'resumed',
  changed: 'changed the rules of',
}

const rulesOf = ({ record_id }: NumberedEntry, names: CallerNames): string =>
  record_id === null || record_id === EVERYBODY ? 'all callers' : nameOf(names, record_id)
