import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The source, by its paths from the root. */
const SOURCE = new Map(
  ['src', 'durable-objects'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  ),
)

interface Never {
  /** The files that the rule is about: a path, or the beginning of one. */
  from: string
  /** What they never import: paths from the root, or packages. */
  never: readonly string[]
  /** What may be imported all the same. */
  but?: readonly string[]
  /** What to do where the rule is in the way. */
  instead: string
}

const CORE =
  'the core is pure: take what you need as an argument, or write a port in src/core/ports'
const UPWARD = 'move what both need into src/core, or hand it in from src/app'
const HTTP_TYPES = ['hono', '@hono/', '@modelcontextprotocol/']

/** Who never imports whom. */
const NEVERS: readonly Never[] = [
  {
    from: 'src/core/',
    never: [
      'src/practice/',
      'src/api/',
      'src/owner/',
      'durable-objects/',
      'src/app/',
      'src/cli/',
      ...HTTP_TYPES,
    ],
    instead: CORE,
  },
  {
    from: 'src/practice/',
    never: ['src/api/', 'src/owner/', 'src/app/', 'src/cli/'],
    instead: UPWARD,
  },
  {
    from: 'durable-objects/',
    never: ['src/api/', 'src/owner/', 'src/app/', 'src/cli/'],
    instead: UPWARD,
  },
  { from: 'src/api/', never: ['src/owner/', 'src/app/', 'src/cli/'], instead: UPWARD },
  { from: 'src/owner/', never: ['src/app/', 'src/cli/'], instead: UPWARD },
  { from: 'src/app/', never: ['src/cli/'], instead: UPWARD },
  {
    from: 'src/core/domain/',
    never: ['src/core/'],
    but: ['src/core/domain/'],
    instead: 'domain holds nouns and pure rules: pass in what comes from outside',
  },
  {
    from: 'src/core/ports/',
    never: ['src/core/'],
    but: ['src/core/domain/', 'src/core/ports/'],
    instead: 'a port speaks the words of src/core/domain',
  },
  {
    from: 'src/core/crypto/',
    never: ['src/core/confirm/'],
    instead: 'crypto knows no flow: pass in the bytes',
  },
  {
    from: 'src/core/confirm/',
    never: ['src/core/domain/rules/'],
    instead: 'the flow knows no rule: ask the guard of its Host (src/practice/operations/guard.ts)',
  },
  {
    from: 'src/practice/operations/',
    never: ['src/practice/adapters/', 'src/practice/wiring/', 'durable-objects/', ...HTTP_TYPES],
    instead: 'an operation speaks to ports; src/practice/wiring chooses the adapter',
  },
  {
    from: 'src/practice/adapters/',
    never: ['src/practice/operations/', 'src/practice/wiring/'],
    instead: 'an adapter knows its port and its vendor: move what it shares into src/core',
  },
  {
    from: 'src/api/',
    never: ['src/practice/adapters/'],
    instead: 'only src/practice/wiring sees adapters: ask it for the port',
  },
  {
    from: 'src/owner/',
    never: ['src/practice/adapters/'],
    instead: 'only src/practice/wiring sees adapters: ask it for the port',
  },
  {
    from: 'src/api/rest/',
    never: ['src/api/mcp/', ...HTTP_TYPES.slice(2)],
    instead: 'what REST and MCP share belongs into src/practice/operations',
  },
  {
    from: 'src/api/mcp/',
    never: ['src/api/rest/', ...HTTP_TYPES.slice(0, 2)],
    instead: 'what REST and MCP share belongs into src/practice/operations',
  },
]

/** What a file imports, types included: paths from the root, and packages by their names. */
const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(/^(?:import|export)\b[^'"`]*?'([^']+)'|\bimport\('([^']+)'\)/gm)]
    .map(([, named, called]) => (named ?? called)!)
    .map((to) => (to.startsWith('.') ? join(dirname(path), to) : to))

/** The imports of these files that a rule forbids, each with what to do. */
function forbidden(sources: Iterable<readonly [path: string, source: string]>): string[] {
  const found: string[] = []
  for (const [path, source] of sources)
    for (const { from, never, but = [], instead } of NEVERS.filter((one) =>
      path.startsWith(one.from),
    ))
      for (const to of importsOf(path, source)) {
        const isForbidden =
          never.some((one) => to.startsWith(one)) && !but.some((one) => to.startsWith(one))
        if (isForbidden)
          found.push(`${path} imports ${to}: ${from} never does. Instead: ${instead}.`)
      }
  return found
}

describe('imports', () => {
  test('go one way: no file imports what its folder never imports', () => {
    expect(SOURCE.size).toBeGreaterThan(200)
    expect(forbidden(SOURCE)).toEqual([])
  })

  test.each(NEVERS.map((rule) => [rule.from, rule] as const))(
    'a rule about %s is about files that are there',
    (from, rule) => {
      expect([...SOURCE.keys()].some((path) => path.startsWith(from))).toBe(true)
      for (const to of [...rule.never, ...(rule.but ?? [])].filter((one) =>
        /^(?:src|durable)/.test(one),
      ))
        expect([...SOURCE.keys()].some((path) => path.startsWith(to))).toBe(true)
    },
  )

  test('make no circle, types included, but through the types of the objects', () => {
    const isOfTheirTypes = (path: string, to: string): boolean =>
      to.startsWith('durable-objects/') &&
      /^src\/practice\/(?:env\.ts|adapters\/cloudflare\/)/.test(path)
    const ended = new Set<string>()
    const circles: string[] = []
    const walk = (path: string, above: readonly string[]): void => {
      if (above.includes(path))
        circles.push([...above.slice(above.indexOf(path)), path].join(' -> '))
      if (above.includes(path) || ended.has(path)) return
      for (const to of importsOf(path, SOURCE.get(path)!).filter(
        (one) => SOURCE.has(one) && !isOfTheirTypes(path, one),
      ))
        walk(to, [...above, path])
      ended.add(path)
    }
    for (const path of SOURCE.keys()) walk(path, [])
    expect(circles, 'Move what both files need into a third one.').toEqual([])
  })
})
