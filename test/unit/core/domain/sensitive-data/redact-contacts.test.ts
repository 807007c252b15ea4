import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { emailSchema } from '../../../../../src/core/domain/email.ts'
import { redactContacts } from '../../../../../src/core/domain/sensitive-data/contacts.ts'

describe('email addresses become [email]', () => {
  test.each([
    ['jo@example.com', '[email]'],
    ['write to Jo.Doe+tax@mail.example.co.uk, thanks', 'write to [email], thanks'],
    ['<jo@example.com>', '<[email]>'],
    ['(jo@example.com).', '([email]).'],
    ['jo＠example．com', '[email]'],
    ['jane @ gmail', '[email]'],
    ['jo@example。com', '[email]'],
    ['jo%40example.com and jo%2540example.com', '[email] and [email]'],
    ['jo&#64;example.com', '[email]'],
    ['jo\u200b@exam\u00adple.com', '[email]'],
    ['jö@bücher.example', '[email]'],
    ['"jo doe"@example.com', '[email]'],
    ['jo@[192.168.0.1]', '[email]'],
    ['@jo@example.social', '@[email]'],
    ['a@b.com;c@d.org', '[email];[email]'],
    ['4155550132@vtext.example', '[email]'],
    ['r&d@example.com, smith&sons@example.com', '[email], [email]'],
    ['R＆D%40EXAMPLE.COM or r&amp;d@example.com', '[email] or [email]'],
    ["'o/brien@example.com' o|brien@example.com", "'[email]' [email]"],
    ['x=y@example.com, jr&co@example', '[email], [email]'],
    ['jo @ example.com', '[email]'],
    ['jo at example dot com', '[email]'],
    ['Jo.Doe AT example DOT co DOT uk please', '[email] please'],
    ['jo dot doe at example dot com', '[email]'],
    ['jo (at) example [dot] com', '[email]'],
    ['jo[at]example[dot]com', '[email]'],
    ['jo {at} example.com', '[email]'],
    ['jo@example dot com', '[email]'],
    ['jo at gmail.com', '[email]'],
    ['jane.doe at example.com', '[email]'],
    ['ana arroba ejemplo punto com', '[email]'],
    ['ana(arroba)ejemplo.com', '[email]'],
    ['mi correo es ana.roe arroba ejemplo.com', 'mi correo es [email]'],
    ['jo@@example.com', '[email]'],
    ['jane dot doe at hotmail', '[email]'],
    ['jane.doe at outlook', '[email]'],
    ['jane1970 at yahoo', '[email]'],
    ['jane@example .com', '[email]'],
    ['my email is jane at yahoo', 'my email is [email]'],
    ['jane@example com', '[email]'],
    ['jane@example,net please', '[email] please'],
  ])('%s', (text, kept) => expect(redactContacts(text)).toBe(kept))

  it('takes some prose for an address rather than the other way round', () => {
    expect(redactContacts('look at this dot com era')).toBe('[email] era')
  })
})

describe('what stands beside an email address stays as it is', () => {
  test.each([
    ['|Jane|jane@example.com|61204|9814|', '|Jane|[email]|61204|9814|'],
    ['61204|jane@example.com', '61204|[email]'],
    ['$61,204/jane@example.com', '$61,204/[email]'],
    ['jane@example.com/joe@example.org', '[email]/[email]'],
    ['jane@example.com/518-555-0142', '[email]/[phone]'],
    ['email=jane@example.com&agi=61204', 'email=[email]&agi=61204'],
    ['https://example.com/?to=jane@example.com', 'https://example.com/?to=[email]'],
    ['R&D: jane@example.com-61,204', 'R&D: [email]-61,204'],
    ['Jane/jane@example.com, Joe|joe@example.com', 'Jane/[email], Joe|[email]'],
    ['AT&T jane@example.com, 61204&jane@example.com', 'AT&T [email], 61204&[email]'],
    ['name=Jane&email=jane@example.com', 'name=Jane&email=[email]'],
    ['https://example.com/?a=1&jane@example.com', 'https://example.com/?a=1&[email]'],
    ['jane@example.com+61204, joe@example.com#2', '[email]+61204, [email]#2'],
    ["jane@example.com's K-1", "[email]'s K-1"],
    ['**jane@example.com**', '**[email]**'],
    ['_jane_roe@example.com_', '_[email]_'],
    ['`jane@example.com`', '`[email]`'],
    ["'jane@example.com', 'o'neil@example.com'", "'[email]', '[email]'"],
    ['{{jane@example.com}}', '{{[email]}}'],
    ['jane@xn--bcher-kva.example, jane@example.xn--p1ai', '[email], [email]'],
  ])('%s', (text, kept) => expect(redactContacts(text)).toBe(kept))
})

