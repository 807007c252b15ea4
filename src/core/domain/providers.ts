/** Every scheduling provider, by its name in SCHEDULING_PROVIDER; the first is the default. */
export const SCHEDULING_PROVIDERS = {
  calendly: {
    label: 'Calendly',
    credential: 'token',
    tokenPage: 'Calendly > Integrations > API & Webhooks',
    // Calendly documents no page of one meeting: without a known `uuid` it shows the list of them.
    page: (id) => `https://calendly.com/app/scheduled_events/user/me?uuid=${id}`,
  },
  calcom: {
    label: 'Cal.com',
    credential: 'token',
    tokenPage: 'Cal.com > Settings > Developer > API keys',
    page: (id) => `https://app.cal.com/booking/${id}`,
  },
} as const satisfies Record<string, ProviderFacts>

/** Every payment provider, by its name in PAYMENT_PROVIDER; the first is the default. */
export const PAYMENT_PROVIDERS = {
  stripe: {
    label: 'Stripe',
    credential: 'key',
    tokenPage: 'Stripe > Developers > API keys, best a restricted one',
    page(id, isTest) {
      const [, own, list] = /^(?:pl_)?((in|plink)_\w{1,255})$/.exec(id) ?? []
      if (own === undefined) return undefined
      const place = list === 'in' ? 'invoices' : 'payment-links'
      return `https://dashboard.stripe.com/${isTest ? 'test/' : ''}${place}/${own}`
    },
  },
} as const satisfies Record<string, ProviderFacts>

interface ProviderFacts {
  label: string
  /** What the provider calls its credential. */
  credential: 'token' | 'key'
  tokenPage: string
  /**
   * Where the practice sees something there: a booking by the provider's own id, an invoice or a
   * payment link by ours. Undefined for what is none. `isTest` in its test mode.
   */
  page(this: void, id: string, isTest: boolean): string | undefined
}

export type SchedulingProvider = keyof typeof SCHEDULING_PROVIDERS
export type PaymentProvider = keyof typeof PAYMENT_PROVIDERS
export type Provider = SchedulingProvider | PaymentProvider
/** The senders of webhooks: the providers, and the mock in the place of one. */
export type WebhookSender = Provider | 'mock'

/** The names of a registry in its order, typed as its keys. */
export const namesOf = <Name extends string>(registry: Record<Name, unknown>): [Name, ...Name[]] =>
  Object.keys(registry) as [Name, ...Name[]]

/** The documentation page of a provider, as a path in this repository. */
export const docsPageOf = (name: Provider) => `docs/providers/${name}.md`
