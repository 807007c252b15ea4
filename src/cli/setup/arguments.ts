import { parseArgs } from 'node:util'

import {
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  SCHEDULING_PROVIDERS,
  type SchedulingProvider,
  namesOf,
} from '../../core/domain/providers.ts'
import { CliError } from '../command.ts'
import { linesIn, tokenIn } from '../settings-file.ts'

const SCHEDULING = namesOf(SCHEDULING_PROVIDERS)
const PAYMENTS = namesOf(PAYMENT_PROVIDERS)
const orNone = (names: readonly string[]) => `${names.join(', ')} or none`

export const SETUP_USAGE = `npm run setup asks what the connector needs to know about your practice, checks it with the providers,
and writes it to .deploy.env for npm run deploy.

Without questions, for scripts:
  --practice-name <name>     --timezone <zone>          --scheduling-page <https address, or none>
  --provider <${orNone(SCHEDULING)}>                 --payments <${orNone(PAYMENTS)}>
  --phone <number, or none>                             the number that clients call; their pages show it
  --event-type [<short name>=]<id or title>             may be given several times; the first is the default
  --alerts <address, or none>                           where you are told that something needs you

Tokens are never given on the command line, where others can read them. They come from the environment,
SCHEDULING_PROVIDER_TOKEN and PAYMENT_PROVIDER_SECRET_KEY, or as NAME=value lines with --secrets-from-stdin.`

/** The flags whose answers are settings as they are. */
const TEXTS = {
  'practice-name': 'PRACTICE_NAME',
  timezone: 'PRACTICE_TIMEZONE',
  'scheduling-page': 'SCHEDULING_PAGE_URL',
  phone: 'PRACTICE_PHONE',
  alerts: 'ALERT_WEBHOOK_URL',
} as const

/** The answers that are settings as they are; an empty text means "none". */
export type Texts = Partial<Record<(typeof TEXTS)[keyof typeof TEXTS], string>>

/** The answers in flags and environment. */
export interface Given {
  texts: Texts
  provider?: SchedulingProvider | 'none' | undefined
  token?: string | undefined
  eventTypes: string[]
  payments?: PaymentProvider | 'none' | undefined
  paymentKey?: string | undefined
}

const OPTIONS = {
  'secrets-from-stdin': { type: 'boolean' },
  'practice-name': { type: 'string' },
  timezone: { type: 'string' },
  'scheduling-page': { type: 'string' },
  phone: { type: 'string' },
  provider: { type: 'string' },
  payments: { type: 'string' },
  alerts: { type: 'string' },
  'event-type': { type: 'string', multiple: true },
} as const

/** The answers in flags and environment. Raises `CliError` for an unknown flag, such as a token. */
export function setupOptions(args: string[], environment: Record<string, string | undefined>) {
  const { values } = parseArgs({ args, options: OPTIONS })
  const texts = Object.entries(TEXTS).flatMap(([flag, setting]) => {
    const text = values[flag as keyof typeof TEXTS]
    return text === undefined ? [] : [[setting, text === 'none' ? '' : text]]
  })
  const given: Given = {
    texts: Object.fromEntries(texts),
    provider: chosenOf('--provider', values.provider, SCHEDULING),
    eventTypes: values['event-type'] ?? [],
    payments: chosenOf('--payments', values.payments, PAYMENTS),
  }
  return {
    secretsFromStdin: values['secrets-from-stdin'] === true,
    given: withSecrets(given, environment),
  }
}

function chosenOf<Name extends string>(
  flag: string,
  given: string | undefined,
  names: readonly Name[],
): Name | 'none' | undefined {
  if (given === undefined || given === 'none') return given
  const chosen = names.find((name) => name === given)
  if (chosen === undefined) throw new CliError(`${flag} takes ${orNone(names)}.`, 'Correct it.')
  return chosen
}

const TOKEN = 'SCHEDULING_PROVIDER_TOKEN'
const PAYMENT_KEY = 'PAYMENT_PROVIDER_SECRET_KEY'
const TOKENS = [TOKEN, PAYMENT_KEY]

/** Adds the tokens in an environment or in lines. */
export const withSecrets = (given: Given, secrets: Record<string, string | undefined>): Given => ({
  ...given,
  token: tokenIn(secrets, TOKEN) ?? given.token,
  paymentKey: tokenIn(secrets, PAYMENT_KEY) ?? given.paymentKey,
})

/** Parses NAME=value lines. Raises `CliError` for any other name, which would be lost. */
export function secretLines(text: string): Record<string, string | undefined> {
  const lines = linesIn(text)
  const stray = Object.keys(lines).find((name) => !TOKENS.includes(name))
  if (stray !== undefined)
    throw new CliError(
      'Standard input holds a line that is no token of a provider; nothing was written.',
      `It takes ${TOKENS.join('=… and ')}=….`,
    )
  return lines
}
