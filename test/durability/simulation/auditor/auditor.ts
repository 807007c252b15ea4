import { isAwaitingApproval } from '../../../../src/core/confirm/approval.ts'
import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { ConfirmationReply } from '../../../../src/core/ports/confirmation.ts'
import { MOST_SKEW } from '../world/durable-object.ts'
import { judgeRefusal } from './answers.ts'
import { type Arrival, onArrival, onReply } from './calls.ts'
import { givesAway, withoutClientText, withoutWrittenNames } from './canaries.ts'
import { onEffect, onSending, type Seen, type Sent } from './effects.ts'
import { rulesLedger } from './house-rules.ts'
import type { Invariant, Violation } from './invariants.ts'
import type { Attempt, Effect, Ledger } from './ledger.ts'
import { onRead, type Read, type Said } from './reads.ts'
import { type Kept, onDurable, onSave } from './records.ts'

export interface Watched extends Seen {
  /** An alarm is at work or will be tried again, or was lost by the platform. */
  readonly excused: boolean
}

/** Knows the true effects, sees all that leaves, lands, is stored and is said, and checks it against the invariants. */
export type Auditor = ReturnType<typeof auditor>

/** An auditor over some objects; it does not report violations of the invariants in `ignore`. */
export function auditor({
  objects,
  isListed = () => true,
  ignore = [],
  ...truth
}: {
  objects: () => readonly Watched[]
  /** Whether people can find what waits for them in this object. */
  isListed?: (object: string) => boolean
  ignore?: readonly Invariant[]
} & Pick<Ledger, 'linkNamed' | 'bookingNamed' | 'bookings' | 'length' | 'starts'>) {
  let violation: Violation | undefined
  const report = (invariant: Invariant, what: string): void => {
    if (!ignore.includes(invariant)) violation ??= { invariant, what }
  }
  const ledger: Ledger = {
    ...truth,
    generations: new Map(),
    deletions: new Map(),
    sawTimes: new WeakMap(),
    report,
  }
  const tags = new Map<string, string>()
  const fingerprintOf = (object: string, record: FlowRecord) =>
    `${object}|${record.keyId}|${record.fingerprint}`
  const tagOf = (object: string, record: FlowRecord) =>
    tags.get(fingerprintOf(object, record)) ?? 'no one'
  const scan = (where: string, what: unknown): void => {
    const text = typeof what === 'string' ? what : (JSON.stringify(what) ?? '')
    if (givesAway(text)) report('I20', `a canary is in ${where}`)
  }

  return {
    ledger,
    report,
    scan,
    get violation() {
      return violation
    },
    /** A call reaches an object; keep what it returns for `replied`. */
    arrived(arrival: Omit<Arrival, 'recordTag'>): Arrival {
      const { object, call, tag, met } = arrival
      for (const [keyId, fingerprint] of Object.entries(call.fingerprints)) {
        const slot = `${object}|${keyId}|${fingerprint}`
        const known = tags.get(slot)
        if (known !== undefined && known !== tag)
          report('I5', `${object}: two payloads with one fingerprint`)
        tags.set(slot, tag)
      }
      const readable = met && met.keyId in call.fingerprints
      const whole = { ...arrival, recordTag: readable ? tagOf(object, met) : undefined }
      onArrival(ledger, whole)
      return whole
    },
    replied(arrival: Arrival, reply: ConfirmationReply, kept: FlowRecord | undefined): void {
      scan(`an answer of ${arrival.object}`, withoutClientText(reply))
      onReply(ledger, arrival, reply, kept)
    },
    /** An answer that the Worker made up by itself, since the object's did not come. */
    madeUp(object: string, tag: string, refusal: Parameters<typeof judgeRefusal>[3]): void {
      judgeRefusal(ledger, object, tag, refusal)
    },
    saved: (object: string, before: Kept, after: Kept, now: number) =>
      onSave(ledger, object, before, after, now),
    durable(object: string, before: Kept, after: Kept, now: number): void {
      if (before.record !== after.record) scan(`the record of ${object}`, after.record)
      onDurable(ledger, object, before, after, now, tagOf)
    },
    sending: (attempt: Attempt, sent: Sent) => onSending(ledger, attempt, sent, objects()),
    /** The owner asks to delete a client, or gets the answer that it is decided. */
    deletion: (clientId: string, state: 'asked' | 'decided'): void => {
      if (ledger.deletions.get(clientId) !== 'decided') ledger.deletions.set(clientId, state)
    },
    ...rulesLedger(report),
    /** Someone reads; what is returned judges the answer. */
    readBegins(read: Read, now: number): (said: Said) => void {
      const judge = onRead(ledger, read, now)
      return (said) => {
        scan(
          `an answer to ${read.name}`,
          said.is === 'shown' ? withoutWrittenNames(said.body) : said,
        )
        judge(said)
      }
    },
    /** An instance reads the free times, as they are at this moment. */
    sawTimes: (by: object, at: number): void => void ledger.sawTimes.set(by, at),
    effect: (attempt: Attempt, effect: Effect) => onEffect(ledger, attempt, effect),
    /** What the service was answered about an attempt. */
    answered(attempt: Attempt, { is }: LookupOutcome): void {
      attempt.awaited = false
      if (is === 'refused' || is === 'busy') attempt.proved = is
    },
    /** The owner is alerted about the change that an object has under way. */
    alerted(record: FlowRecord | undefined): void {
      const of = record && ledger.generations.get(record.id)
      if (of) of.alerted = true
    },
    /** What it saw when it looked, or what the owner said. */
    looked(marker: string, { is }: LookupOutcome, by: 'look' | 'owner' = 'look', now = 0): void {
      const attempts = ledger.generations.get(marker.split('.')[0]!)?.attempts ?? []
      for (const attempt of attempts) {
        // The state of a request is read itself, so it proves what can no longer land.
        const isTooLate = attempt.act === 'respond' && attempt.landsUntil < now
        if (attempt.marker === marker && (is === 'refused' || (is === 'not_found' && isTooLate)))
          attempt.proved ??= by
      }
    },
    /** What someone else was answered who came with the key and the token of a caller. */
    strangerAnswered(key: string, code: string): void {
      // Of an operation that this version does not have, each caller is answered the same.
      if (!['preview_required', 'outcome_unknown', 'not_found'].includes(code))
        report('I21', `another caller with the key and token of ${key} was answered ${code}`)
    },
    /** After every event. */
    inspect(now: number): void {
      for (const { name, disk, excused } of objects()) {
        const { record, alarm } = disk
        // An object whose clock is ahead ends the wait, and with it the entry, a little earlier.
        if (isAwaitingApproval(record) && now + MOST_SKEW < record.expiresAt && !isListed(name))
          report('I18', `${name} waits for a person, but is not on the list`)
        if (!record || alarm !== undefined || excused) continue
        if (record.state === 'running' && record.escalation !== 'sent')
          report('I18', `${name} is running without an alarm, and the owner was not alerted`)
        if (record.state === 'done' && record.outbox)
          report('I18', `${name} has an outbox and no alarm`)
      }
    },
  }
}
