import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type { PaymentLinkStatus, Invoice, LinkRequest, Reconciliation } from '../domain/payment-link.ts'
import type { ProviderLinkState } from '../domain/events/provider-changes.ts'

/**
 * The payment provider; the same manners as `Scheduling`. Amounts are integers in minor units. The facts of a link are
 * `payment_link_id` and `url`, and `used_up` where it was ours and somebody has paid through it since.
 */
export interface Payments {
  mode: Mode
  adapterId: string
  reconciliation: Reconciliation
  /**
   * The invoice with this id, or undefined if the provider knows none (a malformed id too). `linksOf` receives the
   * payer's email address, if there is one; only its result is returned.
   */
  invoice(
    invoiceId: string,
    linksOf?: (email: string) => Promise<readonly string[]>,
  ): Promise<Invoice | undefined>
  /** The present state of a link and its invoice by the id of the link; undefined if unknown or malformed. */
  link(paymentLinkId: string): Promise<PaymentLinkStatus | undefined>
  /** The same as the log of events follows it, without anything of the payer. */
  seen(paymentLinkId: string): Promise<ProviderLinkState | undefined>
  /**
   * Creates a link, or returns the one made under the same marker within the last 23 hours. Sends nothing from
   * `sendBefore` on, judged after everything that is read first; that is `busy`.
   */
  createLink(request: LinkRequest, marker: string, sendBefore?: number): Promise<StepOutcome>
  findLink(request: LinkRequest, marker: string): Promise<LookupOutcome>
}
