import type { MiddlewareHandler } from 'hono'

import type { AppEnv } from '../../api/http/app-env.ts'

/** The paths of the owner's own pages; more lie below each. */
export const OWNERS_PAGES = ['/authorize', '/owner', '/approve'] as const

/** Whether a path is one of the owner's own pages, or lies below one. No other site's page may ask for it. */
export const isOwnersOnly = (path: string): boolean =>
  OWNERS_PAGES.some((page) => path === page || path.startsWith(`${page}/`))

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'"

/** Sets the content security policy of the owner's pages, on what is refused there too. */
export const pagePolicy: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.res.headers.set('Content-Security-Policy', POLICY)
}

/** A host may have opened this page in a window of its own, and waits there for its own page to call back. */
export const keepOpener: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
}
