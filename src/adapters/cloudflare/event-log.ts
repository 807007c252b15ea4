import type { EventLog as EventLogObject } from '../../../durable-objects/event-log.ts'
import type { EventLog } from '../../ports/events.ts'
import { stubOf } from './stub.ts'

/** The event log in its one Durable Object. */
export const eventLogObject = (objects: DurableObjectNamespace<EventLogObject>): EventLog =>
  stubOf<EventLog>(() => objects.get(objects.idFromName('event-log')))
