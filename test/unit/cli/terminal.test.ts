import { stripVTControlCharacters } from 'node:util'

import { expect, test } from 'vitest'

import { terminalOn } from '../../../src/cli/command.ts'

const printedOn = (isTTY: boolean): string => {
  let printed = ''
  terminalOn({ isTTY, write: (text) => (printed += text) }).qr('https://connector.example.com')
  return printed
}

test('a QR code is drawn for a person at a terminal, dark on light, with a light edge', () => {
  const rows = printedOn(true).trim().split('\n')
  for (const row of rows)
    expect(row.startsWith('\u001B[30;107m') && row.endsWith('\u001B[0m')).toBe(true)
  const drawn = rows.map(stripVTControlCharacters)
  expect(drawn.some((row) => row.includes('█'))).toBe(true)
  for (const edge of [...drawn.slice(0, 2), ...drawn.slice(-2)]) expect(edge.trim()).toBe('')
  for (const row of drawn) expect(row).toMatch(/^ {4}.* {4}$/)
})

test('a QR code is never printed into a file or the log of a build', () => {
  expect(printedOn(false)).toBe('')
})
