import * as z from 'zod'

/*
 * What an isolate builds while it starts costs every caller who waits for it, so what few isolates
 * use is built at its first use, and once.
 */

/** A schema, or a `z.lazy` around it. */
export type MaybeLazy<S extends z.ZodType> = S | z.ZodLazy<S>

/** The schema itself. Zod's own `unwrap` would build another one at each call. */
export const built = <S extends z.ZodType>(schema: MaybeLazy<S>): S =>
  schema instanceof z.ZodLazy ? (schema._zod.innerType as S) : schema

/** What this makes. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** A long pattern: V8 reads one as soon as it is made, and each class of letters in it takes long. */
export const pattern = (source: string, flags?: string) => lazily(() => new RegExp(source, flags))
