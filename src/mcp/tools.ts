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
    inputSchema: jsonSchema(input, 'input'),
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
