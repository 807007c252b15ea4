import * as z from 'zod'
import type { Practice } from '../domain/practice.ts'
import { problemSchema } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'
import { idempotencyKeyFor } from '../operations/idempotency-key.ts'
import { committedSchema, previewSchema, requestSchema } from '../operations/schemas.ts'

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

function withDefaults(schema: ObjectSchema, defaults: Record<string, unknown>): ObjectSchema {
  const properties = { ...(schema['properties'] as Record<string, object>) }
  for (const [name, value] of Object.entries(defaults))
    properties[name] = { ...properties[name], default: value }
  return { ...schema, properties }
}

/** An operation as a tool. Its output schema covers the refusals too, since 1.x clients check errors against it. */
export function toolOf(operation: Operation, practice: Practice): Tool {
  const isRead = operation.kind === 'read'
  const input = isRead
    ? operation.input
    : requestSchema(operation).extend({ idempotency_key: idempotencyKeyFor(operation.name) })
  const answers = isRead ? [operation.output] : [previewSchema(operation), committedSchema(operation)]
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: withDefaults(inlined(jsonSchema(input, 'input')), {
      // A form for the tool then begins with a preview, and its field is not left empty.
      ...(isRead ? {} : { confirm: false }),
      ...operation.defaults?.(practice),
    }),
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
