import type * as z from 'zod'

import {
  type AnyMutation,
  type FactsContext,
  type Finished,
  type Mutation,
  type ReadFacts,
  type Sentences,
  saidOf,
} from '../../core/confirm/mutation.ts'
import type { WantedTime } from '../../core/domain/availability.ts'
import type { Facts } from '../../core/domain/facts.ts'
import type { Mode } from '../../core/domain/mode.ts'
import type { Practice } from '../../core/domain/practice.ts'
import type { Problem, Refusal } from '../../core/domain/problem/problem.ts'
import { PROBLEM_CODES, type ProblemCode } from '../../core/domain/problem/problems.ts'
import type { AskedChange } from '../../core/domain/rules/house-rules.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { RecordWrite } from '../../core/ports/records.ts'
import type { ChangeServices, Ports, ProviderModes } from '../../core/ports/services.ts'
import type { Request } from './context.ts'
import { type Route, isGet } from './endpoint.ts'

/** The description of an operation; routes, tools and documents are derived from it. */
export interface Described {
  name: string
  title: string
  description: string
  scope: Scope
  route: Route<'GET' | 'POST'>
  /** The provider that it reads or acts through; null if everything is the connector's own. */
  provider: keyof ProviderModes | null
  /**
   * Its refusals, besides those of every operation of its kind, and of every one with a provider.
   */
  problems: readonly ProblemCode[]
  /** Defaults of omitted fields that depend on the practice. */
  defaults?(practice: Practice): Record<string, unknown>
  /**
   * Values that the practice names for fields: examples in the documents, the only values in the
   * tools.
   */
  choices?(practice: Practice): Record<string, readonly string[]>
  /**
   * Optional fields that no tool and no document names, because this practice does not use them.
   * Without a practice: the fields that some practice does not use. Requests may still send them.
   */
  unlisted?(practice: Practice | undefined): Unlisted
  example: { input: object; preview?: object; result: object }
}

/** Names of fields of the input and of the preview. */
export type Unlisted = Record<'input' | 'preview', readonly string[]>

/** Addresses under which a read is an MCP resource, `consult://…`. */
export interface Resource {
  /** An address, or an RFC 6570 template with one variable. */
  address: string
  name: string
  title: string
  description: string
  /** The request for the read; `value` fills the variable. */
  request(value: string, ports: Ports): Request
  /** Values of the variable that begin so; none if that would be a guess. */
  complete?(beginning: string, ports: ReadPorts): Promise<Completed>
}

/** Values of a variable; `more` if there may be others that were not looked for. */
export interface Completed {
  values: string[]
  more: boolean
}

/** What a read may use: also the status of a change, where that alone is the truth. */
export type ReadPorts = Ports & Pick<ChangeServices, 'confirmations'>

/**
 * Fields that the answer of a read has only for a caller to whom the owner granted a scope by name.
 * For other callers neither the answers nor the tools have them.
 */
interface GrantedFields<I, O> {
  scope: Scope
  /** Added to the tool's description. */
  says: string
  /** Optional fields of the output. */
  fields: readonly string[]
  run(input: I, ports: ReadPorts): Promise<Partial<O>>
}

/**
 * Served over REST, and as a tool or resources if it has a text or addresses. Lists answer
 * `next_cursor`.
 */
export interface Read<I extends object = object, O extends object = object> extends Described {
  kind: 'read'
  input: z.ZodObject
  output: z.ZodObject
  example: { input: I; result: O }
  mode(providers: ProviderModes): Mode
  run(input: I, ports: ReadPorts): Promise<O>
  granted?: GrantedFields<I, O>
  /** The answer of its tool, where the caller has not said how much of a long one it wants. */
  shortened?(output: O, input: I): O
  /** Makes it a tool: the answer for a model that is shown only text, with our words as `says` has them. */
  text?(output: O, says: (words: string) => string): string
  resources?: readonly Resource[]
}

/** Fields made for each answer, since a secret is not stored; `origin` is our public address. */
interface Unstored {
  fields: z.ZodRawShape
  of(result: object, keyring: Keyring, origin: string): Promise<object>
}

/** What a change is to the caller: its schemas, and how it is held. */
interface Change extends Pick<Described, 'name' | 'title' | 'provider' | 'defaults'> {
  input: z.ZodObject
  preview: z.ZodObject
  committed: z.ZodObject
  unstored?: Unstored
  /** The house rules that hold, where not all of them do. */
  heldTo?: AskedChange['heldTo']
}

/** What is read from the input of a change alone. */
interface OfInput<I> {
  /** One form for equal inputs. */
  canonical(input: I): object
  wantedTime?(
    input: I,
    ports: Pick<Ports, 'practice' | 'scheduling'>,
  ): Promise<WantedTime | undefined>
}

