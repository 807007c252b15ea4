import type { AppContext } from './app-env.ts'

/**
 * Whether another site's page may have sent this form. Browsers say so; one that does not has to
 * name our origin. `hidesOrigin`: a form of ours may have the origin `null`, and then
 * Sec-Fetch-Site alone counts.
 */
export function isForeignForm(c: AppContext, hidesOrigin = false): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  const isOurs = origin === c.var.site().origin
  if (site === undefined) return !isOurs
  const isNamed = origin !== undefined && origin !== 'null' && !hidesOrigin
  return (isNamed && !isOurs) || (site !== 'same-origin' && site !== 'none')
}
