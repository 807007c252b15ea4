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

/** A time zone that the caller named and the provider does not know. */
export const UNKNOWN_ZONE: Refusal = {
  code: 'validation_failed',
  effect: 'none',
  errors: [
    { pointer: '/timezone', detail: 'Expected a time zone that the scheduling provider knows.' },
  ],
}

/** The advice for a response that is JSON, but not in the form this adapter was written for. */
export const unknownForm = (label: string): string =>
  `${label} answered in a form that this version of the connector does not know. Update the connector; if there is no newer version, tell its maintainer.`
