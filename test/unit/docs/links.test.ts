import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { describe, expect, test } from 'vitest'

import { SETTING_NAMES } from '../../../src/core/settings.ts'

const PAGES = [
  'README.md',
  'test/bench/README.md',
  'test/evals/README.md',
  ...globSync('docs/**/*.md'),
]
const read = (path: string): string => readFileSync(path, 'utf8')
const withoutBlocks = (text: string): string => text.replace(/^ *```[^]*?^ *```/gm, '')

/** The anchors of a page, as they are made of its headings where the repository is shown. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} +(.*)$/gm)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = shown.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let nth = 0
    while (anchors.has(nth === 0 ? anchor : `${anchor}-${nth}`)) nth += 1
    anchors.add(nth === 0 ? anchor : `${anchor}-${nth}`)
  }
  return anchors
}

const leads = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

describe.each(PAGES)('%s', (page) => {
  const text = read(page)

  test('links only to existing pages and sections', () => {
    const prose = withoutBlocks(text).replace(/`[^`\n]*`/g, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
    const dead = links.filter((to) => {
      if (/^[a-z]+:/.test(to)) return false
      const [path = '', anchor] = to.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      return !leads(target) || (anchor !== undefined && !anchorsOf(read(target)).has(anchor))
    })
    expect(dead).toEqual([])
  })

  test('has no row of a table outside of one', () => {
    const lines = withoutBlocks(text).split('\n')
    const isRow = (line = '') => /^\s*\|/.test(line)
    const stray = lines.filter(
      (line, at) =>
        isRow(line) && !isRow(lines[at - 1]) && !/^\s*\|[\s:|-]+\|$/.test(lines[at + 1] ?? ''),
    )
    expect(stray).toEqual([])
  })

  test('names only existing commands and files', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const commands = [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => name)
    expect(commands.filter((name) => !(name in scripts))).toEqual([])
    const files = [...text.matchAll(/`((?:src|test|docs|durable-objects|\.ci)\/[\w./-]+)`/g)]
    expect(files.map(([, path = '']) => path).filter((path) => !leads(path))).toEqual([])
  })
})

test('the settings that the README names are settings', () => {
  const [, section = ''] = read('README.md').split(/^## Settings$/m)
  const [table = ''] = section.split(/^## /m)
  const named = [...table.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !SETTING_NAMES.includes(name))).toEqual([])
})
