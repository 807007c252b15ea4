/** All that is ever logged about a request: an allow-list, so that nothing personal can slip in. */
export interface LogLine {
  request_id: string
  /** The operation, or the document that was asked for; never a path. */
  operation: string
  /**
   * `ok`, the code of the problem, `protocol_error` where MCP itself refused, or of a provider's webhook `hook_refused` or
   * `hook_not_in_use`.
   */
  code: string
  status: number
  duration_ms: number
  caller: string
  mode: string
}
