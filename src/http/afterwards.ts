import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Lets work go on after the response; its failure changes nothing. Where nothing can be kept alive, it simply goes on. */
export function afterwards(c: Context<AppEnv>, work: Promise<unknown>): void {
  const quiet = work.catch(() => {})
  try {
    c.executionCtx.waitUntil(quiet)
  } catch {
    void quiet
  }
}
