import type { Refusal } from '../../core/domain/problem/problem.ts'

/** One row of an error table: when it fits, and (in the adapter's own columns) what it means. */
export interface ErrorRow<Action, Body> {
  status: (status: number) => boolean
  actions?: readonly Action[]
  says?: (error: Body) => boolean
}

/** The first row that fits an error. An error that fits none is unknown: it may have had an effect. */
export const firstRow = <Row extends ErrorRow<Action, Body>, Action, Body>(
  rows: readonly Row[],
  { status, action, error }: { status: number; action: Action; error: Body },
): Row | undefined =>
  rows.find(
    (row) =>
      row.status(status) && (row.actions?.includes(action) ?? true) && (row.says?.(error) ?? true),
  )

export const among =
  (...statuses: number[]) =>
  (status: number): boolean =>
    statuses.includes(status)

export const between =
  (first: number, last: number) =>
  (status: number): boolean =>
    first <= status && status <= last

/** A refusal that the owner can fix; `detail` says how. */
export const misconfigured = (detail: string): Refusal => {
  return { code: 'provider_misconfigured', effect: 'none', detail }
}

/** A refusal that may be temporary. */
export const busyFor = (seconds: number): Refusal => {
  return { code: 'provider_busy', effect: 'none', retry_after_seconds: seconds }
}

const unaccepted = (pointer: string, detail: string): Refusal => {
  return { code: 'validation_failed', effect: 'none', errors: [{ pointer, detail }] }
}

/** Fields of the caller that a scheduling provider does not accept. */
export const UNACCEPTED = {
  email: unaccepted(
    '/invitee_email',
    'Expected an email address that the scheduling provider accepts.',
  ),
  name: unaccepted('/invitee_name', 'Expected a name that the scheduling provider accepts.'),
  zone: unaccepted('/timezone', 'Expected a time zone that the scheduling provider knows.'),
} as const

/** Statuses with which a firewall or a proxy turns a request away before the provider sees it. */
export const TURNED_AWAY = among(401, 403, 407, 451)

/**
 * A 4xx that the provider itself may have sent before it acted. A proxy sends the others when it
 * gave up waiting.
 */
export const isRefusal = (status: number): boolean =>
  between(400, 499)(status) && !among(408, 425, 499)(status)

/**
 * A request that was turned away by an answer that is not the provider's: that proves nothing about
 * a key.
 */
export const turnedAway = (label: string): Refusal => ({
  ...busyFor(60),
  detail:
    `Something between this service and ${label}, such as a firewall or a proxy, refused the ` +
    `request, with an answer that is not one of ${label}'s. Nothing was done.`,
  next_step:
    'Try again after retry_after_seconds, with the same idempotency key. ' +
    'If it happens again, tell the owner of the practice.',
})

/** An answer came, and does not say whether the change was made. */
export const NOT_UNDERSTOOD = { is: 'unknown', answered: true } as const

/** The advice for a response that is JSON, but not in the form this adapter was written for. */
export const unknownForm = (label: string): string =>
  `${label} answered in a form that this version of the connector does not know. ` +
  'Update the connector; if there is no newer version, tell its maintainer.'
