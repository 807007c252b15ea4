import { html } from 'hono/html'

import { providerIdOf } from '../../../core/domain/booking.ts'
import { PAYMENT_PROVIDERS, SCHEDULING_PROVIDERS } from '../../../core/domain/providers.ts'
import type { Services } from '../../../core/ports/services.ts'

/** Where something is at its provider. */
interface ProviderPage {
  /** `Calendly`. */
  label: string
  url: string
}

/**
 * Where a booking, an invoice or a payment link is at its provider, by its id here; undefined for
 * another id, and for what a mock made.
 */
export type ProviderPages = (this: void, id: string) => ProviderPage | undefined

export const NO_PROVIDER_PAGES: ProviderPages = () => undefined

const OF_MOCK = /(?:^|_)mock_/

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
    if (!arePaymentsLive) return undefined
    const { label, page } = PAYMENT_PROVIDERS.stripe
    const url = page(id, payments.isTest)
    return url === undefined ? undefined : { label, url }
  }
}

/** The way to it; `of` says what it is, where there are several on a page. */
export const openIn = (page: ProviderPage | undefined, of: string, look = 'out') =>
  page === undefined
    ? ''
    : html`<a
        class="${look}"
        href="${page.url}"
        rel="noreferrer"
        aria-label="Open in ${page.label}: ${of}"
        >Open in ${page.label}</a
      >`
