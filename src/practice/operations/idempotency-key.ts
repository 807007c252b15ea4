import * as z from 'zod'

import { type FieldError, type Problem, problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'

export const idempotencyKeySchema = z
  .string()
  .min(8)
  .max(200)
  .meta({
    description:
      'A random key chosen by the caller (a UUID is good), the same for the preview, the commit and every repeat of one change.',
    examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
  })

/** The same with an example of its own for each operation: a key is for one change. */
export const idempotencyKeyFor = (operation: string) =>
  idempotencyKeySchema.meta({
    ...idempotencyKeySchema.meta(),
    examples: [`${operation.replaceAll('_', '-')}-8e03978e-40d5-43e8-bc93-6894a57f9324`],
  })

/** The key without space around it, and a structured-field string `"abc…"` (RFC 8941) as the bare key. */
export function idempotencyKeyOf(sent: string): string {
  const text = sent.trim()
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  return quoted === undefined ? text : quoted.replaceAll(/\\(["\\])/g, '$1')
}

/** The refusal of a missing key or one of a wrong length, with all else that is wrong with the request. */
export function keyProblem(
  key: string,
  others: () => FieldError[] | undefined,
): Problem | undefined {
  if (idempotencyKeySchema.safeParse(key).success) return undefined
  const code = key === '' ? 'idempotency_key_missing' : 'idempotency_key_invalid'
  const detail = `${key === '' ? 'Required: expected' : 'Expected'} 8 to 200 characters.`
  const more = others() ?? []
  return problem(code, {
    errors: [{ pointer: '/idempotency_key', detail }, ...more],
    ...(more.length > 0 && {
      next_step: `${PROBLEMS[code].next_step} Correct the other fields that are listed, too.`,
    }),
  })
}
