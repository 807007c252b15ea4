import type { Sentence } from '../../../core/confirm/mutation.ts'
import { escapedWarnings, standsForNothing } from '../../../core/domain/name.ts'
import { redactContacts } from '../../../core/domain/sensitive-data/contacts.ts'
import { labelledText } from '../../../core/domain/sensitive-data/sensitive-data.ts'
import { textOrNull } from '../schemas.ts'

const LONGEST_REASON = 1_000
const GOES_OUT = 'The reason goes to the client as shown.'
const LABELLED =
  'The reason goes to the client as shown, with labels in place of email addresses and phone numbers.'
const NO_REASON =
  'The reason reads like a placeholder that a program left in place of one. Leave it out if there is none.'

/** A reason that goes to the client, of a cancellation or a decline; `why` says of which. */
export const reasonField = (why: string) =>
  labelledText(LONGEST_REASON)
    .optional()
    .describe(
      `${why} The text goes to the client, with labels in place of email addresses and ` +
        'phone numbers; only the preview shows it.',
    )

export const shownReasonField = textOrNull.describe(
  'The text that goes to the client, exactly as it is sent; null where there is none.',
)

/** The reason as it goes to the client, and what the preview says about it. */
export function clientReason(given = ''): { reason: string | null; warnings: Sentence[] } {
  const typed = given.trim()
  const reason = redactContacts(typed).trim()
  if (reason === '') return { reason: null, warnings: [] }
  const goesOut = reason === typed ? GOES_OUT : LABELLED
  const isNone = standsForNothing(typed) && NO_REASON
  return { reason, warnings: [goesOut, isNone, ...escapedWarnings('The reason holds', reason)] }
}
