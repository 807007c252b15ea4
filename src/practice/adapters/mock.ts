import * as z from 'zod'

import { hex, hmac } from '../../core/crypto/encoding.ts'
import { bookingIdOf, providerIdOf } from '../../core/domain/booking.ts'
import type { Action, Fault, ScriptedFault } from '../../core/domain/mock-booking.ts'
import { type StepOutcome, UNKNOWN, busy } from '../../core/domain/outcome.ts'
import { Problem, problem } from '../../core/domain/problem/problem.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { jsonIn } from '../../core/json.ts'
import type { Delivery, Notification, ProviderWebhooks } from '../../core/ports/provider-sync.ts'
import { busyFor } from './error-table.ts'
import { isSigned } from './provider-webhooks.ts'

/** The fault of the next call of an action, or `ok`. */
export type Faults = (action: Action) => Fault

const SLOW = 3 * SECOND
const BUSY_SECONDS = 5

const scripts = new Map<string, ScriptedFault[]>()

/** The faults of a script in their order, then `ok`. Each script runs once in a process. */
export function scriptedFaults(script: readonly ScriptedFault[]): Faults {
  const name = JSON.stringify(script)
  const queue = scripts.get(name) ?? [...script]
  scripts.set(name, queue)
  return (action) => {
    const index = queue.findIndex((step) => step.action === action)
    const step = queue[index]
    if (!step) return 'ok'
    if (!step.stays) queue.splice(index, 1)
    return step.fault
  }
}

/** The next fault of a read of a mock provider. Raises `provider_busy` or `provider_misconfigured`. */
export function readFault(faults: Faults, action: Action): Fault {
  const fault = faults(action)
  if (fault === 'busy') throw new Problem(busyFor(BUSY_SECONDS))
  if (fault === 'misconfigured') throw problem('provider_misconfigured')
  return fault
}

/** Runs a change of a mock provider under its next fault. */
export async function underFault(
  faults: Faults,
  action: Action,
  refusal: StepOutcome,
  execute: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  switch (faults(action)) {
    case 'busy':
      return busy(busyFor(BUSY_SECONDS))
    case 'misconfigured':
      return busy({ code: 'provider_misconfigured', effect: 'none' })
    case 'refused':
      return refusal
    case 'timeout_before':
      return UNKNOWN
    case 'timeout_after':
      await execute()
      return UNKNOWN
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW))
      return execute()
    default:
      return execute()
  }
}

const SIGNATURE = 'Mock-Signature'

const deliverySchema = z.lazy(() =>
  z.object({
    bookings: z.array(z.string().refine((id) => providerIdOf(id) !== undefined)),
    invoices: z.array(z.string().regex(/^in_mock_\w{1,64}$/)),
  }),
)

/** Webhooks of the mock providers: ids, signed with a key of ours as Cal.com does. */
export const mockWebhooks: Pick<ProviderWebhooks, 'read' | 'makesSecret'> = {
  makesSecret: false,
  async read({ headers, body }, keys) {
    if (!(await isSigned(body, [headers.get(SIGNATURE) ?? ''], keys))) return 'refused'
    const { bookings = [], invoices = [] } = deliverySchema.safeParse(jsonIn(body)).data ?? {}
    return { bookings, invoices, links: [] }
  },
}

/** The delivery that the mock sends after these have changed. */
export async function mockDelivery(
  { bookings, invoices }: Pick<Notification, 'bookings' | 'invoices'>,
  key: string,
): Promise<Delivery> {
  const encoder = new TextEncoder()
  const body = encoder.encode(JSON.stringify({ bookings, invoices }))
  const signature = hex(await hmac(encoder.encode(key), body))
  return { headers: new Headers({ [SIGNATURE]: signature }), body }
}

const SOON = SECOND / 5
const LATE = 30 * SECOND

/** Tells what a change of the mock was about. Resolves when the change may be answered. */
export type Notify = (mockId: string) => Promise<void>

/** Sends webhooks only where the script of faults names them. */
export function mockNotify(
  send: (notification: Pick<Notification, 'bookings' | 'invoices'>) => Promise<void>,
  fault: () => Fault,
): Notify {
  return async (mockId) => {
    const once = () => send({ bookings: [bookingIdOf(mockId)], invoices: [] }).catch(() => {})
    const after = (ms: number) => void setTimeout(() => void once(), ms)
    switch (fault()) {
      case 'early':
        return once()
      case 'late':
        return after(LATE)
      case 'twice':
        after(SOON)
        return after(2 * SOON)
      case 'lost':
        return
      default:
        return after(SOON)
    }
  }
}
