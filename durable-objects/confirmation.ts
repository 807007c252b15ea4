import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'

import { Flow } from '../src/core/confirm/flow.ts'
import type { Host } from '../src/core/confirm/host.ts'
import {
  type FlowRecord,
  type KeptFlow,
  alarmAt,
  alarmMemory,
  isAtWork,
  takenUp,
} from '../src/core/confirm/record.ts'
import { newToken, sha256Base64url } from '../src/core/crypto/encoding.ts'
import type { Facts } from '../src/core/domain/facts.ts'
import { faultLine } from '../src/core/domain/log-line.ts'
import { toMend } from '../src/core/domain/outcome.ts'
import type { Practice } from '../src/core/domain/practice.ts'
import { MINUTE, SECOND } from '../src/core/domain/time/duration.ts'
import { isoSeconds } from '../src/core/domain/time/time.ts'
import type {
  ApprovalView,
  ConfirmationCall,
  ConfirmationReply,
  Decided,
  OperationStatus,
  WaitingApproval,
} from '../src/core/ports/confirmation.ts'
import type { NamedBooking } from '../src/core/ports/provider-sync.ts'
import type { ProviderQuota } from '../src/core/ports/services.ts'
import { type Resolution, alertFact } from '../src/core/ports/unresolved.ts'
import { isRestoredLately, settingsFrom, settingsOrNone } from '../src/core/settings.ts'
import { withTimeout } from '../src/core/with-timeout.ts'
import type { Env } from '../src/practice/env.ts'
import { ERASED_CLIENT } from '../src/practice/operations/client/identity.ts'
import { guardOf } from '../src/practice/operations/guard.ts'
import { mutationNamed } from '../src/practice/operations/index.ts'
import {
  auditFrom,
  coordinatorFrom,
  keepChange,
  sendAlert,
  theOne,
} from '../src/practice/wiring/objects.ts'
import { providerQuotaFrom } from '../src/practice/wiring/providers.ts'
import { portsFrom } from '../src/practice/wiring/services.ts'

const RECORD = 'flow'

/** The shortest time to the next alarm, so that there is no tight loop. */
const SOONEST_ALARM = SECOND

/** How long the answer to a commit is held back while its records are written. */
const RECORDS_TIMEOUT_MS = SECOND

/**
 * One object per (caller, idempotency key): storage, alarm and clock around a `Flow`. It does the
 * work itself, so a caller that hangs up changes nothing.
 */
export class Confirmation extends DurableObject<Env> {
  #flow: Flow
  #operationId: string

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const record = ctx.storage.kv.get<KeptFlow>(RECORD)
    // Woken by its alarm, an object does not know its name.
    const { name = ctx.id.name, operationId = ctx.id.toString() } = record ?? {}
    if (name === undefined) throw new Error('a flow is reached by its name')
    this.#operationId = operationId
    this.#flow = new Flow(hostIn(ctx, env, name, operationId), record)
    if (record) void ctx.blockConcurrencyWhile(() => this.#rearm())
    else if (isRestoredLately(env)) void ctx.blockConcurrencyWhile(() => this.#adopt(name))
  }

  /**
   * After a restore the finished flows are in the records, and are loaded from there on request.
   */
  async #adopt(name: string) {
    const answer = await theOne(this.env, 'RECORDS')().answerOf(name)
    if (answer !== undefined) this.#take(JSON.parse(answer) as KeptFlow)
  }

