import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, inject, it } from 'vitest'

import { startLocal } from '../../../src/cli/local.ts'
import { durableObjectsUnder, filesUnder, recordsIn, textOf } from './evidence.ts'
import { scannerFor } from './scanner.ts'

const EMAIL = 'Wimblethorn.Côte@dranfell.example'
const WIDE = 'Őrzenblatz Náray'
const scan = scannerFor({ email: [EMAIL], wide: [WIDE] })
const found = (text: string | Uint8Array) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return scan([{ place: 'here', bytes }]).map(({ canary }) => canary)
}

let folder: string | undefined
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
  folder = undefined
})
const newFolder = async (): Promise<string> =>
  (folder = await mkdtemp(join(tmpdir(), 'consult-connector-scanner-')))

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

describe('the evidence of the canary run', () => {
  it('has what a leaking connector would keep: in records and their keys, in objects and their names', async () => {
    const storage = await newFolder()
    const local = await startLocal({ storage, script: inject('workerScript'), onLog: () => {} })
    const kv = await local.kv('RECORDS_KV')
    await kv.put(`client:${EMAIL}`, 'x')
    await kv.put('client:two', JSON.stringify({ contact_email: EMAIL }))
    const calendars = await local.durableObjects('MOCK_CALENDAR')
    const leaking = calendars.getByName(`calendar of ${EMAIL}`) as unknown as {
      book(booking: object): Promise<unknown>
    }
    const booking = { event_type_id: 'x', start: 1e13, end: 2e13, timezone: 'UTC', marker: 'm' }
    await leaking.book({ ...booking, masked_email: EMAIL, initials: WIDE })
    const records = await recordsIn(kv as unknown as Parameters<typeof recordsIn>[0])
    await local.stop()

    expect(records.map(({ key }) => found(key))).toEqual([['email'], []])
    expect(records.map(({ value }) => found(value))).toEqual([[], ['email']])
    const { stored } = await durableObjectsUnder(storage)
    const row = stored.find(({ thing }) => thing === 'bookings')
    expect(row?.object).toBe('MockCalendar')
    expect(found(textOf(row?.value))).toEqual(['email', 'wide'])
    const files = scan(await filesUnder(storage))
    expect(files.some(({ place }) => place.startsWith('kv') && place.includes('blobs'))).toBe(true)
    expect(files.some(({ place }) => place.startsWith('kv') && place.includes('.sqlite'))).toBe(
      true,
    )
    expect(
      files.some(({ place }) => place.startsWith('do') && place.includes('MockCalendar')),
    ).toBe(true)
  })
})
