import type { Env as WorkerEnv } from '../../src/practice/env.ts'
import type * as worker from '../../src/worker.ts'

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      SIGNING_SECRET: string
      ALLOW_ANONYMOUS: string
    }
    interface GlobalProps {
      mainModule: typeof worker
    }
  }
}
