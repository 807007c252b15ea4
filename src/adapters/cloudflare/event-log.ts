import type { EventLog as EventLogObject } from '../../../durable-objects/event-log.ts'
import type { EventLog } from '../../ports/events.ts'
import type { Subscriptions } from '../../ports/subscriptions.ts'
import { stubOf } from './stub.ts'

const stub = (objects: DurableObjectNamespace<EventLogObject>) => objects.get(objects.idFromName('event-log'))

/** The event log in its one Durable Object. */
export const eventLogObject = (objects: DurableObjectNamespace<EventLogObject>): EventLog =>
  stubOf<EventLog>(() => stub(objects))

/** The subscriptions, in the object of the log. */
export const subscriptionsObject = (objects: DurableObjectNamespace<EventLogObject>): Subscriptions =>
  stubOf<Subscriptions>(() => stub(objects))
