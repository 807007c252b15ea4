import * as z from 'zod'

import { forReading } from './sensitive-data/prepared-text.ts'
import { holdsTemplate } from './unfilled-template.ts'

/** Email domains so common that they reveal nothing about a person. */
const WELL_KNOWN_DOMAINS: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com ' +
    'icloud.com me.com ' +
    'mac.com aol.com proton.me protonmail.com gmx.com gmx.net fastmail.com zoho.com mail.com hey.com ' +
    'comcast.net verizon.net att.net sbcglobal.net'
  ).split(' '),
)

/** Endings that reveal nothing; others could be names. RFC 2606 reserves some, countries have two letters. */
const WELL_KNOWN_ENDING = /^(?:com|org|net|edu|gov|mil|int|info|biz|example|test|invalid|[a-z]{2})$/

const ADDRESS = new RegExp(
  String.raw`^([^\s@]+)@((?:[\p{L}\p{M}\p{N}_-]+\.)+(\p{L}[\p{L}\p{M}\p{N}-]{1,23})|\*{3}\.(\p{L}[\p{L}\p{M}\p{N}-]{1,23}|\*{3}))$`,
  'u',
)

/** Of an email address, in characters: SMTP carries no longer one (RFC 5321). */
export const LONGEST_EMAIL = 254

/**
 * What the standards let a mailbox be called without quotation marks (RFC 5322, dot-atom), which
 * `type=email` of HTML takes, too; and a domain with a dot in it, of a country with its own letters
 * as well.
 */
const MAILBOX =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z\d][A-Za-z\d-]*\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z\d-]+)$/

/** Nearly every address has these signs alone. */
const USUAL = /^[\w.+@-]*$/

/**
 * What the standards let a mailbox be called, and no one does: a mask (`j***@gmail.com`), a link, the
 * name of a field before the address, a name at a network (`/@jane`), a template.
 */
