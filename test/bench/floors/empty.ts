/** As long as llms.txt, and as the OpenAPI document. */
const TEXTS = new Map([
  ['/document', 'x'.repeat(8_000)],
  ['/long-document', 'x'.repeat(190_000)],
])

/** As many headers as an answer of the connector has. */
const HEADERS = Object.fromEntries(
  Array.from({ length: 14 }, (_, index) => [`X-Header-${index}`, 'about as long as they are']),
)

/**
 * The floor under everything: a Worker that does nothing. Under two paths it answers like one that serves a document: a
 * text of some length, headers, and one line of log.
 */
export default {
  fetch(request: Request): Response {
    const text = TEXTS.get(new URL(request.url).pathname)
    if (text === undefined) return new Response('ok')
    console.log('{"request_id":"8e03978e-40d5-43e8-bc93-6894a57f9324","operation":"llms","status":200}')
    return new Response(text, { headers: HEADERS })
  },
}
