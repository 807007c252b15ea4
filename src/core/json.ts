/** An object of JSON. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The value of a text or a body of JSON; undefined for any other text or bytes. */
export function jsonIn(written: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof written === 'string' ? written : utf8.decode(written))
  } catch {
    return undefined
  }
}

/** Whether valid JSON is as `JSON.stringify` writes it; not where it is nested too deeply for that. */
function isAsStringified(json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === json
  } catch {
    return false
  }
}

const PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|[{}[\]]/g

/** Whether an object in valid JSON has a name twice: some readers take the first value, others the last. */
export function hasDoubledName(json: string): boolean {
  // Most programs write so, and then no name comes twice.
  if (isAsStringified(json)) return false
  const open: Set<string>[] = []
  for (const [part] of json.matchAll(PARTS)) {
    if (part === '{' || part === '[') open.push(new Set())
    else if (part === '}' || part === ']') open.pop()
    else if (part.endsWith(':')) {
      const names = open.at(-1)!
      const name = JSON.parse(part.slice(0, part.lastIndexOf('"') + 1)) as string
      if (names.has(name)) return true
      names.add(name)
    }
  }
  return false
}
