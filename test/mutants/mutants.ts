/** A bug on purpose: one replacement in one file, and the unit tests that each have to notice it. */
export interface Mutant {
  name: string
  file: string
  /** Must occur exactly once in the file. */
  search: string
  replace: string
  /** Files in test/unit, without the ending. */
  red: readonly string[]
}

const flow = 'src/confirm/flow.ts'
const hands = 'src/confirm/hands.ts'
const machine = 'src/confirm/machine.ts'
const running = 'src/confirm/running.ts'

const promises: readonly Mutant[] = [
  {
    name: 'no single flight',
    file: flow,
    search: 'const live = this.#tasks.current !== undefined',
    replace: 'const live = false',
    red: ['flow-commit'],
  },
  {
    name: 'no write-ahead: a send is not counted',
    file: running,
    search: 'tries: record.tries + 1,',
    replace: 'tries: record.tries,',
    red: ['machine-explored', 'flow-crash'],
  },
  {
    name: 'no write-ahead: a send is not saved before it leaves',
    file: flow,
    search: 'if (out.record) this.#save(',
    replace: "if (out.record && out.todo !== 'run') this.#save(",
    red: ['flow-commit', 'flow-crash'],
  },
  {
    name: 'lost entry: a fresh preview drops what the one before had still to deliver',
    file: machine,
    search: 'record?.outbox && { outbox: record.outbox }',
    replace: 'record?.outbox && {}',
    red: ['flow-audit'],
  },
  {
    name: 'lost entry: a delivery that failed counts as one that arrived',
    file: 'src/confirm/hands.ts',
    search: '} catch {\n      return []',
    replace: '} catch {\n      return rows.map(({ id }) => id)',
    red: ['flow-audit'],
  },
  {
    name: 'double entry: an entry has another name each time it is sent',
    file: 'src/confirm/audit-entries.ts',
    search: 'id: `${operationId.slice(0, 16)}.${id}`',
    replace: 'id: `${operationId.slice(0, 16)}.${id}.${Math.random()}`',
    red: ['flow-audit'],
  },
  {
    name: 'a repeat is not audited, since the flow changed nothing',
    file: 'src/operations/perform.ts',
    search: 'if (!reply.audited) {',
    replace: 'if (reply.audited) {',
    red: ['flow-audit'],
  },
  {
    name: 'a commit is in the way of others while its records are written',
    file: flow,
    search: '|| this.#tasks.current !== undefined\n',
    replace: '|| this.#tasks.current !== undefined || this.#delivery !== undefined\n',
    red: ['flow-outbox'],
  },
  {
    name: 'a preview is purged before the audit log knows of it',
    file: 'src/confirm/record.ts',
    search: 'return record.outbox ? undefined : record.expiresAt',
    replace: 'return record.expiresAt',
    red: ['flow-audit'],
  },
  {
    name: 'no fingerprint: the payload is not compared',
    file: machine,
    search: '? fingerprints[record.keyId] === record.fingerprint',
    replace: '? true',
    red: ['machine', 'machine-modelled', 'flow-preview'],
  },
  {
    name: 'no expiry',
    file: machine,
    search: 'record.spent !== undefined || now >= record.expiresAt ||',
    replace: 'record.spent !== undefined ||',
    red: ['machine', 'flow-preview'],
  },
  {
    name: 'no expiry while the facts are read again',
    file: machine,
    search: 'if (record.spent || now >= record.expiresAt)',
    replace: 'if (record.spent)',
    red: ['machine', 'flow-preview'],
  },
  {
    name: 'no mask',
    file: 'src/domain/email.ts',
    search: 'export function maskEmail(text: string): string {',
    replace: "export function maskEmail(text: string): string {\n  if (text !== '') return text",
    red: ['email', 'flow-reschedule'],
  },
  {
    name: 'no outbox',
    file: running,
    search: 'records.map(recordItem)',
    replace: 'records.slice(records.length).map(recordItem)',
    red: ['flow-outbox'],
  },
  {
    name: 'no outbox: a failed delivery is not tried again',
    file: 'src/confirm/outbox.ts',
    search: 'if (items.length === 0) return rest as R',
    replace: 'if (items.length === 0 || !ok) return rest as R',
    red: ['machine-alarm', 'flow-outbox'],
  },
  {
    name: 'the token is not bound to its key',
    file: 'src/confirm/token.ts',
    search: '`${name}|${id}`',
    replace: '`${id}${name.slice(0, 0)}`',
    red: ['token', 'flow-preview'],
  },
  {
    name: 'a commit needs no preview',
    file: machine,
    search: "if (!call.confirm) return { record, todo: 'prepare' }",
    replace: "if (call.token !== 'missing' || !call.confirm) return { record, todo: 'prepare' }",
    red: ['machine', 'flow-preview'],
  },
  {
    name: 'the live facts are not compared',
    file: machine,
    search: 'if (changes.length > 0)',
    replace: 'if (changes.length > 99)',
    red: ['machine', 'flow-preview'],
  },
  {
    name: 'a lock that another flow holds is ignored',
    file: hands,
    search: "(await this.#host.take(targets)) === 'held'",
    replace: "(await this.#host.take(targets)) === ('nobody' as string)",
    red: ['flow-doubt'],
  },
]

