import * as z from 'zod'
import { problemSchema } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'
import { idempotencyKeyFor } from '../operations/idempotency-key.ts'
import { committedSchema, previewSchema, requestSchema } from '../operations/schemas.ts'
import { TWO_CALLS } from '../operations/two-calls.ts'

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

/** What an output schema goes without: words for people, and limits that what is sent keeps to anyway. */
const LEFT_OUT = new Set(
  'description examples title id format pattern minimum maximum additionalProperties'.split(' '),
)

/**
 * A schema as small as it can be with the same fields: without prose, open to fields of a later version, and with `anyOf`
 * for what may be null, since some hosts refuse a list of types.
 */
function slim(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(slim)
  if (schema === null || typeof schema !== 'object') return schema
  const { type, ...rest } = schema as Record<string, unknown>
  const kept = Object.entries(rest)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => [name, name === 'properties' ? slimProperties(value as object) : slim(value)])
  const types = Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one as string })) } : { type }
  return { ...(type === undefined ? {} : types), ...(Object.fromEntries(kept) as object) }
}

/** The names of fields are no words of the schema: a field may be called `title`. */
const slimProperties = (properties: object) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, slim(schema)]))

const { detail, effect, retryable, next_step } = problemSchema.shape

/** A refusal by the few fields that every one has; it may have others. */
const anyProblem = z.looseObject({ code: z.string(), detail, effect, retryable, next_step })

/** The same tool with the values that fields of its input can have in this practice. */
export function withChoices(tool: Tool, choices: Record<string, readonly string[]>): Tool {
  const properties = { ...(tool.inputSchema['properties'] as Record<string, object>) }
  for (const [name, values] of Object.entries(choices))
    properties[name] = { ...properties[name], enum: values }
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
}

/** An operation as a tool. Its output schema covers the refusals too, since 1.x clients check errors against it. */
export function toolOf(operation: Operation): Tool {
  const isRead = operation.kind === 'read'
  const input = isRead
    ? operation.input
    : requestSchema(operation).extend({ idempotency_key: idempotencyKeyFor(operation.name) })
  // Only an installation with a rule about approval answers with it, and these schemas admit more fields.
  const answers = isRead
    ? [operation.output]
    : [previewSchema(operation).omit({ approval: true }), committedSchema(operation).omit({ approval: true })]
  return {
    name: operation.name,
    title: operation.title,
    description: isRead ? operation.description : `${operation.description} ${TWO_CALLS}`,
    inputSchema: inlined(jsonSchema(input, 'input')),
    outputSchema: slim(inlined(jsonSchema(z.union([...answers, anyProblem]), 'output'))) as ObjectSchema,
    annotations: {
      title: operation.title,
      readOnlyHint: isRead,
      destructiveHint: !isRead && operation.destructive,
      idempotentHint: true,
      openWorldHint: operation.openWorld,
    },
  }
}
