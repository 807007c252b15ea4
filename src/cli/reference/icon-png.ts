import { crc32, deflateSync } from 'node:zlib'

import { ICON } from '../../api/http/html.ts'

/** What phones and browsers ask for: the home screen of an iPhone, and the two of a web app manifest. */
export const ICON_SIZES = [180, 192, 512] as const
export type IconSize = (typeof ICON_SIZES)[number]

/** The width of the drawing in its own units, and half the width of its strokes. */
const DRAWN = 32
const HALF_STROKE = 1
/** Each pixel is one of so many blends of the ground and the strokes: four bits. */
const BLENDS = 16
const STEPS_OF_ARC = 12

type Point = readonly [x: number, y: number]
type Line = readonly [from: Point, to: Point]

/** The mark on a square, since phones cut corners of their own: 0 is the ground, 15 a stroke. */
export function iconPixels(size: IconSize): Uint8Array {
  const lines = linesOf(/ d="([^"]+)"/.exec(ICON)?.[1] ?? '')
  const scale = size / DRAWN
  return Uint8Array.from({ length: size * size }, (_, i) => {
    const at: Point = [((i % size) + 0.5) / scale, (Math.floor(i / size) + 0.5) / scale]
    const nearest = Math.min(...lines.map((line) => distance(at, line)))
    const covered = Math.min(1, Math.max(0, 0.5 + (HALF_STROKE - nearest) * scale))
    return Math.round(covered * (BLENDS - 1))
  })
}

/** The same as a PNG file with a palette (RFC 2083). */
export function iconPng(size: IconSize): Buffer {
  const pixels = iconPixels(size)
  const rows = Array.from({ length: size }, (_, y) => {
    const bytes = Array.from({ length: size / 2 }, (__, x) => {
      const first = y * size + x * 2
      return (pixels[first]! << 4) | pixels[first + 1]!
    })
    return Buffer.from([0, ...bytes])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Four bits, a palette.
  header.set([4, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette()),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** From the colour of the ground to white. */
function palette(): Buffer {
  const [, ground = ''] = /fill="#([0-9a-f]{6})"/.exec(ICON) ?? []
  const colour = [...Buffer.from(ground, 'hex')]
  return Buffer.from(
    Array.from({ length: BLENDS }, (_, blend) =>
      colour.map((part) => Math.round(part + ((255 - part) * blend) / (BLENDS - 1))),
    ).flat(),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function distance([x, y]: Point, [[x1, y1], [x2, y2]]: Line): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - x1) * dx + (y - y1) * dy) / length
  const part = Math.min(1, Math.max(0, along))
  return Math.hypot(x - x1 - part * dx, y - y1 - part * dy)
}

/** The strokes of a path of SVG as straight lines; it reads what the mark has and no more. */
function linesOf(path: string): Line[] {
  const lines: Line[] = []
  let at: Point = [0, 0]
  let start = at
  const draw = (to: Point) => {
    lines.push([at, to])
    at = to
  }
  for (const [, command = '', rest = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const given = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number)
    const [first = 0, second = 0] = given
    if (command === 'M') at = start = [first, second]
    else if (command === 'h') draw([at[0] + first, at[1]])
    else if (command === 'v') draw([at[0], at[1] + first])
    else if (command === 'H') draw([first, at[1]])
    else if (command === 'V') draw([at[0], first])
    else if (command === 'z') draw(start)
    else if (command === 'l')
      for (let i = 0; i < given.length; i += 2) draw([at[0] + given[i]!, at[1] + given[i + 1]!])
    else if (command === 'a') for (const to of quarter(at, given)) draw(to)
    else throw new Error(`The mark has a command that is not read here: ${command}`)
  }
  return lines
}

/** The points of a quarter of a circle from here, clockwise. */
function quarter([x, y]: Point, [, , , , , dx = 0, dy = 0]: number[]): Point[] {
  const isBeside = -dx * dy > 0
  const [cx, cy] = isBeside ? [x + dx, y] : [x, y + dy]
  const begin = Math.atan2(y - cy, x - cx)
  const radius = Math.hypot(x - cx, y - cy)
  return Array.from({ length: STEPS_OF_ARC }, (_, i): Point => {
    const angle = begin + ((i + 1) / STEPS_OF_ARC) * (Math.PI / 2)
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]
  })
}
