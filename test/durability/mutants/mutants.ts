// Long, since every bug on purpose stands here with the tests that have to notice it.
/** A bug on purpose: one replacement in one file, and the tests that each have to notice it. */
export interface Mutant {
  name: string
  file: string
  /** Must occur exactly once in the file. */
  search: string
  replace: string
  /** Files in test/unit, without the ending; those in test/worker begin with `worker/`. */
  red: readonly string[]
}

const flow = 'src/confirm/flow.ts'
const commands = 'src/confirm/commands.ts'
const machine = 'src/confirm/machine.ts'
const running = 'src/confirm/running.ts'
const approvals = 'src/confirm/approval.ts'

const promises: readonly Mutant[] = [
  {
    name: 'no single flight',
    file: flow,
    search: 'const live = this.#commandLoop.current !== undefined',
    replace: 'const live = false',
    red: ['confirm/flow-commit'],
  },
  {
    name: 'no write-ahead: a send is not counted',
    file: running,
    search: 'unconfirmedSends: record.unconfirmedSends + 1,',
    replace: 'unconfirmedSends: record.unconfirmedSends,',
    red: ['confirm/machine-explored', 'confirm/flow-crash'],
  },
  {
    name: 'no write-ahead: a send is not saved before it leaves',
    file: flow,
    search: 'if (out.record) this.#save(',
    replace: "if (out.record && out.command !== 'execute') this.#save(",
    red: ['confirm/flow-commit', 'confirm/flow-crash'],
  },
  {
    name: 'lost entry: a fresh preview drops what the one before had still to deliver',
    file: machine,
    search: 'record?.outbox && { outbox: record.outbox }',
    replace: 'record?.outbox && {}',
    red: ['confirm/flow-audit'],
  },
  {
    name: 'lost entry: a delivery that failed counts as one that arrived',
    file: 'src/confirm/commands.ts',
    search: '} catch {\n      return []',
    replace: '} catch {\n      return rows.map(({ id }) => id)',
    red: ['confirm/flow-audit'],
  },
  {
    name: 'double entry: an entry has another name each time it is sent',
    file: 'src/confirm/audit-entries.ts',
    search: 'id: `${operationId.slice(0, 16)}.${id}`',
    replace: 'id: `${operationId.slice(0, 16)}.${id}.${Math.random()}`',
    red: ['confirm/flow-audit'],
  },
  {
    name: 'a repeat is not audited, since the flow changed nothing',
    file: 'src/operations/perform.ts',
    search: 'if (!reply.audited) {',
    replace: 'if (reply.audited) {',
    red: ['confirm/flow-audit'],
  },
  {
    name: 'a commit is in the way of others while its records are written',
    file: flow,
    search: '|| this.#commandLoop.current !== undefined\n',
    replace: '|| this.#commandLoop.current !== undefined || this.#delivery !== undefined\n',
    red: ['confirm/flow-outbox'],
  },
  {
    name: 'a preview is purged before the audit log knows of it',
    file: 'src/confirm/record.ts',
    search: 'return record.outbox ? undefined : record.expiresAt',
    replace: 'return record.expiresAt',
    red: ['confirm/flow-audit'],
  },
  {
    name: 'no fingerprint: the payload is not compared',
    file: machine,
    search: '? fingerprints[record.keyId] === record.fingerprint',
    replace: '? true',
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'no expiry',
    file: machine,
    search: 'record.voidedBy !== undefined || now >= record.expiresAt ||',
    replace: 'record.voidedBy !== undefined ||',
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'no expiry while the facts are read again',
    file: machine,
    search: 'if (record.voidedBy || now >= record.expiresAt)',
    replace: 'if (record.voidedBy)',
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'no mask',
    file: 'src/domain/email.ts',
    search: 'export function maskEmail(text: string): string {',
    replace: "export function maskEmail(text: string): string {\n  if (text !== '') return text",
    red: ['domain/email', 'confirm/flow-reschedule'],
  },
  {
    name: 'no outbox',
    file: running,
    search: 'records.map(recordItem)',
    replace: 'records.slice(records.length).map(recordItem)',
    red: ['confirm/flow-outbox'],
  },
  {
    name: 'no outbox: a failed delivery is not tried again',
    file: 'src/confirm/outbox.ts',
    search: 'if (items.length === 0) return rest as R',
    replace: 'if (items.length === 0 || !ok) return rest as R',
    red: ['confirm/machine-alarm', 'confirm/flow-outbox'],
  },
  {
    name: 'the token is not bound to its key',
    file: 'src/confirm/token.ts',
    search: '`${name}|${id}`',
    replace: '`${id}${name.slice(0, 0)}`',
    red: ['confirm/token', 'confirm/flow-preview'],
  },
  {
    name: 'a commit needs no preview',
    file: machine,
    search: "if (!call.confirm) return { record, command: 'prepare' }",
    replace: "if (call.token !== 'missing' || !call.confirm) return { record, command: 'prepare' }",
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'the live facts are not compared',
    file: machine,
    search: 'if (changes.length > 0)',
    replace: 'if (changes.length > 99)',
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'a lock that another flow holds is ignored',
    file: commands,
    search: "if (begun === 'held') throw problem",
    replace: "if (begun === ('nobody' as string)) throw problem",
    red: ['confirm/flow-doubt'],
  },
]

