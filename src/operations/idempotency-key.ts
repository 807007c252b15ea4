import * as z from 'zod'

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

/**
 * The key that was meant, wherever it was sent: a structured-field string (`"abc…"`, RFC 8941, as in the expired draft for
 * the header) and the bare key are the same key, and so are both with space around them.
 */
export function idempotencyKeyOf(sent: string): string {
  const text = sent.trim()
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  return quoted === undefined ? text : quoted.replaceAll(/\\(["\\])/g, '$1')
}
