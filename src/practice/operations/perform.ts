import type * as z from 'zod'

import { recordIdIn, saidOf } from '../../core/confirm/mutation.ts'
import { confirmationName, fingerprints, issueToken, readToken } from '../../core/confirm/token.ts'
import { factLines } from '../../core/domain/facts.ts'
import { faultLine } from '../../core/domain/log-line.ts'
import type { Mode } from '../../core/domain/mode.ts'
import type { Practice } from '../../core/domain/practice.ts'
import { Problem, refusalFacts } from '../../core/domain/problem/problem.ts'
import type { Asked } from '../../core/domain/problem/problems.ts'
import { requireScope } from '../../core/domain/scopes.ts'
import { inSentence, isoSeconds, weekdayTime } from '../../core/domain/time/time.ts'
import type { AuditNote } from '../../core/ports/audit.ts'
import type { ConfirmationCall, ConfirmationReply } from '../../core/ports/confirmation.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import { withNearbyTimes } from './booking/alternatives.ts'
import { unlessPaused, type Context, type Request } from './context.ts'
import { isIdempotencyKey, keyProblem, keyWarnings, withCauseOfReuse } from './idempotency-key.ts'
import { OPERATIONS } from './index.ts'
import { callerOfLink } from './invite-client.ts'
import { answerFor, refusalFor, textFor } from './named-operations.ts'
import { type PageMutation, type Operation, type Read, asKnown, mockMark } from './operation.ts'
import { compileSchemas, fast, committedSchema, previewSchema, requestSchema } from './schemas.ts'
import { checkInput, parseInput } from './validation.ts'

interface PerformResult {
  body: Record<string, unknown>
  /** The same as text for a person. It is made only when it is asked for. */
  text(): string
  /** The stored answer of an earlier commit. */
  replayed: boolean
}

/** What a model is asked to do with a preview. */
export const NEXT_STEP =
  'Show the person this and the details that it masks, and wait for their yes. ' +
  'Then repeat it with confirm=true and this confirmation_token.'

const APPROVAL_NEXT_STEP = {
  pending:
    'Show the person this preview, the approval code and the approval url: the owner wants ' +
    'a person to approve it there. Once that is done, repeat the request under the same ' +
    'idempotency key with confirm=true and this confirmation_token. ' +
    'It is not made by itself.',
  approved:
    'A person has approved it. To commit, repeat the request under the same idempotency ' +
    'key with confirm=true and this confirmation_token.',
} as const

compileSchemas(OPERATIONS)

/** Does an operation: the one path for REST and MCP. Throws a Problem for every refusal. */
export async function perform(
  operation: Operation,
  request: Request,
  context: Context,
): Promise<PerformResult> {
  try {
    requireScope(context.scopes, operation.scope)
    return await (operation.kind === 'read'
      ? read(operation, request, context)
      : performChange(operation, request, context))
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    throw refusalFor(thrown, askedFor(operation, request), textFor(context, request.isTool))
  }
}

function askedFor({ kind }: Operation, { fields }: Request): Asked {
  if (kind === 'read') return 'read'
  const isCommit = typeof fields === 'object' && fields !== null && Reflect.get(fields, 'confirm')
  return isCommit === true ? 'commit' : 'preview'
}

/**
 * Does an operation for one of our pages under a client link. The caller is the link, and the
 * idempotency key is its id, so everything that is done under the link is one flow. Without a token
 * it makes a preview, which replaces the one before; with the token it commits; with `atOnce` it
 * does both. Raises what `perform` raises.
 */
export function performUnderLink(
  operation: PageMutation,
  typed: object & { link_id: string },
  page: Pick<Context, 'services' | 'requestId'> & {
    site(): { origin: string }
    note: Context['audit']
  },
  { token, atOnce }: { token?: string | undefined; atOnce?: true } = {},
): Promise<PerformResult> {
  const fields = { ...typed, confirm: token !== undefined, confirmation_token: token }
  const request = { fields, key: typed.link_id, revisable: true, atOnce } as const
  return performChange(operation, request, {
    caller: callerOfLink(typed.link_id),
    label: 'Client link',
    app: null,
    requestId: page.requestId,
    // The link has none, so that its page does not reveal whether a person is a client here.
    scopes: [],
    granted: [],
    requireCredential: async () => ({ expiresAt: null }),
    services: page.services,
    origin: page.site().origin,
    audit: page.note,
  })
}

