const UNUSED_EIN_PREFIXES: ReadonlySet<string> = new Set(
  '00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '),
)

// Lengths by country (SWIFT IBAN registry): of every length, one text in five would pass mod 97 by chance.
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 ' +
    'es24 fi18 fo18 fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 ' +
    'lb28 lc32 li21 lt20 lu20 lv21 ly25 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 ' +
    'qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24 xk20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

/** Whether a social security number with these parts could have been issued. */
export const isSsn = (area: string, group: string, serial: string): boolean =>
  !/^(?:000|666|9..)$/.test(area) && group !== '00' && serial !== '0000'

/**
 * Whether these are the first two parts of an ITIN, or with 93 of an ATIN for a child that is being
 * adopted.
 */
export const isItin = (area: string, group: string): boolean =>
  area.startsWith('9') && /^(?:5\d|6[0-5]|7\d|8[0-8]|9\d)$/.test(group)

/** Whether employer numbers are issued with these first two digits (the list ages). */
export const isEinPrefix = (prefix: string): boolean => !UNUSED_EIN_PREFIXES.has(prefix)

export function luhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** How cards begin and how long they are, by issuer (ISO/IEC 7812). */
const CARDS = [
  /^3[47]\d{13}$/, // American Express
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/, // Mastercard
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^3(?:0[0-5]|[689]\d)\d{11}$/, // Diners Club
  /^(?:35(?:2[89]|[3-8]\d)|50\d\d|5[6-8]\d\d|6\d{3})\d{12,15}$/, // JCB, Maestro, Discover, UnionPay
]

/** Whether the digits begin as some issuer's cards do, are as many, and pass the Luhn check. */
export const isCard = (digits: string): boolean =>
  CARDS.some((card) => card.test(digits)) && luhn(digits)

/** Whether nine digits pass the 3-7-1 check of American bank routing numbers. */
export function isRoutingNumber(digits: string): boolean {
  let sum = 0
  for (const [place, digit] of digits.split('').entries())
    sum += Number(digit) * ([3, 7, 1][place % 3] ?? 0)
  return sum > 0 && sum % 10 === 0
}

/** The length of an IBAN of this country (two lower-case letters); undefined if it has none. */
export const ibanLength = (country: string): number | undefined => IBAN_LENGTHS.get(country)

/** Whether a lower-case IBAN without spaces passes the mod 97 check. */
export function isIban(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
