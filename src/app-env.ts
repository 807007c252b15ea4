import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { Hono } from 'hono'
import type { LogLine } from './domain/log-line.ts'
import type { Mode } from './domain/mode.ts'
import type { Practice } from './domain/practice.ts'
import type { Context } from './operations/perform.ts'
import type { AuditNote } from './ports/audit.ts'
import type { Env } from './env.ts'

/** What the public documents may tell about this installation. */
export interface Site {
  /** The public address of this service; empty when it has none. */
  origin: string
  practice: Practice
  modes: { scheduling: Mode; payments: Mode }
}

/** What the app puts at hand for a request. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    log: LogLine
    site(): Site
    /** The caller and the ports. Raises `unauthenticated`, `rate_limited` or `not_configured`. */
    context(): Promise<Context>
    /** Tells the trail of what has no flow, after the answer and as well as it can. */
    note(what: AuditNote): void
    /** The header RateLimit-Policy, where the caller's calls are counted. */
    policies?: string | undefined
  }
}

/** All routes of this service, and what the OpenAPI document tells of them. */
export class App extends Hono<AppEnv> {
  readonly documented: RouteConfig[] = []

  /** Puts a route into the OpenAPI document. */
  document(route: RouteConfig): void {
    this.documented.push(route)
  }
}

/** A path as the router spells it, `/:id`, where the document says `/{id}`. */
type RoutingPath<P extends string> = P extends `${infer Head}/{${infer Name}}${infer Tail}`
  ? `${Head}/:${Name}${RoutingPath<Tail>}`
  : P

/** The documentation of a route, which also knows its path as the router spells it. */
export const createRoute = <P extends string, R extends RouteConfig & { path: P }>(route: R) => ({
  ...route,
  getRoutingPath: () => route.path.replaceAll(/\/\{(.+?)\}/g, '/:$1') as RoutingPath<R['path']>,
})