async function read(operation: Read, request: Request, context: Context): Promise<PerformResult> {
  const input = parseInput(operation.input, request.fields, request)
  let found = await unlessPaused(context, () => answered(operation, input, context))
  if (request.isTool && operation.shortened) found = operation.shortened(found, input)
  const texts = textFor(context, request.isTool)
  const body = answerFor(fast(operation.output).parse(found), texts)
  return {
    body,
    text: () => operation.text?.(body, texts) ?? '',
    replayed: false,
  }
}

/**
 * The answer of a read, with the fields for which the owner granted this caller the scope by name.
 */
async function answered(
  { run, granted }: Read,
  input: object,
  { scopes, services }: Context,
): Promise<object> {
  if (!granted || !scopes.includes(granted.scope)) return run(input, services)
  const [own, more] = await Promise.all([run(input, services), granted.run(input, services)])
  return { ...own, ...more }
}

/** Previews or commits. Raises the refusal of a wrong request, and that of the change. */
async function performChange(
  operation: PageMutation & Pick<Operation, 'unlisted'>,
  request: Request,
  context: Context,
): Promise<PerformResult> {
  const { services, origin, audit } = context
  const { key, input, confirmation_token, isCommit } = checkedChange(operation, request, services)
  const name = await confirmationName(context.caller, key)
  const keyring = await services.keyring()
  const texts = textFor(context, request.isTool)
  const { sent, compared, short } = formsOf(operation, input, services.practice)
  const reply = await answerOf(context, name, {
    operation: operation.name,
    input,
    compared,
    confirm: isCommit,
    token: await readToken(keyring, name, confirmation_token),
    ...(await fingerprints(keyring, operation.name, short, sent, compared)),
    origin,
    // What a commit shows was shown.
    scopes: isCommit ? [] : context.scopes,
    approvalWaitMs: request.approvalWaitMs,
    opensPages: request.opensPages,
    revisable: request.revisable,
    atOnce: request.atOnce,
    sentAs: request.sentAs,
    by: { caller: context.caller, app: context.app, request_id: context.requestId },
  })
  if (!reply.audited) {
    const about = { operation: operation.name, operation_id: reply.operationId ?? null }
    audit({ ...about, ...auditNoteOf(reply, operation.recordId) })
  }
  switch (reply.is) {
    case 'refused': {
      const wanted = operation.wantedTime?.bind(operation, input)
      const refusal = wanted ? await withNearbyTimes(reply.refusal, wanted, context) : reply.refusal
      throw new Problem(withCauseOfReuse(refusal, key), { ...reply, audited: true })
    }
    case 'committed': {
      const whole = await committedBody(operation, reply.body, keyring, origin)
      const body = answerFor(whole, texts)
      return {
        body,
        text: () => committedText(body as Committed, reply.replayed),
        replayed: reply.replayed,
      }
    }
    case 'preview': {
      const body = asKnown(previewSchema(operation), {
        status: 'preview',
        operation: operation.name,
        mode: reply.mode,
        preview: reply.preview,
        summary: reply.summary,
        warnings: [...reply.warnings, ...keyWarnings(key)].map(texts),
        confirmation_token: await issueToken(keyring, reply.keyId, name, reply.id),
        expires_at: isoSeconds(reply.expiresAt),
        next_step: reply.approval ? APPROVAL_NEXT_STEP[reply.approval.status] : NEXT_STEP,
        ...(reply.approval && { approval: reply.approval }),
      })
      const until = () => weekdayTime(reply.expiresAt, services.practice.timezone)
      return { body, text: () => previewText(body, until()), replayed: false }
    }
  }
}

/** The checked fields of a change and its key. Raises what is wrong with either, both at once. */
function checkedChange(
  operation: PageMutation & Pick<Operation, 'unlisted'>,
  { fields, path, key = '', isTool }: Request,
  { practice }: Context['services'],
) {
  const schema = requestSchema(operation)
  const unlisted = operation.unlisted?.(practice).input
  const place = { path, isTool, isChange: true, unlisted }
  if (!isIdempotencyKey(key)) throw keyProblem(key, checkInput(schema, fields, place).errors ?? [])
  const { confirm, confirmation_token: token, ...input } = parseInput(schema, fields, place)
  const confirmation_token = typeof token === 'string' ? token : undefined
  return { key, input, confirmation_token, isCommit: confirm === true }
}

/** A stored answer, completed with its fields that are never stored. */
export async function committedBody(
  operation: PageMutation,
  stored: object,
  keyring: Keyring,
  origin: string,
) {
  const result = resultIn(stored)
  const more = await operation.unstored?.of(result, keyring, origin)
  return asKnown(committedSchema(operation), { ...stored, result: { ...result, ...more } })
}

