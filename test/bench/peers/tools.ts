import * as z from 'zod'

import { built } from '../../../src/core/domain/lazy.ts'
import { problemSchema } from '../../../src/core/domain/problem/problem.ts'
import { idempotencyKeySchema } from '../../../src/practice/operations/idempotency-key.ts'
import { SEED } from '../../../src/practice/operations/index.ts'
import {
  committedSchema,
  previewSchema,
  requestSchema,
} from '../../../src/practice/operations/schemas.ts'
import { type Env, availability } from './practice.ts'

type Answer = Awaited<ReturnType<typeof availability>>

/** What the SDKs take: the same schemas as those of the connector's tools. */
interface Registered {
  title: string
  description: string
  inputSchema: z.ZodType
  outputSchema: z.ZodType
  annotations: Record<string, boolean>
}

const TOOLS = SEED.map((operation) => {
  const isRead = operation.kind === 'read'
  return {
    name: operation.name,
    title: operation.title,
    description: operation.description,
    inputSchema: isRead
      ? operation.input
      : requestSchema(operation).extend({ idempotency_key: idempotencyKeySchema }),
    outputs: isRead
      ? [operation.output, built(problemSchema)]
      : [previewSchema(operation), committedSchema(operation), built(problemSchema)],
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: !isRead && operation.destructive,
      idempotentHint: true,
      openWorldHint: operation.provider !== null,
    },
  }
})

/**
 * Registers the seven tools, as the README of each SDK shows it. The 1.x SDK takes an object and no union as the schema of
 * an answer, so there it has the first one only, and less to do.
 */
export function registerTools(
  register: (name: string, tool: Registered, call: () => Promise<Answer>) => unknown,
  env: Env,
  answers: 'all' | 'first' = 'all',
): void {
  for (const { name, outputs, ...tool } of TOOLS) {
    const outputSchema = answers === 'all' ? z.union(outputs) : outputs[0]!
    register(name, { ...tool, outputSchema }, () =>
      name === 'list_availability' ? availability(env) : Promise.reject(new Error('Not measured.')),
    )
  }
}