/** The bugs that such a machine is likely to have. */
const likely: readonly Mutant[] = [
  {
    name: 'an await between read and write',
    file: flow,
    search: "let out = this.#apply({ type: 'call'",
    replace: "await Promise.resolve()\n    let out = this.#apply({ type: 'call'",
    red: ['flow-commit'],
  },
  {
    name: 'a preview that comes back late takes the place of another',
    file: machine,
    search: 'if (!replaces) {',
    replace: "if (!replaces && record.at !== 'previewed') {",
    red: ['machine', 'machine-modelled', 'flow-races'],
  },
  {
    name: 'an alarm takes a live task for a crash',
    file: running,
    search: 'if (live) return { record: { ...record, wake: now + SCHEDULE.hold } }',
    replace: '',
    red: ['machine-explored', 'flow-commit'],
  },
  {
    name: 'an alarm during a live task is used up',
    file: running,
    search: 'if (live) return { record: { ...record, wake: now + SCHEDULE.hold } }',
    replace: 'if (live) return { record }',
    red: ['machine-alarm', 'flow-commit'],
  },
  {
    name: 'an alarm makes the machine deaf to its live task',
    file: running,
    search: 'if (live) return { record: { ...record, wake: now + SCHEDULE.hold } }',
    replace: 'if (live) return put(record, { wake: now + SCHEDULE.hold })',
    red: ['machine-explored', 'flow-commit'],
  },
  {
    name: 'a refusal is believed after doubt',
    file: running,
    search: "if (how === 'run' && record.tries > 1) return unresolved",
    replace: '',
    red: ['machine-explored', 'machine-modelled', 'flow-doubt'],
  },
  {
    name: 'an alarm books the wrong person',
    file: 'src/operations/reschedule-steps.ts',
    search: '(await mac(canonicalEmail(invitee.email))) === pinned.invitee_mac',
    replace: "(await mac(canonicalEmail(invitee.email))) !== ''",
    red: ['flow-reschedule'],
  },
  {
    name: 'a stale preview is replayed for ever',
    file: machine,
    search: 'record.spent !== undefined || now >= record.expiresAt ||',
    replace: 'now >= record.expiresAt ||',
    red: ['machine', 'flow-preview'],
  },
  {
    name: 'a rotation is seen as drift',
    file: hands,
    search: "ports.keyring.mac(keyId, 'pin', text)",
    replace: "ports.keyring.mac(ports.keyring.current, 'pin', text)",
    red: ['flow-rotation'],
  },
  {
    name: 'another adapter is asked about what it never did',
    file: hands,
    search: "pinned['via'] !== undefined && pinned['via'] !== mutation.via(ports)",
    replace: "pinned['via'] === null",
    red: ['flow-doubt'],
  },
  {
    name: 'what was resolved stays on the list of the owner',
    file: flow,
    search: 'if (attentionOf(before) && !attentionOf(out.record))',
    replace: 'if (attentionOf(before) && out.record === undefined)',
    red: ['flow-doubt'],
  },
]

