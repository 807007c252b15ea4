import * as z from 'zod'

import { slotSchema } from '../availability.ts'
import { whatIsAskedSchema } from '../booking-asks.ts'
import { scalarSchema } from '../facts.ts'
import { built } from '../lazy.ts'
import type { RateLimit } from '../rate-limit.ts'
import { type Asked, PROBLEMS, PROBLEM_CODES, type ProblemCode } from './problems.ts'

const fieldErrorSchema = z.lazy(() =>
  z.strictObject({
    pointer: z.string().meta({
      description:
        'JSON Pointer (RFC 6901) to the field in the request; ' +
        'an unknown field is named by its parent. `/idempotency_key` is the header ' +
        'Idempotency-Key of a REST call.',
      examples: ['/answers/household_members'],
    }),
    detail: z.string().describe('What was expected; never the value that was sent.'),
    kind: z
      .string()
      .optional()
      .describe('The kind of sensitive data that was found, if that is the reason.'),
  }),
)

const changeSchema = z.lazy(() =>
  z.strictObject({
    field: z.string(),
    was: scalarSchema.optional(),
    now: scalarSchema.optional(),
  }),
)

const remainingBookingSchema = z.lazy(() =>
  z
    .strictObject({
      previous_booking_id: z.string().optional(),
      booking_id: z
        .union([z.string(), z.null()])
        .describe('The booking that exists now, or null if there is none.'),
      state: z.enum(['confirmed', 'pending_host_approval', 'cancelled']),
      start_time: z.string(),
      end_time: z.string(),
      timezone: z.string(),
      local_time: z.string(),
    })
    .meta({
      id: 'RemainingBooking',
      description:
        'What exists after a reschedule that could not be completed, or in place of a ' +
        'booking that was moved.',
    }),
)

/** The facts a refusal may carry besides its code; all of them safe to show. */
const problemFactsSchema = z.lazy(() =>
  z.strictObject({
    errors: z.array(fieldErrorSchema).optional().describe('The fields that are wrong.'),
    changes: z
      .array(changeSchema)
      .optional()
      .describe(
        'The fields that changed since the preview. A personal field is named without its values.',
      ),
    asks: whatIsAskedSchema
      .optional()
      .describe('Everything that this kind of consult asks, if a booking lacks some of it.'),
    invoice_status: z.string().optional(),
    booking: remainingBookingSchema.optional(),
    free_slots: z
      .array(slotSchema)
      .optional()
      .describe(
        'The free times nearest to the requested time, read for this answer; none where another time does not help.',
      ),
    required_scope: z.string().optional(),
    limit: z
      .strictObject({
        policy: z.string(),
        quota: z.int(),
        window_seconds: z.int(),
      } satisfies Record<keyof RateLimit, z.ZodType>)
      .optional()
      .describe('The quota that is used up: the number of calls in a number of seconds.'),
    paused_at: z
      .string()
      .optional()
      .meta({ format: 'date-time', description: 'The time since which the caller is paused.' }),
    rule: z
      .strictObject({
        name: z.string().meta({ examples: ['max_link'] }),
        allows: z.string().meta({
          description: 'What is allowed, for a person.',
          examples: ['Payment links up to $500.00.'],
        }),
        allowed_at: z.string().optional().meta({
          format: 'date-time',
          description: 'When it is allowed again, if that is a matter of time.',
        }),
      })
      .optional()
      .describe('The rule of the owner that does not allow the change.'),
    approval_url: z
      .string()
      .optional()
      .describe('The page on which a person approves or declines the change.'),
    approval_code: z
      .string()
      .optional()
      .meta({
        description: 'The code by which a person recognises the change on that page.',
        examples: ['7K3Q'],
      }),
    scheduling_page_url: z.string().optional().describe('Where a person can book by hand.'),
    needs_attention: z
      .boolean()
      .optional()
      .describe(
        'True when the service has stopped looking and a person has to find out the outcome.',
      ),
  }),
)

const effectSchema = z.enum(['none', 'done', 'unknown', 'partial'])
export type Effect = z.infer<typeof effectSchema>

/** The RFC 9457 body of every refusal, the same over REST and MCP. */
export const problemSchema = z.lazy(() =>
  z
    .strictObject({
      type: z.string().describe('The page that explains this code.'),
      title: z.string(),
      status: z.int().min(400).max(599),
      detail: z.string(),
      code: z.enum(PROBLEM_CODES as [ProblemCode, ...ProblemCode[]]),
      request_id: z.string(),
      retryable: z.boolean().describe('Whether the very same request may succeed later.'),
      retry_after_seconds: z.int().min(0).optional(),
      effect: effectSchema.describe(
        'What is known of the effect of the requested change: none, done (this key has ' +
          'committed already), unknown, or partial.',
      ),
      next_step: z.string(),
      status_url_template: z
        .string()
        .optional()
        .meta({
          description:
            'If the outcome is not known: the URL at which to read it, as a URI Template ' +
            '(RFC 6570) for the idempotency key, which is not repeated here.',
          examples: ['https://connector.example.com/v1/operations/{idempotency_key}'],
        }),
      ...built(problemFactsSchema).shape,
    })
    .meta({
      id: 'Problem',
      description: 'A refusal (RFC 9457). It never repeats a value that was sent.',
    }),
)

