import { describe, expect, it } from 'vitest'

import { scannerFor } from './scanner.ts'

const EMAIL = 'Wimblethorn.Côte@dranfell.example'
const WIDE = 'Őrzenblatz Náray'
const scan = scannerFor({ email: [EMAIL], wide: [WIDE] })
const found = (text: string | Uint8Array) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return scan([{ place: 'here', bytes }]).map(({ canary }) => canary)
}

describe('the scanner finds planted data', () => {
  const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
    Buffer.from(text, encoding).toString('base64')
  const escaped = (text: string) =>
    text.replaceAll(
      /[^ -~]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  // Written with other means than those of the scanner.
  const WRITTEN: Record<string, string | Uint8Array> = {
    'as it is': EMAIL,
    'in lower case': EMAIL.toLowerCase(),
    'in upper case': EMAIL.toUpperCase(),
    'in mixed case': 'wImBlEtHoRn.CÔTE@DranFell.example',
    'in NFD': EMAIL.normalize('NFD'),
    'in Latin-1': Buffer.from(`{${EMAIL}}`, 'latin1'),
    'in Latin-1, upper case': Buffer.from(EMAIL.toUpperCase(), 'latin1'),
    'in UTF-16': Buffer.from(`x${EMAIL}x`, 'utf16le'),
    'in a URL': new URL(`https://x.example/${encodeURIComponent(EMAIL)}`).href,
    'in a query': new URLSearchParams({ q: EMAIL }).toString(),
    'in a URL in a URL': encodeURIComponent(encodeURIComponent(EMAIL)),
    'in a URL, lower case': encodeURIComponent(EMAIL).toLowerCase(),
    'in hex': Buffer.from(`..${EMAIL}..`).toString('hex'),
    'in upper hex': Buffer.from(EMAIL).toString('hex').toUpperCase(),
    'in base64': base64(EMAIL),
    'in base64, shifted by one': base64(`x${EMAIL}xyz`),
    'in base64, shifted by two': base64(`xx${EMAIL}z`),
    'in base64, in a JSON document': base64(JSON.stringify({ a: 1, b: EMAIL })),
    'in base64, lower case': base64(`x${EMAIL.toLowerCase()}`),
    'in base64 of UTF-16': base64(`x${EMAIL}`, 'utf16le'),
    'in JSON': JSON.stringify({ [EMAIL]: 1 }),
    'in JSON, escaped': escaped(EMAIL),
    'in JSON, escaped in upper case': escaped(EMAIL).replace('\\u00f4', '\\u00F4'),
    'in HTML': EMAIL.replace('ô', '&#244;'),
  }
  for (const [how, written] of Object.entries(WRITTEN)) {
    it(how, () => expect(found(written)).toContain('email'))
  }

  it('in letters beyond Latin-1, as V8 stores them', () => {
    expect(found(Buffer.from(`..${WIDE}..`, 'utf16le'))).toEqual(['wide'])
    expect(found(WIDE.toUpperCase())).toEqual(['wide'])
    expect(found(base64(`x${WIDE}`).replaceAll('+', '-').replaceAll('/', '_'))).toEqual(['wide'])
  })

  it('at the very beginning, at the very end, and across many bytes', () => {
    const long = Buffer.alloc(3_000_000, 'a')
    expect(found(Buffer.concat([Buffer.from(EMAIL), long]))).toEqual(['email'])
    expect(found(Buffer.concat([long, Buffer.from(EMAIL)]))).toEqual(['email'])
  })
})

it('the scanner finds nothing in clean data', () => {
  expect(found('W***@***.example, W. C., Wimble thorn, dran-fell')).toEqual([])
  expect(found(Buffer.alloc(100_000, 'wimblethor'))).toEqual([])
  expect(found('')).toEqual([])
})