describe('telephone numbers become [phone]', () => {
  test.each([
    '415-555-0132',
    '(415) 555-0132',
    '(415)555-0132',
    '415.555.0132',
    '415 555 0132',
    '415/555-0132',
    '4155550132',
    '+1 415 555 0132',
    '+14155550132',
    '1-415-555-0132',
    '1 (415) 555-0132',
    '+1 (415) 555-0132',
    '14155550132',
    '555-0132',
    '123-456-7890',
    '415\u2013555\u20130132',
    '415\u2011555\u20110132',
    '４１５－５５５－０１３２',
    '415 - 555 - 0132',
    '415 dash 555 dash 0132',
    '415\u00a0555\u00a00132',
    '٤١٥-٥٥٥-٠١٣٢',
    '4\ufe0f\u20e315-555-0132',
    '415\u200b-555-01\u2060 32'.replace(' ', ''),
    '+44 20 7946 0958',
    '+442079460958',
    '+44 (0)20 7946 0958',
    '00 44 20 7946 0958',
    '0044 20 7946 0958',
    '0044 7700 900456',
    '0033 6 12 34 56 78',
    '020 7946 0958',
    '+33 1 23 45 67 89',
    '06 12 34 56 78',
    '+49 30-1234567',
    '+91 98765 43210',
    '(020) 7946 0958',
    '415-555-0132 ext. 12',
    '415-555-0132x12',
    '(415) 555-0132, extension 4567',
    '+1 415 555 0132 #9',
    '4 1 5 5 5 5 0 1 3 2',
    'four one five five five five oh one three two',
    'five five five, zero one three two',
    'cuatro uno cinco cinco cinco cinco cero uno tres dos',
  ])('%s', (number) => {
    expect(redactContacts(number)).toBe('[phone]')
    expect(redactContacts(`Reach Jo: ${number}, after 5.`)).toBe('Reach Jo: [phone], after 5.')
    expect(redactContacts(`on 2026-11-21 ${number}`)).toBe('on 2026-11-21 [phone]')
  })

  test.each([
    ['call 5550132', 'call [phone]'],
    ['my cell is 555 0132', 'my cell is [phone]'],
    ['Phone number: 98 76 54 32', 'Phone number: [phone]'],
    ['tel:4155550132', 'tel:[phone]'],
    ['https://wa.me/14155550132', 'https://wa.me/[phone]'],
    ['+1 415 555 0132 2026-11-21 at 3', '[phone] 2026-11-21 at 3'],
    ['+44 20 7946 0958 2026-11-21', '[phone] 2026-11-21'],
    ['415-555-0132/415-555-0133, 415-555-0134', '[phone]/[phone], [phone]'],
    ['415-555-0132or 4155550133', '[phone]or [phone]'],
  ])('%s', (text, kept) => expect(redactContacts(text)).toBe(kept))
})