/** Wrong policies that were caught before a line of this service was written; the search has to catch them again. */
const policies: readonly Mutant[] = [
  {
    name: 'retryNew: a create is sent again on doubt',
    file: running,
    search: 'now - record.firstSent < rule.repeatMs && (payload',
    replace: '(payload',
    red: ['machine-explored', 'flow-crash'],
  },
  {
    name: 'timeoutFails: a timeout counts as a failure',
    file: running,
    search: "case 'unknown':\n      return unresolved",
    replace:
      "case 'unknown':\n      return withoutEffect({ ...record, tries: 0 }, { code: 'provider_busy', effect: 'none' }, now, planOf)",
    red: ['machine-explored', 'flow-doubt'],
  },
  {
    name: 'absentFails: an empty look counts as a failure',
    file: running,
    search: 'if (now - record.lastSent < rule.settleMs) return unresolved',
    replace: '',
    red: ['machine-explored', 'flow-doubt'],
  },
  {
    name: 'sharedMarker: every step has the same one',
    file: hands,
    search: "`${record.id}.${record.step}${record.undo ? 'u' : ''}`",
    replace: 'record.id',
    red: ['flow-reschedule'],
  },
  {
    name: 'releaseOnBusyAtStep2: half a move counts as none',
    file: running,
    search: 'if (isFirst(record)) return put(previewOf(record)',
    replace: 'if (!record.undo) return put(previewOf(record)',
    red: ['machine-explored', 'flow-reschedule'],
  },
  {
    name: 'crashReverts: what a crash interrupted counts as not begun',
    file: machine,
    search: "if (record.at === 'running') {",
    replace:
      "if (record.at === 'running' && call.confirm && !call.live) return { record: { ...record, at: 'previewed', tries: 0 }, todo: 'check' }\n  if (record.at === 'running') {",
    red: ['machine-explored', 'flow-crash'],
  },
  {
    name: 'busyForgetsOlder: one busy send clears those before it',
    file: running,
    search: '{ ...record, tries: record.tries - 1 }',
    replace: '{ ...record, tries: 0 }',
    red: ['machine-explored', 'flow-doubt'],
  },
  {
    name: 'forgetUnwritten: a record is purged before it is delivered',
    file: 'src/confirm/record.ts',
    search: 'return record.outbox ? undefined : record.endedAt',
    replace: 'return record.endedAt',
    red: ['machine-explored', 'flow-outbox'],
  },
]

/** Over the life of an installation: versions, deletions, rotations. */
const lifecycle: readonly Mutant[] = [
  {
    name: 'takes a record of a newer version for none',
    file: flow,
    search: 'if (this.#foreign) return NEWER',
    replace: '',
    red: ['record-versions'],
  },
  {
    name: 'a deletion keeps what was answered',
    file: 'src/confirm/erased.ts',
    search: "...gone, answer: { is: 'refused', refusal } as const }",
    replace: '...gone }',
    red: ['erased'],
  },
  {
    name: 'a deletion frees a key that has acted',
    file: 'src/confirm/erased.ts',
    search: "if (record.at === 'previewed')",
    replace: "if (record.at !== 'running')",
    red: ['erased'],
  },
  {
    name: 'a deletion takes what is about somebody else',
    file: 'src/confirm/erased.ts',
    search: 'if (record.subject !== subject) return { record }',
    replace: "if (subject === '') return { record }",
    red: ['erased'],
  },
  {
    name: 'the oldest secret signs',
    file: 'src/settings.ts',
    search: 'signingSecretNumber(b)! - signingSecretNumber(a)!',
    replace: 'signingSecretNumber(a)! - signingSecretNumber(b)!',
    red: ['settings-secrets'],
  },
  {
    name: 'a preview under a secret that its Worker does not know yet',
    file: 'src/confirm/hands.ts',
    search: 'ports.keyring.ids.find((one) => one in fingerprints) ?? ports.keyring.current',
    replace: 'ports.keyring.current',
    red: ['flow-rotation'],
  },
]

export const MUTANTS: readonly Mutant[] = [...promises, ...likely, ...policies, ...lifecycle]
