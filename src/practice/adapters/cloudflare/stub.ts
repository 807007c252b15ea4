import type { Confirmation } from '../../../../durable-objects/confirmation.ts'
import type {
  ConfirmationReply,
  Confirmations,
  OperationStatus,
} from '../../../core/ports/confirmation.ts'
import { forgetNotFound } from '../not-found.ts'

/**
 * A port as the class of its object has it: what a method answers at once there reaches its caller
 * later, and each section is an object of its own.
 */
export type Served<Port> = {
  [Name in keyof Port]: Port[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer | Promise<Answer>
    : Served<Port[Name]>
}

/** A port of an object: methods that answer later, and sections of such methods. */
type Methods<Port> = {
  [Name in keyof Port]:
    | ((...given: never[]) => Promise<unknown>)
    | { [Method in keyof Port[Name]]: unknown }
}

/**
 * An object, or a section of one, as its port. Each method looks the object up, so a missing binding rejects
 * the call and nothing else. `instead` holds the methods that are answered here, and the sections. A call of
 * a section is one round trip.
 */
export const stubOf = <Port extends Methods<Port>, Here extends keyof Port = never>(
  object: () => Omit<Port, Here>,
  ...[instead]: [Here] extends [never] ? [Partial<Port>?] : [Partial<Port> & Pick<Port, Here>]
): Port =>
  new Proxy({} as Port, {
    get(_target, name) {
      // A port that is awaited stays the port.
      if (name === 'then') return undefined
      const call = async (...given: unknown[]): Promise<unknown> => {
        const stub = object()
        const method: unknown = Reflect.get(stub, name)
        return Reflect.apply(method as (...given: unknown[]) => unknown, stub, given)
      }
      return Reflect.get(instead ?? {}, name) ?? call
    },
  })

/** One object per caller and key, asked once per call: a retry outside the object could act twice. */
export const confirmationObjects = (
  namespace: DurableObjectNamespace<Confirmation>,
): Confirmations => ({
  async perform(name, call) {
    try {
      const reply = (await namespace.getByName(name).perform(call)) as ConfirmationReply
      if (call.confirm) forgetNotFound()
      return reply
    } catch {
      const refusal = call.confirm
        ? ({ code: 'outcome_unknown', effect: 'unknown', retry_after_seconds: 5 } as const)
        : // The call did nothing, but an earlier commit under the key may have.
          ({ code: 'internal_error', effect: 'unknown' } as const)
      return { is: 'refused', refusal, replayed: false }
    }
  },
  status: async (name) => (await namespace.getByName(name).status()) as OperationStatus,
})
