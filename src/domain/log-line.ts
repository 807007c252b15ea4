/** All that is ever logged about a request: an allow-list, so that nothing personal can slip in. */
export interface LogLine {
  request_id: string
  /** The operation, or the document that was asked for; never a path. */
  operation: string
  /** `ok`, or the code of the problem. */
  code: string
  status: number
  duration_ms: number
  caller: string
  mode: string
}
