import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { staticFiles } from '../../../../src/cli/static-files.ts'
import { EVERY_PAGE } from './views.ts'

/** What every server and browser can do: a better compression only sends less. */
const gzipped = (text: string | Uint8Array): number => gzipSync(text, { level: 9 }).length

test.each(Object.entries(EVERY_PAGE))(
  '%s: its HTML is at most 6,144 bytes by gzip -9',
  (_, { html }) => {
    expect(gzipped(html())).toBeLessThanOrEqual(6 * 1024)
  },
)

const files = await staticFiles()

test.each(['console.css', 'client-link.css', 'public.css'])(
  'the style %s is at most 4,096 bytes by gzip -9',
  (name) => {
    expect(gzipped(files[name]!.body)).toBeLessThanOrEqual(4 * 1024)
  },
)

test('the two scripts that one page loads are together at most 2,048 bytes, each by gzip -9', () => {
  const sizes = ['passkey.js', 'console.js'].map((name) => gzipped(files[name]!.body))
  expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(2 * 1024)
})
