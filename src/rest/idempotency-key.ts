/**
 * The idempotency key of a request. A structured-field string (`"abc…"`, RFC 8941, as in the expired draft for this
 * header) and the bare key are the same key.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const value = request.headers.get('Idempotency-Key')?.trim()
  const quoted = value === undefined ? undefined : /^"((?:[^"\\]|\\["\\])*)"$/.exec(value)?.[1]
  return quoted === undefined ? value : quoted.replaceAll(/\\(["\\])/g, '$1')
}
