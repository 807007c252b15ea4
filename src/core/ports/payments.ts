import type { ProviderLinkState } from '../domain/events/provider-changes.ts'
import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type {
  PaymentLinkStatus,
  Invoice,
  LinkRequest,
  Reconciliation,
} from '../domain/payment-link.ts'

/** Outcomes as in `Scheduling`, amounts in minor units. Facts: `payment_link_id`, `url`, `used_up`. */
export interface Payments {
  mode: Mode
  /** Its key is of the provider's own test mode, where no real money moves. */
  isTest: boolean
  /** What a preview pins: the provider and the style of link. */
  adapterId: string
  reconciliation: Reconciliation
  /** Undefined if unknown or malformed. `linksOf` gets the payer's email address, which is not returned. */
  invoice(
    invoiceId: string,
    linksOf?: (email: string) => Promise<readonly string[]>,
  ): Promise<Invoice | undefined>
  /** The state of a link and its invoice now, by the id of the link; undefined if unknown or malformed. */
  link(paymentLinkId: string): Promise<PaymentLinkStatus | undefined>
  seen(paymentLinkId: string): Promise<ProviderLinkState | undefined>
  /** Creates a link, or returns that of the same marker for 23 hours. From `sendBefore` on it is `busy`. */
  createLink(request: LinkRequest, marker: string, sendBefore?: number): Promise<StepOutcome>
  findLink(request: LinkRequest, marker: string): Promise<LookupOutcome>
}
