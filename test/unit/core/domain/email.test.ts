import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'

import {
  canonicalEmail,
  emailSchema,
  maskEmail,
  mistypedWarnings,
} from '../../../../src/core/domain/email.ts'

describe('an email address is shown masked', () => {
  test.each([
    ['jane@example.com', 'j***@***.com'],
    ['jane.doe+tax@mail.example.co.uk', 'j***@***.uk'],
    ['jo@example.com', 'j***@***.com'],
    ['j@example.com', '***@***.com'],
    ['jane@gmail.com', 'j***@gmail.com'],
    ['jane@notgmail.com', 'j***@***.com'],
    [' jane＠example.com ', 'j***@***.com'],
    ['e\u0301mile@example.com', 'é***@***.com'],
    ['j***@***.com', 'j***@***.com'],
    ['jane@y.janedoesurname', 'j***@***.***'],
    ['jane@doe.example', 'j***@***.example'],
    ['jane@school.EDU', 'j***@***.edu'],
    ['jane@bücher.xn--vermgensberatung-pwb', 'j***@***.***'],
    ['j***@***.***', 'j***@***.***'],
  ])('%s', (address, masked) => expect(maskEmail(address)).toBe(masked))

  test.each(['', '@', 'jane', 'a@b@c.com'])('a text that is no address is all mask: %s', (text) =>
    expect(maskEmail(text)).toBe('***'),
  )
})

const anyText = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.domain())
    .map(([local, domain]) => `${local}@${domain}`),
)

it('masking twice is masking once', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(maskEmail(maskEmail(text))).toBe(maskEmail(text))
    }),
  )
})

it('the mask shows at most one letter of the local part, and none of the domain but its end', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(maskEmail(text)).toMatch(
        /^(?:[\p{L}\p{N}]?\*{3}@(?:\*{3}|[a-z]+)\.(?:\*{3}|[a-z]{2,4}|example|invalid)|\*{3})$/u,
      )
    }),
  )
})

it('one mailbox has one spelling', () => {
  expect(canonicalEmail('  Jane.Doe@EXAMPLE.Com\n')).toBe('Jane.Doe@example.com')
  expect(canonicalEmail('e\u0301@example.com')).toBe('é@example.com')
  expect(canonicalEmail('Jane')).toBe('jane')
})

const takes = (text: string): boolean => emailSchema.safeParse(text).success

describe('an address whose domain seems mistyped', () => {
  test.each([
    ['gmial.com', 'is nearly gmail.com'],
    ['gnail.com', 'is nearly gmail.com'],
    ['hotmaill.com', 'is nearly hotmail.com'],
    ['otulook.com', 'is nearly outlook.com'],
    ['verizon.ent', 'is nearly verizon.net'],
    ['quill-tax.con', 'has an ending that no domain has'],
    ['mail.quill-tax.xom', 'has an ending that no domain has'],
  ])('%s is told, without the address', (domain, why) => {
    const [warning = ''] = mistypedWarnings(`jordan.doe@${domain}`)
    expect(warning).toContain(`The domain of the email address ${why}:`)
    expect(warning).not.toContain('jordan')
  })

  test.each([
    'gmail.com',
    'ymail.com',
    'yahoo.ca',
    'email.com',
    'y7mail.com',
    'mac.com',
    'quill-tax.com',
  ])('%s is not', (domain) => expect(mistypedWarnings(`jordan.doe@${domain}`)).toEqual([]))
})

test.each([
  'noreply2+tax@quill-tax.com',
  'sin.correo@gmail.com',
  'Do_Not.Reply@quill-tax.com',
  'test1@gmail.com',
  'first.last@quill-tax.com',
  'your.email@quill-tax.com',
  'jordan@test.com',
  'jordan@your-domain.com',
])('%s is told to be of no person', (email) =>
  expect(mistypedWarnings(email)).toEqual([expect.stringContaining('placeholder')]),
)

test.each([
  'info@quill-tax.com',
  'testa@quill-tax.com',
  'nona@quill-tax.com',
  'email@quillfeather.org',
])('%s may be of one', (email) => expect(mistypedWarnings(email)).toEqual([]))

describe('an email address in a request', () => {
  test.each([
    'jane.doe+tax@example.com',
    "o'brien@Example.COM",
    'r&d@example.com',
    'o/brien@example.com',
    'a!b#c$d%g@example.com',
    'a=b?c^d`e}f|g{h~i@example.com',
    'jane@example.xn--p1ai',
  ])('is a plain mailbox: %s', (address) => expect(takes(address)).toBe(true))

  test.each([
    'jane@example.com.',
    '.jane@example.com',
    // Masked, encoded for a link or a page, of a network, and not filled
    'j***@gmail.com',
    'email=jane@example.com',
    '$email@example.com',
    '#name#@example.com',
    'r%26d@example.com',
    'example.org/@example.com',
    '{{name}}@example.com',
    '%FNAME%@example.com',
  ])('is nothing else: %s', (text) => expect(takes(text)).toBe(false))

  it('has up to 254 characters', () => {
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(120)}.com`
    expect(takes(`j@${domain}`)).toBe(true)
    expect(takes(`jane.doe@${domain}`)).toBe(false)
  })

  it('is one that a form of a browser takes, and in JSON Schema, too', () => {
    const schema = z.toJSONSchema(emailSchema)
    expect(schema).toMatchObject({ type: 'string', format: 'email', maxLength: 254 })
    fc.assert(
      fc.property(fc.emailAddress(), fc.boolean(), (address, isShouted) => {
        const text = isShouted ? address.toUpperCase() : address
        fc.pre(takes(text))
        expect(text).toMatch(z.regexes.html5Email)
        expect(text).toMatch(new RegExp(schema.pattern!))
      }),
    )
  })
})
