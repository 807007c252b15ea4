const FORMULA = /^[=+\-@\t\r\n]/

/** A line of CSV (RFC 4180), every field quoted; a possible formula gets an apostrophe in front, so that it stays text. */
export const csvLine = (fields: readonly (string | number | boolean | null | undefined)[]): string =>
  `${fields.map((field) => quoted(String(field ?? ''))).join(',')}\r\n`

const quoted = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
