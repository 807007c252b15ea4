import type { Facts } from '../domain/facts.ts'

/** An operation whose outcome a person has to find out. */
export interface Unresolved {
  /** The name of its flow, which is never shown. */
  flow: string
  operation_id: string
  operation: string
  /** RFC 3339, UTC. */
  since: string
}

/** The operations that need a person, and the owner's word on them. */
export interface UnresolvedOperations {
  list(): Promise<Unresolved[]>
  resolve(
    operationId: string,
    happened: boolean,
    facts: Facts,
  ): Promise<'settled' | 'not in doubt' | 'facts missing'>
}
