import type { Mode } from '../domain/mode.ts'
import type { StepOutcome, LookupOutcome } from '../domain/outcome.ts'
import type {
  FoundInvoice,
  InvoicesWanted,
  MadeLink,
  PaymentLinkStatus,
  ProviderLinkState,
  Invoice,
  LinkRequest,
  Reconciliation,
} from '../domain/payment-link.ts'

/**
 * Outcomes as in `Scheduling`, amounts in minor units. Facts: `payment_link_id`, `url`, `used_up`, and
 * `failures` where payments of the invoice had failed before.
 */
export interface Payments {
  mode: Mode
  /** Its key is of the provider's own test mode, where no real money moves. */
  isTest: boolean
  /** What a preview pins: the provider and the style of link. */
  adapterId: string
  reconciliation: Reconciliation
  /**
   * The permission that its key lacks to see whether a payment is under way, and where to add it, in
   * a sentence; undefined where it lacks none, or that is not known.
   */
  lackOfPayments?(): Promise<string | undefined>
  /** Undefined if unknown or malformed. `linksOf` gets the payer's email address, which is not returned. */
  invoice(
    invoiceId: string,
    linksOf?: (email: string) => Promise<readonly string[]>,
  ): Promise<Invoice | undefined>
  /**
   * The invoices that are wanted, of the newest 500 that are open, in no order. Where a number is
   * wanted that no open one has, the newest 300 of the others are looked at. Not `complete` if one
   * that was not looked at may be wanted too.
   */
  invoices(wanted: InvoicesWanted): Promise<{ invoices: FoundInvoice[]; complete: boolean }>
  /** A link of ours and its invoice now, by the id of the link; undefined if unknown or malformed. */
  link(paymentLinkId: string): Promise<PaymentLinkStatus | undefined>
  /** Those of these links that can be paid or ended by themselves, as they are now. */
  madeLinks(paymentLinkIds: readonly string[]): Promise<MadeLink[]>
  seen(paymentLinkId: string): Promise<ProviderLinkState | undefined>
  /**
   * Creates a link, or returns that of the same marker for 23 hours, or one for the same that can
   * still be paid; `known` are links that may be one. From `sendBefore` on it is `busy`.
   */
  createLink(
    request: LinkRequest,
    marker: string,
    sendBefore?: number,
    known?: readonly string[],
  ): Promise<StepOutcome>
  /** Switches a link of ours off. A repeat changes nothing. */
  endLink(paymentLinkId: string, marker: string): Promise<StepOutcome>
  /** Whether it is off, no matter who did that. */
  findEnded(paymentLinkId: string, marker: string): Promise<LookupOutcome>
  findLink(request: LinkRequest, marker: string): Promise<LookupOutcome>
}