/** A change that only a page of ours makes: it has no route and no document. */
export interface PageMutation extends Change, AnyMutation, OfInput<object> {
  name: string
  kind: 'mutation'
}

export interface MutationOperation extends Described, PageMutation {
  /** The commit can destroy something that exists. */
  destructive: boolean
}

export type Operation = Read | MutationOperation

export const isTool = (operation: Operation) =>
  operation.kind === 'mutation' || operation.text !== undefined

type Framed = 'operation' | 'mode'

interface ReadDefinition<I extends z.ZodObject, O extends z.ZodObject> extends Omit<
  Read<z.infer<I>, z.infer<O>>,
  'kind' | 'mode' | 'run' | 'example'
> {
  input: I
  output: O
  run(input: z.infer<I>, ports: ReadPorts): Promise<Omit<z.infer<O>, Framed>>
  /** The lines of `text`. */
  lines?(output: z.infer<O>, says: (words: string) => string): Sentences
  example: { input: z.infer<I>; result: Omit<z.infer<O>, Framed> }
}

/**
 * Defines a read, whose answer begins with its name and mode. With `lines` it is a tool, with
 * `resources` it has addresses.
 *
 * @example
 * export const getPractice = defineRead({
 *   name: 'get_practice',
 *   // … title, description, scope, http, provider, problems, example
 *   input: z.strictObject({}),
 *   output: answerOfRead('get_practice', 'Practice', 'The practice.', { timezone: z.string() }),
 *   run: async (_input, { practice }) => ({ timezone: practice.timezone }),
 * })
 */
export function defineRead<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ReadDefinition<I, O>,
): Omit<ReadDefinition<I, O>, 'run' | 'example'> & Read<z.infer<I>, z.infer<O>> {
  const { name: operation, example, lines } = definition
  const modeIn = modeOf(definition.provider)
  const answer = (mode: Mode, fields: Omit<z.infer<O>, Framed>) =>
    ({ operation, mode, ...fields }) as unknown as z.infer<O>
  return {
    ...definition,
    kind: 'read',
    mode: modeIn,
    run: async (input, ports) => answer(modeIn(ports), await definition.run(input, ports)),
    ...(lines && { text: (output, says) => saidOf(lines(output, says)).join('\n') }),
    example: { ...example, result: answer('mock', example.result) },
  }
}

/** Throws only codes that the operation declares: an undeclared one does not compile. */
export type Refuse<C extends ProblemCode> = (
  code: C,
  facts?: Partial<Omit<Refusal, 'code'>>,
) => Problem

/**
 * What may be left out: then the provider decides, nothing is locked, nothing is sent, and every
 * input is its own form.
 */
type Defaulted = 'mode' | 'adapterId' | 'lockKeys' | 'steps'

type Behaviour<
  In extends object,
  P extends Facts,
  V extends object,
  R extends object,
  F extends ReadFacts<P>,
> = Omit<Mutation<In, P, V, R, F>, 'name' | 'facts' | 'knows' | Defaulted> &
  Partial<Pick<Mutation<In, P, V, R, F>, Defaulted>>

/**
 * A change as its author writes it. Its types come from the schemas and from `facts`: the input
 * (In), what is read (F) and shown (V), and the result (R). Everything else is checked against
 * them.
 */
type PageDefinition<
  In extends object,
  V extends object,
  R extends object,
  F extends ReadFacts,
  C extends ProblemCode,
> = Change &
  Partial<OfInput<NoInfer<In>>> &
  Behaviour<NoInfer<In>, NoInfer<F['pinned']>, NoInfer<V>, NoInfer<R>, NoInfer<F>> & {
    input: z.ZodType<In>
    preview: z.ZodType<V>
    committed: z.ZodType<R>
    facts(
      input: NoInfer<In>,
      reading: Omit<FactsContext, 'refuse'> & { refuse: Refuse<C> },
    ): Promise<F>
  }

/**
 * What was kept, without fields that only a newer version knew before a rollback; itself where it
 * has none.
 */
function withoutUnknown<Kept extends object>(schema: z.ZodType, kept: Kept): Kept {
  const { issues = [] } = schema.safeParse(kept).error ?? {}
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length === 0) return kept
  const known = structuredClone(kept)
  for (const issue of unknown) {
    const at = issue.path.reduce<object>((inner, name) => Reflect.get(inner, name), known)
    for (const key of issue.keys) Reflect.deleteProperty(at, key)
  }
  return known
}

/** What was kept, as this version answers with it. Raises what Zod raises where more is wrong. */
export const asKnown = <S extends z.ZodType>(schema: S, kept: object): z.output<S> =>
  schema.safeParse(kept).data ?? schema.parse(withoutUnknown(schema, kept))

/** Defines a change that only a page of ours makes. */
export function definePageMutation<
  In extends object,
  V extends object,
  R extends object,
  F extends ReadFacts,
  C extends ProblemCode,
