import * as z from 'zod'
import { NOT_MODIFIED, answerHeaders } from './responses.ts'

/** The header with which every GET of /v1 can be asked again. */
export const ifNoneMatch = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The ETag of an earlier answer.' }),
})

interface Documented {
  description: string
  schema: z.ZodType
  example?: object
  /** The answer can be a page of several. */
  isListing?: boolean
  /** It has an ETag; false of a POST. */
  isCacheable?: boolean
}

/** The good answers of a read, documented. */
export function readResponses({
  description,
  schema,
  example,
  isListing = false,
  isCacheable = true,
}: Documented) {
  const named = [...(isCacheable ? ['ETag' as const] : []), ...(isListing ? ['Link' as const] : [])]
  const headers = answerHeaders(...named)
  const content = { 'application/json': { schema, ...(example && { example }) } }
  return {
    200: { description, headers, content },
    ...(isCacheable && { 304: { $ref: NOT_MODIFIED } }),
  }
}
