import { Buffer } from 'node:buffer'

/**
 * A QR code (ISO/IEC 18004) in byte mode with error correction M, for a terminal. It is made here
 * and by no package, because what it shows is a link by which its finder becomes the owner.
 */

/** Of each version: the codewords of correction in a block, and the data codewords of its blocks. */
const VERSIONS: readonly { correction: number; blocks: readonly number[] }[] = [
  { correction: 10, blocks: [16] },
  { correction: 16, blocks: [28] },
  { correction: 26, blocks: [44] },
  { correction: 18, blocks: [32, 32] },
  { correction: 24, blocks: [43, 43] },
  { correction: 16, blocks: [27, 27, 27, 27] },
  { correction: 18, blocks: [31, 31, 31, 31] },
  { correction: 22, blocks: [38, 38, 39, 39] },
  { correction: 22, blocks: [36, 36, 36, 37, 37] },
  { correction: 26, blocks: [43, 43, 43, 43, 44] },
]
/** Where the middles of the small squares are, by version. */
const ALIGNED: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
/** From version 10 on the length takes two bytes. */
const lengthBits = (version: number): number => (version < 10 ? 8 : 16)

type Matrix = boolean[][]

/** The modules of a code by row, dark ones true. Raises `RangeError` for more than 213 bytes. */
export function qrMatrix(text: string): Matrix {
  const bytes = Buffer.from(text)
  const at = VERSIONS.findIndex(
    ({ blocks }, i) => 4 + lengthBits(i + 1) + bytes.length * 8 <= sum(blocks) * 8,
  )
  if (at < 0) throw new RangeError('The text is too long for a QR code of this size.')
  const version = at + 1
  const codewords = withCorrection(dataOf(bytes, version), version)
  const empty = functionPatterns(version)
  const all = MASKS.map((_, mask) => drawn(empty, codewords, mask, version))
  const penalties = all.map(penaltyOf)
  return all[penalties.indexOf(Math.min(...penalties))]!
}

/** The same in characters of two modules each, light on dark and dark on light, with the quiet zone. */
export function qrText(text: string): string {
  const quiet = 4
  const matrix = qrMatrix(text)
  const size = matrix.length
  const isDark = (row: number, column: number): boolean => matrix[row]?.[column] ?? false
  const lines: string[] = []
  for (let row = -quiet; row < size + quiet; row += 2) {
    let line = ''
    for (let column = -quiet; column < size + quiet; column++)
      line += HALVES[Number(isDark(row, column)) * 2 + Number(isDark(row + 1, column))]
    lines.push(`\u001B[30;107m${line}\u001B[0m`)
  }
  return lines.join('\n')
}

/** By upper and lower module: both light, lower dark, upper dark, both dark. */
const HALVES = [' ', '▄', '▀', '█']

/** Mode, length, the bytes, and what fills the rest. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const room = sum(VERSIONS[version - 1]!.blocks) * 8
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, lengthBits(version)),
    ...[...bytes].flatMap((byte) => bitsOf(byte, 8)),
  ]
  bits.push(...bitsOf(0, Math.min(4, room - bits.length)))
  bits.push(...bitsOf(0, (8 - (bits.length % 8)) % 8))
  const data = Array.from({ length: bits.length / 8 }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2),
  )
  for (let i = 0; data.length < room / 8; i++) data.push(i % 2 === 0 ? 0xec : 0x11)
  return data
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, i) => (value >> (length - 1 - i)) & 1)

/** The blocks of data and those of correction, one codeword of each in turn. */
function withCorrection(data: readonly number[], version: number): number[] {
  const { correction, blocks } = VERSIONS[version - 1]!
  let from = 0
  const parts = blocks.map((length) => data.slice(from, (from += length)))
  const corrections = parts.map((part) => remainder(part, correction))
  return [...inTurn(parts), ...inTurn(corrections)]
}

const inTurn = (parts: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, i) =>
    parts.flatMap((part) => part[i] ?? []),
  ).flat()

// The field of 256 elements, with the polynomial of the standard.
const POWERS = Array.from({ length: 255 }, () => 0)
for (let i = 0, value = 1; i < 255; i++) {
  POWERS[i] = value
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}
const times = (one: number, other: number): number =>
  one === 0 || other === 0
    ? 0
    : POWERS[(POWERS.indexOf(one) + POWERS.indexOf(other)) % POWERS.length]!

