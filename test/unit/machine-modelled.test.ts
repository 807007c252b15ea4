import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FlowRecord } from '../../src/confirm/record.ts'
import { wakeAt } from '../../src/confirm/record.ts'
import type { Event, Out, Rule } from '../../src/confirm/transition.ts'
import type { Seen } from '../../src/domain/outcome.ts'
import { call, fresh, noSteps, oneStep, step, twoSteps } from './confirm/machine-cells.ts'
import type { Expected, Heard, Kind, Model, Payload, Token } from './confirm/reference-model.ts'
import * as reference from './confirm/reference-model.ts'
import { LIFETIME, shortenWaits } from './confirm/shapes.ts'

const link: readonly Rule[] = [{ alone: true, repeatMs: Infinity, settleMs: Infinity }]
const RULES: Record<Kind, readonly Rule[]> = {
  client: noSteps,
  booking: oneStep,
  link,
  move: twoSteps,
}

/** The machine, and the little that a shell adds: the time, the one task, and a preview on its way. */
class Real {
  now = 1_000_000
  record: FlowRecord | undefined
  task: { todo: string; seq: number; payload: boolean } | undefined
  /** Previews whose reads are done and whose result is on its way. */
  readonly onTheWay: Payload[] = []
  watch: (model: Readonly<Model>, say: string | undefined) => void = () => {}
  readonly kind: Kind
  constructor(kind: Kind) {
    this.kind = kind
  }

  apply(event: Event, payload = false): Out {
    const out = step(this.record, event, { rules: RULES[this.kind], now: this.now })
    this.record = out.record
    if (event.type === 'heard' || event.type === 'delivered' || event.type === 'told') this.task = undefined
    const { todo } = out
    if (todo && todo !== 'prepare' && todo !== 'join' && todo !== 'forget')
      this.task = { todo, seq: out.record!.seq, payload }
    return out
  }
}

const fingerprints = (payload: Payload) => ({ today: payload })

function compare(
  model: Readonly<Model>,
  real: Real,
  out: Out,
  { say, effect, replayed, todo }: Expected,
): void {
  expect(out.todo).toBe(todo)
  if (say === undefined) expect(out.say).toBeUndefined()
  else if (say === 'preview' || say === 'committed') expect(out.say?.is).toBe(say)
  else expect(out.say).toMatchObject({ refusal: { code: say, ...(effect ? { effect } : {}) } })
  if (replayed !== undefined) expect(out.say).toMatchObject({ replayed })
  real.watch(model, say)
  const { record } = real
  expect(record?.at ?? 'none').toBe(model.state)
  if (!record) return
  expect(record.spent?.code).toBe(model.spent)
  expect(record.attention ?? 'no').toBe(model.attention)
  expect(record.outbox !== undefined).toBe(model.undelivered)
  if (model.state !== 'running') return
  expect(record.tries).toBe(model.doubtful)
  expect(record.undo ? 'back' : record.step === 0 ? 'first' : 'second').toBe(model.part)
  expect(wakeAt(record) === undefined).toBe(model.attention === 'told' && record.wake === undefined)
}

/** An alarm has nobody to tell anything. */
const silent = ({ todo }: Expected): Expected => (todo === undefined ? {} : { todo })

type Doing = (model: Model, real: Real) => void
class Command implements fc.Command<Model, Real> {
  readonly name: string
  readonly can: (model: Readonly<Model>) => boolean
  readonly doing: Doing
  constructor(name: string, can: (model: Readonly<Model>) => boolean, doing: Doing) {
    this.name = name
    this.can = can
    this.doing = doing
  }
  check = (model: Readonly<Model>): boolean => this.can(model)
  run = (model: Model, real: Real): void => this.doing(model, real)
  toString = (): string => this.name
}

/** Asks the model first, then the machine, and remembers the task that both have begun. */
function both(model: Model, real: Real, expected: Expected, event: Event, payload: boolean): void {
  const out = real.apply(event, payload)
  const { todo } = expected
  if (todo && !['prepare', 'join', 'forget'].includes(todo)) model.task = { todo, payload, stale: false }
  compare(model, real, out, expected)
}

const always = () => true
const heardAs: Record<Heard, Seen> = {
  ok: { is: 'ok', facts: { ...fresh().pinned } },
  changed: { is: 'ok', facts: {} },
  refused: { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } },
  busy: { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } },
  absent: { is: 'absent' },
  unknown: { is: 'unknown' },
}

const payload = fc.constantFrom<Payload>('a', 'a', 'a', 'b')

const previews = payload.map(
  (which) =>
    new Command(`preview ${which}`, always, (model, real) => {
      const expected = reference.preview(model, which)
      const live = real.task !== undefined
      both(model, real, expected, call({ fingerprints: fingerprints(which), live }), false)
      if (expected.todo === 'prepare') real.onTheWay.push(which)
    }),
)
const arrives = new Command('the preview is prepared', always, (model, real) => {
  const which = real.onTheWay.shift()
  if (which === undefined) return
  const expected = reference.prepared(model, which)
  const id = `id ${model.previews}`
  const made = fresh({ id, fingerprint: which, expiresAt: real.now + LIFETIME })
  if (expected.todo === 'prepare') throw new Error('the model wants to prepare what is prepared')
  both(model, real, expected, { type: 'prepared', fresh: made, fingerprints: fingerprints(which) }, false)
})
const commits = fc
  .tuple(payload, fc.constantFrom<Token>('right', 'right', 'right', 'old', 'missing', 'invalid'))
  .map(
    ([which, token]) =>
      new Command(`commit ${which}, ${token} token`, always, (model, real) => {
        const expected = reference.commit(model, which, token)
        const id = token === 'right' ? `id ${model.previews}` : 'id of long ago'
        const sent = token === 'missing' || token === 'invalid' ? token : { id }
        const live = real.task !== undefined
        const asked = call({ confirm: true, token: sent, fingerprints: fingerprints(which), live })
        both(model, real, expected, asked, true)
      }),
  )
