import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'

import { describe, expect, test } from 'vitest'

import { qrMatrix, qrText } from '../../../src/cli/qr-code.ts'
import { terminalOn } from '../../../src/cli/terminal.ts'

const LINK = `https://connector.example.com/owner/enrol#enr_1795267008_${'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789'.repeat(4)}`

const rowsOf = (matrix: boolean[][]): string =>
  matrix.map((row) => row.map((dark) => (dark ? 1 : 0)).join('')).join('\n')

describe('the QR code of a link', () => {
  // The hashes are of the matrices that uqr 0.1.3 makes, with level M; jsQR 1.4.0 reads each of them.
  test.each([
    [10, 21, 'a9a8192f11e814f54f23c1113985c7aa'],
    [25, 25, '67bbb16a6edce45f17e3aaf23ed785b3'],
    [40, 29, '957fe0642ec8083208fe5fdcf6aa0985'],
    [60, 33, 'bf1b87fb54b93e1b6ce4e78a74a088f3'],
    [80, 37, '914a815bd12c51b8074f5aea4a9e21cf'],
    [100, 41, '5fcd5445076c907039960a3b58c27d3f'],
    [120, 45, '4d4d23c0a3fe778c48262960a188b109'],
    [150, 49, '6568f4f5c73b00767873ef11a3908909'],
    [180, 53, '1203d1c6efcd41878a453f48c38cfcc8'],
    [213, 57, '775ed27d9bc2c6dcdec9b7e180698996'],
  ])('of %i bytes is the one that another program makes, %i modules wide', (length, size, hash) => {
    const matrix = qrMatrix(LINK.slice(0, length))
    expect(matrix).toHaveLength(size)
    expect(createHash('sha256').update(rowsOf(matrix)).digest('hex').slice(0, 32)).toBe(hash)
  })

  test('is refused where it would not fit, and not cut', () => {
    expect(() => qrMatrix('x'.repeat(214))).toThrow(RangeError)
  })

  test('stands in the terminal with all its modules and a light edge', () => {
    const matrix = qrMatrix(LINK.slice(0, 100))
    const lines = stripVTControlCharacters(qrText(LINK.slice(0, 100))).split('\n')
    const upper = lines.map((line) => Array.from(line).map((one) => '▀█'.includes(one)))
    const lower = lines.map((line) => Array.from(line).map((one) => '▄█'.includes(one)))
    const read = upper.flatMap((row, i) => [row, lower[i]!])
    expect(rowsOf(read.slice(4, -5).map((row) => row.slice(4, -4)))).toBe(rowsOf(matrix))
    for (const edge of [...read.slice(0, 4), ...read.slice(-5)])
      expect(edge.some(Boolean)).toBe(false)
    for (const line of qrText('x').split('\n'))
      expect(line.startsWith('\u001B[30;107m') && line.endsWith('\u001B[0m')).toBe(true)
  })

  test('is printed for a person at a terminal, and never into a file or the log of a build', () => {
    const printedOn = (isTTY: boolean): string => {
      let printed = ''
      terminalOn({ isTTY, write: (text) => (printed += text) }).qr('https://connector.example.com')
      return printed
    }
    expect(printedOn(true)).toContain('█')
    expect(printedOn(false)).toBe('')
  })
})
