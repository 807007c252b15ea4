import type { Facts } from '../facts.ts'

/** What the audit log records; each entry is one of these. */
export const AUDIT_EVENTS = {
  preview: 'A change was shown, and not made yet.',
  commit: 'A change has ended; the code says how.',
  approval: 'A person approved a change, or declined it.',
  replay: 'A call was repeated and got the stored answer.',
  refusal: 'A call was refused; the code is that of the problem.',
  unresolved: 'A change was sent and its outcome is not known.',
  resolution: 'The owner recorded the outcome of an uncertain change.',
  sign_in: 'The owner signed in.',
  enrolment: 'A passkey of the owner was added or removed.',
  consent:
    'The owner connected, refused or disconnected an app; ' +
    'or an app lost its access because a code or token was used twice.',
  key:
    'An API key was created, rotated or revoked, or the owner confirmed the keys and apps ' +
    'from before a provider was live.',
  rules: 'House rules were changed, or one caller or all callers were paused or resumed.',
  webhook: 'A webhook was created, changed or removed, or its deliveries stopped.',
  deletion: 'The owner deleted a client.',
  log_key: 'A key signs the log from here on; `vkey` is its public half.',
  retention:
    'Entries below `dropped_below`, all older than `older_than`, are dropped, but for the ' +
    '`kept` ones that never are.',
  review: 'The owner read the log up to `up_to`, dismissed refusals, or called a change mended.',
  backup: 'The owner downloaded a backup, or the connector made one automatically.',
  restored:
    'The connector was restored from a backup that had the first `size` entries, with this ' +
    '`root`; what came after them was lost, and its numbers are given again.',
  found_after_restore:
    'The first look at a provider after a restore found a change that the backup did not ' +
    'have; the code is the topic of its event.',
  check: 'The connector examined itself; the code is `ok`, or names the first check that failed.',
} as const

export type AuditEvent = keyof typeof AUDIT_EVENTS

/** The code of a check in which the owner had an alert sent, and it was delivered. */
export const ALERT_ARRIVED = 'alert_arrived'

/**
 * The code where that change is the act of a client under a link, which the backup knows and its
 * completion it does not.
 */
export const LINK_COMPLETED = 'client_link_completed'

/**
 * The codes of the events that have a few of their own. A refusal has the code of a problem; a
 * commit, a repeat and a check have one of these, or that of a problem or of a failed check; what a
 * restore found has a topic.
 */
export const AUDIT_CODES = {
  preview: ['ok', 'approval_needed', 'approval_lifted'],
  commit: ['committed'],
  approval: ['approved', 'declined'],
  replay: ['preview', 'committed'],
  unresolved: ['needs_attention', 'outcome_unknown'],
  resolution: ['happened', 'did_not_happen'],
  sign_in: ['ok'],
  enrolment: ['added', 'renamed', 'invited', 'removed', 'let_in'],
  consent: ['allowed', 'denied', 'disconnected', 'repeated', 'reused'],
  key: ['created', 'rotated', 'revoked', 'reviewed', 'let_in'],
  rules: ['changed', 'paused', 'resumed'],
  webhook: ['created', 'rotated', 'resumed', 'removed', 'paused', 'paused_by_owner', 'ended'],
  deletion: ['ok'],
  log_key: ['added'],
  retention: ['dropped'],
  review: ['noted', 'refusals_dismissed', 'repaired'],
  backup: ['ok'],
  restored: ['ok'],
  check: ['ok', 'acted_on_mock', ALERT_ARRIVED],
} as const satisfies Partial<Record<AuditEvent, readonly string[]>>

type OwnCode<E extends AuditEvent> = E extends keyof typeof AUDIT_CODES
  ? (typeof AUDIT_CODES)[E][number]
  : never

/** Events that have other codes too. */
type OpenEvent = 'commit' | 'replay' | 'refusal' | 'unresolved' | 'check' | 'found_after_restore'

/** An event with one of its codes. */
export type CodedEvent = {
  [E in AuditEvent]: { event: E; code: E extends OpenEvent ? string : OwnCode<E> }
}[AuditEvent]

/** Who agreed to a change, as its commit says in `approved`, and what that proves. */
export const APPROVED_BY = {
  person: 'approved by a person with a passkey',
  agent: 'confirmed by the caller alone, which does not prove that a person agreed',
  link_holder: 'made by a person with the client link',
  owner: 'made by the owner in the console',
} as const

export type ApprovedBy = keyof typeof APPROVED_BY

/** One entry of the audit log; nothing in it is personal. `at` and `id` together identify it. */
export interface AuditEntry {
  id: string
  /** Epoch milliseconds. */
  at: number
  event: AuditEvent
  /** Who called: the id of a caller, `owner`, or `none` where no one was known. */
  caller: string
  /** The host of the client app, where an app called. */
  app: string | null
  operation: string
  /** `ok`, `committed`, the code of a problem, or the act. */
  code: string
  /** The booking, client, intake, payment link, key or grant that it is about. */
  record_id: string | null
  /** The confirmation object in which it happened. */
  operation_id: string | null
  request_id: string | null
  /** How often: repeats of one kind in a short time are counted in one entry. */
  times: number
  /** Digest of what a preview showed, on preview and commit. */
  shown: string | null
  /** More about it, flat and never personal. */
  about: Facts | null
}

const EMPTY = {
  app: null,
  record_id: null,
  operation_id: null,
  request_id: null,
  times: 1,
  shown: null,
  about: null,
} as const satisfies Partial<AuditEntry>

/** An entry; the fields that most leave empty may be left out. */
export const auditEntry = (
  entry: Omit<AuditEntry, keyof typeof EMPTY> & Partial<AuditEntry>,
): AuditEntry => ({ ...EMPTY, ...entry })

/** How a person who approves begins in the audit log, and in a session. */
export const APPROVER = 'approver:'

/**
 * Who a person who approves is in the audit log; `credential` is the hash of their passkey, as its
 * entries have it.
 */
export const callerOfCredential = (credential: string) => APPROVER + credential.slice(0, 16)

const FORMULA = /^[=+\-@\t\r\n]/

/**
 * A line of CSV (RFC 4180), every field quoted; a possible formula gets an apostrophe in front, so
 * that it stays text.
 */
export const csvLine = (fields: readonly (string | number | boolean | null | undefined)[]) =>
  `${fields.map((field) => quoted(String(field ?? ''))).join(',')}\r\n`

const quoted = (text: string) =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
