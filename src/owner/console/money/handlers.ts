import type { AppContext } from '../../../api/http/app-env.ts'
import type { Mode } from '../../../core/domain/mode.ts'
import { PAYMENT_PROVIDERS } from '../../../core/domain/providers.ts'
import { recordId } from '../../../core/domain/records.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import { findInvoices } from '../../../practice/operations/find-invoices.ts'
import { getPaymentLink } from '../../../practice/operations/get-payment-link.ts'
import { linkView } from '../../../practice/operations/record-views.ts'
import type { Show } from '../shell/handlers.ts'
import { part, recordsOnPage, shellOf } from '../shell/load.ts'
import { moneyPage } from './page.ts'

/** Invoices on the page: the most that the search for them gives. */
const INVOICES = 100
/** Links on a page: each is asked about by itself, and the platform bounds the calls of a request. */
const LINKS = 10
/** A list of invoices takes a provider longer than our own parts of a page take us; in milliseconds. */
const DEADLINE = 5 * SECOND

/** The open invoices, and the payment links that were made here, as the payment provider has them now. */
export const showMoney: Show = async (c, visit) => {
  const { services } = c.var
  const { mode } = services.modes.payments
  const [shell, invoices, links] = await Promise.all([
    shellOf(c, '/owner/money', visit),
    part(async () => findInvoices.run({ limit: INVOICES }, services), DEADLINE),
    part(() => linksOnPage(c, mode)),
  ])
  const provider = mode === 'live' ? PAYMENT_PROVIDERS.stripe.label : 'The mock provider'
  return moneyPage({ shell, provider, invoices, links })
}

/** A page of links, the newest first, each with how it stands; one that cannot be read hides no other. */
async function linksOnPage(c: AppContext, mode: Mode) {
  const { shown, older } = await recordsOnPage(c, 'before', {
    kind: 'payment_link',
    mode,
    limit: LINKS,
  })
  const made = await Promise.all(
    shown.map(async (entry) => {
      const question = { payment_link_id: recordId(entry.key) }
      const now = await part(() => getPaymentLink.run(question, c.var.services), DEADLINE)
      return { made: linkView(entry), now: now === 'unread' ? now : now.payment_link }
    }),
  )
  return { made, older }
}
