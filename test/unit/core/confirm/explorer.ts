import { next } from '../../../../src/core/confirm/machine.ts'
import { type Running, nextAlarmOf, takenUp } from '../../../../src/core/confirm/record.ts'
import type { FlowEvent, Reply } from '../../../../src/core/confirm/transition.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import {
  decisionsOn,
  judgeApproval,
  judgeDecision,
  judgeLift,
  liftsOf,
  needOf,
} from './explored-approval.ts'
import { type Budget, type State, type Task, keyOf } from './explored-state.ts'
import { type Flight, effects, land, look, read, Violation } from './provider-model.ts'
import { type Act, type Shape, LIFETIME, landsWithin, planOf } from './shapes.ts'

export interface Found {
  states: number
  /** Where the world comes to rest by alarms alone, once nothing goes wrong any more. */
  ends: Record<string, number>
  answers: string[]
  violation?: string
}

const FINGERPRINTS = { k: 'f' }
const REVISED = { k: 'g' }
const REST_WITHIN = 14

/** Searches everything that can happen within the budget, breadth first; stops at the first broken promise. */
export function explore(shape: Shape, budget: Budget): Found {
  const plan = planOf(shape)
  const asksAPerson = budget.decisions > 0
  const isPage = budget.revisions > 0
  const answers = new Set<string>()
  const ends: Record<string, number> = {}

  const fork = (state: State, change: (copy: State) => void): State => {
    const copy = { ...state }
    change(copy)
    return copy
  }
  const spend = (state: State, what: keyof Budget): void => {
    state.left = { ...state.left, [what]: state.left[what] - 1 }
  }
  const actOf = (record: Running): Act => (record.compensating ? 'old' : shape.acts[record.step]!)
  const markerOf = (record: Running) =>
    `${record.id}.${record.step}${record.compensating ? 'u' : ''}`
  const landAt = (state: State, index: number): Flight => {
    const flight = { ...state.flights[index]! }
    land(shape, state, flight)
    state.flights = state.flights.with(index, flight)
    return flight
  }
  const ban = (state: State): void => {
    state.flights = state.flights.map((one) =>
      one.state === 'queued' ? { ...one, banned: true } : one,
    )
  }

  /** An answer must be true of the provider. */
  function judgeReply(state: State, reply: Reply): void {
    answers.add(reply.is === 'refused' ? reply.refusal.code : reply.is)
    const exists = effects(state)
    if (reply.is === 'committed') {
      const books = shape.acts.includes('new') || shape.acts.includes('move')
      if (books && exists.new === 0)
        throw new Violation('answered committed, but there is no booking')
      if (shape.acts.includes('cancel') && !exists.cancelled)
        throw new Violation('answered committed, but it is not cancelled by us')
    }
    if (reply.is !== 'refused') return
    const { code, effect } = reply.refusal
    // It speaks of the values that were asked for now, and not of those that may be under way.
    if (effect === 'none' && code !== 'idempotency_key_reused') {
      if (exists.new > 0 || exists.old > 0 || exists.cancelled)
        throw new Violation(`answered ${code} without effect, but there is one`)
      ban(state)
    }
    if (code === 'reschedule_restored' && !(exists.old === 1 && exists.new === 0))
      throw new Violation('answered restored, but it is not')
    if (code === 'partially_applied') {
      if (!exists.cancelled || exists.new > 0 || exists.old > 0)
        throw new Violation('answered partly done, but it is not')
      ban(state)
    }
  }

  /** One event through the machine, and what the shell around it then does. */
  function apply(state: State, event: FlowEvent, payload: boolean): void {
    const before = state.record
    const out = next(before, event, { now: state.now, planOf: () => plan })
    const after = out.record
    if (before?.state === 'running' && !after) throw new Violation('a running record was forgotten')
    if (before?.state === 'done') {
      if (!after && before.outbox) throw new Violation('an outbox was forgotten')
      if (after && after.state !== 'done') throw new Violation('an end was undone')
      if (after && JSON.stringify(after.answer) !== JSON.stringify(before.answer))
        throw new Violation('a stored answer changed')
    }
    if (
      event.type === 'alarm' &&
      state.task &&
      before?.seq === state.task.seq &&
      after?.seq !== before.seq
    )
      throw new Violation('an alarm made the machine ignore the result of its task')
    if (before && before.state !== 'previewed' && after && after.id !== before.id)
      throw new Violation('what had begun gave way to another preview')
    if (before?.state === 'previewed' && after && after.state !== 'previewed')
      if (state.task?.fingerprint !== after.fingerprint)
        throw new Violation('began another payload than the one that was committed')
    if (event.type === 'decided')
      Object.assign(state, judgeDecision(state, before, after, event, state.now))
    if (event.type === 'approval_lifted')
      Object.assign(state, judgeLift(state, before, after, event, state.now))
    if (before && after && before.id !== after.id) state.outdated = before.id
    state.record = after
    const { command } = out
    const fingerprint =
      event.type === 'call' ? event.fingerprints['k']! : (after?.fingerprint ?? '')
    const answersTask = event.type === 'step_result' || event.type === 'owner_alerted'
    if (answersTask) state.task = undefined
    if (out.reply) judgeReply(state, out.reply)
    const isPending = out.reply?.is === 'refused' && out.reply.refusal.code === 'approval_pending'
    if (isPending && state.approved.includes(after!.id))
      throw new Violation('said to wait for an approval that was given')
    if (command === 'prepare') {
      const reading = read(shape, state)
      if (reading.is !== 'ok') return
      state.issued += 1
      const id = `g${state.issued}`
      const by = { caller: 'tester', app: null, request_id: null }
      const about = {
        operation: shape.name,
        mode: 'mock',
        adapterId: 'mock',
        origin: '',
        by,
      } as const
      const payload = { keyId: 'k', fingerprint }
      const shown = { preview: {}, summary: '', warnings: [] }
      const names = { digest: '', sealedText: 'sealed', index: [], subject: null, recordId: null }
      const need = asksAPerson && { need: needOf(id, state.now) }
      state.prepared = [
        ...state.prepared,
        { ...about, ...payload, ...names, id, expiresAt: 0, shown, pinned: reading.facts, ...need },
      ]
    } else if (command === 'join') {
      if (!state.task) throw new Violation('asked to join a task that does not exist')
    } else if (command && command !== 'forget') {
      if (state.task) throw new Violation('two tasks at once')
      state.task = { command, payload, seq: after!.seq, fingerprint }
    }
  }

  const call = (state: State, more: Partial<Extract<FlowEvent, { type: 'call' }>>): FlowEvent => ({
    type: 'call',
    operation: shape.name,
    confirm: true,
    token: state.token === undefined ? 'missing' : { id: state.token },
    fingerprints: FINGERPRINTS,
    ...(isPage && { revisable: true as const }),
    live: state.task !== undefined,
    ...more,
  })

  const answer =
    (how: 'check' | 'execute' | 'reconcile', outcome: LookupOutcome) => (state: State) => {
      const { seq, payload } = state.task!
      apply(state, { type: 'step_result', how, seq, outcome, payload }, payload)
    }
  const busy: LookupOutcome = { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }

  function* taskMoves(state: State, task: Task): Generator<[string, State]> {
    const { left, record } = state
    if (left.crashes > 0)
      yield [
        'crash',
        fork(state, (s) => (spend(s, 'crashes'), (s.task = undefined), (s.prepared = []))),
      ]
    const costs = (what: keyof Budget, then: (s: State) => void) =>
      fork(state, (s) => (spend(s, what), then(s)))
    if (task.command === 'check') {
      yield ['check', fork(state, answer('check', read(shape, state)))]
      if (left.busy > 0) yield ['check busy', costs('busy', answer('check', busy))]
    }
    if (record?.state === 'running' && task.command === 'execute' && task.flight === undefined) {
      const act = actOf(record)
      if (shape.callerOnly && act === 'new' && !task.payload) {
        yield ['wait for the caller', fork(state, answer('execute', busy))]
      } else {
        // What leaves late is given up early: a request may take effect only so long after its intent.
        const flight: Flight = {
          act,
          marker: markerOf(record),
          sent: record.lastSent,
          state: 'queued',
        }
        const index = state.flights.length
        yield [
          'send',
          fork(
            state,
            (s) => ((s.flights = [...s.flights, flight]), (s.task = { ...task, flight: index })),
          ),
        ]
        if (left.busy > 0) yield ['busy', costs('busy', answer('execute', busy))]
      }
    }
    if (task.command === 'execute' && task.flight !== undefined) {
      const flight = state.flights[task.flight]!
      if (flight.state === 'landed') yield ['answer', fork(state, answer('execute', flight.reply!))]
      yield ['timeout', fork(state, answer('execute', { is: 'unknown' }))]
    }
    if (record?.state === 'running' && task.command === 'reconcile') {
      const act = actOf(record)
      const truth = look(shape, state, act, markerOf(record))
      yield ['look', fork(state, answer('reconcile', truth))]
      if (left.blindLookups > 0) {
        yield ['lookup fails', costs('blindLookups', answer('reconcile', { is: 'unknown' }))]
        yield ['lookup busy', costs('blindLookups', answer('reconcile', busy))]
        const lags = act !== 'cancel' && landsWithin(shape, act) === Infinity
        if (truth.is === 'ok' && lags)
          yield ['lookup lags', costs('blindLookups', answer('reconcile', { is: 'not_found' }))]
      }
    }
    if (task.command === 'alert_owner') {
      yield ['alert sent', fork(state, (s) => apply(s, { type: 'owner_alerted', ok: true }, false))]
      if (left.busy > 0)
        yield [
          'alert failed',
          costs('busy', (s) => apply(s, { type: 'owner_alerted', ok: false }, false)),
        ]
    }
  }

  /** What an alarm or the end of a commit makes the shell do, whatever else is at work. */
  const delivered = (state: State, ok: boolean): FlowEvent => ({
    type: 'outbox_delivered',
    delivered: ok ? (state.record?.outbox?.items ?? []).map(({ id }) => id) : [],
    ok,
  })

  /** Everything that can happen next. */
  function* moves(state: State): Generator<[string, State]> {
    const { left, record, token } = state
    if (left.previews > 0)
      yield [
        'preview',
        fork(state, (s) => (spend(s, 'previews'), apply(s, call(s, { confirm: false }), false))),
      ]
    if (left.commits > 0 && token !== undefined)
      yield ['commit', fork(state, (s) => (spend(s, 'commits'), apply(s, call(s, {}), true)))]
    if (left.commits > 0 && token !== undefined && token !== 'g1')
      yield [
        'commit with an old token',
        fork(state, (s) => (spend(s, 'commits'), apply(s, call(s, { token: { id: 'g1' } }), true))),
      ]
    const revised = (confirm: boolean) => (s: State) =>
      apply(s, call(s, { confirm, fingerprints: REVISED }), confirm)
    if (left.revisions > 0)
      yield ['preview other values', fork(state, (s) => (spend(s, 'revisions'), revised(false)(s)))]
    if (isPage && left.commits > 0 && token !== undefined)
      yield ['commit other values', fork(state, (s) => (spend(s, 'commits'), revised(true)(s)))]
    for (const [index, fresh] of state.prepared.entries()) {
      yield [
        `prepared ${index}`,
        fork(state, (s) => {
          s.prepared = s.prepared.toSpliced(index, 1)
          const made = { ...fresh, expiresAt: s.now + LIFETIME }
          const asked = {
            fingerprints: { k: fresh.fingerprint },
            ...(isPage && { revisable: true as const }),
          }
          apply(s, { type: 'prepared', fresh: made, ...asked }, false)
          if (s.record) s.token = s.record.id
        }),
      ]
    }
    if (left.decisions > 0 && record) {
      for (const [what, event] of decisionsOn(record, state))
        yield [what, fork(state, (s) => (spend(s, 'decisions'), apply(s, event, false)))]
      for (const event of liftsOf(record, state))
        yield [
          'no rule asks any more',
          fork(state, (s) => (spend(s, 'decisions'), apply(s, event, false))),
        ]
    }
    if (state.task) yield* taskMoves(state, state.task)
    if (record?.outbox) {
      yield ['delivered', fork(state, (s) => apply(s, delivered(s, true), false))]
      if (left.busy > 0)
        yield [
          'not delivered',
          fork(state, (s) => (spend(s, 'busy'), apply(s, delivered(s, false), false))),
        ]
    }
    for (const [index, flight] of state.flights.entries()) {
      if (flight.state !== 'queued') continue
      if (state.now - flight.sent < landsWithin(shape, flight.act))
        yield ['land', fork(state, (s) => landAt(s, index))]
      yield [
        'lose',
        fork(state, (s) => (s.flights = s.flights.with(index, { ...flight, state: 'lost' }))),
      ]
    }
    const due = record && nextAlarmOf(record)
    const isNear =
      record && (record.state === 'running' || record.outbox || record.sealedText !== undefined)
    if (left.alarms > 0 && due !== undefined && isNear) {
      yield [
        'alarm',
        fork(state, (s) => {
          spend(s, 'alarms')
          s.now = Math.max(s.now, due)
          apply(s, { type: 'alarm', live: s.task !== undefined }, false)
        }),
      ]
    }
    if (record?.state === 'running' && record.escalation && !state.task) {
      const marker = markerOf(record)
      const happened = look(shape, state, actOf(record), marker).is === 'ok'
      // The owner knows it only once nothing is on its way any more.
      if (happened || !state.flights.some((one) => one.marker === marker && one.state === 'queued'))
        yield [
          'the owner resolves',
          fork(state, (s) => apply(s, { type: 'resolved_by_owner', happened, facts: {} }, false)),
        ]
    }
    if (record?.state === 'previewed' && state.now < record.expiresAt)
      yield ['expire', fork(state, (s) => (s.now = record.expiresAt))]
    const { backup } = state
    if (left.restores > 0 && record?.state === 'running' && !backup)
      yield ['backup', fork(state, (s) => (s.backup = record))]
    if (left.restores > 0 && backup && record?.id === backup.id)
      yield [
        'restore',
        fork(state, (s) => {
          spend(s, 'restores')
          const back = { record: takenUp(backup, undefined), backup: undefined }
          Object.assign(s, back, { task: undefined, prepared: [] })
        }),
      ]
    if (left.others === 0) return
    const other = (change: Partial<State>) =>
      fork(state, (s) => (spend(s, 'others'), Object.assign(s, change)))
    const { slots } = state
    if (shape.acts.length > 0 && !shape.pool && slots.new.length === 0)
      yield ['someone takes the new time', other({ slots: { ...slots, new: ['x'] } })]
    if ((shape.acts.includes('cancel') || shape.acts.includes('move')) && state.old === 'active')
      yield ['someone cancels', other({ old: 'x' })]
    if (shape.acts.length === 2 && state.old !== 'active' && slots.old.length === 0)
      yield ['someone takes the old time', other({ slots: { ...slots, old: ['x'] } })]
  }

  /** What holds in every state, whatever happens next. */
  function inspect(state: State): void {
    const { record, task } = state
    if (!record) return
    if (asksAPerson) judgeApproval(state, record)
    const isOver =
      record.state === 'done' || (record.state === 'previewed' && record.voidedBy !== undefined)
    if (isOver && record.sealedText !== undefined)
      throw new Violation('keeps a text that nothing will send any more')
    if (
      record.state === 'previewed' &&
      record.sealedText !== undefined &&
      nextAlarmOf(record)! > record.expiresAt
    )
      throw new Violation('no alarm empties the text when the preview expires')
    const maySend = record.state === 'running' || (!isOver && state.now < record.expiresAt)
    if (maySend && record.sealedText === undefined)
      throw new Violation('lost the text that it may still send')
    if (
      record.state === 'running' &&
      nextAlarmOf(record) === undefined &&
      record.escalation !== 'sent'
    )
      throw new Violation('running, without an alarm, and the owner was not alerted')
    if (record.state === 'done' && record.outbox && nextAlarmOf(record) === undefined)
      throw new Violation('an outbox without an alarm')
    if (
      task?.command === 'execute' &&
      task.seq === record.seq &&
      !(record.state === 'running' && record.unconfirmedSends > 0)
    )
      throw new Violation('about to send without a written intent')
    if (task?.command === 'execute' && record.state === 'running' && record.restored)
      throw new Violation('sent what the lost time may have sent')
    const other = { fingerprints: { k: 'other' }, revisable: undefined }
    const out = next(record, call(state, other), { now: state.now, planOf: () => plan })
    const refused =
      out.reply?.is === 'refused' && out.reply.refusal.code === 'idempotency_key_reused'
    if (out.record !== record || out.command || !refused)
      throw new Violation('another payload was not refused')
  }

  /** Faults stop: what is on its way lands or is lost, lookups are true. Alarms alone must bring it to rest. */
  function heal(start: State, lands: boolean): string {
    const state = fork(start, (s) => ((s.task = undefined), (s.prepared = [])))
    for (const [index, flight] of state.flights.entries()) {
      if (flight.state !== 'queued') continue
      const can =
        lands && !flight.banned && state.now - flight.sent < landsWithin(shape, flight.act)
      if (can) landAt(state, index)
      else state.flights = state.flights.with(index, { ...flight, state: 'lost' })
    }
    for (let alarms = 0; ;) {
      const { record, task } = state
      if (task) {
        if (record?.state !== 'running') throw new Violation('a task with nothing running')
        const act = actOf(record)
        if (task.command === 'alert_owner') apply(state, { type: 'owner_alerted', ok: true }, false)
        else if (task.command === 'reconcile')
          answer('reconcile', look(shape, state, act, markerOf(record)))(state)
        else if (shape.callerOnly && act === 'new') answer('execute', busy)(state)
        else {
          const flight: Flight = { act, marker: markerOf(record), sent: state.now, state: 'queued' }
          state.flights = [...state.flights, flight]
          answer('execute', landAt(state, state.flights.length - 1).reply!)(state)
        }
        continue
      }
      if (!record) return 'nothing kept'
      if (record.outbox) {
        apply(state, delivered(state, true), false)
        continue
      }
      if (record.state === 'previewed') {
        if (record.sealedText === undefined) return 'previewed'
        state.now = Math.max(state.now, record.expiresAt)
        apply(state, { type: 'alarm', live: false }, false)
        if (state.record?.sealedText !== undefined)
          throw new Violation('keeps the text of an expired preview')
        continue
      }
      if (record.state === 'done') return record.answer.is
      const due = nextAlarmOf(record)
      if (due === undefined) {
        if (record.escalation !== 'sent') throw new Violation('given up without alerting the owner')
        return 'needs attention'
      }
      alarms += 1
      if (alarms > REST_WITHIN) throw new Violation('does not come to rest')
      state.now = Math.max(state.now, due)
      apply(state, { type: 'alarm', live: false }, false)
    }
  }

  const start: State = {
    // No moment is 0.
    now: 1,
    record: undefined,
    issued: 0,
    prepared: [],
    old: 'active',
    slots: { new: [], old: [] },
    flights: [],
    approved: [],
    declined: [],
    lifted: [],
    left: budget,
  }
  const known = new Map<string, number>([[keyOf(start), 0]])
  const path: { from: number; by: string }[] = [{ from: -1, by: 'start' }]
  const pathTo = (index: number): string => {
    const steps: string[] = []
    for (let at = index; at >= 0; at = path[at]!.from) steps.unshift(path[at]!.by)
    return steps.join(' > ')
  }
  let frontier: { state: State; index: number }[] = [{ state: start, index: 0 }]
  let doing = ''
  let from = 0
  try {
    while (frontier.length > 0) {
      const upcoming: typeof frontier = []
      for (const { state, index } of frontier) {
        from = index
        doing = '(inspect)'
        inspect(state)
        for (const lands of [true, false]) {
          doing = lands ? '(heal, all lands)' : '(heal, all is lost)'
          const end = heal(state, lands)
          ends[end] = (ends[end] ?? 0) + 1
        }
        doing = '(next move)'
        for (const [by, reached] of moves(state)) {
          const key = keyOf(reached)
          if (known.has(key)) continue
          known.set(key, path.length)
          upcoming.push({ state: reached, index: path.length })
          path.push({ from: index, by })
        }
      }
      frontier = upcoming
    }
  } catch (thrown) {
    if (!(thrown instanceof Violation)) throw thrown
    const violation = `${thrown.message}: ${pathTo(from)} > ${doing}`
    return { states: known.size, ends, answers: [...answers].sort(), violation }
  }
  return { states: known.size, ends, answers: [...answers].sort() }
}
