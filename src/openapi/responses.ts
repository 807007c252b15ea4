import * as z from 'zod'
import { effectsOf, problemBody } from '../domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../domain/problem/problems.ts'

const EXAMPLE_ID = '8e03978e-40d5-43e8-bc93-6894a57f9324'
export const EXAMPLE_ORIGIN = 'https://connector.example.com'

const text = { type: 'string' as const }

const HEADERS = {
  'Request-Id': { description: 'The id of this request; quote it when asking for help.', schema: text },
  'Idempotent-Replayed': {
    description: 'true when this is the stored answer of an earlier commit.',
    schema: { ...text, enum: ['true'] },
  },
  'Retry-After': {
    description: 'If a repeat can help: after how many seconds.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
  'WWW-Authenticate': { description: 'How to sign in (RFC 9110).', schema: text },
  'Link-Template': {
    description:
      'Where the outcome is not known: where to read it, as a template for the idempotency key, with rel="status" (RFC 9652).',
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'How many calls there are in how many seconds, as `"changes";q=30;w=60` (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: text,
  },
  RateLimit: {
    description:
      'The quota that is used up, and after how many seconds there is a new one: `"changes";r=0;t=60`.',
    schema: text,
  },
  ETag: {
    description: 'Names this answer; send it as If-None-Match to get an answer only if it has changed.',
    schema: text,
  },
  Location: { description: 'The address of what was made.', schema: text },
  Link: { description: 'Where there is a next page: its address, with rel="next" (RFC 8288).', schema: text },
}

/** The headers of an answer, for the documents: that of every answer, and these. */
export const answerHeaders = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(
    ['Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  )

const headersOf = (status: number) =>
  answerHeaders(
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...([409, 429, 503].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === 429 ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...([409, 503].includes(status) ? (['Link-Template'] as const) : []),
    ...(status === 409 ? (['Idempotent-Replayed'] as const) : []),
  )

/** Refusals of so few codes are the same in many places. */
const FEW = 3

/** The refusals of a path: one response per status, an example for each code. One of few codes is written once. */
export function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = PROBLEM_CODES.filter((one) => codes.includes(one) && PROBLEMS[one].status === status)
      return [status, own.length <= FEW ? { $ref: `${RESPONSES}${own.join('.')}` } : refusalOf(own)] as const
    }),
  )
}

const RESPONSES = '#/components/responses/'

const refusalOf = (codes: readonly ProblemCode[]) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  headers: headersOf(PROBLEMS[codes[0]!].status),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** The answer where If-None-Match names the ETag of what would be sent. */
export const NOT_MODIFIED = `${RESPONSES}not_modified`

const notModified = {
  description: 'The answer is the one that If-None-Match names.',
  headers: answerHeaders('ETag'),
}

/** The header with which every GET of /v1 can be asked again. */
export const ifNoneMatch = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The ETag of an earlier answer.' }),
})

interface Documented {
  description: string
  schema: z.ZodType
  example?: object
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
  return { 200: { description, headers, content }, ...(isCacheable && { 304: { $ref: NOT_MODIFIED } }) }
}

/** What the paths of a document refer to, and its library does not know of: written down once. */
export function sharedComponents(paths: object) {
  const used = <T>(by: unknown, kind: string, all: Record<string, T>): Record<string, T> => {
    const text = JSON.stringify(by)
    return Object.fromEntries(
      Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    )
  }
  const named = new Set(JSON.stringify(paths).match(new RegExp(`(?<="${RESPONSES})[^"]+`, 'g')))
  const responses = Object.fromEntries<object>(
    [...named].toSorted().map((name) => {
      const codes = name.split('.')
      const refusal = PROBLEM_CODES.filter((code) => codes.includes(code))
      return [name, refusal.length > 0 ? refusalOf(refusal) : notModified]
    }),
  )
  const examples = Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }]),
  )
  const inAll = [paths, responses]
  return { responses, headers: used(inAll, 'headers', HEADERS), examples: used(inAll, 'examples', examples) }
}

const exampleOf = (code: ProblemCode) =>
  problemBody({ code, effect: effectsOf(code)[0] }, EXAMPLE_ID, EXAMPLE_ORIGIN)
