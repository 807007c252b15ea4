import type { InputRequiredResult } from '@modelcontextprotocol/server'

import { dayLines } from '../../core/domain/availability.ts'
import { factLines } from '../../core/domain/facts.ts'
import type { LogLine } from '../../core/domain/log-line.ts'
import type { Practice } from '../../core/domain/practice.ts'
import {
  type Problem,
  problemBody,
  type ProblemBody,
  EFFECT_MEANINGS,
  type Refusal,
  refusalFacts,
} from '../../core/domain/problem/problem.ts'
import type { CallKind } from '../../core/domain/rate-limit.ts'
import { type Fields, isFields } from '../../core/json.ts'
import type { AuditNote } from '../../core/ports/audit.ts'
import type { Context, Request as Raw } from '../../practice/operations/context.ts'
import { TOOLS } from '../../practice/operations/index.ts'
import type { Operation } from '../../practice/operations/operation.ts'
import { perform, problemOf } from '../../practice/operations/perform.ts'
import { requestSchema } from '../../practice/operations/schemas.ts'
import { readArguments } from './arguments.ts'

export interface McpContext {
  context: Context
  log: LogLine
  /** Counts one call of the caller. Raises `rate_limited`. */
  count(kind: CallKind): Promise<void>
  /** Writes an audit entry of a refusal that has no flow. */
  note(what: AuditNote): void
}

/** A message that was counted. */
export interface McpCall extends McpContext {
  /** Set if the call is one too many: its tool answers this instead of doing anything. */
  overQuota: Problem | undefined
  callTool: typeof callTool
}

/** The answer of a tool. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent: Fields
  isError?: boolean
  _meta?: Fields
}

/** What the client of a call can do about an approval. */
export interface ApprovalClient {
  /** Asks it to open the page of the approval, unless it just says what became of that. */
  openPage: ((refusal: Refusal, title: string) => InputRequiredResult | undefined) | undefined
  /** How many milliseconds the call waits for a decision: only where the person agreed to open the page. */
  waitMs: number | undefined
}

/** A client that opens no pages, as all before protocol 2026-07-28. */
export const NO_PAGES: ApprovalClient = { openPage: undefined, waitMs: undefined }

/** Calls a tool. */
export async function callTool(
  operation: Operation,
  given: Fields,
  { context, log, note, overQuota }: Omit<McpCall, 'callTool'>,
  client: ApprovalClient,
): Promise<ToolResult | InputRequiredResult> {
  log.operation = operation.name
  log.mode = operation.mode(context.services.modes)
  try {
    if (overQuota) throw overQuota
    const request = {
      ...requestOf(operation, given, context.services.practice),
      approvalWaitMs: client.waitMs,
      opensPages: client.openPage !== undefined,
    }
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
    const opening = openPage && client.openPage?.(refusal, operation.title)
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

/**
 * The request of a tool call. A mutation takes its key as an argument, every text as it is: some hosts
 * send one of digits alone as a number.
 */
function requestOf(operation: Operation, given: Fields, practice: Practice): Raw {
  const own = [practice.timezone, operation.choices?.(practice)] as const
  if (operation.kind === 'read')
    return { fields: readArguments(operation.input, given, ...own).fields, isTool: true }
  const { idempotency_key: sent, ...fields } = given
  const key = Number.isSafeInteger(sent) ? String(sent) : (sent ?? undefined)
  return {
    ...readArguments(requestSchema(operation), fields, ...own),
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

const tools = new Map<unknown, Operation>(TOOLS.map((one) => [one.name, one]))

/** The operation whose tool has this name, whatever it was that came as a name. */
export const operationNamed = (name: unknown) => tools.get(name)

const paramsOf = (message: unknown): Fields =>
  isFields(message) && isFields(message['params']) ? message['params'] : {}

/** What a message counts as: as its tool's kind where it names one, else as a read. */
export const callKindOf = (message: unknown): CallKind =>
  operationNamed(paramsOf(message)['name'])?.kind === 'mutation' ? 'changes' : 'reads'

/** Whether a message calls a tool of ours; when it is one too many, the tool answers it with the refusal. */
export const namesTool = (message: unknown) =>
  isFields(message) &&
  message['method'] === 'tools/call' &&
  operationNamed(paramsOf(message)['name']) !== undefined

/** Notes that the form of a message was refused, in the log and in the audit log. */
export function noteProtocolError({ log, note }: McpContext) {
  log.code = 'protocol_error'
  note({ event: 'refusal', code: log.code })
}
