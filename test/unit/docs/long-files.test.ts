import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const MOST_LINES = 300

test(`a file of more than ${MOST_LINES} lines says at its top why it is long`, () => {
  const paths = ['src', 'durable-objects', 'test'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/node_modules|openapi\.d\.ts/.test(path))
      .map((path) => `${folder}/${path}`),
  )
  const long = paths.filter((path) => {
    const lines = readFileSync(new URL(path, root), 'utf8').split('\n')
    return lines.length - 1 > MOST_LINES && !/^\/\/ Long,? (?:since|because)/.test(lines[0]!)
  })
  expect(paths.length).toBeGreaterThan(400)
  expect(long).toEqual([])
})
