import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'

import type { SensitiveKind } from '../../../../../src/core/domain/sensitive-data/detectors.ts'
import {
  freeText,
  sensitivePart,
} from '../../../../../src/core/domain/sensitive-data/sensitive-data.ts'

const ZERO_WIDTH = '\u200b'
const STRUCK = '\u0336'
const KEYCAP = '\ufe0f\u20e3'
const BASE64_LINE =
  'QmFzZTY0IGlzIGEgZ3JvdXAgb2YgYmluYXJ5LXRvLXRleHQgZW5jb2Rpbmcgc2NoZW1lcyB0aGF0IHJl'

const refused: Record<SensitiveKind, [name: string, text: string][]> = {
  ssn: [
    ['with dashes', 'my ssn is 123-45-6789'],
    ['with spaces', '123 45 6789'],
    ['with dots', '123.45.6789'],
    ['with slashes', '123/45/6789'],
    ['with underscores', '123_45_6789'],
    ['with dashes and a space', '123-45 6789'],
    ['with en dashes', '123\u201345\u20136789'],
    ['with minus signs', '123\u221245\u22126789'],
    ['with dashes between spaces', '123 - 45 - 6789'],
    ['with dashes that were heard', '123 dash 45 dash 6789'],
    ['with wide spaces and a line break', '123\u3000 45\r\n6789'],
    ['in fullwidth', '１２３－４５－６７８９'],
    ['in Arabic digits', '١٢٣-٤٥-٦٧٨٩'],
    ['in Persian digits', '۱۲۳-۴۵-۶۷۸۹'],
    ['in Devanagari digits', '१२३-४५-६७८९'],
    ['in bold mathematical digits', '𝟏𝟐𝟑-𝟒𝟓-𝟔𝟕𝟖𝟗'],
    ['in circled digits', '①②③-④⑤-⑥⑦⑧⑨'],
    ['in superscript', '¹²³-⁴⁵-⁶⁷⁸⁹'],
    ['cut by zero-width spaces', `123${ZERO_WIDTH}-45${ZERO_WIDTH}-6789`],
    ['cut by bidi isolates', '12\u20663\u2069-4\u202e5-67\u200f89'],
    ['cut by tag characters', '1\u{e0041}23-45-6\u{e0020}789'],
    ['cut by control characters', '12\u00003-45-67\u000889'],
    ['struck through', `1${STRUCK}2${STRUCK}3${STRUCK}-45-6789`],
    ['on keycaps', `1${KEYCAP}2${KEYCAP}3${KEYCAP}-45-6789`],
    ['digit by digit', '1 2 3 4 5 6 7 8 9'],
    ['digit by digit, with dashes', '1-2-3-4-5-6-7-8-9'],
    ['digit by digit, with dots', '0.7.8.0.5.1.1.2.0'],
    ['digit by digit, between years', 'in 2025 1 2 3 4 5 6 7 8 9 2026'],
    ['digit by digit, in groups', '1 2 3 - 4 5 - 6 7 8 9'],
    ['in words', 'one two three four five six seven eight nine is my social'],
    ['in words with dashes said', 'one two three dash four five dash six seven eight nine'],
    ['in capital words', 'ONE TWO THREE, FOUR FIVE, SIX SEVEN EIGHT NINE (SSN)'],
    ['in Spanish words', 'seguro: uno dos tres cuatro cinco seis siete ocho nueve'],
    [
      'in Spanish pairs',
      'seguro: uno veintitrés, cuarenta y cinco, dieciséis, veinte y ochenta y dos',
    ],
    ['without separators, beside its name', 'social security 123456789'],
    ['in threes, beside its name', 'SSN: 123 456 789'],
    ['beside its short name', 'Soc. Sec. 123456789'],
    ['behind a country code of one digit', '+1 123-45-6789'],
    ['after a date', '2026-11-21 123-45-6789'],
    [
      'in a sentence, after other numbers',
      'Call 415-555-0132 about Form 1040; mine is 123-45-6789, thanks',
    ],
  ],
  itin: [
    ['with dashes', '911-70-1234'],
    ['without separators, beside its name', 'my ITIN 911701234'],
  ],
  national_id: [
    ['Canadian', 'SIN: 046454286'],
    ['Canadian, with spaces', 'SIN 046 454 286'],
    ['Canadian, in full', 'social insurance number 046-454-286'],
    ['British', 'NINO QQ 12 34 56 C'],
    ['British, joined', 'NI no QQ123456C'],
    ['Indian', 'Aadhaar 2345 6789 0124'],
    ['Indian, before its name', 'ABCDE1234F is my PAN'],
    ['Mexican', 'CURP HEGG560427MVZRRL04'],
    ['Brazilian', 'CPF 111.444.777-35'],
    ['Salvadoran', 'DUI 01234567-8'],
    ['Guatemalan', 'DPI 1234 56789 0101'],
    ['Colombian', 'cédula de ciudadanía 1023456789'],
    ['Costa Rican', 'cédula 1-1234-5678'],
    ...[
      'Passport no. 512345678',
      'US passport C12345678 expires 03/2029',
      'passportNumber: 512345678',
      'pasaporte mexicano G12345678',
      'Pasaporte N° G12345678',
      "Driver's License: CA D1234567",
      'DL# D123-4567-8901',
      'NY driver license 123 456 789',
      'driver_license_number=Y1234567',
      'licencia de manejar Y1234567',
      'mi licencia es 12345678',
      "Ana's license D1234567",
      'IP PIN for tax year 2025: 482913',
      'naturalization cert 12345678',
      'A-Number: A123-456-789',
      'green card A123456789',
      'tarjeta verde A123456789',
      'USCIS# 123-456-789',
      'Medicare number 1EG4-TE5-MK73',
    ].map((text): [string, string] => ['of a paper of identity', text]),
  ],
  ein: [
    ['beside its name', 'EIN 12-3456789'],
    ['alone', '12-3456789'],
    ['with an en dash', '12\u20133456789'],
    ['without separators, beside its name', 'my ein is 123456789'],
    ['with its long name', 'Employer Identification Number: 123456789'],
    ...[
      'employer number 123456789',
      "employer's number is 12 3456789",
      'Employer no. 123456789',
      'employer # 123 456 789',
      '123456789 is our employer number',
    ].map((text): [string, string] => ['beside another name', text]),
  ],
  card: [
    ['after a dash with blanks', 'card on file - 4111 1111 1111 1111'],
    ['in fours', '4242 4242 4242 4242'],
    ['in fours with dashes', '4242-4242-4242-4242'],
    ['unbroken', '4242424242424242'],
    ['in fours in brackets', '(4111) (1111) (1111) (1111)'],
    ['American Express', '378282246310005'],
    ['American Express in its groups', '3782 822463 10005'],
    ['with its date and code', 'card 4242 4242 4242 4242 123 12/28'],
    ['after a year', 'in 2026 4242 4242 4242 4242'],
    ['in fullwidth', '４２４２　４２４２　４２４２　４２４２'],
    ['digit by digit', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
    ['in words', `${'four two '.repeat(8)}`],
  ],
  bank_account: [
    ['beside its name', 'acct 000123456789'],
    ['after its name', '000123456789 is my bank account'],
    ['numbered', 'Account #: 1234-5678-90'],
    ['joined to its name', 'acct-000123456789'],
    ['in two groups that are no range', 'acct 1200 3499'],
    ...[
      'wire 12345678',
      'wire to: 1234 5678 9012',
      'please wire it to my 1234-5678-9012',
      'Wire the refund to 12345678901234567',
      'wired to 9876543210',
      'bank wire to Chase, 000123456789',
      'transfer 000123456789',
      'transfer $5,000 to 12345678',
      'transfer from 12345678 to 87654321',
      'transfer funds to First Republic, 87654321',
      'xfer into one two three four five six seven eight nine zero',
      'ACH# 12345678',
      'ACH my refund into 000123456789',
      'ach debit 123456789012',
      'deposit to 12345678',
      'deposit it into my 1234 5678 90',
      'deposited to 9876543211 at 12345678',
    ].map((text): [string, string] => ['where money goes', text]),
  ],
  routing_number: [
    ['beside its name', 'routing 110000000'],
    ['by its other name', 'ABA: 021000021'],
  ],
  iban: [
    ['in fours', 'DE89 3704 0044 0532 0130 00'],
    ['unbroken, in a sentence', 'pay to de89370400440532013000 please'],
    ['with letters', 'GB82 WEST 1234 5698 7654 32 then call'],
    ['with one letter', 'IT60 X 05428 11101 000000123456'],
    ['before a word of four letters', 'BE68 5390 0754 7034 from bank'],
  ],
  document: [
    ['a data URI', 'data:application/pdf;base64,AAAA'],
    ['a data URI of text', 'see data:text/plain,hello'],
    ['a data URI without a type', 'data:;base64,AAAA'],
    ['a PDF', '%PDF-1.7 1 0 obj'],
    ['a PDF in base64', 'JVBERi0xLjcKJeLjz9MK'],
    ['a PNG in base64', 'iVBORw0KGgoAAAANSUhEUg'],
    ['a PNG', '\u0089PNG\r\n'],
    ['a PNG in hex', '89504e470d0a1a0a0000000d49484452'],
    ['a GIF', 'GIF89a\u0001\u0000\u0001'],
    ['a JPEG in base64', '/9j/4AAQSkZJRgABAQAAAQABAAD'],
    ['a TIFF in base64', 'SUkqAAgAAAAOAP4ABAABAAAA'],
    ['a TIFF of the other order in base64', 'TU0AKgAAAAgADgD+AAQAAQ'],
    ['a HEIC in base64', 'photo: AAAAIGZ0eXBoZWljAAAAAG1pZjE'],
    ['a zip archive', 'PK\u0003\u0004\u0014'],
    ['a zip archive in base64', 'UEsDBBQAAAAI'],
    ['a PEM block', '-----BEGIN PRIVATE KEY-----'],
    ['long base64', BASE64_LINE.repeat(2)],
    ['base64 in lines', `${BASE64_LINE}\n${BASE64_LINE}\n`],
    ['base64 in short quoted lines', BASE64_LINE.repeat(2).replace(/.{24}/g, '> $&\r\n')],
    ['a page', '<html><body>W-2 Wage and Tax Statement</body></html>'],
    ['a page with its type', '<!DOCTYPE html><title>1099</title>'],
    ['XML', '<?xml version="1.0"?><W2><Wages>1</Wages></W2>'],
    ['XML as the code of a page', '&lt;?xml version="1.0"?&gt;&lt;Return/&gt;'],
    ['RTF', '{\\rtf1\\ansi\\deff0 W-2}'],
    ['a part of a mail', 'Content-Transfer-Encoding: base64\n\nSGVsbG8='],
    ['uuencoded', 'begin 644 w2.pdf'],
    ['a PDF in hex', '255044462d312e340a25c3a4c3bc'],
    ['XML in base64', 'PD94bWwgdmVyc2lvbj0iMS4wIj8+'],
    ['a GIF in base64', 'w2.gif = R0lGODlhEAAQAMQAAORHHOVSKudfOulrSOp3WOyDZu6QdvCchPGolfO0o'],
    ['base64 cut by zero-width spaces', BASE64_LINE.repeat(2).replace(/.{10}/g, `$&${ZERO_WIDTH}`)],
  ],
}

const accepted = [
  'Please split the accounts 4000-4999 in QuickBooks',
  'hijos de tres, quince, veinte, veinticinco y treinta años',
  '123-45-0000',
  '911-89-1234',
  '07-3456789',
  'ticket 000123456789',
  'ref 110000000',
  '+1 415 555 0132',
  '94105-1234',
  'room 12-34',
  // Email addresses are not refused: redactContacts takes them out.
  '',
  '1 2 3 4 5 6 7 8 9 10',
  'one two three four five six seven eight nine ten',
  'our bank balance is about 250000',
  'bk_mock_01JD2Z6V9W8X7Y6Z5A4B3C2D1E',
  'https://docs.example.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz/edit?usp=sharing#heading=h.1a2b3c',
  // Money that goes somewhere, and employers
  'wire reference number 123456789',
  'wire harness, part 12345678',
  'wire 12500000 on Friday',
  'transfer student id 12345678',
  'transfer of title, parcel 123456789',
  'transfer to escrow file 12345678',
  'transferred from Austin in 2019, 2020, 2021',
  // By its letters and digits the IBAN of an Austrian account
  'Reach mom at (518) 234-9301 on June 20, 2026',
  'ACH trace number 091000012345678',
  'ACH batch 12345678 failed',
]

describe('sensitive data is refused, however it is written', () => {
  for (const [kind, cases] of Object.entries(refused))
    test.each(cases)(`${kind} %s`, (_name, text) => expect(sensitivePart(text)?.kind).toBe(kind))
})

/** Kinds of slips, each in several forms. */
const TELLING: Record<string, [kind: SensitiveKind, text: string][]> = {
  'beside words and signs of something else': [
    ...(
      '401k number 123456789|clave interbancaria 002180700412345678|13a 026095565 13b 12376496|' +
      'ach debit from 2125550147|fidelity acct Z43549693 - call|id 43739935564 is my account|' +
      'account at Chase, id 619193793|checking id 200040241|clave 56311535114 de mi cuenta|' +
      '2125550147 is my checking account|mi cuenta de Capital One es 2125550147|my account with Ally is 212-555-0147|' +
      'wire it to my business tax account 123456789|deposit to sales tax account 123456789|please move it to my tax account 123456789|' +
      'checking on file 212055501|my tax account at Chase 54341525962|my checking in USAA 907156751|' +
      'ref 125388752 is my account that I want refunded|ref 125388752 is the account I told you about|' +
      'case 125388752 is my account Chase|case 125388752 is my account already'
    )
      .split('|')
      .map((text): [SensitiveKind, string] => ['bank_account', text]),
    ...(
      'membership 673599225 is my SSN|62411-4485 (SSN)|26960-1491 social security number|' +
      'Ana -777841063 SSN|SSN 51855568 is my social|file # 606325825 (SSN)|MRN 680-48-1440|consult id 282-66-1442|' +
      'Q: SSN? A: 219099999|Payee;SSN;Amount\nRoe;219099999;450|please use tax id 219099999'
    )
      .split('|')
      .map((text): [SensitiveKind, string] => ['ssn', text]),
    ['ssn', 'Name|SSN|Wages over 10,000\nAna|673599225|yes'],
    ['ein', 'EIN for plan # is 20-4423780'],
    ['ein', 'EIN file # 12-4399957'],
    ['ein', 'file # 61-7333199 is our EIN'],
    ['card', '4221514373571400 - certified mail'],
    ['card', '4221514373571400 - 1099-INT'],
    ['card', '4221:5143:7357:1400'],
    ['itin', 'ITIN 91270123, 401k'],
    ['national_id', 'SSA claim 067858562A'],
    ['national_id', 'driver license num 542-708-3626'],
  ],
  'where a letter follows that also stands for thousands': [
    ['ssn', 'SSN 219099999, K-1 61204'],
    ['ssn', 'ssn 219099999 M 3/12/84'],
    ['ssn', 'ssn 219099999. B corp'],
    ['ein', 'EIN 821234567, M corp'],
    ['bank_account', 'account 12345678 K'],
    ['card', 'Visa 4111111111111111, K-1'],
  ],
  'where a paper is just where the number stands': [
    ['ssn', 'SSN on the letter is 219099999'],
    ['ssn', 'SSN (from the W-2 form) 219099999'],
    ['ssn', 'SSN on the W-2: 219099999'],
    ['ssn', 'new SSN per SSA letter 219-09-9999'],
    ['ein', 'EIN on the form 25-0001234'],
    ['ein', 'EIN en la carta CP575 821234567'],
    ['ein', 'EIN per SS-4 letter 250001234'],
    ['bank_account', 'account number from Ana’s statement 1234567890'],
    ['bank_account', 'account on check 1234567890'],
    ['card', 'card on invoice 4111111111111112'],
  ],
  'after a paper that has no number in this form': [
    ['ssn', 'W-9 form: 219-09-9999'],
    ['ssn', 'transcript 219-09-9999'],
    ['ssn', 'check 219-09-9999'],
    ['ein', 'K-1 form, 25-0001234'],
  ],
  'in a table, far from the heading of its column': [
    [
      'ssn',
      'Roe\tSSN\tBirth\tRelation\tMonths at home in 2025\nAna\t219099999\t2015\tdaughter\t12',
    ],
    [
      'ein',
      'Payee,Address,City,State,Zip,EIN,Track 1099,Total\nRoe,12 Main,Troy,MI,48083,251234567,Y,45',
    ],
    ['national_id', 'Passport No\tSales\n512345678\t2016830'],
    ['ssn', 'Field\tValue\tNote\nSSN\t219099999\tnew'],
    ['national_id', 'see | below\n\nName | Passport No\nAna | 512345678'],
    ['ssn', 'Clients 2026\t\t\nName\tSSN\tNote\nAna\t219099999\tok'],
  ],
  'with a word that says whose it is': [
    ['ssn', 'SSN for the client is 219099999'],
    ['ssn', 'SSN (client): 219099999'],
    ['ein', 'EIN of our customer 471234567'],
    ['itin', 'ITIN para el empleado 912701234'],
  ],
  'where a scanner read letters': [
    ['ssn', 'O78-O5-112O'],
    ['ssn', 'SSN 219O99999'],
    ['card', '4111111111111l11'],
    ['ssn', 'ssn l23-45-6789'],
    ['itin', '9I2-78-I234'],
  ],
  'where the words of its name are joined': [
    ['ssn', 'taxpayerSSN: 219099999'],
    ['ssn', 'SSNSpouse 219099999'],
    ['ssn', 'clientSocialSecurityNumber=219099999'],
  ],
  'where the text goes on about it': [
    ['ssn', 'My SSN has changed; it is now 219099999'],
    ['ssn', 'You asked for my SSN! It is 219099999'],
    ['bank_account', 'cta. Banorte 1234567890, máx. 312,450'],
    ['bank_account', 'Acct. Chase 12345678'],
    ['ssn', 'you asked for my social. It is 078051120'],
    ['card', 'card number 5555 5555 5555 4445, typed from memory'],
    ['bank_account', 'Bank: Chase\nType: Checking\nNumber: 000123456789'],
    ['bank_account', 'my savings account number should be 987654321098'],
  ],
  'after a name and whose it is': [
    ['ssn', 'Taxpayer Jane Roe 219099999'],
    ['ssn', "Spouse - Luis O'Brien-Roe, 219099999"],
    ['ssn', 'Dependents: Mia Roe 219099999'],
    ['ssn', 'dependiente: Mia, 219099999, 2015'],
    ['itin', 'hija Mia 912701234'],
    ['ssn', 'Spouse: Ann Roe (219099999)'],
    ['ssn', 'Identifying number 219099999'],
    ['ssn', 'Taxpayer Jane Roe, DOB 1/2/1970, 219099999'],
    ['ssn', 'Taxpayer Jane Roe (D.O.B.: 01/02/1970) 219099999'],
    ['ssn', 'Spouse Ann Roe, born on 1/2/1970, 219099999'],
  ],
  'as on a cheque': [
    ['bank_account', '021000021 1234567890'],
    ['bank_account', 'EFT 021000021 1234567890'],
    ['bank_account', 'use 021000021 and 1234567890 for the refund'],
    ['bank_account', 'line 35b 021000021 35d 1234567890'],
    ['bank_account', '021000021 (Chase) 1234567890'],
    ['bank_account', '⑆021000021⑆ 1234567890⑈ 1042'],
    ['bank_account', 'Void check: 12345678'],
    ['bank_account', 'state bank account 2204417-5'],
    ['bank_account', 'refund to the State account 22044175'],
    ['bank_account', 'payroll account 2204417'],
    ['routing_number', 'RT# 322271627'],
  ],
  'that is asked for by a paper or said by telephone': [
    ['ssn', 'SSN for the loan application: 278051120'],
    ['ein', 'EIN for the 1099 vendor request = 471234567'],
    ['itin', 'ITIN for your W-7 letter is 911701234'],
    ['ssn', 'ssn for your records 278051120'],
    ['ssn', 'my social for the IRS call: 278051120'],
    ['ein', 'EIN by fax 471234567'],
    ['ssn', 'CP2000 notice 278-05-1120'],
    ['itin', 'W-7 application 911-70-1234'],
    ['ssn', 'lien or appeal 278-05-1120'],
    ['ssn', 'SSN needed for a loan application: 278051120'],
    ['ssn', 'el seguro social para la solicitud es 278051120'],
    ['card', 'card for the invoice: 4111 1111 1111 1111'],
    ['card', 'driver license 4111111111111111'],
    ['card', 'please bill 4111 1111 1111 1111'],
  ],
  'of an account, with the bank or the plan': [
    ['bank_account', 'my account number at Ally is 4246369326'],
    ['bank_account', 'account with Fidelity Z12-345678'],
    ['bank_account', 'please deposit my refund to 4246369326'],
    ['bank_account', 'HSA # 014538808'],
    ['bank_account', '401(k) number 12345678'],
  ],
  'before the end of the card and its code': [
    ['card', '4111-1111-1111-1111-12/27'],
    ['card', '4111111111111111 - 123'],
    ['card', '4111111111111111-1227-123'],
  ],
  'with letters, before the word account': [
    ['bank_account', 'Fidelity Z12-345678 account, 312,450'],
    ['bank_account', '7AB12345 is my account at Merrill'],
  ],
  'beside numbers of another sentence, item or line': [
    ['bank_account', 'wire to acct 9876543210; 1098 box 1 12,044.88'],
    ['bank_account', 'cuenta #1234567890; 940 FUTA 420.00'],
    ['bank_account', 'número de mi cuenta es 1234567890\n5550 Wilshire Blvd'],
    ['bank_account', 'Póliza 04512233890, 1234567890 (checking account)'],
    ['card', 'Has 2 jobs. 4111111111111111'],
    ['ssn', 'Rental with 2 units\n219099999 is my social security number'],
    ['ssn', '(SP) 457555462, 24-1234567 was the case number'],
    ['national_id', "Husband's badge 123456789. SIN 046-454-286, T1 2023"],
    ['bank_account', 'bank account\nChase 000123456789'],
    ['ssn', 'Form 1040\nSSN\n219099999'],
  ],
  'by a name that is misspelled': [
    ['ssn', 'sosial 078051120'],
    ['ssn', 'socail security 078051120'],
    ['ssn', 'my soical: 078051120'],
    ['routing_number', 'rounting number 021000021'],
    ['bank_account', 'acount 12345678'],
    ['bank_account', 'accout number 12345678'],
  ],
  'by a shorter or another name': [
    ['ssn', 'ss no 078051120'],
    ['ssn', 'soc 078051120'],
    ['ssn', 'tax-id: 078051120'],
    ['ssn', 'H: 078051120 W: 219099999'],
    ['ssn', 'national insurance 078051120'],
    ['ein', 'business number 471234567'],
    ['ein', 'e. i. n. 47 1234567'],
    ['ein', 'Fed. ID 471234567'],
    ['ein', 'federal tax 471234567'],
    ['ein', 'tax no. 471234567'],
    ['ein', 'state ID 471234567'],
    ['card', 'visa 4111 1111 1111 1112'],
    ['bank_account', 'acc 12345678'],
    ['bank_account', 'Savings 000987654321'],
    ['bank_account', 'bank 123456789012'],
    ['bank_account', 'acc. no 12 345 678'],
    ['bank_account', 'chk 123456789'],
    ['bank_account', 'svgs 1234567891'],
    ['bank_account', 'DD 000123456789 please'],
    ['bank_account', 'brokerage 1234-5678'],
    ['routing_number', 'transit number 021000021'],
    ['national_id', 'my aadhaar is 2345 6789 0124'],
  ],
  'before its name': [
    ['itin', '912781234 is the ITIN'],
    ['ein', '471234567 is our ein'],
    ['routing_number', '021000021 is the routing number'],
  ],
  'in words': [
    ['ssn', 'zero seven eight zero five double one two zero'],
    ['ssn', 'my social is o seven eight o five one one two o'],
    ['ssn', 'oh seven eight oh five eleven twenty'],
    ['ssn', 'ZERO-SEVEN-EIGHT ZERO-FIVE ONE-ONE-TWO-ZERO'],
    ['ssn', 'zero seven eight then zero five then one one two zero'],
    ['ssn', 'social is two nineteen, oh nine, ninety nine ninety nine'],
    ['ein', 'four seven dash one two three four five six seven'],
    ['card', 'four triple one, one one one one, one one one one, one one one one'],
  ],
  'with dashes as the code of a page or of a link': [
    ['ssn', '078%252D05%252D1120'],
    ['ssn', '078&#x2d;05&#x2d;1120'],
    ['ssn', '078&ndash;05&ndash;1120'],
    ['ssn', '078&nbsp;05&nbsp;1120'],
    ['ssn', '078%E2%80%9305%E2%80%931120'],
  ],
  'in other words': [
    ['ssn', 'mi número de seguro es 219099999'],
    ['ein', 'número de empleador: 821234567'],
    ['ein', 'ID federal 821234567'],
    ['bank_account', 'depositen a la 1234567890 de Chase'],
    ['ssn', 'ssan 219099999'],
  ],
}

describe.each(Object.entries(TELLING))('a number is refused %s', (_kind, cases) => {
  test.each(cases)('%s: %s', (kind, text) => expect(sensitivePart(text)?.kind).toBe(kind))
})

const HARMLESS: Record<string, string[]> = {
  'of another kind than a word beside them': (
    'available 9-11, 1-3, 4-5:30 / EIN letter|33602-1234 EIN on file|1.25000000 BTC - Seguro social|' +
    'accounts to review, consult id 470686471|id 470686471 for the account|bk_806856254 tax id|SID 7397022025301a1b2c3d, bank account|' +
    'la cuenta tiene 364,826 - 10/12 2:30|account ending in 9352\n1099-INT 407|file # 85-1289402|' +
    'sales tax account 890641433 and 3 accounts|conference id 633625545#, SS at 67|no 40865652; Zelle|' +
    'paid 1,459.74 box 1 248,497 box 5 307,271\nchecking 46,902.34 savings 223,243.79 brokerage 220,521.58|cuenta de luz, folleto 38970248|' +
    'seguro de salud 286988805, bank account|membership number 229644945 and account|MRN 7556791, account|' +
    'case 212055501 is the account setup|2125550147 is my account manager|sales tax number 531725761|lodging tax id 531725761, social security|' +
    'paid to sales tax account 53172576|' +
    'withholding tax account 53172576|just checking on 212055501|aging 30: 68356 60: 77381 90: 9495|' +
    'phone linked to my account is 518-555-0142|the cell under our business account is 518-555-0142|' +
    'el teléfono de mi cuenta es 518-555-0142|the person handling my account with Ally is 518-555-0142'
  ).split('|'),
  'accounts of the books and amounts that lie in one': [
    'My capital account on the K-1 is 1452200.',
    'Capital accounts: Ana 1204553, Luis 1188207',
    'Cuenta de capital 1452200',
    'Accounts receivable 1234567, accounts payable 1204553',
    'Expense account 6120455 over 3 years',
    'account has 1204553 in it',
    'deposited 1204553 in our account in 2024',
    '1204553 in the brokerage account at 12/31',
    'account in 2024 balance 1204553',
    'taking into account 1204553 of basis',
    'Gain on account of 1204553 shares',
    'deposit 12044 6120 4310 each quarter',
    'Cuenta predial 045123067',
    'state withholding acct no. 2204417-5',
    'Sales tax account: 882104417',
    'my unemployment account is 220-4417-5',
    'EDD account number 220-4417-5',
    'CDTFA account number: 278-246341, IFTA account NY95720',
    'Property account R0123456 in Adams County',
    'account balances 1204418 and 6120455',
    'bank charges 1,204.55 / 12 mo',
    'bank interest 12,044.18/12 and 431.20/4',
  ],
  'papers whose names are in the plural, joined, or after the number': [
    'Invoices: 25-0001234, 25-0001235',
    'Cases 24-1234567 and 24-1234568',
    'Orders 4111111111111111, 4242424242424242',
    'policies 45-1234567 and 45-1234568',
    '{"invoiceNumber":"25-0001234"}',
    'case_number=24-1234567',
    'trackingNumber: 4111111111111111',
    '25-0001234 is the case number',
    '4111111111111111 es el número de rastreo',
    'Policy no. 45-1234567 renewed',
    'Lease no. 45-1234567, folder 45-1234568',
    'póliza de seguro 45-1234567',
    'Acta de matrimonio no. 24-1234567',
    'GL code 312-45-0001',
    'tax map no. 123-45-6789, PIDN 123-45-6790',
    'Judgment 24-1234567, lien 24-1234568',
    'Estate file no. 12-1234567',
  ],
  'papers of identity without their numbers': [
    'Passport expires 03/2029, exp 03122029',
    'customer 4400123, passport copy attached',
    'Passports of 3 dependents, 61204 and 58210',
    'driver license exp 2027-03-12',
    "our broker's license 01234567",
    'IP PIN letter CP01A of 2025',
    'drivers license, 2023 2024 2025 returns',
    'Bring your driver license. 518-555-0142',
    'DL cost 61204 direct labor',
    'Green card since 2019, 183 days',
    'Medicare wages 212400 tax 3079.80',
    'gave me a number 61204321',
  ],
  'persons beside other numbers': [
    "wife Ana's loan 123456789",
    'Taxpayer moved to Apt 1204, 12207',
    'Box 15 NY 12 3456789? no state id yet',
    'dependent Leo, born 03122015, 9 months lived here',
    'Husband at Boeing, employee no. 412345678',
    'Payee ABC LLC invoice 219099999',
    'need SSN, client 219099999',
    'the EIN for order number 104822331',
    'a portal account for client 10482233',
    'taxpayer paid 1204553 for the building',
  ],
  'the cells of a table under headings that name no such number': [
    'Date\tAccount\tAmount\n11/24/2026\t6100 Rent\t2400.00',
    'Invoice | Client | Amount\n219099999 | Roe LLC | 1,250.00',
    'Account\t2024\t2025\nChase ..7381\t275997\t788907',
    'Totals\n834263\t816071\t915064\nDate\tAccount\tAmount',
    'Checking\tSavings\tBrokerage\n234263\t816071\t15064',
    '521789 509987\n1008\tBank fees\t2547',
    'I, my wife, and son\nRoe & Sons, 6590 Main St, 18730-7357',
    'GL,Account,Amount\n6100,Rent,264588\n6200,Repairs,8821779',
    'Account,Type,Units\nIRA,Roth,43215\n401k,SEP,51204.117',
    'Unit,Tenant,Rent,Deposit\n250,Roe,2979,9451\n429,Doe,3355,2131',
  ],
  'two numbers that are no cheque': [
    'Order 121042882 / 118000455',
    'Total assets 121042882, 118000455',
    '123456789 12345678',
    '021000021 20251231',
  ],
  'numbers of another sentence, item or line': [
    'account with 45000\nSOS entity no 0801234567',
    'form 8888 for 3 accounts\nOR BIN 1234567-8',
    'Bank account fees 120\nCorp number 4123456',
    'Capital account 1204553 at 12/31. Account Q4 is closed',
    'EIN not yet assigned, |2023|61204|9814|',
    '| SSN | sent |\n| 2022 | 61204 | 7312 | 1204 |',
    '2023|61204|9814, Amex points',
    'savings of 61204 58210 7020, Discover card paid off',
    'Predial 045-123-067-12; 1099-S came',
    'bank account days: 120 + 60/3 + 90/6',
    'cuenta en Madrid, 1.204.553,18 € y 312.450,00 €',
    'EIN is for 2024. 1 204 553,18 EUR',
    'server 192.168.10.20:8080 of our bank account page',
    'the barn of the trust account, 37.774929, -122.419416',
    'Account manager since 2019, FedEx 774489552210',
    'DUNS 123456789, savings as before',
    'account ending in *4321; +12125550147 is the daughter',
    'Account balance: 1884.22 as of 03-18-2024\n518-555-0142',
    'Account 6130: 412.00. 518 - 555 - 0142',
    'mi cuenta de siempre, 011 33 1 23 45 67 89 o 01 23 45 67 89',
    'My phone is 518-555-0142. 1204553 en la cuenta',
    'TAS 877-777-4778; RUT 4 in the road',
    '1099-SA 2,140, +44 7700 900123 is best',
    'Tax Cuts and Jobs Act 2017, 61204 and 58210',
  ],
  'codes, notices, years and amounts': [
    'account fees of 8/16/26-9/15/26, and 10/01 - 10/31',
    'certified mail 7021 5158 4108 4628 3091',
    'usps 9405 5213 5711 9786 1448 38',
    'claim # 5149361628097583, dental',
    'account balance 0 since cycle 20262104',
    'account with invoice A1234567',
    'IRA #1: 250000, IRA numbers: 123456 and 98765. DL issued Mar-15-2024',
    'hash 0x4111111111111111',
    'Upload id 4111111111111111f3',
    'Case 12-4012888888881881',
    'bank balance is around 48213',
    'RSU income 184250, salary 210000, bonus 45000',
    'USD 125000 in a bank in London',
    'rent 2400 x 12 = 28800',
    'loan 412000, 27 years left at 6.125 percent',
    'card opened 2019, 2020, 2021, 2022',
    'bank statements 2022, 2023, 2024 are ready',
    'savings bonds from 1992, 1993, 1994, 1995',
    'call 9:30-10:15 or 14:00-15:30 on 11/24',
    'form 709 12/2024',
    'CP2000 notice, LT11 next',
    'CUSIP 912828 treasury in the brokerage account',
    'docket 12345-24S in tax court',
    'social media budget 5000, 6000, 7000',
    'the SUkq9 model and TU1A',
    'ages forty one, thirty nine, nine and six',
    '+33 1 23 45 67 89 about my tax id',
    'account questions: 212.555.0147 or 212 555 0199',
    'savings of 12,500,000',
    'https://docs.example.com/account/12345678901/edit',
    '2125550147, about a bank account',
    'check number 10421055 from my bank',
    'student id 12345678, savings plan',
    'trace 7f-4111111111111111',
    'account balance $1,234,567.89',
    'ticket 000123456789 about savings',
    'claim 998877665 with the bank',
    '+358 401 23 4567',
    '+49 30-1234567',
    '000-12-3456',
    '666-12-3456',
  ],
  'amounts with a letter or in another currency': [
    'SSN wages 160.2k, 1.2m in total',
    'account holds 1250k',
    'account of ₱123456789',
    'account PHP 123456789',
  ],
}

describe.each(Object.entries(HARMLESS))('accepted: %s', (_kind, texts) => {
  test.each(texts)('%s', (text) => expect(sensitivePart(text)).toBeUndefined())
})

describe('ordinary text is accepted', () => {
  test.each(accepted)('%s', (text) => expect(sensitivePart(text)).toBeUndefined())
})

describe('a free text field', () => {
  it('names the kind and never the text', () => {
    const issues = freeText(500).safeParse('my ssn is 123-45-6789').error?.issues
    expect(issues).toMatchObject([
      { code: 'custom', params: { sensitive: 'ssn', characters: [11, 21] } },
    ])
    expect(JSON.stringify(issues)).not.toContain('6789')
  })

  it.each([
    ['card 4242 4242 4242 4242, thanks', [6, 24]],
    ['👩‍👩‍👧 née Zoë:\r\n078-05-1120', [12, 22]],
    ['\u200bssn 0\u200b78-05-1120', [6, 17]],
    ['it is seven eight nine, oh five, one one two oh', [7, 47]],
    ['ssn 078%2d05%2D1120.', [5, 19]],
    ['x'.repeat(40) + ' EIN 25-0001234', [46, 55]],
    ['see %PDF-1.7 and more', [5, 21]],
  ])('says where it stands, as a person counts: %j', (text, characters) => {
    expect(freeText(100_000).safeParse(text).error?.issues).toMatchObject([
      { params: { characters } },
    ])
  })

  it('names the kind also when the text is too long', () => {
    const issues = freeText(10).safeParse('my ssn is 123-45-6789').error?.issues
    expect(issues?.map((issue) => issue.code)).toEqual(['custom', 'too_big'])
  })

  it('finds data behind the limit', () => {
    const issues = freeText(500).safeParse(`${'x '.repeat(16_000)}123-45-6789`).error?.issues
    expect(issues).toContainEqual(
      expect.objectContaining({ params: { sensitive: 'ssn', characters: [32_001, 32_011] } }),
    )
  })

  it('takes ordinary text, in NFC, up to its limit counted in NFC', () => {
    expect(freeText(4).parse('cafe\u0301')).toBe('café')
    expect(freeText(3).safeParse('café').success).toBe(false)
    expect(freeText(100_000).parse('x'.repeat(10_000))).toHaveLength(10_000)
  })

  it.each([
    ['Each of three children owns 33⅓% of the LLC.'],
    ['1½ years, x² ① № ™ ﬁ Ｗ ﷺ'],
    ['👨‍👩‍👧‍👦 ❤️ 1️⃣ 🇺🇸 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['می‌خواهم क्‍ष ක්‍ෂ'],
    ['two\nlines\tand a tab'],
    ['2025: 182,400'],
  ])('keeps what was typed: %j', (text) => {
    expect(freeText(100_000).parse(text)).toBe(text)
  })

  it.each([
    ['a\u202eb\u2066c\u2069\u200e', 'abc'],
    ['a\u200bb\u200cc\u200dd\u2060\ufeff\u00ad', 'abcd'],
    ['a\ufe0f \u200d\u{e0041}\u{e007f}', 'a '],
    ['a\u0000\u001b[31m\u0085b\u2028c\r\nd\re', 'a[31m\nb\nc\nd\ne'],
    ['👨\u200d\u200d👩', '👨👩'],
    ['\u3164\u115fx', 'x'],
  ])('drops signs that deceive: %j', (text, kept) => {
    expect(freeText(100_000).parse(text)).toBe(kept)
    expect(freeText(100_000).parse(kept)).toBe(kept)
  })

  it('answers soon on 32 KiB of stacked marks', () => {
    const started = process.cpuUsage()
    freeText(500).safeParse('\u0316\u0301'.repeat(16_384))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(150)
  })

  it('is a plain string with a length in JSON Schema', () => {
    expect(z.toJSONSchema(freeText(500))).toMatchObject({ type: 'string', maxLength: 500 })
  })
})
