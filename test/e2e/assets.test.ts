import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { makeSafe } from '../../src/api/http/security-headers.ts'
import { PROJECT_ROOT } from '../../src/cli/wrangler.ts'
import { connectorForAll } from '../support/started.ts'

const connector = connectorForAll()

const ASSETS = readdirSync(join(PROJECT_ROOT, 'src/assets'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && entry.name !== '_headers')
  .map(({ parentPath, name }) => join(parentPath, name).split('src/assets')[1]!)

/** How long an asset is kept is its own matter, and files of the sandboxed page are readable from anywhere. */
const OTHERWISE = new Map([
  ['cache-control', /^public, max-age=(?:0, must-revalidate|31536000, immutable)$/],
  ['cross-origin-resource-policy', /^(?:same-origin|cross-origin)$/],
])

test.each(ASSETS)('the static asset %s has the headers of every answer', async (path) => {
  const safe = new Headers()
  makeSafe(safe)
  const response = await fetch(new URL(path, connector.url))
  expect(response.status).toBe(200)
  for (const [name, value] of safe)
    expect(response.headers.get(name), name).toEqual(
      OTHERWISE.has(name) ? expect.stringMatching(OTHERWISE.get(name)!) : value,
    )
})