/** The owner's brake: what would let a change through that was stopped, or leave no trace of who let go. */
const houseRules: readonly Mutant[] = [
  {
    name: 'house rules: a commit is let in whatever they say',
    file: commands,
    search: "if (begun !== 'taken') throw new Problem(begun)",
    replace: "if (begun === ('never' as string)) throw new Problem(begun as never)",
    red: ['confirm/flow-rules'],
  },
  {
    name: 'house rules: the coordinator takes the locks without asking them',
    file: 'durable-objects/coordinator.ts',
    search: "if (refusal) return { is: 'refused', refusal }",
    replace: "if (refusal && holder === '') return { is: 'refused', refusal }",
    red: ['worker/house-rules'],
  },
  {
    name: 'house rules: the largest amount itself is refused',
    file: 'src/domain/house-rules.ts',
    search: 'amount > most',
    replace: 'amount >= most',
    red: ['domain/house-rules', 'confirm/flow-rules'],
  },
  {
    name: 'house rules: a repeat of a flow counts again',
    file: 'durable-objects/house-rules.ts',
    search: 'day, caller, flow)\n  }\n\n  /** Keeps',
    replace: 'day, caller, flow + Math.random())\n  }\n\n  /** Keeps',
    red: ['worker/house-rules'],
  },
  {
    name: 'house rules: a pause is logged before it holds',
    file: 'durable-objects/coordinator.ts',
    search: 'if (loosens(before, after)) {',
    replace: 'if (loosens(before, after) || after.paused) {',
    red: ['worker/house-rules'],
  },
  {
    name: 'house rules: what loosens holds though the audit log does not answer',
    file: 'durable-objects/coordinator.ts',
    search: 'await auditFrom(this.env).append([entry])\n',
    replace: 'await auditFrom(this.env).append([entry]).catch(() => {})\n',
    red: ['worker/house-rules'],
  },
]