const hear = (what: Heard) =>
  new Command(
    `hear ${what}`,
    ({ task }) => task !== undefined && ['check', 'run', 'find'].includes(task.todo),
    (model, real) => {
      const how = model.task!.todo as 'check' | 'run' | 'find'
      // Nothing is absent before it was looked for.
      const heard = how !== 'find' && what === 'absent' ? 'unknown' : what
      const expected = how === 'check' ? reference.checked(model, heard) : reference.acted(model, how, heard)
      const { seq, payload: atHand } = real.task!
      model.task = undefined
      both(model, real, expected, { type: 'heard', how, seq, heard: heardAs[heard], payload: atHand }, atHand)
    },
  )
const hears = fc
  .constantFrom<Heard>(
    'ok',
    'ok',
    'ok',
    'changed',
    'refused',
    'busy',
    'busy',
    'absent',
    'absent',
    'unknown',
    'unknown',
  )
  .map(hear)
const ends = fc.boolean().map(
  (ok) =>
    new Command(
      ok ? 'delivered, told' : 'not delivered, not told',
      ({ task }) => task?.todo === 'deliver' || task?.todo === 'tell',
      (model, real) => {
        const delivering = model.task!.todo === 'deliver'
        if (delivering && ok) model.undelivered = false
        if (!delivering && ok) model.attention = 'told'
        model.task = undefined
        both(model, real, {}, { type: delivering ? 'delivered' : 'told', ok }, false)
      },
    ),
)
const crash = new Command('crash', always, (model, real) => {
  model.task = undefined
  real.task = undefined
  real.onTheWay.length = 0
})
const rings = new Command(
  'alarm',
  ({ state, undelivered }) => state === 'running' || undelivered,
  (model, real) => {
    const due = real.record && wakeAt(real.record)
    if (due === undefined) {
      expect(model.attention).toBe('told')
      return
    }
    real.now = Math.max(real.now, due)
    model.expired ||= real.now >= real.record!.expiresAt
    const live = real.task !== undefined
    const expected = reference.alarm(model)
    const out = real.apply({ type: 'alarm', live })
    if (expected.todo) model.task = { todo: expected.todo, payload: false, stale: false }
    const { say: _nobodyListens, ...heardBy } = out
    compare(model, real, heardBy, silent(expected))
  },
)
const passes = fc.constantFrom(1, 5, LIFETIME).map(
  (ticks) =>
    new Command(`${ticks} ticks pass`, always, (model, real) => {
      real.now += ticks
      model.expired ||= real.record !== undefined && real.now >= real.record.expiresAt
    }),
)
const lastAlarm = new Command(
  'the alarm at the end of life',
  ({ state, undelivered, task }) => task === undefined && state !== 'running' && !undelivered,
  (model, real) => {
    real.now = Math.max(real.now, (real.record && wakeAt(real.record)) ?? 0)
    const expected = reference.alarm(model)
    compare(model, real, real.apply({ type: 'alarm', live: false }), expected)
  },
)

type Start = 'nothing' | 'committing' | 'in doubt'

/** Where a run begins, so that most runs begin where it becomes interesting. */
function begun(kind: Kind, start: Start): { model: Model; real: Real } {
  const [model, real] = [reference.newModel(kind), new Real(kind)]
  if (start === 'nothing') return { model, real }
  both(model, real, reference.preview(model, 'a'), call({ fingerprints: fingerprints('a') }), false)
  real.onTheWay.push('a')
  arrives.run(model, real)
  const asked = call({ confirm: true, token: { id: 'id 1' }, fingerprints: fingerprints('a') })
  both(model, real, reference.commit(model, 'a', 'right'), asked, true)
  if (start === 'committing') return { model, real }
  hear('ok').run(model, real)
  if (model.task?.todo === 'run') hear('unknown').run(model, real)
  return { model, real }
}

beforeAll(shortenWaits)

describe(
  'the machine does what the tables say, whatever is asked in whatever order',
  { timeout: 60_000 },
  () => {
    const [arrive, ring, crashes, last] = [arrives, rings, crash, lastAlarm].map((one) => fc.constant(one))
    const often = [hears, hears, hears, hears, ring!, ring!, ring!, commits, ends]
    const commands = fc.commands([...often, ...often, previews, arrive!, crashes!, passes, last!], {
      maxCommands: 60,
      size: 'max',
    })
    const starts = fc.constantFrom<Start>('nothing', 'committing', 'in doubt', 'in doubt')

    test.each<[Kind, string[]]>([
      ['client', ['committed', 'preview_stale', 'slot_unavailable', 'none']],
      ['booking', ['committed', 'told', 'slot_unavailable', 'outcome_unknown']],
      ['link', ['committed', 'told', 'confirmation_expired', 'outcome_unknown']],
      ['move', ['committed', 'told', 'reschedule_restored', 'partially_applied']],
    ])('%s', (kind, mustReach) => {
      const reached = new Set<string | undefined>()
      fc.assert(
        fc.property(commands, starts, (all, start) => {
          const { model, real } = begun(kind, start)
          real.watch = ({ state, attention }, say) => {
            for (const what of [state, attention, say]) reached.add(what)
          }
          fc.modelRun(() => ({ model, real }), all)
        }),
        { numRuns: 1500 },
      )
      expect([...reached]).toEqual(expect.arrayContaining(mustReach))
    })
  },
)
