import { createHash } from 'node:crypto'

import type { Connector } from './connector.ts'

/**
 * Puts the operation of a caller under this key on the list of those that need a person; its operation id. One gets there
 * after hours of looking, so a test does it by hand.
 */
export async function listUnresolved(
  { durableObjects }: Pick<Connector, 'durableObjects'>,
  key: string,
  caller = 'anonymous',
): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([caller, key]))
    .digest('hex')
  const operation_id = (await durableObjects('CONFIRMATIONS')).idFromName(name).toString()
  const coordinator = (await durableObjects('COORDINATOR')).getByName('coordinator') as unknown as {
    addUnresolved(unresolved: object): Promise<void>
  }
  const since = new Date().toISOString()
  await coordinator.addUnresolved({ flow: name, operation_id, operation: 'book_consult', since })
  return operation_id
}
