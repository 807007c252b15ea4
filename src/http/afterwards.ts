import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Lets work continue after the response; its failure changes nothing. Without an execution context it simply runs. */
export function afterwards(c: Context<AppEnv>, work: Promise<unknown>): void {
  const quiet = work.catch(() => {})
  try {
    c.executionCtx.waitUntil(quiet)
  } catch {
    void quiet
  }
}
