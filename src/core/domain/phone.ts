import * as z from 'zod'

/** What kind of number it is, as address books write before or after it; no fax, which no one answers. */
const LABEL =
  '(?:tel(?:ephone|[eé]fono)?|(?:cell|mobile|i)?phone|ph|cel(?:l|ular)?|mob(?:ile)?|m[oó]vil|' +
  'number|no|home|work|office|whatsapp|sms|text|[cmhwp])'
/** How links, cells of spreadsheets and address books begin that hold a number. */
const BEFORE_NUMBER = `^[\\s"'“‘]*(?:${LABEL}(?![a-z])[.:#/()\\s]*)*['"]?`
/** How they end; the run of blanks before it is tried from its first sign alone, in linear time. */
const AFTER_NUMBER = `(?:(?<![\\s(])(?:[\\s(]*(?<![a-z])${LABEL}\\)?)+|\\.0|[\\s"'”’,;])$`
const AROUND_NUMBER = new RegExp(`${BEFORE_NUMBER}|${AFTER_NUMBER}`, 'gi')
const SEPARATORS = /[\s().\-‐-―\u2212·•_/[\]]/gu
/** What is dialled before the code of a country: 011 in America, 00 in most others. */
const DIALLED_ABROAD = /^(?:011|00)(?=[1-9]\d{9})/
/** Telephones put signs of direction around a number that is copied out of their contacts. */
const UNSEEN = /\p{Cf}/gu
/** `+44 (0)20`: the zero is dialled at home alone. */
const ZERO_AT_HOME = /(?<=^\s*\+\s?[1-9]\d{0,2}[\s.-]?)\(0\)/u
/** The same zero without brackets, where no number of the country begins with one; in Italy some do. */
const ZERO_BEHIND_COUNTRY =
  /(?<=^\+(?:2[07]|3[1-3]|4[013469]|5[1458]|6[0-46]|8[1246]|9[0-2458]|2(?:1[23]|3[34]|5[14-6])|35[38]|38[01]|421|593|88[06]|96[126]|97[127]))0/
/** A number of the North American plan: neither the area code nor the exchange begins with 0 or 1. */
const AMERICAN = /^(?:\+?1)?([2-9]\d{2}[2-9]\d{6})$/
/** E.164: at most fifteen digits, of which the first are those of the country. `+1` is the American plan. */
const INTERNATIONAL = /^\+[2-9]\d{6,14}$/

export const EXPECTED_PHONE =
  'Expected a telephone number without an extension: ten digits as in (202) 555-0147, or + ' +
  'and the code of its country as in +44 161 496 0123.'

/**
 * The number in E.164, such as `+12025550147`, of one that a person typed: as Americans write it,
 * or with + and the code of its country. Undefined for anything else.
 */
export function phoneNumber(text: string): string | undefined {
  const dialled = text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(AROUND_NUMBER, '')
    .replace(ZERO_AT_HOME, '')
    .replace(SEPARATORS, '')
    .replace(DIALLED_ABROAD, '+')
    .replace(ZERO_BEHIND_COUNTRY, '')
  const [, american] = AMERICAN.exec(dialled) ?? []
  if (american !== undefined) return `+1${american}`
  return INTERNATIONAL.test(dialled) ? dialled : undefined
}

/** The number with its last four digits alone, of those that are not American without their count. */
export const maskPhone = (number: string) =>
  number.startsWith('+1') ? `(•••) •••-${number.slice(-4)}` : `••• ${number.slice(-4)}`

/** The number as a person reads it. */
export function spokenPhone(number: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? []
  return area === undefined ? number : `(${area}) ${exchange}-${line}`
}

/** Of a telephone number as it is typed, in characters. */
export const LONGEST_PHONE = 40

/** A telephone number in a request, in any of the forms that `phoneNumber` reads. */
export const phoneSchema = z
  .string()
  .max(LONGEST_PHONE)
  .check((payload) => {
    if (phoneNumber(payload.value) !== undefined) return
    const params = { expected: EXPECTED_PHONE }
    payload.issues.push({ code: 'custom', params, input: payload.value })
  })
