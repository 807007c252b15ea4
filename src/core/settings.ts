import type * as z from 'zod'

import type { Mode } from './domain/mode.ts'
import { isLoopback, parseOrigin } from './domain/origin.ts'
import type { Practice } from './domain/practice.ts'
import { problem } from './domain/problem/problem.ts'
import { DAY } from './domain/time/duration.ts'
import { schema, secret } from './settings-schema.ts'

export const SETTING_NAMES = Object.keys(schema.shape)

/** The later signing secrets. A secret cannot be read back, so its name says how new it is. */
const NUMBERED_SECRET = /^SIGNING_SECRET_([2-9]|[1-9]\d)$/

/** The number of a signing secret by its name, the first being 1; undefined for any other name. */
export const signingSecretNumber = (name: string) =>
  name === 'SIGNING_SECRET' ? 1 : Number(NUMBERED_SECRET.exec(name)?.[1]) || undefined

export const isSetting = (name: string) =>
  SETTING_NAMES.includes(name) || signingSecretNumber(name) !== undefined

/** The settings that are secrets of the Worker; all others are vars. */
export const SECRET_NAMES = Object.entries(schema.shape).flatMap(([name, field]) =>
  field.meta()?.['isSecret'] === true ? [name] : [],
)

export const isSecret = (name: string) =>
  SECRET_NAMES.includes(name) || signingSecretNumber(name) !== undefined

/** Each setting with its purpose and its default, for the reference. */
export const settingNotes = () =>
  Object.entries(schema.shape).map(([name, field]) => ({
    name,
    description: `${isSecret(name) ? 'Secret. ' : ''}${field.description ?? ''}`,
    fallback: field.safeParse(undefined).data,
  }))

export type Settings = z.infer<typeof schema> & {
  practice: Practice
  /** What becomes of ALLOW_ANONYMOUS: outside a local trial it is ignored. */
  allowAnonymous: boolean
  /** The one that signs, then those that only verify; empty if none is set. */
  signingSecrets: string[]
  /** Whether each provider is live or a mock. */
  modes: { scheduling: Mode; payments: Mode }
  /** Whether any provider is live. */
  isLive: boolean
}

const parsed = new WeakMap<object, Settings>()

/**
 * The settings, parsed once per environment. An empty value counts as missing. Raises
 * `not_configured` naming each bad one.
 */
export function settingsFrom(env: object): Settings {
  const known = parsed.get(env)
  if (known) return known
  const given = Object.entries(env).filter(
    ([name, value]) => isSetting(name) && String(value).trim() !== '',
  )
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
      next_step: 'Tell the owner of the practice: correct them, then run `npm run deploy`.',
    })
  }
  const { EVENT_TYPES, ...rest } = result.data
  const modes = {
    scheduling: modeWith(rest.SCHEDULING_PROVIDER_TOKEN),
    payments: modeWith(rest.PAYMENT_PROVIDER_SECRET_KEY),
  }
  const [first, ...others] = EVENT_TYPES ?? [{ name: 'consult', id: 'mock_consult' }]
  const settings: Settings = {
    ...rest,
    signingSecrets: secrets.map(([, value]) => String(value)),
    modes,
    isLive: Object.values(modes).includes('live'),
    practice: {
      name: rest.PRACTICE_NAME,
      phone: rest.PRACTICE_PHONE || null,
      timezone: rest.PRACTICE_TIMEZONE,
      schedulingPageUrl: rest.SCHEDULING_PAGE_URL ?? null,
      clientLinkNotice: {
        en: rest.CLIENT_LINK_NOTICE ?? null,
        es: rest.CLIENT_LINK_NOTICE_ES ?? null,
      },
      bookingTerms: { en: rest.BOOKING_TERMS || null, es: rest.BOOKING_TERMS_ES || null },
      bookingAsks: rest.BOOKING_ASKS,
      eventTypes: [first!, ...others],
    },
    allowAnonymous: rest.ALLOW_ANONYMOUS === 'true' && isOnOneMachine(rest, env),
  }
  parsed.set(env, settings)
  return settings
}

const modeWith = (credential: string | undefined): Mode =>
  credential === undefined ? 'mock' : 'live'

/** The same; undefined where one of them is not valid. */
export function settingsOrNone(env: object): Settings | undefined {
  try {
    return settingsFrom(env)
  } catch {
    return undefined
  }
}

/** Settings that belong to one installation, or to a trial. */
const NOT_BACKED_UP =
  /^(RESTORED_AT|ALLOW_ANONYMOUS|TRIAL_LINK_SHA256|TRIAL_KEY_SHA256|MOCK_FAULTS|.*_BASE_URL)$/

/**
 * What a backup holds of the settings: of the secrets, those that no one could make again; and no
 * token of a provider.
 */
export function backedUpSettings(env: object) {
  const isKept = (name: string) =>
    isSecret(name)
      ? name === 'OWNER_KEY_SHA256' || signingSecretNumber(name) !== undefined
      : isSetting(name) && !NOT_BACKED_UP.test(name)
  const kept = Object.entries<string>({ ...env }).filter(
    ([name, value]) => value !== '' && isKept(name),
  )
  const those = (secret: boolean) =>
    Object.fromEntries(kept.filter(([name]) => isSecret(name) === secret))
  return { secrets: those(true), settings: those(false) }
}

/** Longer than a flow is kept. */
const RESTORED_FOR = 31 * DAY

/** Whether a restore was so short a time ago that someone may still ask for what it has lost. */
export function isRestoredLately(env: object): boolean {
  const { RESTORED_AT } = settingsFrom(env)
  return RESTORED_AT !== undefined && Date.now() - Date.parse(RESTORED_AT) < RESTORED_FOR
}

/**
 * The var that names an upload: `<hash of the source>.<number of the run>`. The connector reads
 * only that it is there.
 */
export const SOURCE_VAR = 'DEPLOYED_SOURCE'

/**
 * What only a deployed Worker has: the version that Cloudflare fills in, by wrangler.toml, and the
 * note of the deploy command.
 */
const DEPLOYED = ['DEPLOYED_VERSION', SOURCE_VAR]

/** Whether these bindings are those of a deployed Worker. */
export const isDeployed = (env: object) => DEPLOYED.some((name) => name in env)

/**
 * Whether this runs on one machine, for that machine: not deployed, under no public address, and
 * with no real provider.
 */
const isOnOneMachine = (settings: z.infer<typeof schema>, env: object) =>
  !isDeployed(env) &&
  (settings.PUBLIC_URL === undefined || isLoopback(settings.PUBLIC_URL)) &&
  (settings.SCHEDULING_PROVIDER_TOKEN === undefined ||
    settings.SCHEDULING_PROVIDER_BASE_URL !== undefined) &&
  (settings.PAYMENT_PROVIDER_SECRET_KEY === undefined ||
    settings.PAYMENT_PROVIDER_BASE_URL !== undefined)

/**
 * The public address: the setting, or on loopback the address of the request. Otherwise empty: a
 * Host header proves nothing.
 */
export function originOf(settings: Settings, requestUrl: string): string {
  if (settings.PUBLIC_URL !== undefined) return settings.PUBLIC_URL
  return isLoopback(requestUrl) ? (parseOrigin(requestUrl)?.origin ?? '') : ''
}
