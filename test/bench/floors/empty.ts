import { answerWith } from './answer.ts'

/** As long as llms.txt, and as the OpenAPI document. */
const TEXTS = new Map([
  ['/document', 'x'.repeat(8_000)],
  ['/long-document', 'x'.repeat(155_000)],
])

/** The floor under everything: a Worker that does nothing. Under two paths it answers like one that serves a document. */
export default {
  fetch(request: Request): Response {
    const text = TEXTS.get(new URL(request.url).pathname)
    return text === undefined ? new Response('ok') : answerWith(request, text)
  },
}
