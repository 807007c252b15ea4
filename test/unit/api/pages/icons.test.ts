import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { PAGE_COLOURS, manifestOf } from '../../../../src/api/pages/layout.ts'
import FILES from '../../../../src/api/pages/static-files.json' with { type: 'json' }
import { staticSource } from '../../../../src/cli/static-files.ts'

const ICON_SIZES = [180, 192, 512] as const
const iconOf = (size: number): Buffer => readFileSync(staticSource(`icon-${size}.png`))

/** The blend of each pixel of one of our PNG files: four bits, rows of one strip, no filter. */
function pixelsOf(png: Buffer): { width: number; height: number; pixels: number[] } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const at = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const pixels = [...rows].flatMap((byte, i) =>
    i % (width / 2 + 1) === 0 ? [] : [byte >> 4, byte & 15],
  )
  return { width, height, pixels }
}

describe('the icon of the console on a phone', () => {
  test.each(ICON_SIZES)('is a PNG file of that size: %i pixels', (size) => {
    const png = iconOf(size)
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const { width, height } = pixelsOf(png)
    expect([width, height]).toEqual([size, size])
  })

  test.each(ICON_SIZES)('has the mark where every phone shows it: %i pixels', (size) => {
    const { pixels } = pixelsOf(iconOf(size))
    const safe = size * 0.4
    const outside = pixels.filter(
      (blend, i) =>
        blend > 0 && Math.hypot((i % size) - size / 2, Math.floor(i / size) - size / 2) > safe + 1,
    )
    expect(outside).toEqual([])
    expect(pixels.filter((blend) => blend === 15).length).toBeGreaterThan(size)
  })
})

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