describe('telephone numbers in the forms of hosts and of people abroad', () => {
  test.each([
    ['518|555|0142 is my cell', '[phone] is my cell'],
    ['212 555 01 47', '[phone]'],
    ['212 555-01-47', '[phone]'],
    ['212*555*0147', '[phone]'],
    ['my cell is 212-55-50147', 'my cell is [phone]'],
    ['_518-555-0142_', '_[phone]_'],
    ['**Cell:** 518-555-0142', '**Cell:** [phone]'],
    ['phoneNumber: 5185550142', 'phoneNumber: [phone]'],
    ['phone_number=5185550142&agi=61204', 'phone_number=[phone]&agi=61204'],
    ['011 44 20 7946 0958', '[phone]'],
    ['From home dial 011-52-55-1234-5678.', 'From home dial [phone].'],
    ['Cell (Mexico) 55-1234-5678', 'Cell (Mexico) [phone]'],
    ['Tel. fijo 91 123 45 67', 'Tel. fijo [phone]'],
    ['call 550-1200', 'call [phone]'],
    ['550-1200 is our phone', '[phone] is our phone'],
    ['0414-1234567 es mi celular', '[phone] es mi celular'],
    ['0151 23456789 (mobile)', '[phone] (mobile)'],
    ['Invoice 5185550142, cell 5185550143', 'Invoice 5185550142, cell [phone]'],
    ['Invoice 1042, 518-555-0142', 'Invoice 1042, [phone]'],
    ['References: 518-555-0142, 518-555-0143', 'References: [phone], [phone]'],
    ['caller ID 5185550142', 'caller ID [phone]'],
    ['5185550142 is the store number', '[phone] is the store number'],
    ['5185550142 M', '[phone] M'],
    ['Case id 5185550142 call (518) 555-0143', 'Case id 5185550142 call [phone]'],
    ['Case 5185550142 call me after 5', 'Case [phone] call me after 5'],
    ['aseguranza 518-555-0142', 'aseguranza [phone]'],
    ['Ref 518-555-0142 cell, 518-555-0143 home', 'Ref [phone] cell, [phone] home'],
    [
      'Loan 5659246573 - call my son Al at 969.288.3098',
      'Loan 5659246573 - call my son Al at [phone]',
    ],
    ['sales tax acct 2782315086', 'sales tax acct 2782315086'],
    ['conference number is 518-555-0142', 'conference number is [phone]'],
    ['Call for the case: 518-555-0142', 'Call for the case: [phone]'],
    [
      'the number on the invoice from Dana is 518-555-0142',
      'the number on the invoice from Dana is [phone]',
    ],
    ['our records: 518-555-0142', 'our records: [phone]'],
    ['Dept. of Revenue 518-555-0142', 'Dept. of Revenue [phone]'],
    [
      'EIN unit 800-829-4933, on the letter: 518-555-0142',
      'EIN unit [phone], on the letter: [phone]',
    ],
    ['state account (518) 555-0142, RMA 518.555.0142', 'state account [phone], RMA [phone]'],
    ['the phone on my account is 518-555-0142', 'the phone on my account is [phone]'],
    ['518-555-0142-518-555-0143', '[phone]-[phone]'],
    ['1.5185550142 2.5185550143', '[phone] 2.[phone]'],
    ['2.2125555555 3.2125550142', '2.[phone] 3.[phone]'],
    // What a sentence or an item before a number names is another number.
    ['Has two jobs. 518-555-0142', 'Has two jobs. [phone]'],
    ['Thanks for the invoice. 518-555-0142', 'Thanks for the invoice. [phone]'],
    ['Please cancel this order\n518-555-0142', 'Please cancel this order\n[phone]'],
    ['12,044 paid, 1-800-555-0142', '12,044 paid, [phone]'],
    ['12,044 paid, 5185550142 (cell)', '12,044 paid, [phone] (cell)'],
    ['Can you file? *518-555-0142*', 'Can you file? *[phone]*'],
    ['mobile 5550142. 5550 Wilshire Blvd', 'mobile [phone]. 5550 Wilshire Blvd'],
    ['+34 600 000 000. 4 1/2 Elm Street', '[phone]. 4 1/2 Elm Street'],
    [
      'charges 250-3500 per return\nPhone: 518-555-0142',
      'charges 250-3500 per return\nPhone: [phone]',
    ],
  ])('%s', (text, kept) => expect(redactContacts(text)).toBe(kept))
})