/**
 * The forms of an input: as it was sent, as it is compared, where a field that was left out has its
 * default of this moment, and as it is fingerprinted, where a field with its default is left out.
 */
export function formsOf(operation: PageMutation, input: object, practice: Practice) {
  const defaults = operation.defaults?.(practice) ?? {}
  const sent = operation.canonical(input)
  const others = Object.entries(sent).filter(([name, value]) => value !== defaults[name])
  return { sent, compared: { ...defaults, ...sent }, short: Object.fromEntries(others) }
}

/**
 * The answer of the confirmation object. A call that had to wait continues, and gets the answer,
 * only if its credential is still valid. A call always gets the answer to what it began itself.
 */
async function answerOf(context: Context, name: string, call: ConfirmationCall): Promise<Answer> {
  const reply = await context.services.confirmations.perform(name, call)
  if (reply.waited) await context.requireCredential()
  return reply.is === 'ask_again'
    ? answerOf(context, name, { ...call, approvalWaitMs: undefined })
    : reply
}

type Answer = Exclude<ConfirmationReply, { is: 'ask_again' }>

/** What was thrown, as a problem. After a fault of ours only a read certainly had no effect. */
export function problemOf(
  thrown: unknown,
  { kind, name }: Pick<Operation, 'kind' | 'name'>,
): Problem {
  const effect = kind === 'read' ? 'none' : 'unknown'
  if (!(thrown instanceof Problem)) console.error(faultLine(thrown, { operation: name }))
  const found = thrown instanceof Problem ? thrown : new Problem({ code: 'internal_error', effect })
  if (kind === 'read') found.asked = 'read'
  return found
}

/** The audit entry of a call that changed nothing: a repeat or a refusal. */
function auditNoteOf(reply: Answer, recordIdFields: readonly string[]): AuditNote {
  switch (reply.is) {
    case 'preview':
      return { event: 'replay', code: 'preview' }
    case 'committed': {
      const record_id = recordIdIn(recordIdFields, resultIn(reply.body))
      return { event: 'replay', code: 'committed', record_id }
    }
    case 'refused': {
      const { code }: { code: string } = reply.refusal
      const about = refusalFacts(reply.refusal)
      if (reply.replayed) return { event: 'replay', code, about }
      const event = code === 'outcome_unknown' ? 'unresolved' : 'refusal'
      return { event, code, about }
    }
  }
}

/** The result in a stored answer. */
const resultIn = (stored: { result?: object }): object => stored.result ?? {}

/**
 * The facts of an answer, without a local time that its summary says already. An amount is shown
 * only as a person reads it: `$250.00`.
 */
function lines(facts: object, summary: string): string[] {
  const hasDisplay = Object.keys(facts).some((name) => name.endsWith('_display'))
  const shown = Object.entries(facts).filter(([name, value]) => {
    if (`${name}_display` in facts || (hasDisplay && name === 'currency')) return false
    return !(name.endsWith('local_time') && summary.includes(inSentence(String(value))))
  })
  return factLines(Object.fromEntries(shown))
}

/** A preview as text alone; `until` is the end of its token, by weekday and clock. */
export const previewText = (
  {
    mode,
    preview,
    summary,
    warnings,
    confirmation_token,
    next_step,
    approval,
  }: Omit<z.infer<ReturnType<typeof previewSchema>>, 'status'>,
  until: string,
) =>
  saidOf([
    `Preview, nothing is changed yet${mockMark(mode)}: ${summary}`,
    warnings.map((warning) => `Note: ${warning}`),
    lines(preview, summary),
    `Valid until ${until}.`,
    `confirmation_token: ${confirmation_token}`,
    approval && [
      `approval: ${approval.status}`,
      `approval_code: ${approval.code}`,
      `approval_url: ${approval.url}`,
    ],
    next_step,
  ]).join('\n')

interface Committed {
  mode: Mode
  result: object
  summary: string
  differs_from_preview?: readonly string[] | undefined
  next_step?: string
}

/** A commit as text alone, with every fact of the result: the next call needs its ids. */
export const committedText = (
  { mode, result, summary, differs_from_preview: differs, next_step }: Committed,
  replayed: boolean,
) =>
  saidOf([
    `Done${mode === 'mock' ? ' (mock: nothing real happens)' : ''}: ${summary}`,
    replayed && 'This had been done already; it was not done twice.',
    differs && `differs_from_preview: ${differs.join(', ')}`,
    lines(result, summary),
    next_step,
  ]).join('\n')
