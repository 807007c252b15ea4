import * as z from 'zod'
import type { Practice } from './domain/practice.ts'
import { problem } from './domain/problem.ts'
import { DEFAULT_TIMEZONE, zoneSchema } from './domain/time.ts'

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const isLoopback = (url: string): boolean => LOOPBACK_HOSTS.includes(new URL(url).hostname)

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
  .transform((url) => new URL(url).origin)
const loopbackUrl = z.url().refine(isLoopback, 'must be a loopback address')
const seconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const secret = z.string().min(32)

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
  SCHEDULING_PROVIDER: z.enum(['calendly', 'calcom']).default('calendly'),
  SCHEDULING_PROVIDER_TOKEN: z.string().optional(),
  SCHEDULING_PROVIDER_BASE_URL: loopbackUrl.optional(),
  PAYMENT_PROVIDER: z.enum(['stripe']).default('stripe'),
  PAYMENT_PROVIDER_SECRET_KEY: z.string().optional(),
  PAYMENT_PROVIDER_BASE_URL: loopbackUrl.optional(),
  PAYMENT_LINK_STYLE: z.enum(['hosted_invoice', 'payment_link']).default('hosted_invoice'),
  SIGNING_SECRET: secret.optional(),
  SIGNING_SECRET_PREVIOUS: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(z.array(secret))
    .optional(),
  PUBLIC_URL: publicUrl.optional(),
  PRACTICE_NAME: z.string().max(100).default('the practice'),
  PRACTICE_TIMEZONE: zoneSchema.default(DEFAULT_TIMEZONE),
  SCHEDULING_PAGE_URL: z.url({ protocol: /^https?$/ }).optional(),
  EVENT_TYPES: eventTypes.optional(),
  CONFIRMATION_TTL_SECONDS: seconds(1, 86_400).default(900),
  PROVIDER_TIMEOUT_SECONDS: seconds(1, 60).default(12),
  ALERT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https')
    .optional(),
  ALLOW_ANONYMOUS: z.enum(['true', 'false']).default('false'),
  MOCK_FAULTS: z.string().default(''),
})

/** The names of all settings, for those who pass them on. */
export const SETTING_NAMES = Object.keys(schema.shape)

export type Settings = Omit<z.infer<typeof schema>, 'ALLOW_ANONYMOUS'> & {
  practice: Practice
  allowAnonymous: boolean
}

const parsed = new WeakMap<object, Settings>()

/** The settings, parsed once per environment. An empty value counts as missing. Raises `not_configured` naming each bad one. */
export function settingsFrom(env: object): Settings {
  const known = parsed.get(env)
  if (known) return known
  const given = Object.entries(env).filter(([name, value]) => SETTING_NAMES.includes(name) && value !== '')
  const result = schema.safeParse(Object.fromEntries(given))
  if (!result.success) {
    const names = [...new Set(result.error.issues.map((issue) => String(issue.path[0])))]
    throw problem('not_configured', {
      detail: `Not valid: ${names.join(', ')}. See the settings in README.md.`,
    })
  }
  const { EVENT_TYPES, ...rest } = result.data
  const [first, ...others] = EVENT_TYPES ?? [{ name: 'consult', id: 'mock_consult' }]
  const settings: Settings = {
    ...rest,
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
  return isLoopback(requestUrl) ? new URL(requestUrl).origin : ''
}
