import recorded from './recorded.json' with { type: 'json' }
import type { Documented, OpenApi } from './reference.ts'

/** A call of the recorded journey with its answer; of a change, the body of its preview and both answers. */
export interface RecordedCall {
  path?: Record<string, string>
  query?: Record<string, string | number>
  body?: object
  preview?: { confirmation_token?: string }
  answer: unknown
}

/** The recorded calls by the id of their operation. */
export type Recorded = Record<string, RecordedCall>

/** What the mock answered, as src/cli/reference/record.ts wrote it down. */
const RECORDED: Recorded = recorded

/** Puts the recorded calls into the document, in place of examples that were written by hand. */
export function showRecorded(paths: OpenApi['paths']): void {
  for (const route of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const call = RECORDED[route.operationId]
    if (call) showCall(route, call)
  }
}

function showCall(
  { parameters = [], requestBody, responses }: Documented,
  { path, query, body, preview, answer }: RecordedCall,
): void {
  const given = { ...path, ...query }
  for (const parameter of parameters) {
    const value = given[parameter.name]
    if (value !== undefined) parameter.example = value
  }
  const asked = requestBody?.content['application/json']
  const answered = (responses['200'] ?? responses['201'])?.content?.['application/json']
  if (preview) {
    const { confirmation_token } = preview
    const committed = { ...body, confirm: true, confirmation_token }
    Object.assign(asked?.examples?.['preview'] ?? {}, { value: body })
    Object.assign(asked?.examples?.['commit'] ?? {}, { value: committed })
    Object.assign(answered?.examples?.['preview'] ?? {}, { value: preview })
    Object.assign(answered?.examples?.['committed'] ?? {}, { value: answer })
    return
  }
  if (asked && body) {
    delete asked.examples
    asked.example = body
  }
  if (answered) answered.example = answer
}
