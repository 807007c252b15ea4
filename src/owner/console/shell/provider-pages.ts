import { html } from 'hono/html'

import type { Html } from '../../../api/pages/layout.ts'
import { providerIdOf } from '../../../core/domain/booking.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import type { Services } from '../../../core/ports/services.ts'

/** Where something is at its provider. */
interface ProviderPage {
  /** `Calendly`. */
  label: string
  url: string
}

/** Where a booking, an invoice or a payment link is at its provider, by our id; undefined for any other, and for one of a mock. */
export type ProviderPages = (this: void, id: string) => ProviderPage | undefined

export const NO_PROVIDER_PAGES: ProviderPages = () => undefined

const OF_MOCK = /^(?:\w+_)?mock_/
const OF_PAYMENTS = /^(?:in|plink)_\w{1,255}$/

export function providerPagesOf({
  modes,
  scheduling,
  payments,
}: Pick<Services, 'modes' | 'scheduling' | 'payments'>): ProviderPages {
  const calendar = modes.scheduling.mode === 'live' ? scheduling.provider : 'mock'
  const arePaymentsLive = modes.payments.mode === 'live'
  return (id) => {
    if (OF_MOCK.test(id)) return undefined
    const booking = providerIdOf(id)
    if (booking !== undefined && calendar !== 'mock') {
      const { label, page } = SCHEDULING_PROVIDERS[calendar]
      return { label, url: page(booking) }
    }
    // `pl_` is the page of an invoice of its own.
    const paid = id.replace(/^pl_/, '')
    if (!arePaymentsLive || !OF_PAYMENTS.test(paid)) return undefined
    const { label, page } = PAYMENT_PROVIDERS.stripe
    return { label, url: page(paid, payments.isTest) }
  }
}

/** The way to it; `of` says what it is, where there are several on a page. */
export const openIn = (page: ProviderPage | undefined, of: string, look = 'out'): Html | '' =>
  page === undefined
    ? ''
    : html`<a class="${look}" href="${page.url}" rel="noreferrer" aria-label="Open in ${page.label}: ${of}">Open in ${page.label}</a>`
