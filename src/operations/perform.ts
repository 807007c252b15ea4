import * as z from 'zod'
import { fingerprints, confirmationName } from '../confirm/fingerprint.ts'
import { recordIdIn } from '../confirm/plan.ts'
import { issueToken, readToken } from '../confirm/token.ts'
import { Problem } from '../domain/problem.ts'
import { type Scope, requireScope } from '../domain/scopes.ts'
import { isoSeconds, localTime } from '../domain/time.ts'
import type { AuditNote } from '../ports/audit.ts'
import type { ConfirmationReply, Ports } from '../ports/index.ts'
import type { Services } from '../ports/services.ts'
import type { MutationOperation, Operation, Read } from './operation.ts'
import { committedText, previewText } from './answer-text.ts'
import { unlessPaused } from './unless-paused.ts'
import { idempotencyKeyOf, keyProblem } from './idempotency-key.ts'
import { withNearbyTimes } from './nearby-times.ts'
import { committedSchema, previewSchema, requestSchema } from './schemas.ts'
import { checkInput, parseInput } from './validation.ts'

/** Who calls, and through what; the same for REST and MCP. */
export interface Context {
  /** Stays the same for as long as the caller does; idempotency keys belong to it. */
  caller: string
  /** The name of the credential, for a person. */
  label: string
  /** The host of the client app, where an app calls. */
  app: string | null
  requestId: string
  scopes: readonly Scope[]
  /** Those of them that the owner granted this credential by name. */
  granted: readonly Scope[]
  services: Pick<
    Services,
    keyof Ports | 'confirmations' | 'events' | 'houseRules' | 'modes' | 'subscriptions'
  >
  /** The public address of this service. */
  origin: string
  /** Writes an entry of a call that changed nothing to the audit log, after the answer and as well as it can. */
  audit(note: AuditNote): void
}

export interface PerformResult {
  body: Record<string, unknown>
  /** The same for a person to read; made only where it is asked for. */
  text(): string
  /** The stored answer of an earlier commit. */
  replayed: boolean
}

const NEXT_STEP =
  'Show this preview to a person, beside the details you sent, and wait for their yes. To commit, repeat the request under the same idempotency key with confirm=true and this confirmation_token.'

const APPROVAL_NEXT_STEP = {
  pending:
    'Show the person this preview, the approval code and the approval url: the owner wants a person to approve it there. Once that is done, repeat the request under the same idempotency key with confirm=true and this confirmation_token. It is not made by itself.',
  approved:
    'A person has approved it. To commit, repeat the request under the same idempotency key with confirm=true and this confirmation_token.',
} as const

/** What came in, unchecked. */
export interface Request {
  /** The fields of the request; path fields, if any, are separate. */
  fields: unknown
  path?: Record<string, string>
  /** The idempotency key as it was sent, if one was. */
  key?: string | undefined
  /** How long a commit that nobody has approved waits for a person to decide, in milliseconds. */
  approvalWaitMs?: number | undefined
}

/** Does an operation: the one path for REST and MCP. Throws a Problem for every refusal. */
export async function perform(
  operation: Operation,
  request: Request,
  context: Context,
): Promise<PerformResult> {
  requireScope(context.scopes, operation.scope)
  return operation.kind === 'read' ? read(operation, request, context) : confirm(operation, request, context)
}

async function read(operation: Read, request: Request, context: Context): Promise<PerformResult> {
  const input = parseInput(operation.input, request.fields, request.path)
  const output = operation.output.parse(
    await unlessPaused(context, () => operation.run(input, context.services)),
  )
  return { body: output, text: () => operation.text?.(output) ?? '', replayed: false }
}

async function confirm(
  operation: MutationOperation,
  { fields, path, key: sentKey, approvalWaitMs }: Request,
  context: Context,
): Promise<PerformResult> {
  const { caller, app, requestId, scopes, services, origin, audit } = context
  const key = idempotencyKeyOf(sentKey ?? '')
  const schema = requestSchema(operation)
  const badKey = keyProblem(key, () => checkInput(schema, fields, path).errors)
  if (badKey) throw badKey
  const { confirm: commit, confirmation_token, ...input } = parseInput(schema, fields, path)
  const name = await confirmationName(caller, key)
  const keyring = await services.keyring()
  const reply = await services.confirmations.perform(name, {
    operation: operation.name,
    input,
    confirm: commit === true,
    token: await readToken(
      keyring,
      name,
      typeof confirmation_token === 'string' ? confirmation_token : undefined,
    ),
    fingerprints: await fingerprints(keyring, operation.name, operation.canonical(input)),
    origin,
    scopes,
    approvalWaitMs,
    by: { caller, app, request_id: requestId },
  })
  if (!reply.audited) {
    const about = { operation: operation.name, operation_id: services.confirmations.operationId(name) }
    audit({ ...about, ...auditNoteOf(reply, operation.recordId) })
  }
  switch (reply.is) {
    case 'refused': {
      const wanted = operation.wantedTime?.bind(operation, input)
      const refusal = wanted ? await withNearbyTimes(reply.refusal, wanted, context) : reply.refusal
      throw new Problem(refusal, reply.replayed, true)
    }
    case 'committed': {
      const body = committedSchema(operation).parse(reply.body)
      return { body, text: () => committedText(body), replayed: reply.replayed }
    }
    case 'preview': {
      const body = previewSchema(operation).parse({
        status: 'preview',
        operation: operation.name,
        mode: reply.mode,
        preview: reply.preview,
        summary: reply.summary,
        warnings: reply.warnings,
        confirmation_token: await issueToken(keyring, reply.keyId, name, reply.id),
        expires_at: isoSeconds(reply.expiresAt),
        next_step: reply.approval ? APPROVAL_NEXT_STEP[reply.approval.status] : NEXT_STEP,
        ...(reply.approval && { approval: reply.approval }),
      })
      const until = () => localTime(reply.expiresAt, services.practice.timezone)
      return { body, text: () => previewText(body, until()), replayed: false }
    }
  }
}

/** What was thrown, as a problem; of a fault of ours only a read is sure to have had no effect. */
export const problemOf = (thrown: unknown, { kind }: Operation): Problem =>
  thrown instanceof Problem
    ? thrown
    : new Problem({ code: 'internal_error', effect: kind === 'read' ? 'none' : 'unknown' })

/** A call that changed nothing: a repeat, or a refusal. */
function auditNoteOf(reply: ConfirmationReply, recordIdFields: readonly string[]): AuditNote {
  switch (reply.is) {
    case 'preview':
      return { event: 'replay', code: 'preview' }
    case 'committed': {
      const { result } = committedBodySchema.parse(reply.body)
      return { event: 'replay', code: 'committed', record_id: recordIdIn(recordIdFields, result) }
    }
    case 'refused': {
      const { code } = reply.refusal
      return { event: reply.replayed ? 'replay' : code === 'outcome_unknown' ? 'doubt' : 'refusal', code }
    }
  }
}

const committedBodySchema = z.looseObject({ result: z.looseObject({}) })
