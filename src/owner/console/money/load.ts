import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { PAYMENT_PROVIDERS } from '../../../core/domain/providers.ts'
import { recordId } from '../../../core/domain/records.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import { findInvoices } from '../../../practice/operations/find-invoices.ts'
import { getPaymentLink } from '../../../practice/operations/get-payment-link.ts'
import { linkView } from '../../../practice/operations/record-views.ts'
import { type Visit, part, shellOf } from '../shell/load.ts'
import { type MoneyView, moneyPage } from './page.ts'

/** Invoices on the page: the most that the search for them gives. */
const INVOICES = 100
/** Links on a page: each is asked about by itself, and the platform bounds the calls of a request. */
const LINKS = 10
/** A list of invoices takes a provider longer than our own parts of a page take us; in milliseconds. */
const DEADLINE = 5 * SECOND

/** The open invoices, and the payment links that were made here, as the payment provider has them now. */
export async function showMoney(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const { services } = c.var
  const given = Number(c.req.query('before') ?? Number.MAX_SAFE_INTEGER)
  const before = Number.isSafeInteger(given) ? given : Number.MAX_SAFE_INTEGER
  const { mode } = services.modes.payments
  const [shell, invoices, links] = await Promise.all([
    shellOf(c, '/owner/money', visit),
    part(async () => findInvoices.run({ limit: INVOICES }, services), DEADLINE),
    part(() => linksFrom(c, before)),
  ])
  const provider = mode === 'live' ? PAYMENT_PROVIDERS.stripe.label : 'The mock provider'
  return moneyPage({ shell, provider, invoices, links })
}

/** A page of links, the newest first, each with how it stands; one that cannot be read hides no other. */
async function linksFrom(
  c: Context<AppEnv>,
  before: number,
): Promise<Exclude<MoneyView['links'], 'unread'>> {
  const { services } = c.var
  const { mode } = services.modes.payments
  // One more says whether there is another page.
  const entries = await services.records.newest('payment_link', mode, before, LINKS + 1)
  const shown = entries.slice(0, LINKS)
  const made = await Promise.all(
    shown.map(async (entry) => {
      const question = { payment_link_id: recordId(entry.key) }
      const now = await part(() => getPaymentLink.run(question, services), DEADLINE)
      return { made: linkView(entry), now: now === 'unread' ? now : now.payment_link }
    }),
  )
  return { made, older: entries.length > LINKS ? shown.at(-1)?.seq : undefined }
}
