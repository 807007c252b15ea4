import type { LogLine } from './domain/log-line.ts'
import type { Mode } from './domain/mode.ts'
import type { Practice } from './domain/practice.ts'
import type { Context } from './operations/perform.ts'
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
    /** The caller and the ports. Raises `unauthenticated` or `not_configured`. */
    context(): Promise<Context>
  }
}
