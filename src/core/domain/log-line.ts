/** All that is logged about a request: an allow-list. Fields that are `none` are left out. */
export interface LogLine {
  request_id: string
  /** The operation, or the document that was asked for; never a path. */
  operation: string
  /**
   * `ok`, the code of a problem, `protocol_error` (MCP), `notification_refused` or
   * `notification_not_in_use` (webhooks).
   */
  code: string
  status: number
  duration_ms: number
  caller: string
  mode: string
}
