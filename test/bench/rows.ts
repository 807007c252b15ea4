import type { Batch } from './load.ts'

/** One line of the table: a server, and a batch of requests that is sent to it in every round. */
export interface Row {
  id: string
  /** Which server answers. */
  server: string
  kind: 'floor' | 'read' | 'preview' | 'commit' | 'replay' | 'peer'
  /** How many connections, where it is not all of them. */
  over?: number | undefined
  /** `count` requests, where the row does not have a number of its own. */
  batch(count: number): Batch
  /** How long it is watched after its last answer, in milliseconds: for what it does only then. */
  watched?: number
  /** What it makes stays, and makes the next one dearer: it is not run again only to warm up. */
  stays?: true
  /** So many requests a batch, and no more to warm up: what has hardly run is not yet compiled. */
  cold?: number
  /** Sent before the batch, and not measured. */
  before?(): Batch
}

const COLD_BATCH = 40

/**
 * The same row on a server that answers nothing else, in short batches: a small practice has so few calls that its code
 * stays cold.
 */
export const whileCold = (row: Row, server: string): Row => ({
  ...row,
  id: `${row.id}, cold`,
  server,
  cold: COLD_BATCH,
})

/** A row that sends one and the same request. */
export function steady(
  row: Pick<Row, 'id' | 'server' | 'kind'>,
  request: Buffer,
  expected: { status?: number; contains?: string } = {},
): Row {
  return {
    ...row,
    batch: (count) => ({
      requests: Array.from({ length: count }, () => request),
      status: 200,
      ...expected,
    }),
  }
}