/** The bugs that such a machine is likely to have. */
const likely: readonly Mutant[] = [
  {
    name: 'an await between read and write',
    file: flow,
    search: "let out = this.#apply({ type: 'call'",
    replace: "await Promise.resolve()\n    let out = this.#apply({ type: 'call'",
    red: ['confirm/flow-commit'],
  },
  {
    name: 'a preview that comes back late takes the place of another',
    file: machine,
    search: 'if (!replaces) {',
    replace: "if (!replaces && record.state !== 'previewed') {",
    red: ['confirm/machine', 'confirm/flow-races'],
  },
  {
    name: 'an alarm takes a live task for a crash',
    file: running,
    search: 'if (live) return { record: { ...record, nextAlarmAt: now + SCHEDULE.taskLease } }',
    replace: '',
    red: ['confirm/machine-explored', 'confirm/flow-commit'],
  },
  {
    name: 'an alarm during a live task is used up',
    file: running,
    search: 'if (live) return { record: { ...record, nextAlarmAt: now + SCHEDULE.taskLease } }',
    replace: 'if (live) return { record }',
    red: ['confirm/machine-alarm', 'confirm/flow-commit'],
  },
  {
    name: 'an alarm makes the machine deaf to its live task',
    file: running,
    search: 'if (live) return { record: { ...record, nextAlarmAt: now + SCHEDULE.taskLease } }',
    replace: 'if (live) return update(record, { nextAlarmAt: now + SCHEDULE.taskLease })',
    red: ['confirm/machine-explored', 'confirm/flow-commit'],
  },
  {
    name: 'a refusal is believed after doubt',
    file: running,
    search: "if (how === 'execute' && record.unconfirmedSends > 1) return unresolved",
    replace: '',
    red: ['confirm/machine-explored', 'confirm/flow-doubt'],
  },
  {
    name: 'an alarm books the wrong person',
    file: 'src/operations/reschedule-steps.ts',
    search: '(await mac(canonicalEmail(invitee.email))) === pinned.invitee_mac',
    replace: "(await mac(canonicalEmail(invitee.email))) !== ''",
    red: ['confirm/flow-reschedule'],
  },
  {
    name: 'a stale preview is replayed for ever',
    file: machine,
    search: 'record.voidedBy !== undefined || now >= record.expiresAt ||',
    replace: 'now >= record.expiresAt ||',
    red: ['confirm/machine', 'confirm/flow-preview'],
  },
  {
    name: 'a rotation is seen as drift',
    file: commands,
    search: "(await ports.keyring()).mac(keyId, 'pin', text)",
    replace: "(await ports.keyring()).mac((await ports.keyring()).current, 'pin', text)",
    red: ['confirm/flow-rotation'],
  },
  {
    name: 'another adapter is asked about what it never did',
    file: commands,
    search: "pinned['via'] !== undefined && pinned['via'] !== mutation.adapterId(ports)",
    replace: "pinned['via'] === null",
    red: ['confirm/flow-doubt'],
  },
  {
    name: 'a call leaves what a lost alarm should have delivered',
    file: flow,
    search: 'if (wakeAt !== undefined && wakeAt <= this.#host.now())',
    replace: 'if (wakeAt === undefined)',
    red: ['confirm/flow-outbox'],
  },
  {
    name: 'what was resolved stays on the list of the owner',
    file: flow,
    search: 'if (attentionOf(before) && !attentionOf(out.record))',
    replace: 'if (attentionOf(before) && out.record === undefined)',
    red: ['confirm/flow-doubt'],
  },
]

