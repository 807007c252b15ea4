/** One row of an error table: when it fits, and (in the adapter's own columns) what it means. */
export interface ErrorRow<Action, Body> {
  status: (status: number) => boolean
  /** Every action, if left out. */
  actions?: readonly Action[]
  /** What the error says; anything, if left out. */
  says?: (error: Body) => boolean
}

/** The first row that fits an error. An adapter takes an error that fits none for unknown: it may have had an effect. */
export const firstRow = <Row extends ErrorRow<Action, Body>, Action, Body>(
  rows: readonly Row[],
  { status, action, error }: { status: number; action: Action; error: Body },
): Row | undefined =>
  rows.find(
    (row) => row.status(status) && (row.actions?.includes(action) ?? true) && (row.says?.(error) ?? true),
  )

/** One of these statuses. */
export const among =
  (...statuses: number[]) =>
  (status: number): boolean =>
    statuses.includes(status)

/** A status between two, both included. */
export const between =
  (first: number, last: number) =>
  (status: number): boolean =>
    first <= status && status <= last
