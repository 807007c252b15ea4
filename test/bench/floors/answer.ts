/** As many headers as an answer of the connector has; made once, since that is by far the cheapest way. */
const HEADERS = new Headers(
  Array.from(
    { length: 14 },
    (_, index) => [`X-Header-${index}`, 'about as long as they are'] as const,
  ),
)

/** What every answer of the connector carries besides its body: headers, the id of the request, one line of log. */
export function answerWith(request: Request, body: string | Uint8Array): Response {
  const id = request.headers.get('Request-Id') ?? crypto.randomUUID()
  const response = new Response(body, { headers: HEADERS })
  response.headers.set('Request-Id', id)
  console.log(JSON.stringify({ request_id: id, operation: 'floor', status: 200 }))
  return response
}
