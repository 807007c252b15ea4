import type { Span } from './mapped-text.ts'

/** How many characters beside a number may name it. */
export const NEARBY = 48

// Abbreviations also end in a full stop, and "It's …" continues the clause before.
const CLAUSE_END =
  /[;!?] ?(?=[a-z])|(?<!\.|(?<![a-z])(?:[a-z]|acct?|soc|sec|no|num|nbr|fed|dept|sav|chk|id|mr|mrs|ms|dr|vs))\. (?!(?:it'?s?|that'?s?|this|here'?s?|mine|number|no|the number)(?![a-z]))(?=[a-z])/g

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
