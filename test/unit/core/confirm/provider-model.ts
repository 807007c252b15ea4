import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import type { Act, Shape } from './shapes.ts'

/** A promise of the machine was broken. */
export class Violation extends Error {}

/** A request on its way to the provider. */
export interface Flight {
  act: Act
  marker: string
  sent: number
  state: 'queued' | 'landed' | 'lost'
  reply?: LookupOutcome
  /** The caller got the answer "no effect", so it may not take effect any more. */
  banned?: true
}

/** What is true at the provider. `x` marks what someone else did. */
export interface Provider {
  /** The old booking: active, or the marker of who cancelled it. */
  old: string
  slots: { new: readonly string[]; old: readonly string[] }
}

const ours = (marker: string): boolean => marker !== 'x'
const ok: LookupOutcome = { is: 'ok', facts: {} }
const refused = (code: Refusal['code']): LookupOutcome => ({
  is: 'refused',
  refusal: { code, effect: 'none' },
})

/** How much of ours exists at the provider. */
export const effects = ({ old, slots }: Provider) => ({
  new: slots.new.filter(ours).length,
  old: slots.old.filter(ours).length,
  cancelled: old !== 'active' && ours(old),
})

/** The request reaches the provider, takes effect or is refused, and the answer leaves. */
export function land(shape: Shape, provider: Provider, flight: Flight): void {
  flight.state = 'landed'
  const effect = () => {
    if (flight.banned) throw new Violation(`${flight.act} took effect after the answer "no effect"`)
  }
  const slot = flight.act === 'old' ? 'old' : 'new'
  const held = provider.slots[slot]
  if (flight.act === 'cancel' || flight.act === 'move') {
    if (provider.old !== 'active') {
      const repeat = provider.old === flight.marker && !shape.blunt && flight.act === 'cancel'
      flight.reply = repeat ? ok : refused('booking_not_active')
      return
    }
    if (flight.act === 'move' && held.length > 0) {
      flight.reply = refused('slot_unavailable')
      return
    }
    effect()
    provider.old = flight.marker
    if (flight.act === 'move') provider.slots = { ...provider.slots, new: [flight.marker] }
    flight.reply = ok
    return
  }
  if (shape.keyed && held.includes(flight.marker)) {
    flight.reply = ok
    return
  }
  if (!shape.pool && (held.length > 0 || (slot === 'old' && provider.old === 'active'))) {
    flight.reply = refused('slot_unavailable')
    return
  }
  effect()
  provider.slots = { ...provider.slots, [slot]: [...held, flight.marker] }
  flight.reply = ok
  const now = effects(provider)
  if (now[slot] > 1) throw new Violation(`two bookings at the ${slot} time`)
  if (now.new > 0 && now.old > 0)
    throw new Violation('both the new booking and the restored one exist')
}

/** What a lookup at the provider finds, if it sees the truth. */
export function look(shape: Shape, provider: Provider, act: Act, marker: string): LookupOutcome {
  switch (act) {
    case 'cancel':
      if (provider.old === 'active') return { is: 'not_found' }
      return provider.old === marker ? ok : refused('booking_not_active')
    case 'move':
      if (provider.slots.new.includes(marker)) return ok
      // Someone else cancelled it, so it cannot become ours.
      return provider.old === 'active' ? { is: 'not_found' } : refused('booking_not_active')
    case 'new':
    case 'old':
      return provider.slots[act].includes(marker) ? ok : { is: 'not_found' }
  }
}

/** What the reads of a preview or a check find: the reason to refuse, or the facts. */
export function read(shape: Shape, provider: Provider): LookupOutcome {
  const wants = (act: Act) => shape.acts.includes(act)
  if ((wants('cancel') || wants('move')) && provider.old !== 'active')
    return refused('booking_not_active')
  if ((wants('new') || wants('move')) && !shape.pool && provider.slots.new.length > 0)
    return refused('slot_unavailable')
  return { is: 'ok', facts: { bookings: provider.slots.new.length } }
}
