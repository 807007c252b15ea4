import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import type { LogLine } from '../domain/log-line.ts'
import { type Problem, problemBody } from '../domain/problem.ts'
import type { CallKind } from '../domain/rate-limit.ts'
import type { Operation } from '../operations/operation.ts'
import { type Context, type Request as Raw, perform, problemOf } from '../operations/perform.ts'
import type { AuditNote } from '../ports/audit.ts'
import { type ApprovalClient, openApprovalPage } from './approval-request.ts'
import { problemText } from './problem-text.ts'

/** What a call of the endpoint is served with. */
export interface McpContext {
  context: Context
  log: LogLine
  /** Counts one call of the caller. Raises `rate_limited`. */
  count(kind: CallKind): Promise<void>
  /** Writes an audit entry of a refusal that has no flow. */
  note(what: AuditNote): void
}

/** Calls a tool; `overQuota` is the refusal of a call that is one too many. */
export async function callTool(
  operation: Operation,
  given: Record<string, unknown>,
  { context, log, note }: McpContext,
  overQuota: Problem | undefined,
  client: ApprovalClient,
): Promise<CallToolResult | InputRequiredResult> {
  log.operation = operation.name
  log.mode = operation.mode(context.services.modes)
  try {
    if (overQuota) throw overQuota
    const request = { ...requestOf(operation.kind, given), approvalWaitMs: client.waitMs }
    const { body, text, replayed } = await perform(operation, request, context)
    return {
      content: [{ type: 'text', text: text() }],
      structuredContent: body,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  } catch (thrown) {
    const { refusal, replayed, audited } = problemOf(thrown, operation)
    log.code = refusal.code
    if (!audited) note({ event: 'refusal', code: refusal.code })
    const opening = openApprovalPage(refusal, client, operation.title)
    if (opening) return opening
    const problem = problemBody(refusal, log.request_id, context.origin)
    return {
      content: [{ type: 'text', text: problemText(problem) }],
      structuredContent: { ...problem },
      isError: true,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  }
}

/** A mutation takes its key as an argument in place of the header; one that is no text is an invalid one. */
function requestOf(kind: 'read' | 'mutation', given: Record<string, unknown>): Raw {
  if (kind === 'read') return { fields: given }
  const { idempotency_key: key, ...fields } = given
  return { fields, key: key === undefined || typeof key === 'string' ? key : 'no text' }
}
