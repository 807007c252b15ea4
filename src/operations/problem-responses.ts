import { effectsOf } from '../domain/effects.ts'
import { problemBody, problemSchema } from '../domain/problem.ts'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../domain/problems.ts'

/** The id and the address that stand in examples. */
export const EXAMPLE_ID = '8e03978e-40d5-43e8-bc93-6894a57f9324'
export const EXAMPLE_ORIGIN = 'https://connector.example.com'

/** The header that every answer has, for the documents. */
export const requestIdHeader = {
  'Request-Id': {
    description: 'The id of this request; quote it when asking for help.',
    schema: { type: 'string' as const },
  },
}

/** The header of an answer that was given before, for the documents. */
export const replayedHeader = {
  'Idempotent-Replayed': {
    description: 'true when this is the stored answer of an earlier commit.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Where a repeat can help: after so many seconds.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
}
const CHALLENGE = {
  'WWW-Authenticate': { description: 'How to sign in (RFC 9110).', schema: { type: 'string' as const } },
}

const STATUS = {
  'Link-Template': {
    description:
      'Where the outcome is not known: where to read it, as a template for the idempotency key, with rel="status" (RFC 9652).',
    schema: { type: 'string' as const },
  },
}

const RATE_LIMIT = {
  'RateLimit-Policy': {
    description:
      'How many calls there are in how many seconds, as `"changes";q=30;w=60` (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string' as const },
  },
  RateLimit: {
    description:
      'The quota that is used up, and after how many seconds there is a new one: `"changes";r=0;t=60`.',
    schema: { type: 'string' as const },
  },
}

const headersOf = (status: number) => ({
  ...requestIdHeader,
  ...(status === 401 ? CHALLENGE : {}),
  ...([409, 429, 503].includes(status) ? RETRY_AFTER : {}),
  ...(status === 429 ? RATE_LIMIT : {}),
  ...([409, 503].includes(status) ? STATUS : {}),
  ...(status === 409 ? replayedHeader : {}),
})

/** The refusals of a path, documented: one response per status, with an example for each code it can carry. */
export function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEMS[code].status === status)
      return [status, problemResponse(status, ofStatus)]
    }),
  )
}

const placeOf = (code: ProblemCode): string => `#/components/examples/${code}`

const problemResponse = (status: number, codes: ProblemCode[]) => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  headers: headersOf(status),
  content: {
    'application/problem+json': {
      schema: problemSchema,
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: placeOf(code) }])),
    },
  },
})

/** The examples of all problems that a document refers to, written down once. */
export function problemExamples(document: object) {
  const text = JSON.stringify(document)
  const used = PROBLEM_CODES.filter((code) => text.includes(`"${placeOf(code)}"`))
  return Object.fromEntries(
    used.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }]),
  )
}

const exampleOf = (code: ProblemCode) =>
  problemBody({ code, effect: effectsOf(code)[0] }, EXAMPLE_ID, EXAMPLE_ORIGIN)
