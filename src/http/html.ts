import type { html } from 'hono/html'

/** HTML in which everything that was filled in is escaped. */
export type Html = ReturnType<typeof html>

/** Shows what is there, and nothing in place of what is not. */
export const ifDefined = <T>(value: T | undefined, show: (value: T) => Html | ''): Html | '' =>
  value === undefined ? '' : show(value)

/** The text of a page. It holds nothing to wait for. */
export function textOfPage(whole: Html): string {
  if (whole instanceof Promise) throw new TypeError('a page is rendered at once')
  return whole.toString()
}
