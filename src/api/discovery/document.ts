import { problemPage } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, PROBLEM_CODES, type ProblemCode } from '../../core/domain/problem/problems.ts'
import { MCP_REVISIONS, SERVICE_SUMMARY } from '../../core/version.ts'
import { methodAndPath } from '../../practice/operations/endpoint.ts'
import { GRANTED, LISTED_FIRST, READS } from '../../practice/operations/index.ts'
import type { Described } from '../../practice/operations/operation.ts'
import { PROMPTS, exampleArguments } from '../../practice/operations/prompts.ts'
import { etagOf, isNamedBy, safeHeaders } from '../http/answers.ts'
import type { Site, AppContext } from '../http/app-env.ts'

/** A document, and the headers of its answers with 200 (`whole`) and 304 (`unchanged`). */
type Made = { body: Uint8Array; etag: string; headers: { whole: Headers; unchanged: Headers } }

/** Loopback has several names and ports; documents of more origins than this are not remembered. */
export const MOST_ORIGINS = 16

const FOR_A_WHILE = { 'Cache-Control': 'public, max-age=300' }

/** The handler of a public document, which is made once for each address. `own` are headers of its own. */
export function publicDocument(
  name: string,
  type: string,
  make: (site: Site) => string,
  own: Record<string, string> = {},
) {
  const headers = { ...FOR_A_WHILE, ...own }
  const made = new Map<string, Promise<Made>>()
  return async (c: AppContext) => {
    c.get('log').operation = name
    const site = c.get('site')()
    const known = made.get(site.origin) ?? madeOf(make(site), type, headers)
    if (made.size < MOST_ORIGINS) made.set(site.origin, known)
    return answer(c, await known)
  }
}

/** The last answer of each fresh document: it serves again while the text is the same. */
const last = new Map<string, { text: string; made: Made }>()

/** A public answer whose text is made for each request, also with an ETag. */
export async function freshDocument(c: AppContext, name: string, type: string, text: string) {
  c.var.log.operation = name
  const known = last.get(name)
  const made =
    known?.text === text ? known.made : await madeOf(text, type, { 'Cache-Control': 'no-cache' })
  last.set(name, { text, made })
  return answer(c, made)
}

async function madeOf(text: string, type: string, own: Record<string, string>): Promise<Made> {
  const body = new TextEncoder().encode(text)
  const etag = await etagOf(body)
  const named = { ETag: etag, ...own }
  const headers = {
    whole: safeHeaders({ ...named, 'Content-Type': type }),
    unchanged: safeHeaders(named),
  }
  return { body, etag, headers }
}

function answer(c: AppContext, { body, etag, headers }: Made) {
  if (isNamedBy(c.req.raw, etag))
    return new Response(null, { status: 304, headers: headers.unchanged })
  return new Response(body, { headers: headers.whole })
}

/** The example prompts as Markdown, filled with their example arguments. */
export const examplePrompts = () => `# Example prompts

Three prompts to give to an agent that is connected to this service. They are offered over MCP as well, with the arguments named here.
${PROMPTS.map(
  (prompt) => `
## ${prompt.title}

${prompt.description}

MCP prompt \`${prompt.name}\`, which may be given ${prompt.arguments.map(({ name }) => `\`${name}\``).join(', ')}.

> ${prompt.text(exampleArguments(prompt))}
`,
).join('')}`

/** A line of an operation, with a link to its part of the OpenAPI document (RFC 6901, section 6). */
function line({ name, route, title, description, scope }: Described, origin: string) {
  const { path, method } = methodAndPath({ route })
  const part = `#/paths/${path.replaceAll('/', '~1')}/${method}`
  return (
    `- [${name}](${origin}/openapi.json${encodeURI(part)}): ` +
    `${route}, scope ${scope}. ${title}. ${description}`
  )
}

/** Whether a caller to whom nothing was granted by name may get this refusal. */
const isForAll = (code: ProblemCode) =>
  !GRANTED.some(({ problems }) => problems.includes(code)) ||
  [...LISTED_FIRST, ...READS].some(({ problems }) => problems.includes(code))

/** The plain-text description of the service for agents, by the llms.txt convention (https://llmstxt.org). */
export const llmsText = ({ origin, practice, modes }: Site) => `# Consult connector

> Private connector of ${practice.name}: ${SERVICE_SUMMARY}. Over REST and MCP, with the same operations and the same answers.

Scheduling is ${modes.scheduling}, payments are ${modes.payments}; mock means no real bookings or payments. Times are RFC 3339 with an offset, zones are IANA names, the default zone is ${practice.timezone}. Fields are in the zone that a call asks for; a summary says the practice's own time first, and the client's where its clock shows another. Every call needs a credential (a local trial may go without), except for the documents below.

Every change takes two calls with the same Idempotency-Key (header over REST, argument idempotency_key over MCP; 8 to 200 characters, random):

1. confirm=false returns a preview and a confirmation_token; nothing is changed. Show the preview to a person.
2. confirm=true with that confirmation_token commits exactly what was shown, or refuses if it no longer holds.

Repeats with the same key never act twice and return the same answer. After outcome_unknown or commit_in_progress repeat the same call with the same key; a new key could act twice. Personal data is returned masked. National identifiers, account and card numbers and documents are refused.

Refusals are application/problem+json (RFC 9457) with a code, whether a repeat can help (retryable), what is known of the effect (effect) and what to do (next_step).

## Operations

${LISTED_FIRST.map((operation) => line(operation, origin)).join('\n')}

## Reads

${READS.map((read) => line(read, origin)).join('\n')}

## Problems

${PROBLEM_CODES.filter(isForAll)
  .map(
    (code) =>
      `- [${code}](${origin}${problemPage(code)}): ${PROBLEMS[code].status}. ${PROBLEMS[code].title}.`,
  )
  .join('\n')}

## Documents

- [OpenAPI 3.1](${origin}/openapi.json): all paths, schemas and examples
- [API reference](${origin}/docs/api): the same as a page, with each call in many languages
- [Example prompts](${origin}/docs/example-prompts.md): three prompts, also offered over MCP
- [Problems](${origin}/docs/errors.md): every code with what to do
- [Health](${origin}/health): liveness and modes
- [API catalog](${origin}/.well-known/api-catalog): these documents as a link set (RFC 9727)

## Connect

- [MCP](${origin}/mcp): Streamable HTTP, ${MCP_REVISIONS.text}
- [REST](${origin}/v1/availability): JSON under /v1
`
