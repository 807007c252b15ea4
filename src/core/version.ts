/** The version of the interface, as the documents and `/health` show it. */
export const VERSION = '0.1.0'

/** What this service does, for agents and in its documents. */
export const SERVICE_SUMMARY =
  'read consult availability; book, reschedule and cancel consults; ' +
  'create client profiles; submit intake answers; create payment links'

/** The revisions of the Model Context Protocol that `/mcp` speaks. */
export const MCP_REVISIONS = {
  newest: '2026-07-28',
  /** The newest with an initialisation. */
  newest2025: '2025-11-25',
  text: 'protocol 2026-07-28 and 2025-03-26 to 2025-11-25',
} as const
