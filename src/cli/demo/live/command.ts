import { emailSchema } from '../../../core/domain/email.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import { CliError } from '../../command.ts'
import { type Prompts, promptsAt } from '../../prompts.ts'
import { settingsFileIn, settingsOf, validSettings } from '../../settings-file.ts'
import { addressesOnThisMachine } from '../../setup/providers.ts'
import { PROJECT_ROOT } from '../../wrangler.ts'
import { checkLive } from './run.ts'

export const LIVE_OPTIONS = {
  address: { type: 'string' },
  'event-type': { type: 'string' },
  invoice: { type: 'string' },
  yes: { type: 'boolean' },
} as const

type LiveOptions = {
  [Name in keyof typeof LIVE_OPTIONS]?:
    | ((typeof LIVE_OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined
}

/**
 * The journey with real accounts. Tokens come from the environment, from the settings file as long as
 * it has them, or hidden.
 */
export async function liveCommand(options: LiveOptions): Promise<void> {
  const prompts = promptsAt()
  if (!prompts && options.yes !== true) throw NOBODY_TO_ASK
  if (options.yes === true && options.address === undefined) throw YES_NEEDS_ADDRESS
  const file = settingsFileIn(PROJECT_ROOT).read()
  const given = { ...settingsOf(file.vars), ...file.secrets, ...settingsOf(process.env) }
  const settings = validSettings(given, 'Correct it; nothing was done.')
  const email = await addressFrom(options.address, prompts)
  const asking = options.yes === true ? undefined : prompts
  const { SCHEDULING_PROVIDER_TOKEN: token, PAYMENT_PROVIDER_SECRET_KEY: key } = settings
  const calendar = SCHEDULING_PROVIDERS[settings.SCHEDULING_PROVIDER]
  const stripe = PAYMENT_PROVIDERS[settings.PAYMENT_PROVIDER]
  await checkLive({
    settings,
    token: token ?? (await asked(asking, calendar)),
    paymentKey: key ?? (await asked(asking, stripe)),
    addresses: addressesOnThisMachine(process.env),
    email,
    eventType: options['event-type'],
    invoice: options.invoice,
    root: PROJECT_ROOT,
    ask: async (question) => (asking ? asking.confirm(question) : true),
  })
}

const NOBODY_TO_ASK = new CliError(
  'npm run demo -- --target live asks before each step, and there is no terminal to ask at.',
  'Run it at a terminal, or add --yes and --address with your own address.',
)

const YES_NEEDS_ADDRESS = new CliError(
  '--yes books without asking, so it needs --address with your own address.',
  'Nothing was done.',
)

const wrongAddress = (text: string): string | undefined =>
  emailSchema.safeParse(text).success ? undefined : 'That is no email address.'

async function addressFrom(given: string | undefined, prompts: Prompts | undefined) {
  if (given === undefined && prompts)
    return prompts.text('Your own email address, to which the calendar writes:', wrongAddress)
  const wrong = wrongAddress(given ?? '')
  if (wrong === undefined) return given ?? ''
  throw new CliError('--address takes an email address.', 'Correct it; nothing was done.')
}

/** Asks for a credential; without one its provider is left out. */
async function asked(
  prompts: Prompts | undefined,
  { label, credential, tokenPage }: Record<'label' | 'credential' | 'tokenPage', string>,
): Promise<string | undefined> {
  const question = `Paste the ${credential} of ${label} (${tokenPage}), or nothing to leave it out`
  return (await prompts?.secret(question, () => undefined)) || undefined
}