/** Wrong policies that were caught before a line of this service was written; the search has to catch them again. */
const policies: readonly Mutant[] = [
  {
    name: 'retryNew: a create is sent again on doubt',
    file: running,
    search: 'Math.max(0, now - record.firstSent) < rule.retryWindowMs &&',
    replace: 'true &&',
    red: ['confirm/machine-explored', 'confirm/flow-crash'],
  },
  {
    name: 'a clock that is behind opens a window for a second send',
    file: running,
    search: 'Math.max(0, now - record.firstSent) < rule.retryWindowMs &&',
    replace: 'now - record.firstSent < rule.retryWindowMs &&',
    red: ['confirm/machine-step-result'],
  },
  {
    name: 'timeoutFails: a timeout counts as a failure',
    file: running,
    search: "case 'unknown':\n      return unresolved",
    replace:
      "case 'unknown':\n      return withoutEffect({ ...record, unconfirmedSends: 0 }, { code: 'provider_busy', effect: 'none' }, now, planOf)",
    red: ['confirm/machine-explored', 'confirm/flow-doubt'],
  },
  {
    name: 'absentFails: an empty look counts as a failure',
    file: running,
    search: 'if (now - record.lastSent < rule.absenceIsFinalAfterMs) return unresolved',
    replace: '',
    red: ['confirm/machine-explored', 'confirm/flow-doubt'],
  },
  {
    name: 'sharedMarker: every step has the same one',
    file: commands,
    search: "`${record.id}.${record.step}${record.compensating ? 'u' : ''}`",
    replace: 'record.id',
    red: ['confirm/flow-reschedule'],
  },
  {
    name: 'releaseOnBusyAtStep2: half a move counts as none',
    file: running,
    search: 'if (isFirst(record))\n    return update(previewOf(record)',
    replace: 'if (!record.compensating)\n    return update(previewOf(record)',
    red: ['confirm/machine-explored', 'confirm/flow-reschedule'],
  },
  {
    name: 'crashReverts: what a crash interrupted counts as not begun',
    file: machine,
    search: "if (record.state === 'running') {",
    replace:
      "if (record.state === 'running' && call.confirm && !call.live) return { record: { ...record, state: 'previewed', unconfirmedSends: 0 }, command: 'check' }\n  if (record.state === 'running') {",
    red: ['confirm/machine-explored', 'confirm/flow-crash'],
  },
  {
    name: 'busyForgetsOlder: one busy send clears those before it',
    file: running,
    search: '{ ...record, unconfirmedSends: record.unconfirmedSends - 1 }',
    replace: '{ ...record, unconfirmedSends: 0 }',
    red: ['confirm/machine-explored', 'confirm/flow-doubt'],
  },
  {
    name: 'forgetUnwritten: a record is purged before it is delivered',
    file: 'src/confirm/record.ts',
    search: 'return record.outbox ? undefined : record.endedAt',
    replace: 'return record.endedAt',
    red: ['confirm/flow-outbox'],
  },
]

