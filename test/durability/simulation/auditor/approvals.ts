import type { Previewed } from '../../../../src/core/confirm/record.ts'
import type { ApprovalView } from '../../../../src/core/ports/confirmation.ts'
import type { Invariant } from './invariants.ts'

const nameOf = (id: string, digest: string | undefined): string => `${id} ${digest}`

/** What people did about the previews that they were shown, whatever the service made of it. */
export function approvalLedger(report: (invariant: Invariant, what: string) => void) {
  const approved = new Set<string>()
  const declined = new Set<string>()
  const begun = new Set<string>()

  return {
    /** A person approves what a page shows. */
    approves: ({ id, digest }: ApprovalView): void => void approved.add(nameOf(id, digest)),

    /** A person is answered that the preview is declined. */
    declined(flow: string, { id }: Pick<ApprovalView, 'id'>): void {
      declined.add(id)
      if (begun.has(id))
        report('I32', `${flow} had begun when someone was answered that it is declined`)
    },

    /** Nothing came of an attempt: the preview waits again for its commit. */
    backedOut: (id: string): void => void begun.delete(id),

    /** A flow has begun to act on a preview; `asked`: a rule in force asked for a person when it was let in. */
    begins(flow: string, { id, need }: Previewed, asked: boolean): void {
      begun.add(id)
      if (((need && !need.lifted) || asked) && !approved.has(nameOf(id, need?.digest)))
        report('I31', `${flow} began though no one approved this preview`)
      if (declined.has(id)) report('I32', `${flow} began though it was declined`)
    },
  }
}
