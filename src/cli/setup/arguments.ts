import { parseArgs } from 'node:util'
import { parseEnv } from 'node:util'
import { SECRET_NAMES } from '../../settings.ts'
import { Stop } from '../cli-error.ts'

export const USAGE = `npm run setup asks for what the connector has to know about your practice, checks it with the providers,
and writes it to .deploy.env, from where npm run deploy takes it.

Without questions, for scripts:
  --practice-name <name>     --timezone <zone>          --scheduling-page <https address, or none>
  --provider <calendly, calcom or none>                 --payments <stripe or none>
  --event-type [<short name>=]<id or title>             may be given several times; the first is the default

Tokens are never given on the command line, where others can read them. They come from the environment,
SCHEDULING_PROVIDER_TOKEN and PAYMENT_PROVIDER_SECRET_KEY, or as NAME=value lines with --secrets-from-stdin.`

/** What somebody has said beforehand. An empty text means "none". */
export interface Given {
  practiceName?: string
  timezone?: string
  schedulingPage?: string
  provider?: 'calendly' | 'calcom' | 'none'
  token?: string
  eventTypes: string[]
  payments?: 'stripe' | 'none'
  paymentKey?: string
}

export interface SetupOptions {
  help: boolean
  secretsFromStdin: boolean
  given: Given
}

/** What flags and environment say. Raises `Stop` for what is not known, a token above all. */
export function setupOptions(args: string[], environment: Record<string, string | undefined>): SetupOptions {
  const values = parsed(args)
  const { provider, payments } = values
  if (provider !== undefined && !['calendly', 'calcom', 'none'].includes(provider))
    throw new Stop('--provider takes calendly, calcom or none.', 'Correct it.')
  if (payments !== undefined && !['stripe', 'none'].includes(payments))
    throw new Stop('--payments takes stripe or none.', 'Correct it.')
  const page = values['scheduling-page']
  const given: Given = {
    eventTypes: values['event-type'] ?? [],
    ...(values['practice-name'] !== undefined && { practiceName: values['practice-name'] }),
    ...(values.timezone !== undefined && { timezone: values.timezone }),
    ...(page !== undefined && { schedulingPage: page === 'none' ? '' : page }),
    ...(provider !== undefined && { provider: provider as 'calendly' | 'calcom' | 'none' }),
    ...(payments !== undefined && { payments: payments as 'stripe' | 'none' }),
  }
  return {
    help: values.help === true,
    secretsFromStdin: values['secrets-from-stdin'] === true,
    given: withSecrets(given, environment),
  }
}

/** The same with the tokens that an environment or some lines hold. */
export function withSecrets(given: Given, secrets: Record<string, string | undefined>): Given {
  const token = secrets['SCHEDULING_PROVIDER_TOKEN']?.trim()
  const paymentKey = secrets['PAYMENT_PROVIDER_SECRET_KEY']?.trim()
  return { ...given, ...(token ? { token } : {}), ...(paymentKey ? { paymentKey } : {}) }
}

/** NAME=value lines. Raises `Stop` for a name that is no secret. */
export function secretLines(text: string): Record<string, string | undefined> {
  const lines = parseEnv(text)
  const stray = Object.keys(lines).find((name) => !SECRET_NAMES.includes(name))
  if (stray !== undefined)
    throw new Stop(
      'Standard input holds a line that is no secret of the connector.',
      'npm run setup -- --help',
    )
  return lines
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        'secrets-from-stdin': { type: 'boolean' },
        'practice-name': { type: 'string' },
        timezone: { type: 'string' },
        'scheduling-page': { type: 'string' },
        provider: { type: 'string' },
        payments: { type: 'string' },
        'event-type': { type: 'string', multiple: true },
      },
    }).values
  } catch {
    throw new Stop(
      'The command line holds something that is not known here; tokens do not belong on it.',
      'npm run setup -- --help lists it all.',
    )
  }
}
