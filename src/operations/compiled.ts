import * as z from 'zod'
import type { Operation } from './operation.ts'
import { committedSchema, previewSchema, requestSchema } from './schemas.ts'

const compiled = new WeakMap<z.ZodType, z.ZodType>()

/** The schemas that what an operation is sent, and what it answers, is checked against. */
export const schemasOf = (operation: Operation): z.ZodType[] =>
  operation.kind === 'read'
    ? [operation.input, operation.output]
    : [requestSchema(operation), previewSchema(operation), committedSchema(operation)]

/**
 * Compiles the schemas of operations to JavaScript. Workers allow that while an isolate starts, and not in a request
 * (https://developers.cloudflare.com/workers/configuration/compatibility-flags/#enable-eval-during-startup). Where it is not
 * allowed, Zod interprets them.
 */
export function compileSchemas(operations: readonly Operation[]): void {
  for (const schema of operations.flatMap(schemasOf)) compiled.set(schema, z.compile(schema))
}

/** The schema as it was compiled, or itself: verdicts and messages are the same. */
export const fast = <S extends z.ZodType>(schema: S): S => (compiled.get(schema) as S | undefined) ?? schema
