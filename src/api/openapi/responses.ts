import * as z from 'zod'

import { effectsOf, problemBody } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../../core/domain/problem/problems.ts'

const EXAMPLE_ID = '8e03978e-40d5-43e8-bc93-6894a57f9324'
export const EXAMPLE_ORIGIN = 'https://connector.example.com'

const header = (description: string) => ({ description, schema: { type: 'string' as const } })

const HEADERS = {
  'Request-Id': header('The id of this request; quote it when asking for help.'),
  'Idempotent-Replayed': {
    description: 'true when this is the stored answer of an earlier commit.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
  'Retry-After': {
    description: 'If a repeat can help: the number of seconds to wait.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
  'WWW-Authenticate': header('How to sign in (RFC 9110).'),
  'Link-Template': header(
    'If the outcome is not known: the URL at which to read it, as a template for the ' +
      'idempotency key, with rel="status" (RFC 9652).',
  ),
  'RateLimit-Policy': header(
    'The number of calls that are allowed in a number of seconds, as `"changes";q=30;w=60` ' +
      '(draft-ietf-httpapi-ratelimit-headers-11).',
  ),
  RateLimit: header(
    'The quota that is used up, and the number of seconds until it is renewed: `"changes";r=0;t=60`.',
  ),
  ETag: header(
    'Identifies this answer. Send it as If-None-Match to get a full answer only if it has changed.',
  ),
  Location: header('The URL of the created object.'),
  Link: header('If there is a next page: its URL, with rel="next" (RFC 8288).'),
}
type HeaderName = keyof typeof HEADERS

/** The headers of an answer in the OpenAPI document: `Request-Id`, and these. */
export const answerHeaders = (...names: HeaderName[]) =>
  Object.fromEntries(
    ['Request-Id', ...names].map(
      (name) => [name, { $ref: `#/components/headers/${name}` }] as const,
    ),
  )

/** The headers of a refusal besides those of every answer, by its status. */
const HEADERS_OF: Partial<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After', 'Link-Template', 'Idempotent-Replayed'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After', 'Link-Template'],
}

/** A response with this many codes or fewer is a component, since many routes share it. */
const FEW = 3

/** The refusals of a route: one response for each status, with an example for each code. */
export function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].toSorted(
    (a, b) => a - b,
  )
  return Object.fromEntries(
    statuses.map((status) => {
      const own = PROBLEM_CODES.filter(
        (one) => codes.includes(one) && PROBLEMS[one].status === status,
      )
      return [
        status,
        own.length <= FEW ? { $ref: `${RESPONSES}${own.join('.')}` } : refusalOf(own),
      ] as const
    }),
  )
}

const RESPONSES = '#/components/responses/'

/** A response of a route that has nothing but these refusals. */
export const refusalOf = (codes: readonly ProblemCode[]) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  headers: answerHeaders(...(HEADERS_OF[PROBLEMS[codes[0]!].status] ?? [])),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(
        codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
})

const NOT_MODIFIED = `${RESPONSES}not_modified`

const notModified = {
  description: 'The answer is the one that If-None-Match names.',
  headers: answerHeaders('ETag'),
}

/** The request header of every GET of /v1. */
export const ifNoneMatch = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The ETag of an earlier answer.' }),
})

interface Documented {
  description: string
  schema: z.ZodType
  example?: object
  isListing?: boolean
  /** Whether it has an ETag; a POST has none. */
  isCacheable?: boolean
}

/** The successful answers of a read. */
export function readResponses({
  schema,
  example,
  isListing = false,
  isCacheable = true,
  ...about
}: Documented) {
  const named = [...(isCacheable ? ['ETag' as const] : []), ...(isListing ? ['Link' as const] : [])]
  const headers = answerHeaders(...named)
  const content = { 'application/json': { schema, example } }
  return {
    200: { ...about, headers, content },
    ...(isCacheable && { 304: { $ref: NOT_MODIFIED } }),
  }
}

/** The components that the routes refer to by name and that the library does not collect. */
export function sharedComponents(paths: object) {
  const named = new Set(JSON.stringify(paths).match(new RegExp(`(?<="${RESPONSES})[^"]+`, 'g')))
  const responses = Object.fromEntries<object>(
    [...named].toSorted().map((name) => {
      const codes = name.split('.')
      const refusal = PROBLEM_CODES.filter((code) => codes.includes(code))
      return [name, refusal.length > 0 ? refusalOf(refusal) : notModified]
    }),
  )
  const text = JSON.stringify([paths, responses])
  const examples = Object.fromEntries(
    PROBLEM_CODES.filter((code) => text.includes(`#/components/examples/${code}"`)).map((code) => [
      code,
      { summary: PROBLEMS[code].title, value: exampleOf(code) },
    ]),
  )
  return { responses, headers: HEADERS, examples }
}

const exampleOf = (code: ProblemCode) =>
  problemBody({ code, effect: effectsOf(code)[0] }, EXAMPLE_ID, EXAMPLE_ORIGIN)
