import { displayAmount } from '../../../core/domain/money.ts'
import { type Invoice, unpayable } from '../../../core/domain/payment-link.ts'
import type { PaymentProvider } from '../../../core/domain/providers.ts'
import type { Payments } from '../../../core/ports/payments.ts'
import { CliError } from '../../command.ts'
import { type Steps, certain, failed } from './calendar.ts'
import { type MadeLink, isOff } from './left-over.ts'

interface InvoiceCheck extends Steps {
  payments: Payments
  provider: PaymentProvider
  label: string
  /** Its id or its number; undefined for any that is open. */
  wanted: string | undefined
  /** The practice's own links are the invoices' pages, for which a key needs no right to make links. */
  isHosted: boolean
  /** How many changes were sent to the provider so far. */
  changesSent(): number
}

/**
 * Reads an invoice, and under a test key makes a link for it and ends it. Raises `CliError` where a
 * step fails.
 */
export async function checkInvoices(check: InvoiceCheck) {
  const { payments, shown, label, agreed } = check
  const id = await invoiceId(check)
  if (id === undefined)
    return shown.remark(`${label} has no open invoice; name another one with --invoice.`)
  if (!(await agreed(`Read an invoice in ${label}`, [['invoice', id]]))) return
  const invoice = await payments.invoice(id)
  if (!invoice) throw new CliError(`${label} does not show the invoice that its list has.`)
  const amount = displayAmount(invoice.amount, invoice.currency)
  shown.remark(`${invoice.number ?? id}: ${invoice.status}, ${amount} to pay`)

  const why = whyNoLink(check, invoice)
  if (why !== undefined) return shown.remark(`No link is made: ${why}.`)
  const wanted = [['invoice', id] as const, ['mode', 'test: no real money moves'] as const]
  if (!(await agreed('Make a payment link for it', wanted))) return
  const link = await makeLink(check, invoice)
  if (!link) return
  const found = await payments.link(link.id)
  if (found?.active !== true) throw new CliError(`${label} does not show the link as active.`)
  shown.remark(`Made, and active: ${link.id}`)

  if (!(await agreed('End the link', [['link', link.id]]))) return
  await endLink(check, link)
  shown.remark('The link is off.')
}

async function invoiceId({ payments, wanted, label }: InvoiceCheck): Promise<string | undefined> {
  if (wanted?.startsWith('in_')) return wanted
  const { invoices } = await payments.invoices(wanted === undefined ? {} : { number: wanted })
  const found = invoices.find((one) => !unpayable(one)) ?? invoices[0]
  if (found || wanted === undefined) return found?.invoiceId
  throw new CliError(
    `${label} shows no invoice with that number.`,
    'Correct --invoice: the id begins with in_.',
  )
}

function whyNoLink({ payments, label }: InvoiceCheck, invoice: Invoice): string | undefined {
  if (!payments.isTest) return `this is a live key of ${label}, and a person could pay through it`
  if (!invoice.testMode) return 'the invoice is not one of test mode'
  return unpayable(invoice) ? 'the invoice cannot be paid' : undefined
}

type Made = MadeLink & { id: string }

async function makeLink(check: InvoiceCheck, invoice: Invoice): Promise<Made | undefined> {
  const { payments, provider, left, wait, shown, changesSent } = check
  const { invoiceId, number, amount, currency } = invoice
  const request = { invoiceId, number, amount, currency }
  const marker = check.newMarker()
  const made: MadeLink = { is: 'link', provider, ...request, marker, sentAt: Date.now() }
  left.add(made)
  const before = changesSent()
  const outcome = await payments.createLink(request, marker)
  const isSent = changesSent() > before
  const found = await certain(outcome, wait, () => payments.findLink(request, marker))
  if (!isSent || found.is === 'refused' || found.is === 'busy') left.drop(marker)
  if (found.is === 'ok' && !isSent) {
    shown.remark('No link is made: the invoice has one already, which stays as it is.')
    return undefined
  }
  if (found.is === 'busy' && found.refusal.code === 'provider_misconfigured' && check.isHosted) {
    const why = 'the key may not make one, and PAYMENT_LINK_STYLE=hosted_invoice needs none'
    shown.remark(`No link is made: ${why}.`)
    return undefined
  }
  if (found.is !== 'ok') throw failed('The link', found)
  const id = String(found.facts['payment_link_id'])
  left.name(marker, id)
  return { ...made, id }
}

async function endLink({ payments, left, label }: InvoiceCheck, { id, marker }: Made) {
  if (!(await isOff(payments, id, marker)))
    throw new CliError(`It is not known whether ${label} has ended the link.`)
  left.drop(marker)
}
