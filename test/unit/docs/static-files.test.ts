import { expect, test } from 'vitest'

import FILES from '../../../src/api/pages/static-files.json' with { type: 'json' }
import { addressList, staticFiles } from '../../../src/cli/static-files.ts'

test('each static file has the address of its content: a build writes src/api/pages/static-files.json', async () => {
  const made = await staticFiles()
  expect(JSON.parse(addressList(made))).toEqual(FILES)
  expect(Object.values(FILES)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\/static\/console-[0-9a-f]{10}\.css$/)]),
  )
})
