import { parseArgs, parseEnv } from 'node:util'

import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import {
  type PaymentProvider,
  type SchedulingProvider,
  namesOf,
} from '../../core/domain/providers.ts'
import { SECRET_NAMES } from '../../core/settings.ts'
import { CliError } from '../command.ts'

/** The names of a registry, and none. */
const choicesOf = (registry: object): string[] => [
  ...namesOf(registry as Record<string, unknown>),
  'none',
]
const listOf = (names: readonly string[]): string =>
  names.join(', ').replace(/, (?=[^,]*$)/, ' or ')
const SCHEDULING = choicesOf(SCHEDULING_PROVIDERS)
const PAYMENTS = choicesOf(PAYMENT_PROVIDERS)

export const SETUP_USAGE = `npm run setup asks what the connector needs to know about your practice, checks it with the providers,
and writes it to .deploy.env for npm run deploy.

Without questions, for scripts:
  --practice-name <name>     --timezone <zone>          --scheduling-page <https address, or none>
  --provider <${listOf(SCHEDULING)}>                 --payments <${listOf(PAYMENTS)}>
  --phone <number, or none>                             the number that clients call; their pages show it
  --event-type [<short name>=]<id or title>             may be given several times; the first is the default
  --alerts <address, or none>                           where you are told that something needs you

Tokens are never given on the command line, where others can read them. They come from the environment,
SCHEDULING_PROVIDER_TOKEN and PAYMENT_PROVIDER_SECRET_KEY, or as NAME=value lines with --secrets-from-stdin.`

/** The answers in flags and environment. An empty text means "none". */
export interface Given {
  practiceName?: string
  timezone?: string
  schedulingPage?: string
  phone?: string
  provider?: SchedulingProvider | 'none'
  token?: string
  eventTypes: string[]
  payments?: PaymentProvider | 'none'
  paymentKey?: string
  alerts?: string
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
  const { provider, payments, alerts, phone } = values
  checkChoice('--provider', provider, SCHEDULING)
  checkChoice('--payments', payments, PAYMENTS)
  const page = values['scheduling-page']
  const given: Given = {
    eventTypes: values['event-type'] ?? [],
    ...(values['practice-name'] !== undefined && { practiceName: values['practice-name'] }),
    ...(values.timezone !== undefined && { timezone: values.timezone }),
    ...(page !== undefined && { schedulingPage: page === 'none' ? '' : page }),
    ...(phone !== undefined && { phone: phone === 'none' ? '' : phone }),
    ...(alerts !== undefined && { alerts: alerts === 'none' ? '' : alerts }),
    ...(provider !== undefined && { provider: provider as SchedulingProvider | 'none' }),
    ...(payments !== undefined && { payments: payments as PaymentProvider | 'none' }),
  }
  return {
    secretsFromStdin: values['secrets-from-stdin'] === true,
    given: withSecrets(given, environment),
  }
}

function checkChoice(flag: string, value: string | undefined, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value))
    throw new CliError(`${flag} takes ${listOf(choices)}.`, 'Correct it.')
}

/** Adds the tokens in an environment or in lines. */
export function withSecrets(given: Given, secrets: Record<string, string | undefined>): Given {
  const token = secrets['SCHEDULING_PROVIDER_TOKEN']?.trim()
  const paymentKey = secrets['PAYMENT_PROVIDER_SECRET_KEY']?.trim()
  const completed = { ...given }
  if (token) completed.token = token
  if (paymentKey) completed.paymentKey = paymentKey
  return completed
}

/** Parses NAME=value lines. Raises `CliError` for a name that is no secret. */
export function secretLines(text: string): Record<string, string | undefined> {
  const lines = parseEnv(text)
  const stray = Object.keys(lines).find((name) => !SECRET_NAMES.includes(name))
  const wrong = 'Standard input holds a line that is no secret of the connector.'
  if (stray !== undefined) throw new CliError(wrong, 'npm run setup -- --help')
  return lines
}
