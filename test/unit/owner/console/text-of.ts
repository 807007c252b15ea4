/** What a person reads of a page: without tags, spaces run together. */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
