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
