import * as z from 'zod'

import { RETENTION_DAYS } from './domain/audit/leaf.ts'
import { BOOKING_FIELDS } from './domain/booking-asks.ts'
import { faultScriptSchema } from './domain/mock-booking.ts'
import { isLoopback } from './domain/origin.ts'
import { UNNAMED } from './domain/practice.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS, namesOf } from './domain/providers.ts'
import { RATES, type Rate } from './domain/rate-limit.ts'
import { DEFAULT_TIMEZONE, zoneSchema } from './domain/time/time.ts'
import { hasDoubledName, jsonIn } from './json.ts'

const isOrigin = (url: string) =>
  URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/` && !url.includes('*')

const safeUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
const originIn = (url: string) => new URL(url).origin
const publicUrl = safeUrl.transform(originIn)
const pageOrigin = safeUrl.refine(isOrigin, 'must be an origin, without a path').transform(originIn)
const loopbackUrl = z.url().refine(isLoopback, 'must be a loopback address')
const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const sha256InHex = z.string().regex(/^[0-9a-f]{64}$/)
/**
 * A token as a header carries it. Of any other text the runtime writes a warning to the log, with
 * the whole of it.
 */
export const credential = z
  .string()
  .trim()
  .regex(/^[!-~]+$/)
/** A signing secret, whatever its number. */
export const secret = z.string().min(32)

const byCommas = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((one) => one.trim() || []))

/** A telephone number as people write it, on one line. */
export const practicePhone = z
  .string()
  .trim()
  .max(40)
  .regex(/^[+(]?[\d ().-]*\d\d(?:,? (?:ext\.?|x) ?\d{1,6})?$/i)

const notice = z.string().max(4000)
const terms = z.string().trim().max(500)

/** The name of one provider in a registry, by default the first. */
function providerSetting<Name extends string>(kind: string, registry: Record<Name, unknown>) {
  const names = namesOf(registry)
  return z
    .enum(names)
    .default(names[0] as never)
    .describe(
      `Which ${kind} provider the practice uses: ` +
        `${names.map((name) => `\`${name}\``).join(' or ')}.`,
    )
}

const eventTypes = z
  .string()
  .transform((text, context) => {
    const value = jsonIn(text)
    // Of a name that stands twice, one of the two kinds would be lost.
    if (value !== undefined && !hasDoubledName(text)) return value
    context.addIssue({ code: 'custom', message: 'must be JSON with each name once' })
    return z.NEVER
  })
  .pipe(
    z.record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
      z.strictObject({ id: z.string().min(1).max(200) }),
    ),
  )
  .transform((byName) => Object.entries(byName).map(([name, { id }]) => ({ name, id })))
  .refine((list) => list.length > 0, 'must name at least one event type')

export const schema = z.object({
  SCHEDULING_PROVIDER: providerSetting('scheduling', SCHEDULING_PROVIDERS),
  SCHEDULING_PROVIDER_TOKEN: credential.optional().meta({
    isSecret: true,
    description:
      'The token of the scheduling provider, in one piece, without blanks or quotation marks; ' +
      'without it scheduling is a mock.',
  }),
  SCHEDULING_PROVIDER_BASE_URL: loopbackUrl
    .optional()
    .describe('Another address of the scheduling provider; loopback only, for tests.'),
  PAYMENT_PROVIDER: providerSetting('payment', PAYMENT_PROVIDERS),
  PAYMENT_PROVIDER_SECRET_KEY: credential.optional().meta({
    isSecret: true,
    description:
      'The key of the payment provider, in one piece, without blanks or quotation marks; ' +
      'without it payments are a mock.',
  }),
  PAYMENT_PROVIDER_BASE_URL: loopbackUrl
    .optional()
    .describe('Another address of the payment provider; loopback only, for tests.'),
  PAYMENT_LINK_STYLE: z
    .enum(['hosted_invoice', 'payment_link'])
    .default('hosted_invoice')
    .describe(
      'The kind of payment link: the hosted page of the invoice (`hosted_invoice`), or a ' +
        'link of its own (`payment_link`).',
    ),
  SIGNING_SECRET: secret.optional().meta({
    isSecret: true,
    description:
      'At least 32 characters. It signs confirmation tokens and client ids, and keys ' +
      'the hashes. Without it every operation answers `not_configured`.',
  }),
  SIGNING_SECRET_2: secret.optional().meta({
    isSecret: true,
    description:
      'The next signing secret, then `SIGNING_SECRET_3`, up to 99. ' +
      'The one with the highest number signs, all verify. `npm run rotate-secret` makes it.',
  }),
  PUBLIC_URL: publicUrl
    .optional()
    .describe(
      'The public https address of this service, used in links and payment links; ' +
        'the Host header is used on loopback only.',
    ),
  PRACTICE_NAME: z
    .string()
    .max(100)
    .default(UNNAMED.en)
    .describe('The name of the practice, at most 100 characters.'),
  PRACTICE_PHONE: practicePhone
    .optional()
    .describe(
      'The telephone number on which clients reach the practice, such as `555-0142`. ' +
        'The page of a client link says whom to call; without it the pages omit that ' +
        'sentence.',
    ),
  PRACTICE_TIMEZONE: zoneSchema
    .default(DEFAULT_TIMEZONE)
    .describe('The time zone of the practice, as `America/Chicago` (an IANA name).'),
  SCHEDULING_PAGE_URL: safeUrl
    .optional()
    .describe('The address (`https://…`) of the page on which a person can book by hand.'),
  CLIENT_LINK_NOTICE: notice
    .optional()
    .describe(
      'A notice of yours in plain text, at most 4,000 characters: the page on which ' +
        'clients type shows it above its button, with a box to tick.',
    ),
  CLIENT_LINK_NOTICE_ES: notice
    .optional()
    .describe(
      'The same notice in Spanish, for clients who read that page in Spanish. ' +
        'Without it they see `CLIENT_LINK_NOTICE`, marked as English.',
    ),
  BOOKING_TERMS: terms
    .optional()
    .describe(
      'Your terms for a consult in plain text, at most 500 characters, such as what a late ' +
        'cancellation costs. The preview of a booking shows them whole, and the page on ' +
        'which clients type shows them above its button. ' +
        'A person who approves a booking also approves them.',
    ),
  BOOKING_TERMS_ES: terms
    .optional()
    .describe(
      'The same terms in Spanish, for clients who read the page of a client link in ' +
        'Spanish. Without them they see `BOOKING_TERMS`, marked as English.',
    ),
  BOOKING_ASKS: byCommas
    .pipe(z.array(z.enum(BOOKING_FIELDS)))
    .describe(
      'The questions, besides name and address, for which booking offers a field: any of ' +
        `${BOOKING_FIELDS.map((one) => `\`${one}\``).join(', ')}, separated by commas. ` +
        '`npm run setup` sets it from the kinds of consult that it reads. By default none.',
    ),
  EVENT_TYPES: eventTypes
    .optional()
    .describe(
      'The kinds of consult, as JSON: `{"consult":{"id":"the id of the provider"}}`. ' +
        'The first is the default. Without it there is one, `consult`.',
    ),
  CONFIRMATION_TTL_SECONDS: wholeNumber(1, 86_400)
    .default(900)
    .describe('How long a preview can be committed, in seconds: 1 to 86400.'),
  PROVIDER_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(12)
    .describe('How long a provider may take to answer, in seconds: 1 to 60.'),
  AUDIT_RETENTION_DAYS: wholeNumber(1, 36_500)
    .default(RETENTION_DAYS)
    .describe(
      'How long an entry of the audit log is kept, in days: 1 to 36500. ' +
        '`731` is two years, `2192` six, `2557` seven. If it is below `2192`, tell those who ' +
        'check packs: their check reports a pack as wrong if entries of the last six years ' +
        'are missing.',
    ),
  OWNER_KEY_SHA256: sha256InHex.optional().meta({
    isSecret: true,
    description: "The SHA-256 of the owner's first API key, in hex; that key may do everything.",
  }),
  OWNER_ENROLMENT_SHA256: sha256InHex.optional().meta({
    isSecret: true,
    description:
      "The SHA-256 of the token in the owner's enrolment link, in hex. " +
      'The link works once, until it expires.',
  }),
  TRIAL_LINK_SHA256: sha256InHex
    .optional()
    .describe(
      "The SHA-256 of the token in a link to a trial session of the owner's console, " +
        'which `npm start` prints. Good only on loopback, in a local trial with mock ' +
        'providers alone.',
    ),
  TRIAL_KEY_SHA256: sha256InHex
    .optional()
    .describe(
      'The SHA-256 of the API key that `npm start` prints, in hex. ' +
        'That key is the caller `trial`, granted the reads and client links. It is accepted only ' +
        'on loopback, in a local trial whose providers are all mocks.',
    ),
  ALERT_WEBHOOK_URL: safeUrl
    .optional()
    .describe(
      'The address (`https://…`) to which an alert is posted when an operation or a change needs a ' +
        'person. An alert contains no personal data. ntfy, Slack and Teams are recognised ' +
        'by their host; every other receiver gets JSON with `text` and `url`.',
    ),
  SECURITY_CONTACT: z
    .string()
    .max(200)
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/)
    .optional()
    .describe(
      'The public address to which security problems of this connector are reported: ' +
        '`mailto:…`, `https://…` or `tel:…`. `/.well-known/security.txt` says it; ' +
        'without it there is no such file.',
    ),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[02-9ac-hj-np-z]{58}$/)
    .optional()
    .describe(
      'The public half of the key that backups are encrypted to. ' +
        '`npm run backup -- --new-key` makes the key, and the file with its other half ' +
        'stays with you.',
    ),
  RESTORED_AT: z.iso
    .datetime()
    .optional()
    .describe(
      'When this connector was restored from a backup. `npm run restore` sets it; ' +
        'for 31 days the connector takes into account that later changes were lost.',
    ),
  RESTORE_SHA256: sha256InHex.optional().meta({
    isSecret: true,
    description:
      'While `npm run restore` fills this connector: the SHA-256 of its token ' +
      'and of its file. Everything else is refused until it is removed.',
  }),
  RATE_LIMITS: z
    .enum(['off', ...(Object.keys(RATES) as Rate[])])
    .default('normal')
    .describe(
      `How many calls one caller may make in a minute: ${Object.entries(RATES)
        .map(([rate, { reads, changes }]) => `\`${rate}\` ${reads} and ${changes} changes`)
        .join(', ')}, or \`off\`. Off under \`npm start\`.`,
    ),
  ALLOWED_ORIGINS: byCommas
    .pipe(z.array(pageOrigin))
    .describe(
      'The origins whose pages may call from a browser (CORS), separated by commas: ' +
        '`https://app.example.com`. By default none.',
    ),
  ALLOW_ANONYMOUS: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'Allows calls without a credential, for a local trial. ' +
        'Ignored on a deployed Worker, where `PUBLIC_URL` is not an address of this machine, ' +
        'and as soon as a live provider is connected.',
    ),
  MOCK_FAULTS: faultScriptSchema
    .default([])
    .describe(
      'Faults of the mock providers, for trials: `book:timeout_after,link:busy`. See docs/operate/local.md.',
    ),
})
