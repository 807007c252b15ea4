import { html } from 'hono/html'

import { approvalPath } from '../../../core/domain/approval.ts'
import type { ApprovalView } from '../../../core/ports/confirmation.ts'
import { callerPath } from '../shell/items.ts'
import { openIn } from '../shell/provider-pages.ts'
import { type ShellView, copied, listed } from '../shell/shell.ts'

/** A change that a person had to approve. */
interface Change {
  asked: ApprovalView
  /** `Book a consult`. */
  title: string
  shell: ShellView
}

/** The address that a change has made, to send to the client; undefined where it made none. */
export function addressMade({ asked }: Pick<Change, 'asked'>): string | undefined {
  const isUsedUp = valueOf(asked.made, 'state') === 'used_up'
  const url = valueOf(asked.made, 'url')
  if (isUsedUp || url === undefined) return undefined
  const isWebAddress = /^https?:/.test(url) && URL.canParse(url)
  return isWebAddress ? url : undefined
}

/** Statuses in which nothing more happens to a change. */
const ENDED: ReadonlySet<string> = new Set(['committed', 'failed', 'declined', 'expired'])

/** What a person does once a change has ended: the link to send, the booking, and the way on. */
export function whatNow(view: Change) {
  const { asked, shell } = view
  if (!ENDED.has(asked.status)) return ''
  const address = addressMade(view)
  const isMade = asked.status === 'committed' && !asked.refusal
  const isHalfDone = asked.refusal?.code === 'partially_applied'
  const notMade = isHalfDone ? NO_APPOINTMENT : NOTHING_TO_DO
  const said = isMade ? saidTo(view, address) : notMade
  return html`<section aria-labelledby="now-what">
    <h2 id="now-what">${address === undefined ? 'What now?' : 'Send this link to the client'}</h2>
    ${address !== undefined && copied('made', address)}
    <p>${said}</p>
    <div class="row">
      ${openIn(isMade ? shell.providers(idOf(asked.made)) : undefined, view.title, 'button')}
      ${goOn(view)}
    </div>
  </section>`
}

const NOTHING_TO_DO =
  'You do not need to do anything. The agent learns this from its next call, and can ask for another change.'

const NO_APPOINTMENT =
  'Your client has no appointment now. Tell them, and agree on another time. ' +
  'The agent learns this from its next call, and can book it.'

/** What follows by itself once a change is made. */
function saidTo({ asked, shell }: Change, address: string | undefined) {
  if (address !== undefined) return 'The agent that asked has it too, and may be about to send it.'
  const label = shell.providers(valueOf(asked.made, 'booking_id') ?? '')?.label
  const mail = label === undefined ? '' : `${label} mails the client. `
  return `${mail}The agent that asked has the answer, and goes on by itself.`
}

/** The next change that waits, or the way back; for the owner also the way to be asked less. */
function goOn({ asked, shell }: Change) {
  const { waiting, isOwner } = shell
  const others = listed(waiting).filter(({ operation_id }) => operation_id !== asked.operation_id)
  const [next] = others
  const [href, text] =
    next === undefined
      ? [isOwner ? '/owner' : '/owner/approvals', isOwner ? 'Back to Home' : 'Back to Approvals']
      : [approvalPath(next.operation_id), `Review the next (${others.length} left)`]
  return html`<a class="button main" href="${href}">${text}</a>
    ${isOwner && html`<a class="button" href="${callerPath(asked.caller)}#rules">Rules of this caller</a>`}`
}

const idOf = (result: object | undefined) =>
  valueOf(result, 'booking_id') ?? valueOf(result, 'payment_link_id') ?? ''

function valueOf(result: object | undefined, name: string): string | undefined {
  const value: unknown = result && Reflect.get(result, name)
  return typeof value === 'string' ? value : undefined
}
