import type { Site } from '../http/app-env.ts'
import { MCP_REVISIONS, SERVICE_SUMMARY } from '../domain/service.ts'
import { problemPage } from '../domain/problem.ts'
import { PROBLEMS, PROBLEM_CODES } from '../domain/problems.ts'
import { OPERATIONS, READS } from '../operations/index.ts'
import type { Described } from '../operations/operation.ts'

/** Where the OpenAPI document describes it, as a JSON Pointer (RFC 6901). */
const inOpenApi = ({ method, path }: { method: string; path: string }): string =>
  `/openapi.json#/paths/${encodeURI(path.replaceAll('/', '~1'))}/${method}`

const line = ({ name, http, title, description, scope }: Described, origin: string): string =>
  `- [${name}](${origin}${inOpenApi(http)}): ${http.method.toUpperCase()} ${http.path}, scope ${scope}. ${title}. ${description}`

/** The plain-text description of the service for agents, by the llms.txt convention (https://llmstxt.org). */
export const llmsText = ({ origin, practice, modes }: Site): string => `# Consult connector

> Private connector of ${practice.name}: ${SERVICE_SUMMARY}. Over REST and MCP, with the same operations and the same answers.

Scheduling is ${modes.scheduling}, payments are ${modes.payments}; mock means that nothing real happens. Times are RFC 3339 with an offset, zones are IANA names, the default zone is ${practice.timezone}. Every call needs a credential (a local trial may go without), except for the documents below.

Every change takes two calls with the same Idempotency-Key (header over REST, argument idempotency_key over MCP; 8 to 200 characters, random):

1. confirm=false returns a preview and a confirmation_token; nothing is changed. Show the preview to a person.
2. confirm=true with that confirmation_token commits exactly what was shown, or refuses if it no longer holds.

Repeats with the same key never act twice and return the same answer. After outcome_unknown or commit_in_progress repeat the same call with the same key; a new key could act twice. Personal data is returned masked. National identifiers, account and card numbers and documents are refused.

Refusals are application/problem+json (RFC 9457) with a code, whether a repeat can help (retryable), what is known of the effect (effect) and what to do (next_step).

## Operations

${OPERATIONS.map((operation) => line(operation, origin)).join('\n')}

## Reads

${READS.map((read) => line(read, origin)).join('\n')}

## Problems

${PROBLEM_CODES.map((code) => `- [${code}](${origin}${problemPage(code)}): ${PROBLEMS[code].status}. ${PROBLEMS[code].title}.`).join('\n')}

## Documents

- [OpenAPI 3.1](${origin}/openapi.json): all paths, schemas and examples
- [Example prompts](${origin}/docs/example-prompts.md): three prompts, also offered over MCP
- [Problems](${origin}/docs/errors): every code with what to do
- [Health](${origin}/health): liveness and modes
- [API catalog](${origin}/.well-known/api-catalog): these documents as a link set (RFC 9727)

## Connect

- [MCP](${origin}/mcp): Streamable HTTP, ${MCP_REVISIONS.text}
- [REST](${origin}/v1/availability): JSON under /v1
`
