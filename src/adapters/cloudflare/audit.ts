import type { AuditLog as AuditLogObject } from '../../../durable-objects/audit-log.ts'
import type { AuditLog } from '../../ports/audit.ts'
import { stubOf } from './stub.ts'

/** The audit log in its one Durable Object. */
export const auditLogObject = (objects: DurableObjectNamespace<AuditLogObject>): AuditLog =>
  stubOf<AuditLog>(() => objects.get(objects.idFromName('audit-log')))
