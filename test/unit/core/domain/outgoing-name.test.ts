import { expect, test } from 'vitest'

import { outgoingName, outgoingNameWarnings } from '../../../../src/core/domain/name.ts'

const schema = outgoingName()
const passes = (name: string): boolean => schema.safeParse(name).success

test.each([
  'Jordan Doe',
  'Smith &amp; Sons',
  "O'Neil-Jones",
  'St.John/Smith',
  'Dr. A. B. van der Berg III',
  'Jane (she/her) O’Brien',
  'Doe/Roe Partnership',
  'Amazon.com Inc',
  'J.R.R. Tolkien',
  'Ph.D. Roe',
  'Big Data: The Firm LLC',
  'A/B Testing Co. #1',
  'Ben “Benny” Doe Jr. [deceased]',
  'Müller-Lüdenscheidt',
  'Gal·la Placídia',
  '山田 太郎',
  '葛\u{e0100}城 太郎',
  'محمد\u200cرضا',
  'क्\u200dष',
  'Ann ❤️ 👩‍💻 Lee',
  'ｊｏｒｄａｎ　ｄｏｅ',
  '@jordan',
  'www',
  '12345678 Canada Inc.',
  'Estate of Roe, case 219099999',
  'x'.repeat(200),
])('an honest name passes as it was sent: %s', (name) => {
  expect(schema.safeParse(name)).toMatchObject({ success: true, data: name })
})

test.each([
  'Pay at https://evil.example/x',
  'Pay at HTTPS://EVIL.EXAMPLE',
  'hxxp://evil.example',
  'hxxps: evil.example',
  'https:evil.example',
  'https:\\\\evil.example',
  'ftp://evil.example',
  '//evil.example',
  'https：／／evil.example',
  'https∶⁄⁄evil.example',
  // Here the colon alone decides.
  'javascript∶alert',
  'mailto։jordan',
  'https%3A%2F%2Fevil.example',
  'https&#58;&#47;&#47;evil.example',
  '𝐡𝐭𝐭𝐩𝐬://evil.example',
  'mailto:pay@evil.example',
  'javascript:alert(1)',
  'www.evil.example',
  'www .evil.example',
  'WWW2.evil.example',
  'ｗｗｗ．evil．example',
  'www。evil。com',
  'www[.]evil[.]com',
  'www(dot)evil(dot)com',
  'Your refund: evil.com/pay',
  'evil.co.uk?x=1',
  'evil.com:8080/x',
  'evil[.]com/pay',
  'ask jordan@example.com',
  'jordan＠example.com',
  '[Jordan] (x)',
  '[Jordan][1]',
  'Jordan <img src=x>',
  '＜b＞Jordan',
  '‹script›',
  '&lt;b&gt;',
])('a link, an address or markup is refused: %s', (name) => {
  expect(schema.safeParse(name).error?.issues).toMatchObject([
    { params: { expected: expect.stringContaining('without a link') } },
  ])
})

test.each([
  ['a line end', 'Jordan\nDoe'],
  ['a carriage return', 'Jordan\r\nBcc: x'],
  ['a line separator', 'Jordan\u2028Doe'],
  ['a tab', 'Jordan\tDoe'],
  ['a Braille blank', 'Jordan\u2800Doe'],
])('%s is refused, and the error says what, not the name', (_what, name) => {
  const [issue] = schema.safeParse(name).error?.issues ?? []
  expect(issue).toMatchObject({ params: { expected: expect.stringContaining('one line') } })
  expect(issue?.message).not.toContain('Jordan')
})

test.each([
  ['NUL', 'Jordan\0Doe'],
  ['an escape', 'Jordan\u001bDoe'],
  ['a right-to-left override', 'Jordan\u202eDoe'],
  ['an isolate', 'Jordan\u2067Doe\u2069'],
  ['a zero-width space', 'Jordan\u200bDoe'],
  ['a joiner among Latin letters', 'Jordan\u200dDoe'],
  ['a tag sign', 'Jordan\u{e0041}Doe'],
  ['a filler', 'Jordan\u3164Doe'],
  ['a soft hyphen', 'Jordan\u00adDoe'],
])('%s is dropped before it goes out', (_what, name) => {
  expect(schema.parse(name)).toBe('JordanDoe')
})

test('no link hides behind signs that are dropped', () => {
  expect(passes('www\u200b.evil.example')).toBe(false)
  expect(passes('https:\u202e//evil.example')).toBe(false)
})

test('white space around a name is dropped; 201 characters are too many', () => {
  expect(schema.parse(' Jordan Doe\r\n')).toBe('Jordan Doe')
  expect(passes('x'.repeat(201))).toBe(false)
})

test.each([
  ['Dr. A. B. van der Berg', 0],
  ['Dr. A. B. van der Berg III', 1],
  ['Amazon.com Inc', 1],
  ['J.R.R. Tolkien', 0],
  ['Your refund of $900 waits, call us now', 1],
  ['Smith & Sons, LLC', 0],
  ['Smith &amp; Sons', 1],
  ['Dana O&#39;Neil', 1],
  ['Q&A; Partners', 0],
  ['Dana%20O’Neil', 1],
  ['JosÃ© Núñez', 1],
  ['Dana Oâ€™Neil', 1],
  ['Jos\ufffd', 1],
  ['Jos\\u00e9', 1],
  ['Dana Roe\\n', 1],
  ['50%20 Club', 0],
  ['Ânia São João', 0],
  ['J. D.', 1],
  ['J*** D***', 1],
  ['J. D. Roe', 0],
  ['A.J.', 0],
])('a person is warned of what may be more or less than a name: %s', (name, count) => {
  const warnings = outgoingNameWarnings(name)
  expect(warnings).toHaveLength(count)
  expect(warnings.join()).not.toContain(name)
})

test.each(['Jordan Doe 219099999', 'DOE, JORDAN (912781234)'])(
  'nine digits in a name are refused as those of the person: %s',
  (name) => expect(passes(name)).toBe(false),
)
