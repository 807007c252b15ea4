import * as z from 'zod'
import { $ZodRegistry, type $ZodType } from 'zod/v4/core'

import { built } from '../../core/domain/lazy.ts'
import type { Practice } from '../../core/domain/practice.ts'
import { problemSchema } from '../../core/domain/problem/problem.ts'
import { type Fields, isFields } from '../../core/json.ts'
import type { Context } from '../../practice/operations/context.ts'
import { idempotencyKeySchema } from '../../practice/operations/idempotency-key.ts'
import { TOOLS, toolsFor } from '../../practice/operations/index.ts'
import { textFor } from '../../practice/operations/named-operations.ts'
import type { Operation, Read } from '../../practice/operations/operation.ts'
import {
  committedSchema,
  confirmationFields,
  previewSchema,
  requestSchema,
  withoutFields,
} from '../../practice/operations/schemas.ts'

type ObjectSchema = { type: 'object' } & Record<string, unknown>

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: { title: string } & Record<
    `${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`,
    boolean
  >
}

/**
 * What schemas say of themselves, but for their names: a part with a name would be referred to, and
 * some hosts do not follow references.
 */
class WithoutNames extends $ZodRegistry<Record<string, unknown>> {
  override get(schema: $ZodType) {
    const { id: _id, ...said } = z.globalRegistry.get(schema) ?? {}
    return said
  }
}

const metadata = new WithoutNames()

/**
 * Left out of input schemas: a model copies an example, such as that of a key, and descriptions say
 * what a pattern or a format does. Hosts that check a format refuse times that are accepted here: a
 * local one, or in mcp-use 1.34.6 each with an offset.
 */
const NOT_IN_INPUT = 'examples format pattern'.split(' ')

/** Left out of output schemas: words for people, and limits that answers keep to anyway. */
const NOT_IN_OUTPUT =
  'description examples title format pattern minimum maximum additionalProperties'.split(' ')

/** A schema as small as it can be, with `anyOf` for what may be null: some hosts refuse a list of types. */
function slimSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  leftOut: readonly string[],
): ObjectSchema {
  const { $schema: _draft, ...made } = z.toJSONSchema(schema, {
    io,
    metadata,
    override({ jsonSchema }) {
      for (const name of leftOut) delete jsonSchema[name]
    },
  })
  const oneType = (_name: string, value: unknown): unknown => {
    if (!isFields(value) || !Array.isArray(value['type'])) return value
    const { type, ...rest } = value
    return { anyOf: type.map((one: unknown) => ({ type: one })), ...rest }
  }
  const slim = JSON.parse(JSON.stringify(made), oneType) as Fields
  return { ...slim, type: 'object' }
}

/** A refusal by the few fields that every one has; it may have others. */
const anyProblem = z.lazy(() => {
  const { detail, effect, retryable, next_step } = built(problemSchema).shape
  return z.looseObject({ code: z.string(), detail, effect, retryable, next_step })
})

/** The tool with the values that this practice allows for fields of its input. */
export function withChoices(tool: Tool, choices: Record<string, readonly string[]>): Tool {
  const properties = { ...(tool.inputSchema['properties'] as Record<string, object>) }
  for (const [name, values] of Object.entries(choices))
    properties[name] = { ...properties[name], enum: values }
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
}

/**
 * The tool as a caller is listed it: its description names the tools that this caller has, and says
 * what the owner granted it by name.
 */
export function forCaller(
  tool: Tool,
  operation: Operation,
  caller: Pick<Context, 'scopes' | 'granted'>,
): Tool {
  const description = textFor(caller, true)(operation.description)
  const described = { ...tool, description }
  if (operation.kind !== 'read' || !operation.granted) return described
  const { granted, output } = operation
  return caller.granted.includes(granted.scope)
    ? { ...tool, description: `${description} ${granted.says}`, outputSchema: outputOf([output]) }
    : described
}

/** The output schema of a tool with these answers. */
const outputOf = (answers: readonly z.ZodType[]): ObjectSchema =>
  slimSchema(z.union([...answers, built(anyProblem)]), 'output', NOT_IN_OUTPUT)

/** The answer of a read to a caller to whom nothing was granted by name. */
function ungrantedOutput({ output, granted }: Read): z.ZodObject {
  const others = Object.entries(output.shape).filter(([name]) => !granted?.fields.includes(name))
  return granted ? z.strictObject(Object.fromEntries(others)) : output
}

/**
 * An operation as a tool of this practice; without one, with what every practice has a use for. Its
 * output schema covers refusals, since 1.x clients check errors against it.
 */
export function toolOf(operation: Operation, practice?: Practice): Tool {
  const isRead = operation.kind === 'read'
  const unlisted = operation.unlisted?.(practice) ?? { input: [], preview: [] }
  const input = isRead
    ? operation.input
    : withoutFields(requestSchema(operation), unlisted.input).extend({
        confirm: confirmationFields.confirm.optional(),
        idempotency_key: idempotencyKeySchema,
      })
  // Only an installation with an approval rule answers with it, and these schemas admit more fields.
  const answers = isRead
    ? [ungrantedOutput(operation)]
    : [
        previewSchema(operation)
          .omit({ approval: true })
          .extend({ preview: withoutFields(operation.preview, unlisted.preview) }),
        committedSchema(operation).omit({ approval: true }),
      ]
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: slimSchema(input, 'input', NOT_IN_INPUT),
    outputSchema: outputOf(answers),
    annotations: {
      title: operation.title,
      readOnlyHint: isRead,
      destructiveHint: !isRead && operation.destructive,
      idempotentHint: true,
      openWorldHint: operation.provider !== null,
    },
  }
}

const made = new WeakMap<Practice, Map<Operation, Tool>>()

function toolsOf(practice: Practice): Map<Operation, Tool> {
  const tools =
    made.get(practice) ??
    new Map(
      TOOLS.map((one) => [one, withChoices(toolOf(one, practice), one.choices?.(practice) ?? {})]),
    )
  made.set(practice, tools)
  return tools
}

/** The tools of a caller, as they are listed. */
export function toolsShown({ services, scopes, granted }: Context): Tool[] {
  const tools = toolsOf(services.practice)
  const caller = { scopes, granted }
  return toolsFor(caller).map((one) => forCaller(tools.get(one)!, one, caller))
}