/** Who says yes: a person, where a rule asks for one. */
const approval: readonly Mutant[] = [
  {
    name: 'approval: no commit asks for it',
    file: approvals,
    search: 'if (!need || !isAwaitingApproval(record)) return undefined',
    replace: 'if (!need || need) return undefined',
    red: ['confirm/flow-approval', 'confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: a commit asks for it only after it has read and locked',
    file: machine,
    search: 'if (pending) return { record, reply: refusalReply(pending) }\n  return { record, command',
    replace: 'if (pending) void 0\n  return { record, command',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: not asked for once more before the first send',
    file: machine,
    search: "if (pending) return { record, reply: refusalReply(pending) }\n  if (outcome.is === 'refused')",
    replace: "if (pending) void 0\n  if (outcome.is === 'refused')",
    red: ['confirm/machine-properties'],
  },
  {
    name: 'approval: a decline is not kept',
    file: approvals,
    search: 'return update(record, { voidedBy }, {',
    replace: 'return update(record, {}, {',
    red: ['confirm/flow-approval', 'confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: taken for another digest than was shown',
    file: approvals,
    search: '(record.need ?? record.lifted)?.digest === digest &&',
    replace: '',
    red: ['confirm/flow-approval', 'confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: taken for another preview than was shown',
    file: approvals,
    search: 'record.id === id &&',
    replace: '',
    red: ['confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: taken after the preview has expired',
    file: approvals,
    search: '!record.voidedBy &&\n    now < record.expiresAt',
    replace: '!record.voidedBy',
    red: ['confirm/flow-approval', 'confirm/machine-explored'],
  },
  {
    name: 'approval: taken after a decline',
    file: approvals,
    search: '!record.voidedBy &&\n    now < record.expiresAt',
    replace: 'now < record.expiresAt',
    red: ['confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: survives a new preview',
    file: machine,
    search: 'v: 1, ...fresh, ...outbox,',
    replace: 'v: 1, ...fresh, ...outbox, ...(record?.approvedAt && { approvedAt: record.approvedAt }),',
    red: ['confirm/flow-approval', 'confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: a new preview needs none',
    file: machine,
    search: 'v: 1, ...fresh, ...outbox,',
    replace: 'v: 1, ...fresh, need: undefined, ...outbox,',
    red: ['confirm/flow-approval', 'confirm/machine-explored'],
  },
  {
    name: 'approval: lifted where the rules do not come',
    file: 'src/confirm/commands.ts',
    search: "rules === 'late' || wantsPerson(",
    replace: "rules !== 'late' && wantsPerson(",
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: a wait for a decision goes on after the rule was removed',
    file: 'src/confirm/flow.ts',
    search: 'this.#released.resolve()',
    replace: '',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: approved though no rule asks for it any more',
    file: approvals,
    search: 'if (!record.need || record.approvedAt !== undefined)',
    replace: 'if (record.approvedAt !== undefined)',
    red: ['confirm/machine-properties', 'confirm/flow-approval'],
  },
  {
    name: 'approval: what was shown outlives the client once it is lifted',
    file: 'src/confirm/erase-client.ts',
    search: 'lifted: _lifted, ...kept }: Previewed',
    replace: '...kept }: Previewed',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: lifted from another preview than the rules were asked about',
    file: approvals,
    search: ' || record.id !== id ||',
    replace: ' ||',
    red: ['confirm/machine-explored', 'confirm/machine-properties'],
  },
  {
    name: 'approval: lifted without a word in the audit log',
    file: 'src/confirm/audit-entries.ts',
    search: 'before.need && !after.need',
    replace: 'false',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: a rule that was set after the preview is not asked',
    file: 'src/domain/house-rules.ts',
    search: 'if (refusal || change.approved ||',
    replace: 'if (refusal || change ||',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: the coordinator lets a change begin by the other rules alone',
    file: 'durable-objects/house-rules.ts',
    search: 'return commitRefusalBy(',
    replace: 'change.approved = true\n    return commitRefusalBy(',
    red: ['worker/approval'],
  },
  {
    name: 'approval: the entry of the list is sent, and not waited for',
    file: commands,
    search: 'await this.#awaitApproval(asked,',
    replace: 'void this.#awaitApproval(asked,',
    red: ['confirm/flow-approval'],
  },
  {
    name: 'approval: a decision takes a later preview off the list',
    file: 'durable-objects/approvals.ts',
    search: 'DELETE FROM approvals WHERE operation_id = ? AND code = ?',
    replace: 'DELETE FROM approvals WHERE operation_id = ?1 OR code = ?2',
    red: ['worker/approval'],
  },
  {
    name: 'approval: who opens the list drops what is about to be kept',
    file: 'src/adapters/cloudflare/approvals.ts',
    search: 'views[i]?.code === code && DECIDED.has(views[i].status)',
    replace: "code && views[i]?.status !== 'waiting'",
    red: ['worker/approval'],
  },
]

/** Over the life of an installation: versions, deletions, rotations. */
const lifecycle: readonly Mutant[] = [
  {
    name: 'takes a record of a newer version for none',
    file: flow,
    search: 'if (this.#foreign) return NEWER',
    replace: '',
    red: ['confirm/future-records'],
  },
  {
    name: 'a deletion keeps what was answered',
    file: 'src/confirm/erase-client.ts',
    search: "...gone, answer: { is: 'refused', refusal } as const }",
    replace: '...gone }',
    red: ['confirm/erase-client'],
  },
  {
    name: 'a deletion frees a key that has acted',
    file: 'src/confirm/erase-client.ts',
    search: "if (record.state === 'previewed')",
    replace: "if (record.state !== 'running')",
    red: ['confirm/erase-client'],
  },
  {
    name: 'a deletion takes what is about somebody else',
    file: 'src/confirm/erase-client.ts',
    search: 'if (record.subject !== subject) return { record }',
    replace: "if (subject === '') return { record }",
    red: ['confirm/erase-client'],
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
    file: 'src/confirm/commands.ts',
    search: 'keyring.ids.find((one) => one in fingerprints) ?? keyring.current',
    replace: 'keyring.current',
    red: ['confirm/flow-rotation'],
  },
]

/** Of the audit log as a Merkle tree. */
const auditLog: readonly Mutant[] = [
  {
    name: 'audit log: a leaf is hashed as a node may be',
    file: 'src/domain/merkle-tree.ts',
    search: 'return sha256(bytes)\n}\n\nfunction nodeHash',
    replace: 'return sha256(leaf)\n}\n\nfunction nodeHash',
    red: ['domain/merkle-tree'],
  },
  {
    name: 'audit log: the proof is of the entry before',
    file: 'durable-objects/audit-checkpoints.ts',
    search: 'inclusionProof(index, size)',
    replace: 'inclusionProof(Math.max(0, index - 1), size)',
    red: ['worker/audit-proofs'],
  },
  {
    name: 'audit log: what is dropped takes its hashes along',
    file: 'durable-objects/audit-tree.ts',
    search: 'if (open) {',
    replace: 'if (open && open.length === 0) {',
    red: ['worker/audit-proofs'],
  },
  {
    name: 'audit log: old entries are dropped from the midst',
    file: 'durable-objects/audit-tree.ts',
    search: 'if (at >= before || index === newest) break',
    replace: 'if (index === newest) break\n      if (at >= before) continue',
    red: ['worker/audit-proofs'],
  },
  {
    name: 'audit log: a key signs before an entry announces it',
    file: 'durable-objects/audit-checkpoints.ts',
    search: 'this.#insert(fresh.map(announcement))',
    replace: '',
    red: ['worker/audit-proofs'],
  },
  {
    name: 'audit log: the digest of what was shown has no nonce',
    file: 'src/confirm/fingerprint.ts',
    search: 'canonicalize({ nonce, preview,',
    replace: "canonicalize({ nonce: '', preview,",
    red: ['confirm/fingerprint'],
  },
  {
    name: 'audit log: a change that a person approved is said to be an agent’s',
    file: 'src/confirm/audit-entries.ts',
    search: "before?.approvedAt === undefined ? 'agent'",
    replace: "before?.approvedAt !== 0 ? 'agent'",
    red: ['worker/approval'],
  },
  {
    name: 'audit log: a deletion keeps the nonce of what was shown',
    file: 'src/confirm/erase-client.ts',
    search: "const gone = { id: '', digest: '', subject: null, recordId: null }",
    replace: "const gone = { digest: '', subject: null, recordId: null }",
    red: ['confirm/erase-client'],
  },
  {
    name: 'audit log: a key is made although the log does not answer',
    file: 'src/admin/keys.ts',
    search: "await c.var.noteBefore({ event: 'key', code: 'created'",
    replace: "c.var.note({ event: 'key', code: 'created'",
    red: ['worker/audit-proofs'],
  },
]

/** Of the verifier of a pack: what is not good passes. */
const verifier: readonly Mutant[] = [
  {
    name: 'verifier: a wrong signature passes for one by another key',
    file: 'src/verify/checkpoints.ts',
    search: "if (signature === 'wrong') return",
    replace: "if (signature === 'wrong' && log.keys.length > 9) return",
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a checkpoint without a signature of the log passes',
    file: 'src/verify/checkpoints.ts',
    search: 'if (signedBy.length === 0)',
    replace: 'if (signedBy.length > 9)',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: the root is not compared',
    file: 'src/verify/checkpoints.ts',
    search: 'if (base64(await log.tree.root(size)) !== base64(root))',
    replace: 'if (base64(await log.tree.root(size)) === base64(signed.text as never))',
    red: ['verify/altered-packs', 'verify/verify'],
  },
  {
    name: 'verifier: the checkpoint need not cover the end of the pack',
    file: 'src/verify/held.ts',
    search: 'found.size === size',
    replace: 'found.size <= size',
    red: ['verify/altered-packs'],
  },
  {
    name: 'verifier: a key is trusted that was announced after what the old one signed',
    file: 'src/verify/keys.ts',
    search: 'if (i < reach && ',
    replace: 'if (',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: an entry in the middle may be hidden behind its hash',
    file: 'src/verify/leaves.ts',
    search: 'first && i > first.i',
    replace: 'first && i > entries.length',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a receipt is not compared with its entry',
    file: 'src/verify/receipts.ts',
    search: '(leaf === undefined ||',
    replace: '(leaf !== undefined ||',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a line may be written in two ways',
    file: 'src/verify/pack.ts',
    search: 'if (spelling !== line)',
    replace: "if (line === '')",
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a passkey that was removed still approves',
    file: 'src/verify/passkeys.ts',
    search: 'if (passkey.removedAt < at)',
    replace: 'if (passkey.removedAt < 0)',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a passkey may have signed something else',
    file: 'src/verify/passkeys.ts',
    search: "said['challenge'] !== challenge ||",
    replace: '',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a change that a person had to approve passes without',
    file: 'src/verify/changes.ts',
    search: "leaf.about?.['approved'] !== 'person',",
    replace: "leaf.about?.['approved'] === 'nobody',",
    red: ['verify/verify'],
  },
  {
    name: 'verifier: an approval is lifted though no rules were changed',
    file: 'src/verify/changes.ts',
    search: 'isLifted(leaf) && changedAt < since',
    replace: 'isLifted(leaf) && changedAt > since',
    red: ['verify/verify'],
  },
  {
    name: 'verifier: a change that a person declined passes',
    file: 'src/verify/changes.ts',
    search: 'made.filter(({ leaf }) => declined.has(changeOf(leaf)))',
    replace: 'made.filter(({ leaf }) => declined.has(leaf.id))',
    red: ['verify/verify'],
  },
]

const providerEvents: readonly Mutant[] = [
  {
    name: 'a webhook is published while a change of ours is under way',
    file: 'durable-objects/provider-events.ts',
    search: "if ((await look(locksOf(seen), bookingId)) === 'busy') return 'wait'",
    replace: 'await look(locksOf(seen), bookingId)',
    red: ['worker/provider-events'],
  },
  {
    name: 'a booking made here is published as the provider’s while its record is on its way',
    file: 'durable-objects/provider-events.ts',
    search: "if (!published && made.includes(recordKey('booking', bookingId))) return 'ours is on its way'",
    replace: '',
    red: ['worker/provider-events'],
  },
  {
    name: 'a webhook makes a change fail',
    file: flow,
    search: "if (outcome.is !== 'ok') return\n    // If the record",
    replace: '// If the record',
    red: ['worker/provider-events'],
  },
  {
    name: 'a change in doubt looks through the list, and not at the booking that was named',
    file: commands,
    search: '...(named !== undefined && { named }),',
    replace: '',
    red: ['worker/provider-events'],
  },
  {
    name: 'a hint that comes again while it is followed is forgotten',
    file: 'durable-objects/hints.ts',
    search: "'DELETE FROM hints WHERE target = ? AND hinted_at = ?', target, hintedAt",
    replace: "'DELETE FROM hints WHERE target = ? AND ? > 0', target, hintedAt",
    red: ['worker/provider-events'],
  },
  {
    name: 'the webhook at an earlier public address stays at the provider',
    file: 'src/adapters/webhook-registration.ts',
    search: 'for (const id of ids) await remove(id)',
    replace: 'for (const { id, url } of listed) if (id !== stands.id && url === wanted.url) await remove(id)',
    red: ['worker/provider-hooks'],
  },
  {
    name: 'old bookings are news',
    file: 'src/domain/provider-changes.ts',
    search: 'seen.createdAt > since',
    replace: 'seen.createdAt > 0',
    red: ['domain/provider-changes'],
  },
  {
    name: 'the old half of a move is a cancellation',
    file: 'src/domain/provider-changes.ts',
    search: 'if (movedTo === undefined) also(',
    replace: 'if (bookingId) also(',
    red: ['domain/provider-changes', 'worker/provider-events'],
  },
  {
    name: 'what a commit has published is not known to the comparison',
    file: 'durable-objects/event-log.ts',
    search: 'this.#providers.committed(events, Date.now())',
    replace: '',
    red: ['worker/provider-events'],
  },
  {
    name: 'a webhook that was deleted while it was signed is sent',
    file: 'durable-objects/webhook-requests.ts',
    search: 'if (!wanted()) return undefined',
    replace: '',
    red: ['worker/webhooks'],
  },
]

export const MUTANTS: readonly Mutant[] = [
  ...providerEvents,
  ...promises,
  ...houseRules,
  ...approval,
  ...likely,
  ...policies,
  ...lifecycle,
  ...auditLog,
  ...verifier,
]
