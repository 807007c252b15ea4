/** As long as llms.txt, and as the OpenAPI document. */
const TEXTS = new Map([
  ['/document', 'x'.repeat(8_000)],
  ['/long-document', 'x'.repeat(190_000)],
])

/** As many headers as an answer of the connector has; made once, since that is by far the cheapest way. */
const HEADERS = new Headers(
  Array.from({ length: 14 }, (_, index) => [`X-Header-${index}`, 'about as long as they are'] as const),
)

/**
 * The floor under everything: a Worker that does nothing. Under two paths it answers like one that serves a document: a
 * text of some length, headers, the id of the request, and one line of log.
 */
export default {
  fetch(request: Request): Response {
    const text = TEXTS.get(new URL(request.url).pathname)
    if (text === undefined) return new Response('ok')
    const id = request.headers.get('Request-Id') ?? crypto.randomUUID()
    const response = new Response(text, { headers: HEADERS })
    response.headers.set('Request-Id', id)
    console.log(JSON.stringify({ request_id: id, operation: 'document', status: 200 }))
    return response
  },
}
