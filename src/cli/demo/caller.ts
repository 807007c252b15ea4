/** One call of an operation, independent of the transport. */
export interface DemoCall {
  operation: string
  /** All fields of the request, those of the path among them. */
  fields: Readonly<Record<string, unknown>>
  /** The idempotency key of a change. */
  key?: string
}

export type Body = Readonly<Record<string, unknown>>

export interface CallResult {
  body: Body
  refused: boolean
  replayed: boolean
  /** The response as the transport shows it, such as `200 preview`. */
  line: string
  /** Further lines that the transport shows to people. */
  rows: readonly (readonly [label: string, value: string])[]
}

/** A way to call the connector. */
export interface Caller {
  name: string
  /** The call as the transport shows it, such as `POST /v1/bookings`. */
  line(ask: DemoCall): string
  /** The fields as the transport sends them. */
  sent(ask: DemoCall): Readonly<Record<string, unknown>>
  call(ask: DemoCall): Promise<CallResult>
  close(): Promise<void>
}

/** The outcome in one word: `preview`, `committed`, the code of a refusal, or `OK`. */
export function codeOrStatus(body: Body): string {
  const outcome = body['code'] ?? body['status']
  return typeof outcome === 'string' ? outcome : 'OK'
}
