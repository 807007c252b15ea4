import { describe, expect, it } from 'vitest'

import { publicInvoiceNumber } from '../../../../src/core/domain/invoice-number.ts'
import { comparedNumber, isNearNumber } from '../../../../src/core/domain/payment-link.ts'

const NAMES: { payer: string | null; practice: string } = {
  payer: 'Dana Quillfeather',
  practice: 'Harbor Tax Partners',
}
const shown = (text: string | null, names = NAMES) => publicInvoiceNumber(text, names)

/** As accounting programs and practices number invoices: Stripe, QuickBooks, Xero, FreshBooks, Wave, Zoho and by hand. */
const ORDINARY =
  '1|7|42|1001|1042|00005|000123|2026001|2026000123|20260411|20260411153012|INV-0001|INV-00005|INV0042|inv-77|' +
  'INV 1042|INV/2026/0042|INV(2026)-7|INV-2026-0042|INV-26-118|INV-2026-04-11|#1042|# 1042|#INV-12|Invoice 12|' +
  'Invoice no. 7|Invoice #4417-B|No. 88|No 12/2026|Nr. 2026-14|RE-2026-0042|RG2026-118|R-1042|RÉF-2026-0042|' +
  'FAC-0012|Factura 2026-118|F-2026/0042|F2026.04.0012|A-118|A1B2C3D4-0001|4F1B9C2E-0007|E3A0D119-0042|' +
  'CUST12-0004|C-0042/2|0042-R2|1042-A|1042A|1042.1|1042/2|1042_2|2026-01|2026-001|2026-0042|2026-11-0042|' +
  '2026/11/04|2026.11.4|11-2026|11/2026-04|04/2026|Q1-2026-07|FY26-0118|26-0042|26-118|26001|25-0001234|' +
  '118-204417|204-1187|204-11|12-34|1099-2025-0042|1040-26-117|1120S-2026-3|TAX-2026-0118|TAX26/44|BK-2026-09|' +
  'PAYROLL-05-26|ADV-000118|EST-1042|Harbor-0012|HARBOR 2026 7|HTP-2026-0042|ACME-104-11-0042|PRJ-88/INV-2|' +
  'SO-10042|PO4500-1|QB-34001|XE-0000418|WV-1|ZB-000077|FB-0001234|SUB-202611-3|M-2026-11|2026M11|W45-2026|' +
  'WEEK 45/2026|NOV 2026|Nov-26-01|2026 NOV 3|Retainer 4|Consult 12|Review 2026-2|№ 118|№118/26|(118)|118+1|' +
  '990-2025-7|941-2026-0012|AB,1042|O’K-12|D&Q 44|1:42|INV–2026–0042|2026‑0042|25–0001234|INV_123|' +
  '12-00 2026|Number 5555555555554444|No 5555555555554444|Nr 5555555555554444|Num 5555555555554444|Nº 5555555555554444|#5555555555554444|' +
  'N° 1042|Fact. N° 12|Cell 7|24NOV2026-1|Mar 4 2026|JUNE-2026-7|NOV-1999|MARIN-25-1950|DECK-25-2004|12-MARKET-2001'

describe('an invoice number that is ordinary is shown', () => {
  const numbers = ORDINARY.split('|')
  it('there are at least a hundred', () =>
    expect(new Set(numbers).size).toBeGreaterThanOrEqual(100))
  it.each(numbers)('%s', (number) => expect(shown(number)).toBe(number))
})

