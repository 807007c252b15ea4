import { expect, test } from 'vitest'

import { manifestOf } from '../../../../src/api/pages/layout.ts'
import FILES from '../../../../src/api/pages/static-files.json' with { type: 'json' }

test('the manifest has the name of the practice, and every icon under its address', () => {
  const { name, short_name, icons } = manifestOf('Harbor Tax & Books')
  expect([name, short_name]).toEqual(['Harbor Tax & Books', 'Harbor Tax & Books'])
  expect(new Set(icons.map(({ src }) => src))).toEqual(
    new Set([FILES['icon-192.png'], FILES['icon-512.png']]),
  )
  expect(manifestOf('the practice').name).toBe('Consult connector')
})
