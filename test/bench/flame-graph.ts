/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

interface Frame {
  name: string
  /** Microseconds in the function itself, and with all that it calls. */
  self: number
  total: number
  children: Map<string, Frame>
}

const IDLE = new Set(['(idle)', '(root)'])

const frame = (name: string): Frame => ({ name, self: 0, total: 0, children: new Map() })

/** All profiles as one tree of calls, without idle time. */
function merged(profiles: readonly CpuProfile[]): Frame {
  const root = frame('all')
  for (const { nodes, samples, timeDeltas } of profiles) {
    const spent = new Map<number, number>()
    for (const [index, id] of samples.entries())
      spent.set(id, (spent.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0))
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const add = (id: number, into: Frame): number => {
      const { callFrame, children = [] } = byId.get(id)!
      const name = callFrame.functionName || '(anonymous)'
      if (name === '(idle)') return 0
      let mine = into
      if (!IDLE.has(name)) {
        mine = into.children.get(name) ?? frame(name)
        into.children.set(name, mine)
      }
      const self = IDLE.has(name) ? 0 : (spent.get(id) ?? 0)
      const below = children.reduce((sum, child) => sum + add(child, mine), 0)
      mine.self += self
      if (mine !== into) mine.total += self + below
      return self + below
    }
    root.total += add(nodes[0]!.id, root)
  }
  return root
}

/** The functions with most time of their own, as lines of a table. */
export function hottest(profiles: readonly CpuProfile[], most: number): string[][] {
  const root = merged(profiles)
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  const walk = (one: Frame, above: ReadonlySet<string>) => {
    self.set(one.name, (self.get(one.name) ?? 0) + one.self)
    if (!above.has(one.name)) total.set(one.name, (total.get(one.name) ?? 0) + one.total)
    const seen = new Set([...above, one.name])
    for (const child of one.children.values()) walk(child, seen)
  }
  walk(root, new Set())
  const share = (time: number) => ((100 * time) / root.total).toFixed(1)
  return [...self]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => [name, share(time), share(total.get(name) ?? 0)])
}

const WIDTH = 1200
const ROW = 17
const NARROWEST = 0.8
const CHARACTER = 6.4

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A flame graph: each box a function, as wide as its share of the CPU time, on top of the one that calls it. */
export function flameGraph(profiles: readonly CpuProfile[], title: string): string {
  const root = merged(profiles)
  const boxes: string[] = []
  let deepest = 0
  const draw = (one: Frame, left: number, depth: number) => {
    const width = (one.total / root.total) * WIDTH
    if (width < NARROWEST) return
    deepest = Math.max(deepest, depth)
    const share = `${((100 * one.total) / root.total).toFixed(1)} %`
    const room = Math.floor((width - 6) / CHARACTER)
    const label =
      room < 3 ? '' : one.name.length > room ? `${one.name.slice(0, room - 1)}…` : one.name
    const hue = 20 + (Buffer.from(one.name).reduce((sum, byte) => sum + byte, 0) % 35)
    boxes.push(
      `<g transform="translate(${left.toFixed(1)} -${depth * ROW})"><title>${escaped(one.name)}: ${share}</title><rect width="${width.toFixed(1)}" height="${ROW - 1}" fill="hsl(${hue} 85% 68%)"/>${label === '' ? '' : `<text x="3" y="12">${escaped(label)}</text>`}</g>`,
    )
    let at = left
    for (const child of [...one.children.values()].toSorted((a, b) => b.total - a.total)) {
      draw(child, at, depth + 1)
      at += (child.total / root.total) * WIDTH
    }
  }
  draw(root, 0, 0)
  const height = (deepest + 1) * ROW + 40
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="20" font-size="14">${escaped(title)}</text><g transform="translate(0 ${height - ROW - 8})">${boxes.join('')}</g></svg>\n`
}