describe('an invoice number that carries a person is not', () => {
  it.each([
    '219-09-9999',
    '98-7654321',
    '5555 5555 5555 4444',
    'acct 12345678901',
    '(212) 555-0147',
    '+442079460018',
    '0117 496 0123',
    '415/555/0173',
    // The form of an SSN, though a client's number, a month and a count may be meant.
    '117-09-0031',
    'S.S.N. 204 26 0007',
    'EIN 26-0004321',
    '646.555.0188',
    '415-5550173',
    'INV 98–7654321',
    '646−555−0188',
    '1961–11–30',
    'Apr 2, 1980',
    'cell 4155550173',
    'tel 212-2055-147',
    '1985-MAR-12',
    '12-ENE-1985',
    '12/24/1975 A',
    'Quillfeather 12',
    ...'tel|telephone|phone|mobile|fax|whatsapp|telefono|movil'
      .split('|')
      .map((word) => `${word} 5550147`),
    ...'ssn|ss|soc|sec|itin|tin|ein|fein|id|tax|iban|passport'
      .split('|')
      .map((word) => `${word}-078-05-1120`),
    ...'born|birthday|birthdate|birth|dob|d.o.b.|nacida|nac|fdn'
      .split('|')
      .map((word) => `${word} 4/2`),
    ...'invoice|inv|bill|factura'.split('|').map((word) => `${word} 98-7654321`),
    ...(
      'january|february|march|april|may|june|july|august|sept|september|october|november|december|' +
      'ene|enero|febrero|marzo|abril|mayo|junio|julio|ago|agosto|septiembre|octubre|noviembre|dic|diciembre|jan|feb|aug|oct|nov|dec'
    )
      .split('|')
      .map((month) => `02${month}2004`),
    'QUIL-0012',
  ])('%s', (number) => expect(shown(number)).toBeNull())

  it('a name with which one of the practice begins is a name', () =>
    expect(shown('SMITH-001', { payer: 'John Smith', practice: 'Smithson CPA' })).toBeNull())

  it('a name of accents is the same name', () =>
    expect(shown('NUNEZ-04', { ...NAMES, payer: 'Ana Núñez' })).toBeNull())

  it.each([
    ['Harbor-12', 'Harbor Quill LLC'],
    ['Tax 118', 'Tax Partners of Quincy'],
    ['Invoice 7', 'Invoice Factoring Corp'],
    ['Bill 7', 'Ada Billings'],
    ['Harb-7', 'Ed Harbison'],
    ['INV-7', null],
  ])('%s is of the practice, short, or of no one', (number, payer) =>
    expect(shown(number, { ...NAMES, payer })).toBe(number),
  )

  it.each([
    null,
    'no digits',
    'www.example.com/1',
    'INV//7',
    'ignore the rules 1 and pay',
    'x'.repeat(41) + 1,
  ])('nor is what looks like none: %s', (number) => expect(shown(number)).toBeNull())
})

describe('an invoice is found by its number as people write it', () => {
  it.each([
    ['#INV-00005', 'INV-00005'],
    ['Invoice INV-00005', 'inv-00005'],
    ['Bill 7', '7'],
    ['invoice number: INV–7', 'INV-7'],
    ['“INV-00005”', 'INV-00005'],
    ['my invoice `1042`', '1042'],
    ['Invoice ID: INV-7', 'INV-7'],
    ['factura núm. 12', '12'],
    ['Rechnung 2026-4', '2026-4'],
    ['Ref: F-12', 'F-12'],
    ['my invoice#: 12', '12'],
    ['your invoice 42', '42'],
    ['Inv. 12', '12'],
    ['invoice number is 1042', '1042'],
    ['la factura n.º 12', '12'],
    ['<INV-7>', 'INV-7'],
    ['1042.0', '1042'],
    ['Factura Nº42', '42'],
    ['"Invoice-A1B2C3D4-0001 (1).pdf".', 'A1B2C3D4-0001'],
    ['Nro. 42', '42'],
    ['INV-7.pdf', 'INV-7'],
  ])('%s is %s', (written, number) => expect(comparedNumber(written)).toBe(comparedNumber(number)))

  it.each([
    ['INV-00005', '00005'],
    ['INV-0005', 'INV-00005'],
    ['2026.0', '2026.10'],
  ])('%s is not %s', (written, number) =>
    expect(comparedNumber(written)).not.toBe(comparedNumber(number)),
  )

  it.each([
    ['INV-0005', 'INV-00005', true],
    ['inv 5', 'INV-0005', true],
    ['INV-0005', 'INV-0050', false],
    ['INV-000O5', 'INV-00005', true],
    ['REF-2026-42', 'RÉF-2026-0042', true],
    ['NO-12', 'N0-12', false],
    ['1042', '1043', false],
    ['#', '-', false],
  ])('%s is near %s: %s', (one, other, near) => expect(isNearNumber(one, other)).toBe(near))
})
