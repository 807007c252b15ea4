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
const looseIn = (folder: string): string[] => [...SOURCE.keys()].filter((path) => dirname(path) === folder)

describe('the house', () => {
  test('has at most 42,500 lines, commands included', () => {
    const lines = [...SOURCE.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(42_500)
  })

  test('has at most 300 files in the Worker, and rooms in place of long floors', () => {
    const files = [...SOURCE.keys()].filter((path) => !path.startsWith('src/cli/'))
    expect(files.length).toBeGreaterThan(200)
    expect(files.length).toBeLessThanOrEqual(300)
    expect(looseIn('durable-objects').length).toBeLessThanOrEqual(9)
    expect(looseIn('src/core/domain').length).toBeLessThanOrEqual(24)
  })

  test('has no circle of imports, types included, but through the types of the objects', () => {
    const isOfTheirTypes = (path: string, to: string): boolean =>
      to.startsWith('durable-objects/') && /^src\/(?:env\.ts|adapters\/cloudflare\/)/.test(path)
    const importsOf = (path: string): string[] =>
      [...SOURCE.get(path)!.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, to]) => join(dirname(path), to!))
        .filter((to) => SOURCE.has(to) && !isOfTheirTypes(path, to))
    const ended = new Set<string>()
    const circles: string[] = []
    const walk = (path: string, above: readonly string[]): void => {
      if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' -> '))
      if (above.includes(path) || ended.has(path)) return
      for (const to of importsOf(path)) walk(to, [...above, path])
      ended.add(path)
    }
    for (const path of SOURCE.keys()) walk(path, [])
    expect(circles).toEqual([])
  })
})
