import {
  type CallToolResult,
  type InputRequiredResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
  inputRequired,
  inputResponse,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server'

import { dayLines } from '../../core/domain/availability.ts'
import { factLines } from '../../core/domain/facts.ts'
import type { LogLine } from '../../core/domain/log-line.ts'
import {
  type Problem,
  problemBody,
  type ProblemBody,
  EFFECT_MEANINGS,
  type Refusal,
} from '../../core/domain/problem/problem.ts'
import { refusalFacts } from '../../core/domain/problem/problem.ts'
import type { CallKind } from '../../core/domain/rate-limit.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { AuditNote } from '../../core/ports/audit.ts'
import type { Context, Request as Raw } from '../../practice/operations/context.ts'
import { TOOLS } from '../../practice/operations/index.ts'
import type { Operation } from '../../practice/operations/operation.ts'
import { perform, problemOf } from '../../practice/operations/perform.ts'
import { requestSchema } from '../../practice/operations/schemas.ts'
import { isFields, readArguments } from './arguments.ts'

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
    const { waitMs: approvalWaitMs, opensPages } = client
    const { timezone } = context.services.practice
    const request = { ...requestOf(operation, given, timezone), approvalWaitMs, opensPages }
    const { body, text, replayed } = await perform(operation, request, context)
    return {
      content: [{ type: 'text', text: text() }],
      structuredContent: body,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  } catch (thrown) {
    const { refusal, replayed, audited, openPage, asked } = problemOf(thrown, operation)
    log.code = refusal.code
    if (!audited) note({ event: 'refusal', code: refusal.code, about: refusalFacts(refusal) })
    const opening = openPage && openApprovalPage(refusal, operation.title)
    if (opening) return opening
    const problem = problemBody(refusal, log.request_id, context.origin, asked)
    return {
      content: [{ type: 'text', text: problemText(problem) }],
      structuredContent: { ...problem },
      isError: true,
      ...(replayed ? { _meta: { idempotent_replayed: true } } : {}),
    }
  }
}

/** The request of a tool call. A mutation takes its key as an argument, every text as it is. */
function requestOf(operation: Operation, given: Fields, practiceZone: string): Raw {
  if (operation.kind === 'read')
    return { fields: readArguments(operation.input, given, practiceZone), isTool: true }
  const { idempotency_key: sent, ...fields } = given
  const key = sent ?? undefined
  return {
    fields: readArguments(requestSchema(operation), fields, practiceZone),
    key: key === undefined || typeof key === 'string' ? key : { isNoKey: 'Expected a string.' },
    isTool: true,
  }
}

/**
 * A refusal as text alone: its code, what is wrong, what is known of the effect, its facts and the
 * next step.
 */
export function problemText(body: ProblemBody): string {
  const {
    title,
    code,
    detail,
    effect,
    next_step,
    errors = [],
    changes = [],
    free_slots = [],
    ...more
  } = body
  // Addresses are for REST: a model cannot open them.
  const {
    type: _type,
    status: _status,
    retryable: _retryable,
    status_url_template: _url,
    ...known
  } = more
  // A person decides, and says so: a model that is given seconds asks again and again.
  const { retry_after_seconds: _seconds, ...decided } = known
  const facts = code === 'approval_pending' ? decided : known
  return [
    `${title} (${code}). ${detail}`,
    `Effect: ${effect}. ${EFFECT_MEANINGS[effect]}`,
    ...errors.map(
      (error) => `- ${error.pointer === '' ? 'the request' : error.pointer}: ${error.detail}`,
    ),
    ...changes.flatMap(({ field, was, now }) => {
      const values = factLines({ [`${field} was`]: was, [`${field} is now`]: now })
      return values.length > 0 ? values : `${field} has changed`
    }),
    ...(free_slots.length > 0
      ? ['Free nearby:', ...dayLines(free_slots.map(({ start_time }) => start_time))]
      : []),
    ...factLines(facts),
    `Next: ${next_step}`,
  ].join('\n')
}

const APPROVAL = 'approval'

/** How long a call waits for the decision of a person who has just opened the page. */
const WAIT_MS = 20 * SECOND

/** What a client of protocol 2026-07-28 can do about an approval; clients before it declare nothing. */
export interface ApprovalClient {
  /** It can open the page of the approval, and does not just say what became of that. */
  opensPages: boolean
  /** How long the call waits for a decision: only where the person agreed to open the page. */
  waitMs: number | undefined
}

export function approvalClient({ mcpReq }: ServerContext): ApprovalClient {
  const declared = mcpReq.envelope as
    | { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
    | undefined
  const { elicitation } = declared?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  const answer = inputResponse(mcpReq.inputResponses, APPROVAL)
  const isOpened = answer.kind === 'elicit' && answer.action === 'accept'
  return {
    opensPages: elicitation?.url !== undefined && answer.kind !== 'elicit',
    waitMs: isOpened ? WAIT_MS : undefined,
  }
}

/**
 * Asks the client to open the approval page. Opening decides nothing, so the call is sent again to
 * learn the decision.
 */
export function openApprovalPage(
  { approval_url: url, approval_code }: Refusal,
  title: string,
): InputRequiredResult | undefined {
  if (url === undefined) return undefined
  const message =
    `${title}: the owner wants a person to approve it. Its code is ${approval_code}. ` +
    'Open the page to approve or decline it.'
  return inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicitUrl({ message, url }) } })
}

type Fields = Record<string, unknown>

/** The operation whose tool has this name, whatever it was that came as a name. */
export const operationNamed = (name: unknown): Operation | undefined =>
  TOOLS.find((one) => one.name === name)

const paramsOf = (message: unknown): Fields =>
  isFields(message) && isFields(message['params']) ? message['params'] : {}

/** What a message counts as: as its tool's kind where it names one, else as a read. */
export const callKindOf = (message: unknown): CallKind =>
  operationNamed(paramsOf(message)['name'])?.kind === 'mutation' ? 'changes' : 'reads'

/** A request that the SDK hands to a tool; when it is one too many, the tool answers it with the refusal. */
export function isToolCall(message: unknown): boolean {
  const { name, arguments: given = {} } = paramsOf(message)
  return (
    isJSONRPCRequest(message) &&
    message.method === 'tools/call' &&
    !!operationNamed(name) &&
    isFields(given)
  )
}