describe('text without contacts stays as it is', () => {
  test.each([
    'each owns 0.3333333333, together 66.6666666667',
    'email me at gmail',
    'call on 2026-11-21 10:00',
    'look at outlook for 2025',
    'EDD acct 471-2345-6',
    'ZIP+4 94105-2011',
    'text 94105-1234',
    'Sent by phone. 20240115 and 20240215',
    'Units 101-112 and 201-212. 1120-S line 21',
    'TMK 4-3-002-013-0000',
    'I-94 number 12345678901',
    '$450-1234',
    'the invoice, no. 4155550132',
    'parcels 212-555-0147 & 212-555-0148',
    'Doc # 2126012345',
    'I.D. 4155550132, MID 4155550132, EFT 4155550132',
    'Form 990-2023',
    '1748503543012',
    'look at example.com',
    'https://example.com/a?b=c',
    'one two three four five six seven eight nine ten',
    // Longer numbers, ranges, laws and places
    'PIN 14-22-301-012-0000 Cook County',
    'fees of 500-1000 a year',
    'homes of 800-1200 and 1500-2000 sq ft',
    '300-1750 employees',
    'Treas. Reg. § 301-6402, CFR 301-7701, Sec. 897-1445',
    'Suite 200-4155, Apt 301-2204',
    'Hwy 212-2204, route 301-2204',
    'pages 201-1204, lines 301-3204',
    // Names of papers, as people and programs write them
    'invoice_number: 4155550132',
    'invoiceNumber: 4155550132, orderId=4155550133',
    '{"confirmationNumber":"4155550132"}',
    'confirmation_code 4155550132',
    'InvoiceNo. 4155550132, inv.no.4155550133, Ref. no. 4155550134',
    'Factura N° 4155550132',
    'the invoice was 4155550133',
    '4155550132 is the invoice number',
    'our case number with the IRS is 4155550132',
    'ERO PIN 14155550132, appeal 4155550133, meeting number 415 555 0134',
    'part number four one five five five five zero one three two',
    '4155550132 es el número de factura',
    'Folio de la cita: 4155550132',
    'número de cliente 4155550132, registro público 4155550133',
    'código 4155550132, clave 4155550133',
    'User id: 4155550132',
    // Money of other countries
    'VND 4155550132, Rs. 4155550132, 4155550132 COP',
    'mobile home 61234 58210',
    // Cells of a table
    'Parcel | Due\n854-924-748 | 2026-12-01',
    'Code|Total\n1200|3402809',
    'cell A1 12045533',
    'state account number 518-555-0142, statement no. 118-204-4175, bill 212-4155',
  ])('%s', (text) => expect(redactContacts(text)).toBe(text))
})

it('removes invisible characters and keeps the lines', () => {
  expect(redactContacts('a\u200b\u202eb\u0000c\r\nd\u2028e\tf\ufeff')).toBe('abc\nd\ne\tf')
})

const scraps = (
  '415|555|0132|4155550132|1|+|+1|+44|00|(|)|-|.| |,|/|:|_|@|jo|example|.com| at | dot |(at)' +
  '|[|]|%40|%|40|x|ext|#|[phone]|[email]|$|2026-11-21|T10:00|call |is |form |one |five |\n|"|\u0301|٤|ｪ|gmail'
).split('|')
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...scraps), { maxLength: 16 }).map((parts) => parts.join('')),
)

it('is idempotent', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redactContacts(text)
      expect(redactContacts(once)).toBe(once)
    }),
    { numRuns: 500, examples: [['-4155550132ｪ%40is ']] },
  )
})

it('keeps no part of any email address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      // Such a local part is read as one with an @ in it, and so as no address or as two.
      fc.pre(!/%(?:25)*40/.test(address))
      // Signs that stand between an address and other text, as in a table.
      fc.pre(!/[/=|?]|(?:^|&)[^a-z&]*&|&@/i.test(address))
      expect(redactContacts(`Write to ${address} soon`)).toBe('Write to [email] soon')
    }),
  )
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      fc.pre(emailSchema.safeParse(address).success)
      expect(redactContacts(`Write to ${address} soon`)).toMatch(
        /^Write to (?:\S*[/=|?&])?\[email\] soon$/,
      )
    }),
  )
  expect(redactContacts('Write to %40.a@a.aa soon')).toBe('Write to %40[email] soon')
})

it.each(['a&amp;', 'a&', 'a/', 'é=a', 'a.b|', "o'a@"])('reads a long row of %j soon', (fill) => {
  const started = process.cpuUsage()
  redactContacts(fill.repeat(Math.ceil(30_000 / fill.length)))
  expect(process.cpuUsage(started).user).toBeLessThan(600_000)
})

it('keeps no American number, whatever stands between its parts', () => {
  const part = (size: number) => fc.integer({ min: 2 * 10 ** (size - 1), max: 10 ** size - 1 })
  const gap = fc.constantFrom('', ' ', '-', '.', ' - ', '\u2013', '\u00a0')
  fc.assert(
    fc.property(part(3), gap, part(3), gap, part(4), (area, one, exchange, two, line) => {
      // Six digits and four are an amount and a year rather than a telephone number, without a word for calling.
      const called = one === '' && two !== '' ? 'Cell' : 'Jo'
      expect(redactContacts(`${called} ${area}${one}${exchange}${two}${line} home`)).toBe(
        `${called} [phone] home`,
      )
    }),
  )
})