/** The codewords of correction of a block (Reed-Solomon). */
function remainder(data: readonly number[], degree: number): number[] {
  let generator = [1]
  for (let i = 0; i < degree; i++)
    generator = [...generator, 0].map(
      (one, at) => one ^ times(at === 0 ? 0 : generator[at - 1]!, POWERS[i]!),
    )
  const left = [...data, ...Array.from({ length: degree }, () => 0)]
  for (let i = 0; i < data.length; i++) {
    const factor = left[i]!
    generator.forEach((one, at) => (left[i + at]! ^= times(one, factor)))
  }
  return left.slice(data.length)
}

/** What every code of a version has; undefined where the data goes. */
function functionPatterns(version: number): (boolean | undefined)[][] {
  const size = version * 4 + 17
  const cells: (boolean | undefined)[][] = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => undefined),
  )
  const set = (row: number, column: number, isDark: boolean): void => {
    if (row >= 0 && row < size && column >= 0 && column < size) cells[row]![column] = isDark
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  const square = (row: number, column: number, reach: number, light: readonly number[]): void => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++)
        set(row + y, column + x, !light.includes(Math.max(Math.abs(x), Math.abs(y))))
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, [2, 4])
  const middles = ALIGNED[version - 1]!
  const last = middles.at(-1)
  for (const row of middles)
    for (const column of middles) {
      const isCorner =
        row + column === 12 || (row === 6 && column === last) || (row === last && column === 6)
      if (!isCorner) square(row, column, 2, [1])
    }
  // Where the format goes, and the version from the seventh on.
  for (const [row, column] of formatPlaces(size).flat()) set(row, column, false)
  set(size - 8, 8, true)
  if (version >= 7) {
    const bits = bitsOf((version << 12) | checkBits(version, 12, 0x1f25), 18).toReversed()
    bits.forEach((bit, i) => {
      set(Math.floor(i / 3), size - 11 + (i % 3), bit === 1)
      set(size - 11 + (i % 3), Math.floor(i / 3), bit === 1)
    })
  }
  return cells
}

/** The two places of each bit of the format, the lowest bit first. */
const formatPlaces = (size: number): (readonly [row: number, column: number])[][] =>
  Array.from({ length: 15 }, (_, i) => {
    const beside = [0, 1, 2, 3, 4, 5, 7, 8]
    const first = i < 8 ? ([beside[i]!, 8] as const) : ([8, beside[14 - i]!] as const)
    const second = i < 8 ? ([8, size - 1 - i] as const) : ([size - 15 + i, 8] as const)
    return [first, second]
  })

/** The check of a BCH code: what is left of a number, shifted by so many bits, after division. */
function checkBits(value: number, shift: number, generator: number): number {
  const length = generator.toString(2).length
  let left = value << shift
  while (left.toString(2).length >= length) left ^= generator << (left.toString(2).length - length)
  return left
}

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

function drawn(
  empty: readonly (readonly (boolean | undefined)[])[],
  codewords: readonly number[],
  mask: number,
  version: number,
): Matrix {
  const size = version * 4 + 17
  const cells = empty.map((row) => [...row])
  const bits = codewords.flatMap((one) => bitsOf(one, 8))
  let next = 0
  // In pairs of columns from the right, up and down in turn; the column of the timing is left out.
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5
    for (let i = 0; i < size; i++)
      for (const column of [right, right - 1]) {
        const row = isUp ? size - 1 - i : i
        if (cells[row]![column] !== undefined) continue
        const isDark = bits[next++] === 1
        cells[row]![column] = isDark !== MASKS[mask]!(row, column)
      }
  }
  // Level M is 0.
  const format = ((mask << 10) | checkBits(mask, 10, 0x537)) ^ 0x5412
  formatPlaces(size).forEach((places, i) => {
    for (const [row, column] of places) cells[row]![column] = ((format >> i) & 1) === 1
  })
  return cells.map((row) => row.map((cell) => cell === true))
}

/** How hard a code is to read, by the four rules of the standard. */
function penaltyOf(matrix: Matrix): number {
  const size = matrix.length
  const columns = matrix.map((_, i) => matrix.map((row) => row[i]!))
  const lines = [...matrix, ...columns].map((line) =>
    line.map((dark) => (dark ? '1' : '0')).join(''),
  )
  const runs = sum(
    lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).map(({ length }) => length - 2),
  )
  const finders =
    sum(lines.map((line) => (line.match(/(?=10111010000|00001011101)/g) ?? []).length)) * 40
  let blocks = 0
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const square = [matrix[y]![x], matrix[y - 1]![x], matrix[y]![x - 1], matrix[y - 1]![x - 1]]
      if (new Set(square).size === 1) blocks += 3
    }
  const dark = matrix.flat().filter(Boolean).length
  const balance = Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10
  return runs + finders + blocks + balance
}
