/**
 * The idempotency key of a request. A structured-field string (`"abc…"`, RFC 8941, as in the expired draft for this
 * header) and the bare key are the same key.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const value = request.headers.get('Idempotency-Key')?.trim()
  return value === undefined ? undefined : unquoted(value)
}

/** A key as it was sent, without the quotes that it may stand in. */
export function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value)?.[1]
  return quoted === undefined ? value : quoted.replaceAll(/\\(["\\])/g, '$1')
}
