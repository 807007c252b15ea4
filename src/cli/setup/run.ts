import type { FullAsker } from '../prompts.ts'
import { Refused, checked } from '../local-settings.ts'
import { SETTINGS_FILE, settingsFileIn } from '../settings-file.ts'
import { Stop } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'
import type { Given } from './arguments.ts'
import { type NamedEventType, chosen, eventTypesSetting, listed, named } from './event-types.ts'
import { interview, interviewPayments, interviewTypes } from './interview.ts'
import {
  type ProviderAddresses,
  type SchedulingProvider,
  checkPayments,
  eventTypesAt,
  freeTimesAt,
} from './providers.ts'

export interface SetupRun {
  given: Given
  root: string
  terminal: Terminal
  /** Undefined where nobody is there to answer: then what was given has to do. */
  asker: FullAsker | undefined
  addresses: ProviderAddresses
}

/** Asks, checks with the providers, and writes at the end, all at once or nothing. Raises `Stop`. */
export async function setup({ given, root, terminal, asker, addresses }: SetupRun): Promise<void> {
  const file = settingsFileIn(root)
  const { vars } = file.read()
  const known = {
    practiceName: vars['PRACTICE_NAME'],
    timezone: vars['PRACTICE_TIMEZONE'],
    schedulingPage: vars['SCHEDULING_PAGE_URL'],
  }
  const about = asker ? await interview(asker, given, known) : given
  const changes: Record<string, string | undefined> = {
    ...(about.practiceName !== undefined && { PRACTICE_NAME: about.practiceName }),
    ...(about.timezone !== undefined && { PRACTICE_TIMEZONE: about.timezone }),
    ...(about.schedulingPage !== undefined && { SCHEDULING_PAGE_URL: about.schedulingPage }),
  }
  validate({ ...vars, ...changes })

  const { provider, token } = about
  if (provider === 'none') {
    Object.assign(changes, { SCHEDULING_PROVIDER_TOKEN: undefined })
    terminal.same('Calendar', unchanged('token'))
  } else if (provider !== undefined || token !== undefined) {
    const at = provider ?? storedProvider(vars)
    if (token === undefined) throw noToken('SCHEDULING_PROVIDER_TOKEN')
    const types = await schedulingTypes({ provider: at, token, about, terminal, asker, addresses })
    Object.assign(changes, {
      SCHEDULING_PROVIDER: at,
      SCHEDULING_PROVIDER_TOKEN: token,
      EVENT_TYPES: eventTypesSetting(types),
    })
  }

  const paying = asker ? await interviewPayments(asker, about) : about
  if (paying.payments === 'none') {
    Object.assign(changes, { PAYMENT_PROVIDER_SECRET_KEY: undefined })
    terminal.same('Payments', unchanged('key'))
  } else if (paying.payments === 'stripe' || paying.paymentKey !== undefined) {
    const key = paying.paymentKey
    if (key === undefined) throw noToken('PAYMENT_PROVIDER_SECRET_KEY')
    await terminal.during('Payments', 'asking Stripe', () => checkPayments(key, addresses.payments))
    terminal.done('Payments', `Stripe accepts the key; it reads invoices${isTest(key) ? ' (test mode)' : ''}`)
    Object.assign(changes, { PAYMENT_PROVIDER_SECRET_KEY: key })
  }

  if (Object.keys(changes).length === 0)
    throw new Stop(
      'Nothing was said, and nobody is at a terminal to ask.',
      'npm run setup -- --help lists what can be said.',
    )
  validate({ ...vars, ...defined(changes) })
  file.write(changes)
  terminal.done('Settings', `written to ${SETTINGS_FILE}, which git ignores and only you can read`)
  terminal.line('\nNext: npm run deploy. It hands the tokens to Cloudflare and takes them out of the file.')
}

interface Scheduling {
  provider: SchedulingProvider
  token: string
  about: Given
  terminal: Terminal
  asker: FullAsker | undefined
  addresses: ProviderAddresses
}

/** The event types that were chosen, each of them checked by reading its free times. */
async function schedulingTypes({
  provider,
  token,
  about,
  terminal,
  asker,
  addresses,
}: Scheduling): Promise<NamedEventType[]> {
  const name = provider === 'calendly' ? 'Calendly' : 'Cal.com'
  const types = await terminal.during('Calendar', `asking ${name}`, () =>
    eventTypesAt(provider, token, addresses.scheduling),
  )
  terminal.done(
    'Calendar',
    `${name} accepts the token; it shows ${types.length} event type${types.length === 1 ? '' : 's'}`,
  )
  if (types.length === 0)
    throw new Stop(
      `There is no event type in ${name} that this token can book.`,
      `Make one in ${name}, then run npm run setup again.`,
    )
  const picked = await pick()
  const free = await terminal.during('Calendar', 'reading the free times', () =>
    freeTimesAt(provider, token, picked, addresses.scheduling),
  )
  for (const one of picked)
    terminal.done(
      'Consult',
      `${one.name}: ${one.title}, ${free.find((times) => times.name === one.name)?.free ?? 0} free times in the next 7 days`,
    )
  return picked

  async function pick(): Promise<NamedEventType[]> {
    if (about.eventTypes.length > 0) return chosen(about.eventTypes, types)
    if (asker) return named(await interviewTypes(asker, types))
    if (types.length === 1) return named(types)
    throw new Stop(
      `There are ${types.length} event types:\n${listed(types)}`,
      'Say which: --event-type "<title or id>"',
    )
  }
}

/** A secret that was handed over cannot be seen from here, and a deploy does not take it back. */
const unchanged = (secret: 'token' | 'key'): string =>
  `a rehearsal; but a ${secret} that was handed to Cloudflare before stays in use (docs/deploy.md says how to end that)`

function storedProvider(vars: Record<string, string>): SchedulingProvider {
  return vars['SCHEDULING_PROVIDER'] === 'calcom' ? 'calcom' : 'calendly'
}

const noToken = (name: string): Stop =>
  new Stop(
    `${name} is not set.`,
    `Set it in the environment of this command, or give it with --secrets-from-stdin.`,
  )

const isTest = (key: string): boolean => /^[a-z]+_test_/.test(key)

const defined = (changes: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

function validate(vars: Record<string, string | undefined>): void {
  try {
    checked(defined(vars))
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown
    throw new Stop(thrown.message, 'Correct that, then run npm run setup again: nothing was written.')
  }
}
