/** In JSON that is valid: each text, with the colon that makes it a name, and each bracket. */
const PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|[{}[\]]/g

/** Whether an object in a valid JSON text has two members of one name: some readers take the first, others the last. */
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