export type ProblemBody = z.infer<typeof problemSchema>
export type FieldError = z.infer<typeof fieldErrorSchema>
export type Change = z.infer<typeof changeSchema>

/** A refusal as data: what a confirmation keeps, and what crosses between the Worker and its objects. */
export interface Refusal extends z.infer<typeof problemFactsSchema> {
  code: ProblemCode
  effect: Effect
  retry_after_seconds?: number | undefined
  detail?: string | undefined
  next_step?: string | undefined
}

/** What the audit log keeps of a refusal beside its code: the rule that forbids it. */
export const refusalFacts = ({ rule }: Refusal): { rule: string } | null =>
  rule ? { rule: rule.name } : null

type ProblemState = Partial<Pick<Problem, 'asked' | 'replayed' | 'audited' | 'openPage'>>

/** An expected refusal on its way to the edge, which turns it into a body; its message is only its code. */
export class Problem extends Error {
  readonly refusal: Refusal
  /** What was asked for, once that is known. */
  asked: Asked | undefined
  /** It is the stored answer of an earlier call. */
  readonly replayed: boolean
  readonly audited: boolean
  /** The host is asked to open the page of the approval. */
  readonly openPage: boolean
  constructor(
    refusal: Refusal,
    { asked, replayed = false, audited = false, openPage = false }: ProblemState = {},
  ) {
    super(refusal.code)
    this.name = 'Problem'
    this.refusal = refusal
    this.asked = asked
    this.replayed = replayed
    this.audited = audited
    this.openPage = openPage
  }
}

/** A refusal that had no effect, unless the facts say otherwise. */
export const problem = (code: ProblemCode, facts: Partial<Omit<Refusal, 'code'>> = {}): Problem =>
  new Problem({ code, effect: 'none', ...facts })

/** A field that is wrong: `pointer` is its JSON Pointer, `detail` what was expected. */
export const invalidField = (pointer: string, detail: string): Problem =>
  problem('validation_failed', { errors: [{ pointer, detail }] })

/** The path of the page that explains a code. */
export const problemPage = (code: ProblemCode) => `/docs/errors#${code}`

/** Where the change under an idempotency key can be looked at. */
export const OPERATION_PATH = '/v1/operations/{idempotency_key}'

const DOUBTFUL: readonly ProblemCode[] = ['outcome_unknown', 'commit_in_progress']

/** What a refusal says is wrong, and what to do next. */
export function problemWords(
  { code, detail, next_step }: Refusal,
  asked: Asked = 'commit',
): { detail: string; next_step: string } {
  const kind = PROBLEMS[code]
  const said = asked === 'commit' ? kind : { ...kind, ...kind.instead?.[asked] }
  return { detail: detail ?? said.detail, next_step: next_step ?? said.next_step }
}

const MOST_FIELDS = 5

/** The fields that are wrong: n8n 2.41.1 shows a person the detail of a refusal alone. */
const where = (errors: readonly FieldError[] = []): string[] => {
  const fields = [...new Set(errors.map(({ pointer }) => pointer))].filter((one) => one !== '')
  const more = fields.length > MOST_FIELDS ? ', …' : ''
  return fields.length ? [`Where: ${fields.slice(0, MOST_FIELDS).join(', ')}${more}.`] : []
}

/**
 * The body of a refusal; `origin` is the public address of this service, empty when it has none. What
 * to correct comes first: openapi-mcp-generator 4.0.1 shows a model 200 characters of it.
 */
export function problemBody(
  refusal: Refusal,
  requestId: string,
  origin: string,
  asked: Asked = 'commit',
): ProblemBody {
  const kind = PROBLEMS[refusal.code]
  const { detail, next_step } = problemWords(refusal, asked)
  const { code, effect, detail: _detail, next_step: _next, retry_after_seconds, ...facts } = refusal
  return {
    code,
    detail: [detail, ...where(refusal.errors)].join(' '),
    ...facts,
    effect,
    next_step,
    retryable: kind.retryable === true && !refusal.needs_attention,
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
    ...(DOUBTFUL.includes(code) && origin !== ''
      ? { status_url_template: origin + OPERATION_PATH }
      : {}),
    type: origin + problemPage(code),
    title: kind.title,
    status: kind.status,
    request_id: requestId,
  }
}

/**
 * Codes that may say something else than `none` of the effect of the change that was asked for; the
 * usual one first.
 */
const EFFECTS: Partial<Record<ProblemCode, readonly [Effect, ...Effect[]]>> = {
  idempotency_key_reused: ['none', 'unknown', 'partial', 'done'],
  confirmation_token_missing: ['none', 'unknown', 'partial', 'done'],
  confirmation_token_invalid: ['none', 'unknown', 'partial', 'done'],
  commit_in_progress: ['unknown'],
  reschedule_restored: ['partial'],
  partially_applied: ['partial'],
  internal_error: ['unknown', 'none'],
  outcome_unknown: ['unknown'],
}

/** What a refusal with this code may say of the effect; the usual one first. */
export const effectsOf = (code: ProblemCode): readonly [Effect, ...Effect[]] =>
  EFFECTS[code] ?? ['none']

/** What each of them means, for the documents. */
export const EFFECT_MEANINGS: Record<Effect, string> = {
  none: 'Nothing was changed.',
  done: 'The change was made by an earlier commit under this key.',
  unknown: 'The change may have been made; the same call with the same key finds out.',
  partial: 'A part was made, and the answer says what exists now.',
}
