import * as z from 'zod'

/**
 * A schema, or a `z.lazy` around it. Each schema that an isolate builds while it starts costs every
 * caller who waits for it, so what few isolates use is lazy: built at its first use, and once.
 */
export type MaybeLazy<S extends z.ZodType> = S | z.ZodLazy<S>

/** The schema itself. Zod's own `unwrap` would build another one at each call. */
export const built = <S extends z.ZodType>(schema: MaybeLazy<S>): S =>
  schema instanceof z.ZodLazy ? (schema._zod.innerType as S) : schema
