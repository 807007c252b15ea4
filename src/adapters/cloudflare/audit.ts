import type { Audit as AuditObject } from '../../../durable-objects/audit.ts'
import type { Audit } from '../../ports/audit.ts'

/** The trail in its one Durable Object. */
export function auditObject(objects: DurableObjectNamespace<AuditObject>): Audit {
  const object = () => objects.get(objects.idFromName('audit'))
  return {
    append: async (entries) => object().append(entries),
    page: async (query) => object().page(query),
    countRefusals: async (...counted) => object().countRefusals(...counted),
    anonymousRefusals: async () => object().anonymousRefusals(),
  }
}
