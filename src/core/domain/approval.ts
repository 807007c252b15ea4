import { underName } from './origin.ts'
import { DAY, HOUR } from './time/duration.ts'

/** How long a preview that a person has to approve can be committed, at least; in milliseconds. */
export const APPROVAL_TTL_MS = 4 * HOUR

/** Changes of one caller that may wait for approval at once. */
export const MOST_WAITING = 20

/** A caller that was declined so often within an hour asks for its next approval an hour later. */
export const MOST_DECLINES = 3

/** How often an address may be compared with that of one preview: no one is to find it out by trying. */
export const MOST_COMPARISONS = 5

/** For how long it is remembered that a change of a caller was declined, in milliseconds. */
export const DECLINES_KEPT = 30 * DAY

/** Whether a person can still decide about a change whose approval has this status. */
export const isOpenApproval = ({ status }: { status: string }) =>
  ['waiting', 'approved', 'lifted'].includes(status)

/** The page on which a person approves or declines a change; its address carries no authority. */
export const approvalPath = (operationId: string) => `/approve/${operationId}`

/** The whole address of that page; `origin` is the public address of this service. */
export const approvalUrl = (origin: string, operationId: string) =>
  underName(origin) + approvalPath(operationId)
