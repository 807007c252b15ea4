import type { Todo } from '../../../src/confirm/transition.ts'

/**
 * What the tables of the design say, written down a second time and as plainly as possible: without a clock but for
 * expiry, without records, one line per sentence.
 */
export interface Model {
  kind: Kind
  state: 'none' | 'previewed' | 'running' | 'done'
  payload: Payload | undefined
  /** How many previews there were; only the token of the last one is right. */
  previews: number
  expired: boolean
  spent: string | undefined
  part: 'first' | 'second' | 'back'
  /** Sends of this part that may have had an effect. */
  doubtful: number
  looks: number
  attention: 'no' | 'untold' | 'told'
  task: { todo: Todo; payload: boolean; stale: boolean } | undefined
  answer: string | undefined
  undelivered: boolean
}

/** Without a provider, sent once, sent again for ever, and cancel-then-book. */
export type Kind = 'client' | 'booking' | 'link' | 'move'
export type Payload = 'a' | 'b'
export type Token = 'right' | 'old' | 'missing' | 'invalid'
export type Heard = 'ok' | 'changed' | 'refused' | 'busy' | 'absent' | 'unknown'

/** What the machine is expected to say or to ask for. */
export interface Expected {
  say?: string
  effect?: string
  replayed?: boolean
  todo?: Todo
}

export const newModel = (kind: Kind): Model => ({
  kind,
  state: 'none',
  payload: undefined,
  previews: 0,
  expired: false,
  spent: undefined,
  part: 'first',
  doubtful: 0,
  looks: 0,
  attention: 'no',
  task: undefined,
  answer: undefined,
  undelivered: false,
})

/** As in the shortened waits, so that the ends of patience are near. */
const PATIENCE = 1
const LOOKS = 2

const refusal = (say: string, effect = 'none', replayed = false): Expected => ({ say, effect, replayed })
const doubt = (): Expected => refusal('outcome_unknown', 'unknown')
const replay = (model: Model): Expected => ({ say: model.answer!, replayed: true })

const alone = (model: Model): boolean => model.kind === 'link' || model.kind === 'move'
const repeats = (model: Model): boolean =>
  model.kind === 'link' || (model.kind === 'move' && model.part === 'first')

function begin(model: Model, part: Model['part']): void {
  Object.assign(model, { part, doubtful: 0, looks: 0, attention: 'no' })
}

function send(model: Model, payload: boolean): Expected {
  if (!payload && !alone(model)) return doubt()
  model.doubtful += 1
  return { todo: 'run' }
}

function end(model: Model, answer: string): Expected {
  begin(model, model.part)
  Object.assign(model, { state: 'done', answer, undelivered: true })
  return { say: answer, replayed: false, todo: 'deliver' }
}

function release(model: Model, spent?: string): void {
  begin(model, 'first')
  Object.assign(model, { state: 'previewed', spent })
}

/** A later part cannot be done. */
function giveUp(model: Model, payload: boolean): Expected {
  if (model.part === 'back') return end(model, 'partially_applied')
  begin(model, 'back')
  return send(model, payload)
}

export function preview(model: Model, payload: Payload): Expected {
  if (model.state === 'none') return { todo: 'prepare' }
  if (payload !== model.payload) return refusal('idempotency_key_reused')
  if (model.state === 'done') return replay(model)
  if (model.state === 'running') return model.task ? refusal('commit_in_progress', 'unknown') : doubt()
  return model.spent || model.expired ? { todo: 'prepare' } : { say: 'preview' }
}

/** The reads of a preview are done. */
export function prepared(model: Model, payload: Payload): Expected {
  const free = model.state === 'none'
  const used = model.state === 'previewed' && payload === model.payload && (model.spent || model.expired)
  if (!free && !used) {
    if (model.state === 'running' && payload === model.payload)
      return refusal('commit_in_progress', 'unknown')
    return preview(model, payload)
  }
  if (model.task) model.task.stale = true
  Object.assign(model, { state: 'previewed', payload, spent: undefined, expired: false })
  model.previews += 1
  begin(model, 'first')
  return { say: 'preview' }
}

export function commit(model: Model, payload: Payload, token: Token): Expected {
  if (model.state === 'none')
    return refusal(token === 'missing' ? 'confirmation_token_missing' : 'preview_required')
  if (payload !== model.payload) return refusal('idempotency_key_reused')
  if (token === 'missing' || token === 'invalid') {
    const partial = model.answer === 'reschedule_restored' || model.answer === 'partially_applied'
    const effect = { previewed: 'none', running: 'unknown', done: partial ? 'partial' : 'done' }[model.state]
    return refusal(`confirmation_token_${token}`, effect)
  }
  if (model.state === 'done') return replay(model)
  if (model.state === 'running') {
    if (model.task) return { todo: 'join' }
    return model.doubtful > 0 ? { todo: 'find' } : send(model, true)
  }
  if (token === 'old') return refusal('confirmation_expired')
  if (model.spent) return refusal(model.spent, 'none', true)
  if (model.expired) return refusal('confirmation_expired')
  return { todo: model.task ? 'join' : 'check' }
}

export function checked(model: Model, heard: Heard): Expected {
  if (model.task?.stale) return {}
  if (model.expired) return refusal('confirmation_expired')
  if (heard === 'busy' || heard === 'unknown' || heard === 'absent') return refusal('provider_busy')
  if (heard === 'ok' && model.kind === 'client') return end(model, 'committed')
  if (heard === 'ok') {
    model.state = 'running'
    return send(model, true)
  }
  release(model, heard === 'changed' ? 'preview_stale' : 'slot_unavailable')
  return refusal(model.spent!)
}

export function acted(model: Model, how: 'run' | 'find', heard: Heard): Expected {
  const { payload } = model.task!
  const first = model.part === 'first'
  switch (heard) {
    case 'ok':
    case 'changed':
      if (model.part === 'back') return end(model, 'reschedule_restored')
      if (model.kind !== 'move' || model.part === 'second') return end(model, 'committed')
      begin(model, 'second')
      return send(model, payload)
    case 'refused':
      if (how === 'run' && model.doubtful > 1) return doubt()
      if (!first) return giveUp(model, payload)
      release(model, 'slot_unavailable')
      return refusal('slot_unavailable')
    case 'busy':
      if (how === 'find') return doubt()
      model.doubtful -= 1
      if (model.doubtful > 0) return doubt()
      if (!first) return model.looks >= PATIENCE ? giveUp(model, false) : doubt()
      release(model)
      return refusal('provider_busy')
    case 'absent':
      // Once the owner was told, only a caller makes it try again.
      return repeats(model) && (payload || (alone(model) && model.attention !== 'told'))
        ? send(model, payload)
        : doubt()
    case 'unknown':
      return doubt()
  }
}

export function alarm(model: Model): Expected {
  if (model.state === 'none') return { todo: 'forget' }
  if (model.state === 'done' && model.undelivered) return model.task ? {} : { todo: 'deliver' }
  if (model.task) return {}
  if (model.state !== 'running') {
    Object.assign(model, { ...newModel(model.kind), previews: model.previews })
    return { todo: 'forget' }
  }
  if (model.attention === 'untold') return { todo: 'tell' }
  if (model.looks >= LOOKS && model.attention === 'no') model.attention = 'untold'
  model.looks += 1
  if (model.doubtful > 0) return { todo: 'find' }
  return model.part !== 'first' && model.looks > PATIENCE ? giveUp(model, false) : send(model, false)
}
