import { accessSync, constants } from 'node:fs'

import { counted, pluralOf } from '../../core/domain/plural.ts'
import {
  PAYMENT_PROVIDERS,
  type Provider,
  SCHEDULING_PROVIDERS,
  namesOf,
} from '../../core/domain/providers.ts'
import { zoneSchema } from '../../core/domain/time/time.ts'
import { CliError, type Terminal } from '../command.ts'
import type { Prompts } from '../prompts.ts'
import { SETTINGS_FILE, ofWorker, settingsFileIn, validSettings } from '../settings-file.ts'
import type { Given } from './arguments.ts'
import {
  type NamedEventType,
  bookingAsksSetting,
  chosen,
  eventTypesSetting,
  listed,
  named,
} from './event-types.ts'
import {
  NTFY,
  askForSecret,
  interview,
  interviewOthers,
  interviewPayments,
  interviewTypes,
  isUniversal,
} from './interview.ts'
import { FIX_AND_REPEAT, paymentsAt, schedulingAt } from './providers.ts'

interface SetupRun {
  given: Given
  root: string
  terminal: Terminal
  /** Undefined without a person at a terminal: then the given answers have to suffice. */
  prompts: Prompts | undefined
}

/** Settings to write; undefined removes one. */
type Changes = Record<string, string | undefined>
type Stored = Record<string, string>

/** Asks, checks with the providers, and writes everything at the end or nothing. Raises `CliError`. */
export async function setup(run: SetupRun) {
  const { given, root, terminal, prompts } = run
  const file = settingsFileIn(root)
  const { vars } = file.read()
  // Before anything is asked, since the answers would be lost.
  accessSync(root, constants.W_OK)
  const about = prompts ? await interview(prompts, given, vars) : given
  checkZone(terminal, about.texts.PRACTICE_TIMEZONE)
  validate({ ...vars, ...about.texts })
  const calendar = await calendarChanges(run, about, vars)
  const paying = prompts ? await interviewPayments(prompts, about, vars) : about
  const payments = await paymentChanges(run, paying, vars)
  const texts = prompts ? await interviewOthers(prompts, about.texts, vars) : about.texts
  const changes: Changes = { ...texts, ...calendar, ...payments }
  if (Object.keys(changes).length === 0)
    throw new CliError(
      'No answers were given, and there is no terminal to ask at.',
      'npm run setup -- --help lists the options.',
    )
  validate({ ...vars, ...changes })
  file.write(changes)
  terminal.done('Settings', `written to ${SETTINGS_FILE}, which git ignores and only you can read`)
  sayWhatComesNext(terminal, changes)
}

/** The scheduling provider with a token that it accepts, and its event types. */
async function calendarChanges(run: SetupRun, about: Given, vars: Stored): Promise<Changes> {
  const { token, eventTypes } = about
  if (about.provider === 'none') {
    run.terminal.same('Calendar', unchanged('SCHEDULING_PROVIDER_TOKEN', run))
    return { SCHEDULING_PROVIDER_TOKEN: undefined }
  }
  if (about.provider === undefined && token === undefined && eventTypes.length === 0) return {}
  const provider =
    about.provider ?? storedIn(vars['SCHEDULING_PROVIDER'], namesOf(SCHEDULING_PROVIDERS))
  if (token === undefined) throw noToken('SCHEDULING_PROVIDER_TOKEN')
  const [accepted, types] = await untilAccepted(run, 'Calendar', provider, token, (another) =>
    schedulingTypes(run, schedulingAt(provider, another), eventTypes),
  )
  return {
    SCHEDULING_PROVIDER: provider,
    SCHEDULING_PROVIDER_TOKEN: accepted,
    EVENT_TYPES: eventTypesSetting(types),
    BOOKING_ASKS: bookingAsksSetting(types),
  }
}

/** The payment provider with a key that it accepts. */
async function paymentChanges(run: SetupRun, paying: Given, vars: Stored): Promise<Changes> {
  const { terminal } = run
  const { paymentKey: key } = paying
  if (paying.payments === 'none') {
    terminal.same('Payments', unchanged('PAYMENT_PROVIDER_SECRET_KEY', run))
    return { PAYMENT_PROVIDER_SECRET_KEY: undefined }
  }
  if (paying.payments === undefined && key === undefined) return {}
  if (key === undefined) throw noToken('PAYMENT_PROVIDER_SECRET_KEY')
  const name = paying.payments ?? storedIn(vars['PAYMENT_PROVIDER'], namesOf(PAYMENT_PROVIDERS))
  const { label } = PAYMENT_PROVIDERS[name]
  const [accepted, payments] = await untilAccepted(run, 'Payments', name, key, async (another) => {
    const asked = paymentsAt(name, another)
    await terminal.during('Payments', `asking ${label}`, asked.check)
    return asked
  })
  const mode = payments.isTest ? ' (test mode)' : ''
  terminal.done('Payments', `${label} accepts the key; it reads invoices${mode}`)
  warnOf(run, await payments.webhookLack())
  return { PAYMENT_PROVIDER: name, PAYMENT_PROVIDER_SECRET_KEY: accepted }
}

