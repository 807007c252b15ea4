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
}

/** The good answers of a read, documented. */
export function readResponses({ description, schema, example, isListing = false }: Documented) {
  const headers = isListing ? answerHeaders('ETag', 'Link') : answerHeaders('ETag')
  const content = { 'application/json': { schema, ...(example && { example }) } }
  return {
    200: { description, headers, content },
    304: { $ref: NOT_MODIFIED },
  }
}
