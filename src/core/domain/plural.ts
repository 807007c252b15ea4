/** A number of things in words: `one change`, `3 changes`, `0 entries`. */
export const pluralOf = (number: number, what: string) =>
  number === 1 ? `one ${what}` : `${number} ${what.replace(/(?<=[^aeiou])y$/, 'ie')}s`
