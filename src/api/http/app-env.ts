import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { getPath } from 'hono/utils/url'

import type { LogLine } from '../../core/domain/log-line.ts'
import type { Mode } from '../../core/domain/mode.ts'
import type { Practice } from '../../core/domain/practice.ts'
import type { CallKind } from '../../core/domain/rate-limit.ts'
import type { AuditNote } from '../../core/ports/audit.ts'
import type { Services } from '../../core/ports/services.ts'
import type { Settings } from '../../core/settings.ts'
import type { Env } from '../../practice/env.ts'
import type { Context } from '../../practice/operations/context.ts'

/** The facts about this installation that the public documents may show. */
export interface Site {
  /** The public address of this service; empty if it has none. */
  origin: string
  practice: Practice
  allowAnonymous: boolean
  modes: { scheduling: Mode; payments: Mode }
  /** Where to report a weakness, as a URI; null if the owner named no place. */
  securityContact: string | null
  /** Whether this connector was restored so short a time ago that someone may ask for what was lost. */
  isRestoredLately?: boolean
}

/** What the app provides for a request. `c.var` copies all of it, so hot paths use `c.get`. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    log: LogLine
    /** Read once for a request; undefined where one is not valid. */
    settings: Settings | undefined
    /** The public address of this service; empty if it has none. Raises `not_configured`. */
    origin: () => string
    site(): Site
    services: Services
    /**
     * The caller; the call is counted as this kind. Raises `unauthenticated`, `rate_limited` or
     * `not_configured`.
     */
    context(kind?: CallKind): Promise<Context>
    /** Writes an audit entry of a call that changed nothing, after the answer and best effort. */
    note(what: AuditNote): void
    /** Writes an audit entry before its act, which must not happen if this rejects. */
    noteBefore(what: AuditNote): Promise<void>
    policies?: string | undefined
  }
}

/** A request to this app, and what the app provides for it. */
export type AppContext = HonoContext<AppEnv>

/**
 * The path by which a request is routed. People and programs write an address with a slash at its
 * end, and many clients lose their credential or their body on a redirect, so it is the same path.
 */
function pathOf(request: Request): string {
  const path = getPath(request)
  return path !== '/' && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Keeps what it found for the path of a route that has no parameter: nearly all calls have such a path. */
class Router<Handler> extends TrieRouter<Handler> {
  #fixed = new Map<string, Map<string, ReturnType<TrieRouter<Handler>['match']>>>()

  override add(method: string, path: string, handler: Handler): void {
    super.add(method, path, handler)
    this.#fixed.set(path, new Map())
  }

  override match(method: string, path: string) {
    const kept = this.#fixed.get(path)
    const found = kept?.get(method) ?? super.match(method, path)
    kept?.set(method, found)
    return found
  }
}

/** All routes of this service, with their part of the OpenAPI document. */
export class App extends OpenAPIHono<AppEnv> {
  #described: (() => void)[] = []

  constructor() {
    super({ getPath: pathOf, router: new Router() })
  }

  /** Adds a route to the OpenAPI document; it is described when the document is first asked for. */
  document(describe: () => RouteConfig) {
    this.#described.push(() => this.openAPIRegistry.registerPath(describe()))
  }

  documentWebhooks(describe: () => RouteConfig[]) {
    this.#described.push(() => {
      for (const webhook of describe()) this.openAPIRegistry.registerWebhook(webhook)
    })
  }

  describeAll() {
    for (const describe of this.#described.splice(0)) describe()
  }
}

export { createRoute } from '@hono/zod-openapi'

/** Lets work continue after the response; its failure changes nothing. */
export function afterwards(c: AppContext, work: Promise<unknown>) {
  const quiet = work.catch(() => {})
  try {
    c.executionCtx.waitUntil(quiet)
  } catch {
    void quiet
  }
}
