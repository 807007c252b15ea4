import * as z from 'zod'
import { problemSchema } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'
import { committedSchema, idempotencyKeySchema, previewSchema, requestSchema } from '../operations/schemas.ts'

type ObjectSchema = { type: 'object' } & Record<string, unknown>

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io })
  return { ...rest, type: 'object' }
}

/** Named parts written out in place: some hosts do not follow references in the input of a tool. */
function inlined({ $defs, ...schema }: ObjectSchema): ObjectSchema {
  const named = ($defs ?? {}) as Record<string, object>
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...rest } = value as { $ref?: string }
    const part = $ref === undefined ? {} : { ...named[$ref.replace('#/$defs/', '')], id: undefined }
    return Object.fromEntries(
      Object.entries({ ...part, ...rest })
        .filter(([, inner]) => inner !== undefined)
        .map(([name, inner]) => [name, inline(inner)]),
    )
  }
  return inline(schema) as ObjectSchema
}

/** An operation as a tool. Its output schema covers the refusals too, since 1.x clients check errors against it. */
export function toolOf(operation: Operation): Tool {
  const isRead = operation.kind === 'read'
  const input = isRead
    ? operation.input
    : requestSchema(operation).extend({ idempotency_key: idempotencyKeySchema })
  const answers = isRead ? [operation.output] : [previewSchema(operation), committedSchema(operation)]
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: inlined(jsonSchema(input, 'input')),
    outputSchema: jsonSchema(z.union([...answers, problemSchema]), 'output'),
    annotations: {
      title: operation.title,
      readOnlyHint: isRead,
      destructiveHint: !isRead && operation.destructive,
      idempotentHint: true,
      openWorldHint: operation.openWorld,
    },
  }
}
