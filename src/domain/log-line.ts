/** All that is ever logged about a request: an allow-list, so that nothing personal can slip in. What is `none` is left out. */
export interface LogLine {
  request_id: string
  /** The operation, or the document that was asked for; never a path. */
  operation: string
  /** `ok`, the code of a problem, `protocol_error` of MCP itself, `hook_refused` or `hook_not_in_use` of a webhook. */
  code: string
  status: number
  duration_ms: number
  caller: string
  mode: string
}