  #take(record: KeptFlow) {
    this.#operationId = record.operationId
    this.#flow = new Flow(hostIn(this.ctx, this.env, record.name, record.operationId), record)
  }

  /**
   * The record for a backup, while the flow runs or has items to deliver. Later the records have
   * it.
   */
  atWork(): KeptFlow | undefined {
    const record = this.ctx.storage.kv.get<KeptFlow>(RECORD)
    return record && isAtWork(record) ? record : undefined
  }

  /**
   * Stores a flow from a backup, unless its answer is known. Its alarm then looks at the provider
   * for the outcome.
   */
  async restore(flow: KeptFlow) {
    const { kv } = this.ctx.storage
    const { name, operationId: operation_id } = flow
    if (kv.get(RECORD) || (await theOne(this.env, 'RECORDS')().answerOf(name)) !== undefined) return
    const [end] = (await auditFrom(this.env).page({ operation_id, event: 'commit', limit: 1 }))
      .entries
    const record = takenUp(flow, end?.at)
    kv.put(RECORD, record)
    this.#take(record)
    await this.#rearm()
  }

  /**
   * Previews or commits. It never throws because of a provider. What it reports as committed can be
   * read back.
   */
  async perform(call: ConfirmationCall): Promise<ConfirmationReply> {
    const reply = await this.#flow.call(call)
    // A delivery that takes longer, or fails, goes on by itself.
    const { delivering } = this.#flow
    if (reply.is === 'committed' && delivering) await withTimeout(delivering, RECORDS_TIMEOUT_MS)
    return { ...reply, operationId: this.#operationId }
  }

  /**
   * The status of the change. Reconciles an uncertain outcome first, and writes nothing if there is
   * no record.
   */
  async status(): Promise<OperationStatus> {
    return { ...(await this.#flow.status()), operationId: this.#operationId }
  }

  /** Whether something may be on its way to a provider. */
  busy() {
    return this.#flow.busy
  }

  /** What was sent whose outcome is not known; undefined where nothing is. */
  unresolved() {
    return this.#flow.doubt
  }

  /**
   * A provider has named something that this flow may have made. If the outcome is uncertain, it
   * looks for it. The id of this operation where that has to wait until the flow has ended and its
   * records are written; undefined where it need not.
   */
  async look(named: NamedBooking | undefined): Promise<string | undefined> {
    await this.#flow.look(named)
    const { delivering } = this.#flow
    if (delivering && this.#flow.holds(named)) await withTimeout(delivering, RECORDS_TIMEOUT_MS)
    return this.#flow.holds(named) ? this.#operationId : undefined
  }

  /**
   * The approval that this flow needs, pending or decided. Waits up to this many milliseconds for a
   * running commit.
   */
  async approval(waitMs = 0): Promise<ApprovalView | undefined> {
    if (waitMs > 0) await this.#flow.taskDone(waitMs)
    return this.#flow.approval()
  }

  /** A person approves or declines exactly the preview that they were shown. */
  decide(decided: Decided): Promise<'approved' | 'declined' | 'ended'> {
    return this.#flow.decide(decided)
  }

  /** Ends what is in doubt with the outcome that the owner found out. */
  async resolve(happened: boolean, facts: Facts, part: string | undefined): Promise<Resolution> {
    try {
      return await this.#flow.resolve(happened, facts, part)
    } catch (thrown) {
      if (!(thrown instanceof z.ZodError)) throw thrown
      return 'facts missing'
    }
  }

  /** Forgets what is kept about a client that was deleted; false if it cannot be read. */
  erase(clientId: string) {
    return this.#flow.erase(clientId, ERASED_CLIENT)
  }

  /**
   * During a restore a flow does nothing, because the log and the records are not complete yet. It does
   * nothing while a setting is wrong, either. Its alarm is then set again: no call need come to wake it,
   * and the platform gives an alarm up after some failures.
   */
  override async alarm() {
    const settings = settingsOrNone(this.env)
    const mayAct = settings !== undefined && settings.RESTORE_SHA256 === undefined
    if (mayAct) await this.#flow.alarm()
    await this.#rearm(mayAct ? SOONEST_ALARM : 5 * MINUTE)
  }

  /** Sets a lost alarm again: one is lost with the instance that it woke, or if it rings early. */
  async #rearm(soonest = SOONEST_ALARM) {
    const { storage } = this.ctx
    if ((await storage.getAlarm()) !== null) return
    const record = storage.kv.get<FlowRecord>(RECORD)
    const due = record && alarmAt(record, Date.now())
    if (due !== undefined) await storage.setAlarm(Math.max(due, Date.now() + soonest))
  }
}

/** The record and its alarm. */
function recordIn(
  storage: DurableObjectStorage,
  name: string,
  operationId: string,
): Host['storage'] {
  const alarm = alarmMemory(() => Date.now())
  return {
    save(record, due) {
      storage.kv.put<KeptFlow>(RECORD, { ...record, name, operationId })
      if (!alarm.mustSet(due)) return
      // No await between the two writes: they are one transaction, and the output gate holds later
      // sends.
      void (due === undefined ? storage.deleteAlarm() : storage.setAlarm(due))
    },
    forget() {
      alarm.gone()
      return storage.deleteAll()
    },
    rang: () => alarm.gone(),
  }
}

/** Alerts the owner once to a pending change. Best effort, since the list shows it too. */
async function alertApproval(
  env: Env,
  { operation_id, operation, code }: WaitingApproval,
  url: string,
  preview: unknown,
) {
  const fact = alertFact(preview, settingsFrom(env).practice.timezone)
  const alert = { event: 'approval_needed', operation_id, operation, code, url, fact } as const
  await sendAlert(env, alert).catch(() => false)
}

function hostIn(ctx: DurableObjectState, env: Env, name: string, operation_id: string): Host {
  const { rulesOf, acquire, lastCopyOf, knowsRefusedChange, ...coordinator } = coordinatorFrom(
    env,
    name,
  )
  const clock = { now: () => Date.now(), withDeadline: withTimeout }
  let practice: Practice | undefined
  let quota: ProviderQuota | undefined
  const practiceZone = () => host.practice.timezone
  const host: Host = {
    name,
    operationId: operation_id,
    clock,
    storage: recordIn(ctx.storage, name, operation_id),
    guard: guardOf({ clock, practiceZone, coordinator: { rulesOf, acquire, lastCopyOf } }),
    coordinator: {
      ...coordinator,
      async awaitApproval(waiting, url, preview) {
        const listed = { flow: name, operation_id, ...waiting }
        const isListed = await coordinator.awaitApproval(listed)
        if (isListed === true) ctx.waitUntil(alertApproval(env, listed, url, preview))
        return isListed
      },
    },
    audit: auditFrom(env),
    get isRestoredLately() {
      return isRestoredLately(env)
    },
    get confirmationTtlMs() {
      return settingsFrom(env).CONFIRMATION_TTL_SECONDS * SECOND
    },
    get practice() {
      return (practice ??= settingsFrom(env).practice)
    },
    newId: () => newToken(16),
    sha256: sha256Base64url,
    keepAlive: (task) => ctx.waitUntil(task),
    async alertOwner(record) {
      const { operation } = record
      const isRunning = record.state === 'running'
      const isHalfDone = !isRunning || record.escalation === undefined
      const unresolved = { operation_id, operation, since: isoSeconds(Date.now()) }
      // The outcome of a change that has ended is known.
      if (isRunning) await coordinator.addUnresolved({ flow: name, ...unresolved })
      const half = isHalfDone && { half_done: true as const }
      const alert = { event: 'needs_attention', ...unresolved, ...half } as const
      console.error(JSON.stringify(alert))
      return sendAlert(env, alert)
    },
    noteStep({ mode, operation, origin, adapterId, pinned, step, compensating }, outcome) {
      if (mode !== 'live') return
      const detail = toMend(outcome)
      const isTaken = outcome.is === 'ok' && knowsRefusedChange()
      if (detail === undefined && !isTaken) return
      const { payments } = portsFrom(env, origin)
      const reason =
        adapterId === payments.adapterId
          ? ('payment_provider_refuses' as const)
          : ('scheduling_provider_refuses' as const)
      const change = {
        operation,
        what: [step, compensating, pinned['event_type_id'] ?? pinned['currency']].join(' '),
        ...(detail !== undefined && { refused: { reason, detail } }),
      }
      ctx.waitUntil(keepChange(env, change).catch(() => {}))
    },
    noteFault: (thrown) => console.error(faultLine(thrown, { operation_id })),
    mutation: mutationNamed,
    ports: async (origin) => portsFrom(env, origin),
    get quota() {
      return (quota ??= providerQuotaFrom(env, (work) => ctx.waitUntil(work)))
    },
  }
  return host
}
