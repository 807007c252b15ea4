import { clientsMade } from '../auditor/reads.ts'
import type { World } from '../world/world.ts'

/** The owner deletes a client, and gets the answer that this is decided, or none. */
export function ownerDeletes(world: World): void {
  const { random, auditor, tally, timeline } = world
  const made = clientsMade(auditor.ledger)
  if (made.length === 0) return
  const clientId = random.pick(made)
  timeline.note(`the owner deletes ${clientId}`)
  auditor.deletion(clientId, 'asked')
  const by = { caller: 'owner', requestId: `the deletion of ${clientId}` }
  const decided = world.records.object.call('a deletion', (records) =>
    records.eraseClient(clientId, by),
  )
  void decided.then(
    () => {
      tally.count('deletions')
      auditor.deletion(clientId, 'decided')
    },
    () => tally.count('deletions that broke off'),
  )
}
