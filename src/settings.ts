import * as z from 'zod'
import type { Practice } from './domain/practice.ts'
import { faultScriptSchema } from './domain/mock-fault.ts'
import { placeOf } from './domain/place.ts'
import { problem } from './domain/problem.ts'
import { RATES, type Rate } from './domain/rate-limit.ts'
import { DEFAULT_TIMEZONE, zoneSchema } from './domain/time.ts'

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is one of this machine. False for what is no URL at all: every check of a setting is run, also after another has failed. */
export const isLoopback = (url: string): boolean => LOOPBACK_HOSTS.includes(placeOf(url)?.hostname ?? '')
const isOrigin = (url: string): boolean =>
  URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/` && !url.includes('*')

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
  .transform((url) => new URL(url).origin)
const pageOrigin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
  .refine(isOrigin, 'must be an origin, without a path')
  .transform((url) => (URL.canParse(url) ? new URL(url).origin : url))
const loopbackUrl = z.url().refine(isLoopback, 'must be a loopback address')
const seconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const secret = z.string().min(32)
const apiVersion = z.string().regex(/^\d{4}-\d\d-\d\d$/)

const eventTypes = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' })
      return z.NEVER
    }
  })
  .pipe(
    z.record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
      z.strictObject({ id: z.string().min(1).max(200) }),
    ),
  )
  .transform((byName) => Object.entries(byName).map(([name, { id }]) => ({ name, id })))
  .refine((list) => list.length > 0, 'must name at least one event type')

const schema = z.object({
  SCHEDULING_PROVIDER: z
    .enum(['calendly', 'calcom'])
    .default('calendly')
    .meta({ description: 'Which scheduling provider the practice uses: `calendly` or `calcom`.' }),
  SCHEDULING_PROVIDER_TOKEN: z.string().optional().meta({
    description: 'Secret. The token of the scheduling provider; without it scheduling is a mock.',
  }),
  SCHEDULING_PROVIDER_BASE_URL: loopbackUrl.optional().meta({
    description: 'Another address of the scheduling provider; loopback only, for tests and rehearsal.',
  }),
  CALCOM_BOOKINGS_VERSION: apiVersion.optional().meta({
    description: 'The version of the Cal.com API for bookings, where the built-in one must change.',
  }),
  CALCOM_SLOTS_VERSION: apiVersion.optional().meta({
    description: 'The version of the Cal.com API for slots, where the built-in one must change.',
  }),
  CALCOM_EVENT_TYPES_VERSION: apiVersion.optional().meta({
    description: 'The version of the Cal.com API for event types, where the built-in one must change.',
  }),
  PAYMENT_PROVIDER: z
    .enum(['stripe'])
    .default('stripe')
    .meta({ description: 'Which payment provider the practice uses: `stripe`.' }),
  PAYMENT_PROVIDER_SECRET_KEY: z.string().optional().meta({
    description: 'Secret. The key of the payment provider; without it payments are a mock.',
  }),
  PAYMENT_PROVIDER_BASE_URL: loopbackUrl.optional().meta({
    description: 'Another address of the payment provider; loopback only, for tests and rehearsal.',
  }),
  PAYMENT_LINK_STYLE: z.enum(['hosted_invoice', 'payment_link']).default('hosted_invoice').meta({
    description:
      'What a payment link is: the hosted page of the invoice (`hosted_invoice`), or a link of its own (`payment_link`).',
  }),
  SIGNING_SECRET: secret.optional().meta({
    description:
      'Secret, 32 characters or more. Signs confirmation tokens and client ids, and keys the hashes. Without it every operation answers `not_configured`.',
  }),
  SIGNING_SECRET_2: secret.optional().meta({
    description:
      'Secret. The next signing secret, then `SIGNING_SECRET_3`, up to 99: the one with the highest number signs, and what the others signed holds as long as they are there. `npm run rotate-secret` makes it.',
  }),
  SIGNING_SECRET_PREVIOUS: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(secret))
    .optional()
    .meta({
      description: 'Secret. Earlier signing secrets, separated by commas: what they signed still holds.',
    }),
  PUBLIC_URL: publicUrl.optional().meta({
    description:
      'The public address of this service, https. It stands in links and in payment links; the Host header never does, except on loopback.',
  }),
  PRACTICE_NAME: z
    .string()
    .max(100)
    .default('the practice')
    .meta({ description: 'The name of the practice, at most 100 characters.' }),
  PRACTICE_TIMEZONE: zoneSchema
    .default(DEFAULT_TIMEZONE)
    .meta({ description: 'The IANA time zone of the practice.' }),
  SCHEDULING_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'The page on which a person can book by hand.' }),
  EVENT_TYPES: eventTypes.optional().meta({
    description:
      'The kinds of consult, as JSON: `{"consult":{"id":"the id of the provider"}}`. The first is the default. Without it there is one, `consult`.',
  }),
  CONFIRMATION_TTL_SECONDS: seconds(1, 86_400)
    .default(900)
    .meta({ description: 'How long a preview can be committed, in seconds: 1 to 86400.' }),
  PROVIDER_TIMEOUT_SECONDS: seconds(1, 60)
    .default(12)
    .meta({ description: 'How long a provider may take to answer, in seconds: 1 to 60.' }),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(730)
    .meta({ description: 'How long an entry of the audit trail is kept, in days: 1 to 36500.' }),
  OWNER_KEY_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .meta({
      description: "Secret. The SHA-256 of the owner's first API key, in hex; that key may do everything.",
    }),
  OWNER_ENROLMENT_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .meta({
      description:
        "Secret. The SHA-256 of the token in the owner's enrolment link, in hex. The link works once, until the time that stands in it.",
    }),
  ALERT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
    .optional()
    .meta({ description: 'Where to post that an operation needs a person; nothing personal is in it.' }),
  RATE_LIMITS: z
    .enum(['off', ...(Object.keys(RATES) as Rate[])])
    .default('normal')
    .meta({
      description: `How many calls one caller has in a minute: ${Object.entries(RATES)
        .map(([rate, { reads, changes }]) => `\`${rate}\` ${reads} and ${changes} changes`)
        .join(', ')}, or \`off\`. Off under \`npm start\`.`,
    }),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .pipe(z.array(pageOrigin))
    .meta({
      description:
        'The origins whose pages may call from a browser (CORS), separated by commas: `https://app.example.com`. By default none.',
    }),
  ALLOW_ANONYMOUS: z.enum(['true', 'false']).default('false').meta({
    description:
      'Lets callers in without a credential, for a local trial. Ignored as soon as a real provider is connected.',
  }),
  MOCK_FAULTS: faultScriptSchema.default([]).meta({
    description:
      'What goes wrong with the mock providers, for rehearsal: `book:timeout_after,link:busy`. See docs/operations.md.',
  }),
})

