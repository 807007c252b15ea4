import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { STYLE } from '../../../src/access/pages/layout.ts'
import { CONSOLE_SCRIPT, PASSKEY_SCRIPT } from '../../../src/access/pages/scripts.ts'
import { EVERY_PAGE } from './views.ts'

const sizeOf = (text: string): number => brotliCompressSync(text).length

test.each(Object.entries(EVERY_PAGE))('%s is at most 6 KB of HTML, compressed', (_, { html }) => {
  expect(sizeOf(html())).toBeLessThanOrEqual(6 * 1024)
})

test('a page loads at most 4 KB of style and 2 KB of script, compressed', () => {
  expect(sizeOf(STYLE)).toBeLessThanOrEqual(4 * 1024)
  expect(sizeOf(PASSKEY_SCRIPT) + sizeOf(CONSOLE_SCRIPT)).toBeLessThanOrEqual(2 * 1024)
})
