import type * as z from 'zod'

import type { MaybeLazy } from '../../core/domain/lazy.ts'
import type { Mode } from '../../core/domain/mode.ts'
import type { ProblemCode } from '../../core/domain/problem/problems.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import type { ProviderModes } from '../../core/ports/services.ts'
import type { Context } from './context.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Where it is served: `GET /v1/visits/{visit_id}`. */
export type Route<M extends Method = Method> = `${M} /v1/${string}`

/** A route in two parts, as the OpenAPI document has it. */
export function methodAndPath({ route }: { route: Route }) {
  const [method, path] = route.split(' ') as [Method, string]
  return { method: method.toLowerCase() as Lowercase<Method>, path }
}

export const isGet = ({ route }: { route: Route }) => route.startsWith('GET ')

/** A good answer: JSON of a schema, text of some media types, or nothing. */
export interface Answer<A extends z.ZodType<object> = z.ZodType<object>> {
  description: string
  schema?: A
  example?: object
  media?: readonly string[]
  isListing?: boolean
  /** The same answer if the call made something new, which has an address of its own. */
  created?: string
}

/** A route under /v1 beside the operations and reads. `C` is what its transport knows of the call. */
export interface Endpoint<
  C = unknown,
  I = object,
  A extends z.ZodType<object> = z.ZodType<object>,
> {
  route: Route
  operationId: string
  summary: string
  description?: string
  /** The caller needs one of these scopes; an empty list lets every caller in. */
  scopes: readonly Scope[]
  /** The fields of the path. They are documented, and `run` checks them. */
  params?: MaybeLazy<z.ZodObject>
  query?: MaybeLazy<z.ZodObject>
  body?: MaybeLazy<z.ZodObject>
  isBodyOptional?: boolean
  answer: Answer<A>
  /** Its refusals, besides those of every such route. */
  problems?: readonly ProblemCode[]
  mode?(providers: ProviderModes): Mode
  /** Gets the fields of path, query and body together. A GET has an ETag; a `Response` is sent as it is. */
  run(input: I, caller: Context, call: C): Promise<z.infer<A> | Response>
}

type NoFields = z.ZodObject<Record<never, never>>
/** Zod infers that every field of an empty schema is never. */
type FieldsOf<S extends z.ZodObject> = [keyof S['shape']] extends [never] ? unknown : z.infer<S>

interface Definition<
  C,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  A extends z.ZodType<object>,
> extends Endpoint<C, FieldsOf<P> & FieldsOf<Q> & FieldsOf<B>, A> {
  params?: MaybeLazy<P>
  query?: MaybeLazy<Q>
  body?: MaybeLazy<B>
}

export type DefineEndpoint<C> = <
  P extends z.ZodObject = NoFields,
  Q extends z.ZodObject = NoFields,
  B extends z.ZodObject = NoFields,
  A extends z.ZodType<object> = z.ZodNever,
>(
  definition: Definition<C, P, Q, B, A>,
) => Endpoint<C>

/**
 * Defines an endpoint that needs nothing of its transport. Its types end here: schemas check the input.
 * Its schemas are lazy, since most isolates never serve it.
 *
 * @example
 * endpoint({
 *   route: 'GET /v1/visits/{visit_id}',
 *   operationId: 'get_visit',
 *   summary: 'Read a visit',
 *   scopes: ['clients:read'],
 *   params: z.lazy(() => z.strictObject({ visit_id: z.string() })),
 *   answer: { description: 'The visit.', schema: visitSchema },
 *   run: async ({ visit_id }) => ({ visit_id }),
 * })
 */
export const endpoint: DefineEndpoint<unknown> = (definition) => definition as unknown as Endpoint

export const endpointProblems = ({
  scopes,
  query,
  body,
  problems = [],
}: Endpoint<never>): ProblemCode[] => [
  'unauthenticated',
  'address_not_allowed',
  'rate_limited',
  'internal_error',
  'not_configured',
  ...(scopes.length > 0 ? (['insufficient_scope'] as const) : []),
  ...(query || body ? (['validation_failed'] as const) : []),
  ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
  ...problems,
]
