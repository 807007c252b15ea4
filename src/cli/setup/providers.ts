import { Problem } from '../../core/domain/problem/problem.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../core/domain/providers.ts'
import type { PaymentProvider, SchedulingProvider } from '../../core/domain/providers.ts'
import { DAY, SECOND } from '../../core/domain/time/duration.ts'
import type { ProviderWebhooks } from '../../core/ports/provider-sync.ts'
import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../../practice/adapters/providers.ts'
import { CliError, refusalText } from '../command.ts'
import { addressOnThisMachine } from '../settings-file.ts'

/** How an adapter reaches its provider from this machine, through `send` if it is given. */
export const fromHere = (baseUrl: string | undefined, send = fetch) => {
  return { baseUrl, timeoutMs: 15 * SECOND, fetch: send, now: Date.now }
}

/** No provider has this id, so a working key gets a not-found answer. */
const NO_SUCH_INVOICE = 'in_setup00000000000000000'
export const FIX_AND_REPEAT = 'Correct that, then run npm run setup again: nothing was written.'
const WAIT_AND_REPEAT = 'Wait a minute, then run npm run setup again: nothing was written.'

/** Reads from a provider. Raises `CliError` for its refusal, with what to do. */
async function readFrom<T>(label: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    if (thrown.refusal.code === 'provider_busy')
      throw new CliError(`${label} does not answer at the moment.`, WAIT_AND_REPEAT)
    throw new CliError(refusalText(thrown.refusal), FIX_AND_REPEAT)
  }
}

/** Reads a calendar with a token. Each raises `CliError` with what to change if the provider refuses. */
export function schedulingAt(provider: SchedulingProvider, token: string) {
  const baseUrl = addressOnThisMachine(process.env, 'SCHEDULING_PROVIDER_BASE_URL')
  const { label } = SCHEDULING_PROVIDERS[provider]
  const adapter = SCHEDULING_ADAPTERS[provider]
  const connection = { token, ...fromHere(baseUrl) }
  return {
    label,
    /** The event types that the token's user can offer. */
    eventTypes: () => readFrom(label, () => adapter.eventTypes(connection)),
    /** How many times are free in the next seven days, for each event type in their order. */
    freeTimes(eventTypes: readonly { name: string; id: string }[]): Promise<number[]> {
      const eventTypeIds = eventTypes.map(({ id }) => id)
      const scheduling = adapter.create({ ...connection, eventTypeIds })
      const now = Date.now()
      const countOf = async (eventType: { name: string; id: string }) =>
        (await scheduling.slots(eventType, now, now + 7 * DAY)).length
      return Promise.all(eventTypes.map((one) => readFrom(label, () => countOf(one))))
    },
    webhookLack: (eventTypeIds: readonly string[]) =>
      lackOf(adapter.webhooks?.({ ...connection, eventTypeIds })),
  }
}

/** Asks about invoices with a key. */
export function paymentsAt(provider: PaymentProvider, secretKey: string) {
  const baseUrl = addressOnThisMachine(process.env, 'PAYMENT_PROVIDER_BASE_URL')
  const { label } = PAYMENT_PROVIDERS[provider]
  const adapter = PAYMENT_ADAPTERS[provider]
  const connection = { secretKey, ...fromHere(baseUrl), style: 'hosted_invoice' as const }
  const payments = adapter.create(connection)
  return {
    isTest: payments.isTest,
    /** Checks that the key can read invoices. Raises `CliError` with what to change. */
    check: () => readFrom(label, () => payments.invoice(NO_SUCH_INVOICE)),
    webhookLack: () => lackOf(adapter.webhooks?.(connection)),
  }
}

/** No host has this address. A search for its webhook shows whether the credential may manage webhooks. */
const NO_WEBHOOK = { url: 'https://connector.invalid/hooks/setup', knownId: '', madeIds: [] }

/** What the credential lacks for webhooks, in words; undefined if it lacks nothing or that is not known. */
async function lackOf(webhooks: ProviderWebhooks | undefined): Promise<string | undefined> {
  const state = await webhooks?.state(NO_WEBHOOK).catch(() => undefined)
  return state?.is === 'not permitted' ? state.detail : undefined
}
