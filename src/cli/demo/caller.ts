/** One call of an operation, before it is put into the words of a transport. */
export interface DemoCall {
  operation: string
  /** All fields of the request, those of the path among them. */
  fields: Readonly<Record<string, unknown>>
  /** The idempotency key; every operation but the availability needs one. */
  key?: string
}

export type Body = Readonly<Record<string, unknown>>

export interface CallResult {
  body: Body
  refused: boolean
  replayed: boolean
  /** The answer in the words of the transport, such as `200 preview`. */
  line: string
  /** What else the transport says, for people. */
  rows: readonly (readonly [label: string, value: string])[]
}

/** A way to call the connector. */
export interface Caller {
  name: string
  /** The call in the words of the transport, such as `POST /v1/bookings`. */
  line(ask: DemoCall): string
  /** What goes with it, as the transport names it. */
  sent(ask: DemoCall): Readonly<Record<string, unknown>>
  call(ask: DemoCall): Promise<CallResult>
  close(): Promise<void>
}

/** What an answer is, in one word: `preview`, `committed`, the code of a refusal, or `OK`. */
export function outcomeOf(body: Body): string {
  const outcome = body['code'] ?? body['status']
  return typeof outcome === 'string' ? outcome : 'OK'
}