>(definition: PageDefinition<In, V, R, F, C>): PageMutation {
  const { provider } = definition
  // The types end here: the flow stores what `facts` read, and gives it back to the same mutation.
  return {
    canonical: (input: object) => input,
    mode: modeOf(provider),
    adapterId: (ports: Ports) => (provider === null ? 'none' : ports[provider].adapterId),
    lockKeys: () => [],
    steps: () => [],
    ...definition,
    kind: 'mutation',
    knows: (preview: object) => withoutUnknown(definition.preview, preview) === preview,
    // Checked before it is stored: a stored answer can always be given. A newer version may have
    // begun it, and shown more, before a rollback.
    result: (finished: Finished<F['pinned'], V>): object => {
      const preview = withoutUnknown(definition.preview, finished.preview)
      return asKnown(definition.committed, definition.result({ ...finished, preview }))
    },
  }
}

/**
 * Defines a change that callers make. What `facts` reads and pins gives the types of the rest: a
 * code that `problems` does not list does not compile, nor does a result that differs from
 * `committed`. A field of a result that `committed` does not have is left out: its change is made.
 *
 * @example
 * const visit = z.strictObject({ day: z.iso.date() }).meta({ id: 'Visit' })
 *
 * export const recordVisit = defineMutation({
 *   name: 'record_visit',
 *   // … title, description, example
 *   scope: 'visits:write', // one that none of the seven has
 *   route: 'POST /v1/visits',
 *   provider: null,
 *   destructive: false,
 *   problems: [],
 *   input: z.strictObject({ day: z.iso.date() }),
 *   preview: visit,
 *   committed: visit,
 *   facts: async ({ day }) => ({ pinned: { day } }),
 *   show: (_input, { pinned }) => ({ preview: pinned, summary: 'Record a visit.' }),
 *   result: ({ pinned }) => pinned,
 *   summary: () => 'Recorded a visit.',
 *   recordId: [],
 *   records: () => [],
 * })
 */
export const defineMutation = <
  In extends object,
  V extends object,
  R extends object,
  F extends ReadFacts,
  const C extends ProblemCode,
>(
  definition: Described &
    Pick<MutationOperation, 'destructive'> & { problems: readonly C[] } & PageDefinition<
      In,
      V,
      R,
      F,
      C
    >,
): MutationOperation => ({
  ...definition,
  ...definePageMutation<In, V, R, F, C>(definition),
})

/** The mode of operations without a provider: mock while any adapter is. */
export const practiceMode = ({ scheduling, payments }: ProviderModes): Mode =>
  scheduling.mode === 'live' && payments.mode === 'live' ? 'live' : 'mock'

/** What follows the first line of an answer of the mock, where it is read as text. */
export const mockMark = (mode: Mode): string => (mode === 'mock' ? ' (mock)' : '')

const modeOf =
  (provider: Described['provider']) =>
  (modes: ProviderModes): Mode =>
    provider === null ? practiceMode(modes) : modes[provider].mode

export const EVERY_OPERATION = [
  'validation_failed',
  'unauthenticated',
  'address_not_allowed',
  'insufficient_scope',
  'paused',
  'rate_limited',
  'internal_error',
  'not_configured',
] as const satisfies readonly ProblemCode[]

const EVERY_MUTATION = [
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'sensitive_data_refused',
  'confirmation_token_missing',
  'confirmation_token_invalid',
  'preview_required',
  'idempotency_key_reused',
  'confirmation_expired',
  'preview_stale',
  'commit_in_progress',
  'house_rule',
  'approval_pending',
  'approval_declined',
  'outcome_unknown',
  'resolved_by_owner',
] as const satisfies readonly ProblemCode[]

const OF_PROVIDERS = {
  read: ['provider_busy', 'provider_misconfigured'],
  mutation: ['duplicate_in_doubt', 'provider_busy', 'provider_misconfigured'],
} as const satisfies Record<Operation['kind'], readonly ProblemCode[]>

const EVERY_BODY = [
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[]

/** Every code that this operation can answer, in the order of the table of problems. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...EVERY_OPERATION,
    ...(operation.kind === 'mutation' ? EVERY_MUTATION : []),
    ...(operation.provider === null ? [] : OF_PROVIDERS[operation.kind]),
    ...(isGet(operation) ? [] : EVERY_BODY),
    ...operation.problems,
  ])
  return PROBLEM_CODES.filter((code) => codes.has(code))
}

export interface Ended {
  mode: Mode
  now: number
}

/** A record with these fields, its mode and its time; `found` are the links that find it. */
export const recordWrite = (
  key: string,
  fields: object,
  { mode, now }: Ended,
  found: Pick<RecordWrite, 'links' | 'copyLinksFrom'> = {},
): RecordWrite => ({
  key,
  mode,
  value: { ...fields, mode, recorded_at: isoSeconds(now) },
  ...found,
})
