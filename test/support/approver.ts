import { createHash } from 'node:crypto'

import type { ApprovalView, Decided } from '../../src/core/ports/confirmation.ts'

/** A connector whose objects can be asked directly. */
interface WithObjects {
  durableObjects(binding: string): Promise<{ getByName(name: string): unknown }>
}

const stubOf = async (connector: WithObjects, binding: string, name: string): Promise<unknown> =>
  (await connector.durableObjects(binding)).getByName(name)

/**
 * The person who approves the changes of a connector in which no one has a passkey: sets the rule, and decides, by asking
 * the objects themselves. The page and its passkey are tried in test/worker/approval.test.ts and in a real browser.
 */
export function approverOf(connector: WithObjects) {
  const confirmationUnder = async (key: string, caller: string) => {
    const name = createHash('sha256')
      .update(JSON.stringify([caller, key]))
      .digest('hex')
    return (await stubOf(connector, 'CONFIRMATIONS', name)) as {
      approval(): Promise<ApprovalView | undefined>
      decide(decided: Decided): Promise<string>
    }
  }
  return {
    /** From now on a person has to approve this operation. */
    async isAskedFor(operation: string): Promise<void> {
      const coordinator = (await stubOf(connector, 'COORDINATOR', 'coordinator')) as {
        change(caller: string, rules: object, by: object, may: string): Promise<string>
      }
      const by = { caller: 'owner', app: null, operation: 'put_house_rules', request_id: null }
      const approval = [{ operation, level: 'person' }]
      const kept = await coordinator.change('*', { approval }, by, 'tighten')
      if (kept !== 'kept') throw new Error(`The rule was not kept: ${kept}`)
    },
    /** Decides about what waits under a key of this caller: by default, of the one without a credential. */
    async decides(
      key: string,
      decision: Decided['decision'],
      caller = 'anonymous',
    ): Promise<string> {
      const confirmation = await confirmationUnder(key, caller)
      const asked = await confirmation.approval()
      if (!asked) throw new Error('Nothing waits under this key.')
      return confirmation.decide({
        id: asked.id,
        digest: asked.digest,
        decision,
        by: 'owner',
        proof: {},
      })
    },
  }
}
