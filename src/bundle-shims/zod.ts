import { ZodType } from 'zod/v4'

/**
 * Zod as it is bundled (`[alias]` in wrangler.toml). `@hono/zod-openapi` hands the whole of Zod to a function, which would
 * bring its messages in forty languages along; that function extends `ZodType` and asks for nothing else.
 */
export const z = { ZodType }
export * from 'zod/v4'
