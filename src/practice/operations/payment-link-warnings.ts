import { type Sentence, saidOf } from '../../core/confirm/mutation.ts'
import { displayAmount } from '../../core/domain/money.ts'
import {
  type Invoice,
  type MadeLink,
  type PaymentLinkStatus,
  type Reconciliation,
  unpayable,
} from '../../core/domain/payment-link.ts'

const END_IT = 'End it first, in the payment provider’s dashboard. end_payment_link ends it, too.'

const chargeOf = ({ charges, currency }: MadeLink) =>
  charges === null ? 'an amount that is not known' : displayAmount(charges, currency)

const UNDER_WAY =
  'A payment, such as a bank debit, is under way. It takes days and can still fail: until then, ' +
  'the client should not pay again.'

const WRITTEN_OFF =
  'The practice has written the invoice off. Until it is voided, a payment of it may still be taken: ' +
  'ask the practice before it is paid.'

type ReadLink = MadeLink & Pick<PaymentLinkStatus, 'isOwn' | 'paymentUnderWay'>

/** What a person should know of a link and its invoice as they stand. */
export const linkWarnings = (link: ReadLink, invoice: Invoice): string[] =>
  saidOf([
    link.paymentUnderWay && UNDER_WAY,
    !link.isOwn && invoice.status === 'uncollectible' && WRITTEN_OFF,
    oddity(link, invoice),
  ])

/**
 * What is odd about a link that stands by itself while its invoice goes on; nothing for one that
 * fits its invoice.
 */
function oddity(link: ReadLink, invoice: Invoice): Sentence {
  if (!link.isOwn || !link.active) return undefined
  if (link.paymentUnderWay) return `This link can still be paid as well. ${END_IT}`
  if (unpayable(invoice))
    return (
      'The invoice cannot be paid any more, and this link still can: a payment through it ' +
      `would be one too many. ${END_IT}`
    )
  const { charges } = link
  const left = displayAmount(invoice.amount, invoice.currency)
  if (charges === null || charges > invoice.amount || link.currency !== invoice.currency)
    return (
      `The link charges ${chargeOf(link)}, which is not what is left on the invoice, ` +
      `${left}. ${END_IT}`
    )
  return (
    charges < invoice.amount &&
    `The link charges ${chargeOf(link)}, and more than that is left on the invoice, ${left}.`
  )
}

/** A link that was made here for the same invoice before, with the day on which it was made, in words. */
export interface EarlierLink extends MadeLink {
  madeOn: string
}

/**
 * Whether an earlier link would be given again in place of a new one, which the page of an invoice
 * never is.
 */
const isSame = (link: MadeLink, invoice: Invoice, reconciliation: Reconciliation) =>
  reconciliation === 'manual' &&
  link.charges === invoice.amount &&
  link.currency === invoice.currency

/**
 * Links of the same invoice through which someone has paid, and those through which someone still
 * could pay as well.
 */
export const completedLinks = (links: readonly EarlierLink[]): EarlierLink[] =>
  links.filter(({ isCompleted }) => isCompleted)
export const otherOpenLinks = (
  links: readonly EarlierLink[],
  invoice: Invoice,
  reconciliation: Reconciliation,
): EarlierLink[] => links.filter((link) => link.active && !isSame(link, invoice, reconciliation))

const NOT_READ =
  'It could not be checked whether an earlier payment link for this invoice can still be paid as well.'

/**
 * What a person should know about the links that came before, while the invoice still seems unpaid;
 * `links` is null where they could not be read.
 */
export const earlierLinkWarnings = (
  links: readonly EarlierLink[] | null,
  invoice: Invoice,
  reconciliation: Reconciliation,
) =>
  links === null
    ? [NOT_READ]
    : [
        ...completedLinks(links).map(
          (link) =>
            `A payment link for this invoice was completed already: ${link.paymentLinkId}, for ` +
            `${chargeOf(link)}, made on ${link.madeOn}. Ask the practice whether that payment ` +
            'has arrived before you give out another link.',
        ),
        ...otherOpenLinks(links, invoice, reconciliation).map(
          (link) =>
            'An earlier payment link for this invoice can still be paid as well: ' +
            `${link.paymentLinkId}, for ${chargeOf(link)}, made on ${link.madeOn}. ${END_IT}`,
        ),
      ]
