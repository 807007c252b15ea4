import { answerWith } from './answer.ts'

const ofLength = (length: number) => new TextEncoder().encode('x'.repeat(length))

/** About as long as llms.txt, and as the OpenAPI document; bytes, which cost less to send than a text. */
const DOCUMENTS = new Map([
  ['/document', ofLength(8_000)],
  ['/long-document', ofLength(275_000)],
])

/** The floor under everything: a Worker that does nothing. Under two paths it answers like one that serves a document. */
export default {
  fetch(request: Request): Response {
    const document = DOCUMENTS.get(new URL(request.url).pathname)
    return document === undefined ? new Response('ok') : answerWith(request, document)
  },
}
