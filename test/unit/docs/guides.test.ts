import { existsSync } from 'node:fs'

import { expect, test } from 'vitest'

import { DOORS } from '../../../src/api/discovery/doors.ts'
import { addressOf, guidePage } from '../../../src/cli/guides.ts'

const SERVED = new Set(['deploy.md', 'operate/access.md', 'examples/make.json', 'console.png'])
const shown = (markdown: string) => guidePage(markdown, 'operate/day.md', SERVED)

test('each of the six doors leads to a guide that exists, or to a page of the connector', () => {
  expect(DOORS).toHaveLength(6)
  for (const { href } of DOORS) {
    const [, guide] = /^\/docs\/guides\/(.+)$/.exec(href) ?? []
    expect(guide === undefined ? href === '/docs/api' : existsSync(`docs/${guide}.md`), href).toBe(
      true,
    )
  }
})

test.each([
  ['access.md#api-keys', '/docs/guides/operate/access#api-keys'],
  ['../deploy.md', '/docs/guides/deploy'],
  ['../examples/make.json', '/docs/guides/examples/make.json'],
  ['https://cal.com', 'https://cal.com'],
  ['#below', '#below'],
  ['../../src/worker.ts', undefined],
  ['../decisions/0060-what-a-key-is.md', undefined],
])('a link to %s leads to %s', (target, address) => {
  expect(addressOf(target, 'operate/day.md', SERVED)).toBe(address)
})

test('a guide is a page with its title, anchors as on GitHub, and the text of links to what is not served', () => {
  const page = shown(
    '# A day\n\n## API keys, and `more`\n\n[worker](../../src/worker.ts)\n\n```sh\na < b\n```\n',
  )
  expect(page).toContain('<title>A day</title>')
  expect(page).toContain('<h2 id="api-keys-and-more">')
  expect(page).toContain('<p>worker</p>')
  expect(page).toContain('<code>a &lt; b</code>')
})