const isNoMailbox = (text: string) =>
  !USUAL.test(text) &&
  (/^[$#~]|\*|%[\da-f]{2}|[/=|?&]@|^(?:e-?mail|mail|correo|address|to)=/i.test(text) ||
    holdsTemplate(text))

/** An email address in a request; never a masked one, as `j***@gmail.com`. */
export const emailSchema = z
  .email({ pattern: MAILBOX })
  .max(LONGEST_EMAIL)
  .check(({ value, issues }) => {
    if (issues.length === 0 && isNoMailbox(value))
      issues.push({ code: 'invalid_format', format: 'email', input: value })
  })

/** One spelling for each mailbox: trimmed, NFC, with the domain in lower case. The local part stays. */
export function canonicalEmail(text: string): string {
  const address = text.trim().normalize('NFC')
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + address.slice(at + 1).toLowerCase()
}

/**
 * One form for addresses that differ in case alone: people write the same mailbox in either. Only
 * to compare.
 */
export const caselessEmail = (text: string) => canonicalEmail(text).toLowerCase()

/**
 * The spellings under which a provider may have an address, where it is not known whether case
 * counts there.
 */
export const spellingsOf = (email: string) => [
  ...new Set([canonicalEmail(email), caselessEmail(email)]),
]

/** Whether a domain is a well-known mail provider's, whose name may be shown. */
export const isWellKnownDomain = (domain: string) => WELL_KNOWN_DOMAINS.has(domain.toLowerCase())

/** Whether a domain ends as mail domains do that reveal nothing, such as `.com`, `.mx`. */
export const isWellKnownEnding = (ending: string) => WELL_KNOWN_ENDING.test(ending.toLowerCase())

/** Of a domain, in letters: a shorter one has too many neighbours. */
const SHORTEST_MISTYPED = 9
/** How thumbs write `.com` and `.net`; no domain ends so. */
const MISTYPED_ENDING = /\.(?:co[nl]|c[ip]m|ocm|cmo|[vx]om|comm|nett|ent)$/
/** Mail domains with many people that are nearly a better known one. Their names are masked as others are. */
const NEAR_AND_REAL: readonly string[] = ['email.com', 'y7mail.com']
const LONG_DOMAINS = [...WELL_KNOWN_DOMAINS].filter(({ length }) => length >= SHORTEST_MISTYPED)

/**
 * The well-known domain that a domain is but for a letter wrong, missing or too many, or for two letters
 * beside each other in the wrong order.
 */
function nearlyKnown(domain: string): string | undefined {
  for (const known of LONG_DOMAINS) {
    let start = 0
    while (start < known.length && domain[start] === known[start]) start += 1
    const [wrong, right] = [domain.slice(start), known.slice(start)]
    if (
      wrong.slice(1) === right.slice(1) ||
      wrong === right.slice(1) ||
      wrong.slice(1) === right ||
      (wrong[0] === right[1] && wrong[1] === right[0] && wrong.slice(2) === right.slice(2))
    )
      return known
  }
  return undefined
}

/** Mailboxes that no person reads, and what programs and examples write in place of an address. */
const UNREAD =
  String.raw`(?:do[._-]?not|no)[._-]?(?:reply|responder)\d*|(?:no|my)[._-]?e?mail|(?:sin|tu|mi)[._-]?correo|` +
  'none|null|undefined|unknown|anonymous'
const FIELD_NAMES =
  String.raw`your[._-]?(?:e?mail|name|address)[\w.-]*|email(?=@[eg]mail\.)|user(?:name)?|` +
  '(?:first|last|full)?[._-]?name|first(?:name)?[._-]?last(?:name)?'
const SAMPLES = String.raw`placeholder|sample|example|test(?:er|ing|[._-]?user)?\d*`
const SAMPLE_DOMAINS = String.raw`(?:test|domain|your-?(?:domain|company)|placeholder)\.(?:com|org|net)`
const NO_PERSONS = new RegExp(
  `^(?:${UNREAD}|${FIELD_NAMES}|${SAMPLES})(?:\\+[^@]*)?@|@${SAMPLE_DOMAINS}$`,
  'i',
)

/**
 * A warning about an address that may be mistyped, or that may be none of a person: a mail to it would
 * reach a stranger, or no one.
 */
export function mistypedWarnings(email: string): string[] {
  if (NO_PERSONS.test(email))
    return ['The email address reads like a placeholder, or no one reads its mail. Ask the person.']
  const domain = canonicalEmail(email).split('@').at(-1)!
  if (WELL_KNOWN_DOMAINS.has(domain) || NEAR_AND_REAL.includes(domain)) return []
  const near = nearlyKnown(domain)
  if (near === undefined && !MISTYPED_ENDING.test(domain)) return []
  const why = near === undefined ? 'has an ending that no domain has' : `is nearly ${near}`
  return [`The domain of the email address ${why}: it may be mistyped. Ask the person.`]
}

/**
 * An address with its whole domain, `j***@example.com`, for a person who decides about it;
 * undefined for a masked one.
 */
export function withWholeDomain(email: string): string | undefined {
  const address = canonicalEmail(email)
  const masked = maskEmail(address)
  if (masked === address || masked === '***') return undefined
  return masked.slice(0, masked.indexOf('@')) + address.slice(address.lastIndexOf('@'))
}

/** Masks an address: `j***@***.com`, with a common or country ending; `***` for anything else. Idempotent. */
export function maskEmail(text: string): string {
  const [, local = '', domain = '', tld = '', maskedTld] =
    ADDRESS.exec(forReading(text).trim()) ?? []
  if (local === '') return '***'
  const [first = '', ...others] = local
  // A name of one letter would be whole.
  const letter = others.length >= 1 && /[\p{L}\p{N}]/u.test(first) ? first : ''
  const ending = (maskedTld ?? tld).toLowerCase()
  const shown = isWellKnownDomain(domain)
    ? domain.toLowerCase()
    : `***.${isWellKnownEnding(ending) ? ending : '***'}`
  return `${letter}***@${shown}`
}
