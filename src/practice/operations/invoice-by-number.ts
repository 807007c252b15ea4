import type { Sentence } from '../../core/confirm/mutation.ts'
import {
  LONGEST_INVOICE_NUMBER,
  MOST_OPEN_INVOICES,
  MOST_OTHER_INVOICES,
  isNearNumber,
} from '../../core/domain/payment-link.ts'
import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import type { Payments } from '../../core/ports/payments.ts'

/** How many ids of invoices with one number are named. */
const MOST_NAMED = 5

const NOT_ALL =
  `at most the newest ${MOST_OPEN_INVOICES} open invoices ` +
  `and the newest ${MOST_OTHER_INVOICES} others`

const MAY_HAVE_A_TWIN =
  `The invoice was found by its number among ${NOT_ALL}; ` +
  'another one that was not looked at may have the same number. ' +
  'Check amount, due date and payer.'

/**
 * The id of the only invoice with this number: of an open one, else of one that has ended, so that
 * its state can be said. Undefined if none has it. Raises `validation_failed`, naming the ids,
 * where several have it, and `invoice_not_found` where more can be said: not all were looked at, or to
 * a caller that may read invoices, which open ones have a similar number. None of those is taken.
 */
export async function invoiceIdOf(
  number: string,
  payments: Payments,
  mayNameOthers = false,
): Promise<{ invoiceId: string; warning: Sentence } | undefined> {
  if (number.length > LONGEST_INVOICE_NUMBER) return undefined
  const { invoices, complete } = await payments.invoices({ number })
  const [first, ...others] = invoices
  if (!first) {
    const similar = mayNameOthers ? await similarNumbers(number, payments) : []
    if (complete && similar.length === 0) return undefined
    const among = complete ? '' : ` among ${NOT_ALL}`
    const others = similar.length === 0 ? '' : ` ${similarLine(similar)}`
    throw problem('invoice_not_found', {
      detail: `No invoice with this id or number was found${among}.${others}`,
      next_step:
        similar.length === 0
          ? 'Send the id that the payment provider shows for the invoice.'
          : 'Ask the person which invoice is meant, and send its number as it is printed.',
    })
  }
  if (others.length > 0)
    throw invalidField('/invoice_id', severalHave(invoices.map(({ invoiceId }) => invoiceId)))
  return { invoiceId: first.invoiceId, warning: complete ? undefined : MAY_HAVE_A_TWIN }
}

/** How many similar numbers are named. */
const MOST_SIMILAR = 5

/** The numbers of open invoices, of this payer if one is named, that a person could take for this one. */
export async function similarNumbers(
  number: string,
  payments: Payments,
  payerEmail?: string,
): Promise<string[]> {
  const { invoices } = await payments.invoices({ payerEmail })
  const numbers = invoices.flatMap((invoice) => invoice.number ?? [])
  return [...new Set(numbers)].filter((one) => isNearNumber(one, number)).slice(0, MOST_SIMILAR)
}

export const similarLine = (numbers: readonly string[]) =>
  `Open invoices with a similar number: ${numbers.join(', ')}.`

function severalHave(ids: readonly string[]) {
  const named = ids.toSorted().slice(0, MOST_NAMED)
  const more = ids.length - named.length
  return (
    `Expected the invoice_id of one invoice: ${ids.length} have this number, ` +
    `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
    'Ask which one is meant, and send its invoice_id.'
  )
}
