import type { Span } from './mapped-text.ts'

/** How many characters beside a number may name it. */
export const NEARBY = 48

// Abbreviations also end in a full stop. An x stands for an amount or a date that was taken out.
const ABBREVIATION =
  '(?<![a-z])(?:[a-wyz]|acct?|cta|soc|sec|no|num|nbr|nro|fed|dep|emp|dept|sav|chk|ref|inv|conf|id|mr|mrs|ms|dr|vs)'
/** How a text goes on about the same number. */
const GOES_ON = "it'?s?|that'?s?|this|here'?s?|mine|the number"
const CLAUSE_END = new RegExp(
  `[;!?] ?(?!(?:${GOES_ON})(?![a-z]))(?=[a-z])` +
    `|(?<!\\.|${ABBREVIATION})\\. (?!(?:${GOES_ON}|number|no)(?![a-z]))(?=[a-z])`,
  'g',
)

/** The text before and after a number, in its clause. */
export interface Clause {
  before: string
  after: string
}

/** The clause of a number in a text made by `matchingCopy`, as far as a person would look for its name. */
export function clauseOf(text: string, { start, end }: Span): Clause {
  const before = text.slice(Math.max(0, start - NEARBY), start).split(CLAUSE_END)
  return {
    before: before.at(-1) ?? '',
    after: text.slice(end, end + NEARBY).split(CLAUSE_END)[0] ?? '',
  }
}

const LIST_LINK = /(?:[ ,;/&+-]|(?<![a-z])(?:and|or|to|through|thru|y|o|a)(?![a-z]))+$/
const shapeOf = (text: string): string => text.replace(/\d/g, '0')

/**
 * The words before a list of numbers of one shape, for one of them: `invoices ` for the second of
 * `invoices 25-0001234 and 25-0001235`.
 */
export function beforeList(before: string, number: string): string {
  let rest = before
  for (;;) {
    const listed = rest.replace(LIST_LINK, '')
    const words = listed.slice(0, -number.length)
    const isItem = shapeOf(listed.slice(-number.length)) === shapeOf(number) && listed !== rest
    if (!isItem || /[a-z\d]$/.test(words)) return rest
    rest = words
  }
}
