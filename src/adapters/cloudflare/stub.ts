import type { AuditLog as AuditLogObject } from '../../../durable-objects/audit-log.ts'
import type { AuditLog } from '../../ports/audit.ts'
import type { EventLog as EventLogObject } from '../../../durable-objects/event-log.ts'
import type { EventLog } from '../../ports/events.ts'
import type { ProviderSync as ProviderSyncObject } from '../../../durable-objects/provider-sync.ts'
import type { ProviderSync } from '../../ports/provider-sync.ts'
import type { Subscriptions } from '../../ports/subscriptions.ts'
import type { Confirmation } from '../../../durable-objects/confirmation.ts'
import type { ConfirmationReply, Confirmations, OperationStatus } from '../../ports/confirmation.ts'

/** What every port of an object looks like: methods that answer later, and sections of such methods. */
type Methods<Port> = {
  [Name in keyof Port]: ((...given: never[]) => Promise<unknown>) | { [Method in keyof Port[Name]]: unknown }
}

/**
 * An object, or a section of one, as its port: each method is called on the object, which is looked up only then, so that a
 * binding that is missing rejects the call and nothing else. `instead` are the methods that are answered here, and the
 * sections. A call of a section is one round trip, since the platform follows the names up to the method.
 */
export const stubOf = <Port extends Methods<Port>, Here extends keyof Port = never>(
  object: () => Omit<Port, Here>,
  ...[instead]: [Here] extends [never] ? [Partial<Port>?] : [Partial<Port> & Pick<Port, Here>]
): Port =>
  new Proxy({} as Port, {
    get(_target, name) {
      // Whoever awaits a port gets the port.
      if (name === 'then') return undefined
      const call = async (...given: unknown[]): Promise<unknown> => {
        const stub = object()
        const method: unknown = Reflect.get(stub, name)
        return Reflect.apply(method as (...given: unknown[]) => unknown, stub, given)
      }
      return Reflect.get(instead ?? {}, name) ?? call
    },
  })

/** The audit log in its one Durable Object. */
export const auditLogObject = (objects: DurableObjectNamespace<AuditLogObject>): AuditLog =>
  stubOf<AuditLog>(() => objects.get(objects.idFromName('audit-log')))

const stub = (objects: DurableObjectNamespace<EventLogObject>) => objects.get(objects.idFromName('event-log'))

/** The event log in its one Durable Object. */
export const eventLogObject = (objects: DurableObjectNamespace<EventLogObject>): EventLog =>
  stubOf<EventLog>(() => stub(objects))

/** What follows the providers, in its one Durable Object. */
export const providerSyncObject = (objects: DurableObjectNamespace<ProviderSyncObject>): ProviderSync =>
  stubOf<ProviderSync>(() => objects.get(objects.idFromName('provider-sync')))

/** The subscriptions, in the object of the log. */
export const subscriptionsObject = (objects: DurableObjectNamespace<EventLogObject>): Subscriptions =>
  stubOf<Subscriptions>(() => stub(objects))

/**
 * One Durable Object per (caller, idempotency key), asked once per call and never again: a retry outside the object could
 * act twice. A call that breaks off is answered truthfully.
 */
export const confirmationObjects = (namespace: DurableObjectNamespace<Confirmation>): Confirmations => ({
  async perform(name, call) {
    try {
      return (await namespace.getByName(name).perform(call)) as ConfirmationReply
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
