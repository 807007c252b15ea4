import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { makeSafe } from '../../src/api/http/answers.ts'
import FILES from '../../src/api/pages/static-files.json' with { type: 'json' }
import { PROJECT_ROOT } from '../../src/cli/wrangler.ts'
import { sharedConnector } from '../support/started.ts'

const connector = sharedConnector()

const ASSETS = readdirSync(join(PROJECT_ROOT, 'src/assets'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && !['_headers', '404.html'].includes(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name).split('src/assets')[1]!)

const YEAR = 'public, max-age=31536000, immutable'

/** How long an asset is kept is its own matter, and files of the sandboxed page are readable from anywhere. */
const OTHERWISE = new Map([
  ['cache-control', /^public, max-age=(?:0, must-revalidate|31536000, immutable)$/],
  ['cross-origin-resource-policy', /^(?:same-origin|cross-origin)$/],
])

function expectSafe({ headers }: Response): void {
  const safe = new Headers()
  makeSafe(safe)
  for (const [name, value] of safe)
    expect(headers.get(name), name).toEqual(
      OTHERWISE.has(name) ? expect.stringMatching(OTHERWISE.get(name)!) : value,
    )
}

describe('static assets', () => {
  test.each(ASSETS)('%s has the headers of every answer', async (path) => {
    const response = await fetch(new URL(path, connector.url))
    expect(response.status).toBe(200)
    expectSafe(response)
  })

  test('are the files of our pages, the guides and the API reference, and nothing else', () => {
    const others = ASSETS.filter((path) => !/^\/docs\/(?:guides\/|api-reference)/.test(path))
    expect(others.toSorted()).toEqual(Object.values(FILES).toSorted())
  })

  test.each(Object.values(FILES))('%s is kept for a year', async (path) => {
    const { headers } = await fetch(new URL(path, connector.url))
    expect(headers.get('Cache-Control')).toBe(YEAR)
  })

  test.each(['/static/console-0123456789.css', '/docs/guides/none'])(
    'are safe where there is nothing, too: %s',
    async (path) => {
      const response = await fetch(new URL(path, connector.url))
      expect(response.status).toBe(404)
      expectSafe(response)
      expect(response.headers.get('Cache-Control')).not.toBe(YEAR)
      expect(await response.text()).toContain('There is no page here')
    },
  )

  test.each([
    '/',
    '/docs',
    '/docs/api',
    '/owner',
    '/owner/none.css',
    '/_headers',
    '/404',
    '/v1/me',
  ])('have no part in %s: the Worker answers', async (path) => {
    const { headers } = await fetch(new URL(path, connector.url))
    expect(headers.get('Request-Id')).not.toBeNull()
  })
})
