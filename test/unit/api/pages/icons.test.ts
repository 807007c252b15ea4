import { inflateSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { ICON_PNGS } from '../../../../src/api/pages/icon-pngs.ts'
import { ICON_SIZES, iconPath, manifestOf } from '../../../../src/api/pages/layout.ts'

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
    const png = Buffer.from(ICON_PNGS[size], 'base64url')
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const { width, height } = pixelsOf(png)
    expect([width, height]).toEqual([size, size])
  })

  test.each(ICON_SIZES)('has the mark where every phone shows it: %i pixels', (size) => {
    const { pixels } = pixelsOf(Buffer.from(ICON_PNGS[size], 'base64url'))
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
  expect(new Set(icons.map(({ src }) => src))).toEqual(new Set([iconPath(192), iconPath(512)]))
  expect(manifestOf('the practice').name).toBe('Consult connector')
})
