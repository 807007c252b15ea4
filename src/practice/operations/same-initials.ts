/** A list of people who are masked, and what tells two of them apart. */
interface Masked {
  /** The initials of each row; null where there is no name. */
  initials: readonly (string | null)[]
  /** Who is masked, in the plural: `Invitees`. */
  people: string
  /** What a row is, in the singular: `consult`. */
  row: string
  /** What the caller asks the person for, and perhaps a sentence on what to do with it. */
  askFor: string
  says(words: string): string
}

/**
 * A line for a list in which two rows have the same initials: no one may choose between them by the
 * name alone.
 */
export const sameInitialsLines = ({ initials, people, row, askFor, says }: Masked): string[] =>
  new Set(initials).size < initials.length
    ? [
        says(
          `${people} are masked: two people can have the same initials. ` +
            `Where more than one ${row} could be meant, ask the person for ${askFor}.`,
        ),
      ]
    : []
