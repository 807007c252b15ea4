import { listDurableObjectIds, reset, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

import { SECOND } from '../../src/core/domain/time/duration.ts'

/** The runtime lets an object go that was idle for ten seconds. */
const MAY_BE_GONE_MS = 9 * SECOND
let emptiedAt = -Infinity

/**
 * Deletes all that the objects keep, and KV with it. `reset` of @cloudflare/vitest-plugin 1.5.0 leaves what an object keeps
 * that is not in memory, so after a while, as on a busy machine, each object is woken first.
 */
export async function emptyStorage(): Promise<void> {
  if (performance.now() - emptiedAt > MAY_BE_GONE_MS) await wakeAll()
  await reset()
  emptiedAt = performance.now()
}

async function wakeAll(): Promise<void> {
  // A flow is reached by its name alone, and hardly a test names one as another test does.
  const { CONFIRMATIONS: _flows, ...others } = env
  const namespaces = Object.values<unknown>(others).filter(isNamespace)
  for (const namespace of namespaces)
    for (const id of await listDurableObjectIds(namespace))
      await runInDurableObject(namespace.get(id), () => {})
}

const isNamespace = (binding: unknown): binding is DurableObjectNamespace =>
  Object(binding).constructor.name === 'DurableObjectNamespace'
