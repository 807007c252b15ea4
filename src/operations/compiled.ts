import * as z from 'zod'
import type { Operation } from './operation.ts'
import { committedSchema, previewSchema, requestSchema } from './schemas.ts'

const compiled = new WeakMap<z.ZodType, z.ZodType>()

/** The schemas that check the input and the answers of an operation. */
export const schemasOf = (operation: Operation): z.ZodType[] =>
  operation.kind === 'read'
    ? [operation.input, operation.output]
    : [requestSchema(operation), previewSchema(operation), committedSchema(operation)]

/**
 * Compiles the schemas of operations to JavaScript, which Workers allow only while an isolate starts; else
 * Zod interprets:
 * https://developers.cloudflare.com/workers/configuration/compatibility-flags/#enable-eval-during-startup
 */
export function compileSchemas(operations: readonly Operation[]): void {
  for (const schema of operations.flatMap(schemasOf)) compiled.set(schema, z.compile(schema))
}

/** The compiled schema, or itself: verdicts and messages are the same. */
export const fast = <S extends z.ZodType>(schema: S): S => (compiled.get(schema) as S | undefined) ?? schema
