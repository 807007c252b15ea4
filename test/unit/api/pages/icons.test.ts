import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { PAGE_COLOURS, manifestOf } from '../../../../src/api/pages/layout.ts'
import FILES from '../../../../src/api/pages/static-files.json' with { type: 'json' }
import { staticSource } from '../../../../src/cli/static-files.ts'

test('the manifest has the name of the practice, and every icon under its address', () => {
  const { name, short_name, icons } = manifestOf('Harbor Tax & Books')
  expect([name, short_name]).toEqual(['Harbor Tax & Books', 'Harbor Tax & Books'])
  expect(new Set(icons.map(({ src }) => src))).toEqual(
    new Set([FILES['icon-192.png'], FILES['icon-512.png']]),
  )
  expect(manifestOf('the practice').name).toBe('Consult connector')
})

test('a phone shows around the console the colour that its style has behind each page', () => {
  const { light, dark } = PAGE_COLOURS
  const style = readFileSync(staticSource('../base.css'), 'utf8')
  expect(style).toContain(`--page: light-dark(${light}, ${dark});`)
})