function sayWhatComesNext(terminal: Terminal, changes: Changes) {
  const alerts = changes['ALERT_WEBHOOK_URL']
  if (alerts?.startsWith(NTFY)) {
    const topic = new URL(alerts).pathname.slice(1)
    terminal.done('Alerts', `install ntfy on your phone and subscribe to ${topic}`)
  }
  const secret = changes['SCHEDULING_PROVIDER_TOKEN'] ?? changes['PAYMENT_PROVIDER_SECRET_KEY']
  const whatDeployDoes =
    secret === undefined ? '' : ' It moves the tokens from this file to Cloudflare.'
  terminal.line(`\nNext: npm run deploy.${whatDeployDoes}`)
}

/** Refuses what is no zone, with what was probably meant; warns where it is no zone that people live by. */
function checkZone(terminal: Terminal, timezone: string | undefined) {
  if (timezone === undefined) return
  const wrong = zoneSchema.safeParse(timezone).error?.issues[0]?.message
  if (wrong !== undefined) throw new CliError(`PRACTICE_TIMEZONE: ${wrong}`, FIX_AND_REPEAT)
  if (isUniversal(timezone))
    terminal.warn(
      'Time zone',
      `${timezone} is the zone of servers. If the practice is in the United States, choose ` +
        'its own, such as America/New_York: agents and pages say times in it.',
    )
}

/** Advice as a person at a prompt needs it: they paste a token, and set nothing by its name. */
const atPrompt = (advice: string) =>
  advice
    .replace(/,? and set it(?: as [A-Z_]{6,})?/, '')
    .replace(/ in [A-Z_]{6,}| \([A-Z_]{6,}\)/, '')
    .replace(/\bSet [A-Z_]{6,} to\b/, 'Paste')

/** Checks a credential; where the provider refuses it and a person is there, asks for another one. */
async function untilAccepted<T>(
  { terminal, prompts }: SetupRun,
  label: string,
  provider: Provider,
  given: string,
  check: (credential: string) => Promise<T>,
): Promise<[accepted: string, T]> {
  let credential = given
  for (;;) {
    try {
      return [credential, await check(credential)]
    } catch (thrown) {
      const isRefused = thrown instanceof CliError && thrown.nextStep === FIX_AND_REPEAT
      if (!prompts || !isRefused) throw thrown
      terminal.warn(label, atPrompt(thrown.message))
      credential = await askForSecret(prompts, provider, 'another')
    }
  }
}

/** Warns of missing webhooks, without which the connector notices changes at the provider later. */
function warnOf({ terminal, prompts }: SetupRun, lack: string | undefined) {
  if (lack !== undefined)
    terminal.warn(
      'Webhooks',
      `optional, to see changes at once: ${prompts ? atPrompt(lack) : lack}`,
    )
}

/** The chosen event types, each checked by reading its free times. */
async function schedulingTypes(
  run: SetupRun,
  calendar: ReturnType<typeof schedulingAt>,
  wanted: readonly string[],
): Promise<NamedEventType[]> {
  const { terminal, prompts } = run
  const { label } = calendar
  const types = await terminal.during('Calendar', `asking ${label}`, calendar.eventTypes)
  const shown = counted(types.length, 'event type')
  terminal.done('Calendar', `${label} accepts the token; it shows ${shown}`)
  if (types.length === 0)
    throw new CliError(
      `There is no event type in ${label} that this token can book.`,
      `Make one in ${label}, then run npm run setup again.`,
    )
  const picked = await pick()
  const free = await terminal.during('Calendar', 'reading the free times', () =>
    calendar.freeTimes(picked),
  )
  for (const [index, { name, title, asks = [] }] of picked.entries()) {
    const more = asks.length === 0 ? '' : `; a booking needs ${asks.join(', ')}`
    terminal.done(
      'Consult',
      `${name}: ${title}, ${pluralOf(free[index]!, 'free time')} in the next 7 days${more}`,
    )
  }
  warnOf(run, await calendar.webhookLack(picked.map(({ id }) => id)))
  return picked

  async function pick(): Promise<NamedEventType[]> {
    if (wanted.length > 0) return chosen(wanted, types)
    if (prompts) return interviewTypes(prompts, types)
    if (types.length === 1) return named(types)
    throw new CliError(
      `There are ${types.length} event types:\n${listed(types)}`,
      'Say which: --event-type "<title or id>"',
    )
  }
}

/** Setup cannot see a secret that Cloudflare holds, and a deployment does not remove it. */
const unchanged = (
  name: 'SCHEDULING_PROVIDER_TOKEN' | 'PAYMENT_PROVIDER_SECRET_KEY',
  { root }: SetupRun,
) =>
  'mock. A token that Cloudflare already stores stays active. ' +
  `To remove it, run npx wrangler secret delete ${name}${ofWorker(settingsFileIn(root).read())}`

const storedIn = <Name extends string>(
  stored: string | undefined,
  names: [Name, ...Name[]],
): Name => names.find((name) => name === stored) ?? names[0]

const noToken = (name: string) =>
  new CliError(
    `${name} is not set.`,
    `Set it in the environment of this command, or give it with --secrets-from-stdin.`,
  )

const validate = (vars: Changes): unknown => validSettings(vars, FIX_AND_REPEAT)
