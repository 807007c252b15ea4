/** What one or several things are called: `change` or `changes`, `entry` or `entries`. */
export const nounFor = (number: number, what: string) =>
  number === 1 ? what : `${what.replace(/(?<=[^aeiou])y$/, 'ie')}s`

/** A number of things: `1 change`, `3 changes`, `0 entries`. */
export const counted = (number: number, what: string) => `${number} ${nounFor(number, what)}`

/** The same in words: `one change`, `3 changes`, `0 entries`. */
export const pluralOf = (number: number, what: string) =>
  number === 1 ? `one ${what}` : counted(number, what)

/** A whole number as it is written in English: `1,000`. Not by `Intl`, which takes long to load. */
export const withCommas = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
