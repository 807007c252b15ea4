import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import { hasDoubledName } from '../../core/json.ts'
import { JsonMistake } from '../../practice/operations/hints.ts'

const MOST_BYTES = 32 * 1024

/** Reads the body up to a limit. Raises `payload_too_large`. */
export async function readBody(request: Request, mostBytes = MOST_BYTES): Promise<Uint8Array> {
  const declared = request.headers.get('Content-Length')
  if (Number(declared ?? 0) > mostBytes) throw problem('payload_too_large')
  // HTTP holds a body to the length that it declares, so this one can be read at once.
  if (declared !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.byteLength > mostBytes) throw problem('payload_too_large')
    return bytes
  }
  return readUpTo(mostBytes, request)
}

/** The bytes of a message, whatever length it declares. Raises `payload_too_large` over the limit. */
export async function readUpTo(mostBytes: number, { body }: Pick<Request, 'body'>) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > mostBytes) throw problem('payload_too_large')
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** The fields of a form that was sent. Raises `payload_too_large`. */
export const readForm = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await readBody(request)))

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * The JSON value of a body, if it is one. Raises `validation_failed` for a name that comes twice
 * (RFC 7493).
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = decoder.decode(bytes)
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (hasDoubledName(text))
    throw invalidField('', 'Expected each name once in an object; one of them has a name twice.')
  return value
}

/**
 * The JSON value of a request, or the place of the mistake where its text is none. Where a body
 * `isOptional`, none and null are an empty object: many programs name the type of a body that they do
 * not send. Raises `unsupported_media_type` unless the request says that it is JSON.
 */
export async function readFields(request: Request, { isOptional = false } = {}): Promise<unknown> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  const isJson = type === 'application/json'
  if (!isJson && !isOptional) throw problem('unsupported_media_type')
  const bytes = await readBody(request)
  if (isOptional && bytes.length === 0) return {}
  if (!isJson) throw problem('unsupported_media_type')
  const value = parseJson(bytes)
  if (value === undefined) return mistakeIn(bytes)
  return isOptional ? (value ?? {}) : value
}

/** Why bytes are no JSON. */
function mistakeIn(bytes: Uint8Array): JsonMistake {
  try {
    const text = decoder.decode(bytes)
    if (text.trim() === '') return new JsonMistake('the body is empty')
    const { line, column } = jsonMistake(text)
    return new JsonMistake(`look at line ${line}, column ${column}`)
  } catch {
    return new JsonMistake('it is not in UTF-8, or it is compressed')
  }
}

/**
 * The query as fields. A field that is given twice becomes a list, which no operation accepts; an
 * empty one beside another was left out.
 */
export function queryOf(url: string): Record<string, string | string[]> {
  if (!url.includes('?')) return {}
  const { searchParams } = new URL(url)
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      // A bare + in a query arrives as a space, and no parameter here has spaces in it: `+05:00`,
      // `Etc/GMT+5`.
      const sent = searchParams.getAll(name).map((value) => value.trim().replaceAll(' ', '+'))
      const values = sent.length > 1 ? sent.filter((value) => value !== '') : sent
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}

/** White space, a sign, a text, a number or a word of JSON (RFC 8259). */
const TOKEN =
  /[ \t\r\n]+|[{}[\],:]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'more'

/** Where a text stops being JSON, counted from 1. It says nothing of the text. */
export function jsonMistake(json: string): { line: number; column: number } {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(json)?.[0]
    if (token === undefined) break
    const next: Expected | undefined =
      token.trim() === '' ? expected : afterToken(token, expected, open)
    if (next === undefined) break
    expected = next
    at += token.length
  }
  const before = json.slice(0, at).split(/\r\n|\r|\n/)
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 }
}

/** What is expected after a token, which `open` follows; undefined where the token is not expected. */
function afterToken(token: string, expected: Expected, open: string[]): Expected | undefined {
  const [sign = ''] = token
  if (':' === sign) return expected === 'colon' ? 'value' : undefined
  if (sign === ',') {
    if (expected !== 'more' || open.length === 0) return undefined
    return open.at(-1) === '{' ? 'name' : 'value'
  }
  if (sign === '}' || sign === ']') {
    const isOf = open.at(-1) === (sign === '}' ? '{' : '[')
    const isEmpty = expected === (sign === '}' ? 'name or end' : 'value or end')
    if (!isOf || !(expected === 'more' || isEmpty)) return undefined
    open.pop()
    return 'more'
  }
  if (expected.startsWith('name')) return sign === '"' ? 'colon' : undefined
  if (!expected.startsWith('value')) return undefined
  if (sign !== '{' && sign !== '[') return 'more'
  open.push(sign)
  return sign === '{' ? 'name or end' : 'value or end'
}
