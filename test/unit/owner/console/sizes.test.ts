import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { CLIENT_STYLE } from '../../../../src/api/client-link/style.ts'
import { PUBLIC_STYLE } from '../../../../src/api/discovery/page.ts'
import { STYLE } from '../../../../src/api/pages/layout.ts'
import { CONSOLE_SCRIPT, PASSKEY_SCRIPT } from '../../../../src/api/pages/scripts.ts'
import { EVERY_PAGE } from './views.ts'

/** What every server and browser can do: a better compression only sends less. */
const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length

test.each(Object.entries(EVERY_PAGE))(
  '%s: its HTML is at most 6,144 bytes by gzip -9',
  (_, { html }) => {
    expect(gzipped(html())).toBeLessThanOrEqual(6 * 1024)
  },
)

test.each([
  ['the console', STYLE],
  ['a client link', CLIENT_STYLE],
  ['the public pages', PUBLIC_STYLE],
])('the style of %s is at most 4,096 bytes by gzip -9', (_, style) => {
  expect(gzipped(style)).toBeLessThanOrEqual(4 * 1024)
})

test('the two scripts that one page loads are together at most 2,048 bytes, each by gzip -9', () => {
  expect(gzipped(PASSKEY_SCRIPT) + gzipped(CONSOLE_SCRIPT)).toBeLessThanOrEqual(2 * 1024)
})
