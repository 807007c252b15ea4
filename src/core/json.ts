import type * as z from 'zod'

/** An object of JSON. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The value of a text of JSON; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The value of a body of JSON; undefined for any other bytes. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
}

const PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|[{}[\]]/g

/** Whether an object in valid JSON has a name twice: some readers take the first value, others the last. */
export function hasDoubledName(json: string): boolean {
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

/** What was kept, without the fields that a newer version added to it before a rollback; itself without any. */
export function withoutUnknown<Kept extends object>(schema: z.ZodType, kept: Kept): Kept {
  const { issues = [] } = schema.safeParse(kept).error ?? {}
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length === 0) return kept
  const known = structuredClone(kept)
  for (const issue of unknown) {
    const at = issue.path.reduce<object>((inner, name) => Reflect.get(inner, name), known)
    for (const key of issue.keys) Reflect.deleteProperty(at, key)
  }
  return known
}

/** What this schema makes of it. */
export const asKnown = <S extends z.ZodType>(schema: S, kept: object): z.output<S> =>
  schema.safeParse(kept).data ?? schema.parse(withoutUnknown(schema, kept))
