import { ZodType } from 'zod/v4'

/**
 * Zod in the bundle (`[alias]` in wrangler.toml). `@hono/zod-openapi` passes all of it to a function that
 * only needs `ZodType`; that would bundle its messages in forty languages.
 */
export const z = { ZodType }
export * from 'zod/v4'
