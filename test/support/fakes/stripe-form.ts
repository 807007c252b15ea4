export type FormTree = { [name: string]: FormTree } | FormTree[] | string

/** The fields of a form as Stripe reads them: `a[0][b]=c` is `{ a: [{ b: 'c' }] }`. */
export function formTree(text: string): { [name: string]: FormTree } {
  const root: Branch = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split('[').map((key) => key.replace(/\]$/, ''))
    const last = keys.pop() ?? ''
    let place = root
    for (const key of keys) {
      const next = place[key]
      place = place[key] = typeof next === 'object' ? next : {}
    }
    place[last] = value
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, grown(value)]))
}

interface Branch {
  [name: string]: Branch | string
}

function grown(value: Branch | string): FormTree {
  if (typeof value === 'string') return value
  const entries = Object.entries(value)
  return entries.every(([name], index) => name === String(index))
    ? entries.map(([, one]) => grown(one))
    : Object.fromEntries(entries.map(([name, one]) => [name, grown(one)]))
}