/** The names of all settings, for those who pass them on. */
export const SETTING_NAMES = Object.keys(schema.shape)

/** The signing secrets that followed the first one; a secret cannot be read back, so its name tells its age. */
const NUMBERED_SECRET = /^SIGNING_SECRET_([2-9]|[1-9]\d)$/

/** The number of a signing secret by its name, the first being 1; undefined for any other name. */
export const signingSecretNumber = (name: string): number | undefined =>
  name === 'SIGNING_SECRET' ? 1 : Number(NUMBERED_SECRET.exec(name)?.[1]) || undefined

/** Whether this is the name of a setting. */
export const isSetting = (name: string): boolean =>
  SETTING_NAMES.includes(name) || signingSecretNumber(name) !== undefined

/** The names of those whose value nobody may read: they are secrets of the Worker, all others are vars. */
export const SECRET_NAMES = Object.entries(schema.shape).flatMap(([name, { description }]) =>
  description?.startsWith('Secret') ? [name] : [],
)

/** Whether this is the name of a secret. */
export const isSecret = (name: string): boolean =>
  SECRET_NAMES.includes(name) || signingSecretNumber(name) !== undefined

/** Each setting with what it is for and what stands in where it is missing, for the reference. */
export const settingNotes = () =>
  Object.entries(schema.shape).map(([name, field]) => ({
    name,
    description: field.description ?? '',
    fallback: field.safeParse(undefined).data,
  }))

export type Settings = Omit<z.infer<typeof schema>, 'ALLOW_ANONYMOUS'> & {
  practice: Practice
  allowAnonymous: boolean
  /** The one that signs first, then those that only verify; empty where none is set. */
  signingSecrets: string[]
}

const parsed = new WeakMap<object, Settings>()

/** The settings, parsed once per environment. An empty value counts as missing. Raises `not_configured` naming each bad one. */
export function settingsFrom(env: object): Settings {
  const known = parsed.get(env)
  if (known) return known
  const given = Object.entries(env).filter(([name, value]) => isSetting(name) && value !== '')
  const secrets = given
    .filter(([name]) => signingSecretNumber(name) !== undefined)
    .toSorted(([a], [b]) => signingSecretNumber(b)! - signingSecretNumber(a)!)
  const result = schema.safeParse(Object.fromEntries(given))
  const badSecrets = secrets.filter(([, value]) => !secret.safeParse(value).success)
  if (!result.success || badSecrets.length > 0) {
    const issues = result.error?.issues.map((issue) => String(issue.path[0])) ?? []
    const names = [...new Set([...issues, ...badSecrets.map(([name]) => name)])]
    throw problem('not_configured', {
      detail: `Not valid: ${names.join(', ')}. See docs/reference/settings.md.`,
    })
  }
  const { EVENT_TYPES, ...rest } = result.data
  const [first, ...others] = EVENT_TYPES ?? [{ name: 'consult', id: 'mock_consult' }]
  const settings: Settings = {
    ...rest,
    signingSecrets:
      secrets.length === 0
        ? []
        : [...secrets.map(([, value]) => String(value)), ...(rest.SIGNING_SECRET_PREVIOUS ?? [])],
    practice: {
      name: rest.PRACTICE_NAME,
      timezone: rest.PRACTICE_TIMEZONE,
      schedulingPageUrl: rest.SCHEDULING_PAGE_URL ?? null,
      eventTypes: [first!, ...others],
    },
    allowAnonymous: rest.ALLOW_ANONYMOUS === 'true' && !usesRealProvider(rest),
  }
  parsed.set(env, settings)
  return settings
}

/** A live adapter against a host that is not loopback: anonymous callers are then never let in. */
const usesRealProvider = (settings: z.infer<typeof schema>): boolean =>
  (settings.SCHEDULING_PROVIDER_TOKEN !== undefined && settings.SCHEDULING_PROVIDER_BASE_URL === undefined) ||
  (settings.PAYMENT_PROVIDER_SECRET_KEY !== undefined && settings.PAYMENT_PROVIDER_BASE_URL === undefined)

/**
 * The public address of this service: the setting, or on loopback the address that was called. Empty when there is
 * neither, since a Host header proves nothing.
 */
export function originOf(settings: Settings, requestUrl: string): string {
  if (settings.PUBLIC_URL !== undefined) return settings.PUBLIC_URL
  return isLoopback(requestUrl) ? (placeOf(requestUrl)?.origin ?? '') : ''
}
