import * as z from 'zod'
import { providerHttp } from '../../adapters/provider-http.ts'
import { stripePayments } from '../../adapters/payments/stripe/index.ts'
import { ADVICE } from '../../adapters/scheduling/calcom/messages.ts'
import { DEFAULT_VERSIONS } from '../../adapters/scheduling/calcom/client.ts'
import { calcomScheduling } from '../../adapters/scheduling/calcom/index.ts'
import { calendlyClient } from '../../adapters/scheduling/calendly/client.ts'
import { calendlyScheduling } from '../../adapters/scheduling/calendly/index.ts'
import { PROBLEMS } from '../../domain/problems.ts'
import { Problem } from '../../domain/problem.ts'
import { Stop } from '../cli-error.ts'

export type SchedulingProvider = 'calendly' | 'calcom'

/** An event type as its owner knows it. */
export interface EventTypeChoice {
  id: string
  title: string
  minutes: number
}

/** Where the providers are asked: the real ones, or fakes of this machine. */
export interface ProviderAddresses {
  scheduling?: string | undefined
  payments?: string | undefined
}

const TIMEOUT_MS = 15_000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000
/** No provider has such an invoice, so a working key answers that there is none. */
const NO_SUCH_INVOICE = 'in_setup00000000000000000'
const MOST_PAGES = 5
const AGAIN = 'Put that right, then run npm run setup again: nothing was written.'
const LATER = 'Wait a minute, then run npm run setup again: nothing was written.'

const connection = (token: string, baseUrl: string | undefined) => ({
  token,
  baseUrl,
  timeoutMs: TIMEOUT_MS,
  fetch,
  now: () => Date.now(),
})

/** Runs a read of a provider; its refusal becomes what the owner has to do. */
async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    const { code, detail } = thrown.refusal
    const isBusy = code === 'provider_busy'
    throw new Stop(
      isBusy ? 'The provider does not answer just now.' : (detail ?? PROBLEMS[code].detail),
      isBusy ? LATER : AGAIN,
    )
  }
}

/** The event types that the token's user can offer. Raises `Stop` when the provider does not accept the token. */
export const eventTypesAt = (
  provider: SchedulingProvider,
  token: string,
  baseUrl: string | undefined,
): Promise<EventTypeChoice[]> =>
  told(() => (provider === 'calendly' ? calendlyTypes : calcomTypes)(token, baseUrl))

const calendlyPage = z.object({
  collection: z.array(
    z.object({ uri: z.string(), name: z.string().nullish(), duration: z.number(), active: z.boolean() }),
  ),
  pagination: z.object({ next_page_token: z.string().nullish() }),
})

async function calendlyTypes(token: string, baseUrl: string | undefined): Promise<EventTypeChoice[]> {
  const client = calendlyClient(connection(token, baseUrl))
  const { uri } = await client.user()
  const { items } = await client.list(
    {
      path: '/event_types',
      query: { user: uri, active: 'true' },
      scope: 'event_types:read',
      schema: calendlyPage,
    },
    MOST_PAGES,
  )
  return items
    .filter(({ active }) => active)
    .map(({ uri: id, name, duration }) => ({ id, title: name ?? 'without a name', minutes: duration }))
}

const calcomMe = z.object({ data: z.object({ username: z.string() }) })
const calcomTypeList = z.object({
  data: z.array(z.object({ id: z.number(), title: z.string(), lengthInMinutes: z.number() })),
})

async function calcomTypes(token: string, baseUrl: string | undefined): Promise<EventTypeChoice[]> {
  const ask = providerHttp({
    baseUrl: baseUrl ?? 'https://api.cal.com',
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs: TIMEOUT_MS,
    fetch,
  })
  async function read<T extends z.ZodType>(path: string, query: Record<string, string>, form: T) {
    const headers = { 'cal-api-version': DEFAULT_VERSIONS.eventTypes }
    const heard = await ask({ method: 'GET', path, query, headers })
    if (heard.status === 'no answer' || heard.status === 429 || heard.status >= 500)
      throw new Stop('Cal.com does not answer just now.', LATER)
    if (heard.status === 401 || heard.status === 403) throw new Stop(ADVICE.key, AGAIN)
    const parsed = form.safeParse(heard.body)
    if (!parsed.success) throw new Stop(ADVICE.form, AGAIN)
    return parsed.data
  }
  const { data: me } = await read('/v2/me', {}, calcomMe)
  const { data } = await read('/v2/event-types', { username: me.username }, calcomTypeList)
  return data.map(({ id, title, lengthInMinutes }) => ({ id: String(id), title, minutes: lengthInMinutes }))
}

/** How many times are free in the next week, read as the connector itself reads them. Raises `Stop` with what to change. */
export async function freeTimesAt(
  provider: SchedulingProvider,
  token: string,
  eventTypes: readonly { name: string; id: string }[],
  baseUrl: string | undefined,
): Promise<{ name: string; free: number }[]> {
  const scheduling =
    provider === 'calendly'
      ? calendlyScheduling({
          ...connection(token, baseUrl),
          eventTypeIds: eventTypes.map(({ id }) => id),
        })
      : calcomScheduling(connection(token, baseUrl))
  const now = Date.now()
  return Promise.all(
    eventTypes.map((eventType) =>
      told(async () => {
        const slots = await scheduling.slots(eventType, now, now + WEEK_MS)
        return { name: eventType.name, free: slots.length }
      }),
    ),
  )
}

/** Whether the payment provider lets this key read invoices. Raises `Stop` with what to change. */
export async function checkPayments(key: string, baseUrl: string | undefined): Promise<void> {
  const style = 'hosted_invoice'
  const payments = stripePayments({ secretKey: key, baseUrl, timeoutMs: TIMEOUT_MS, fetch, style })
  await told(() => payments.invoice(NO_SUCH_INVOICE))
}
