import { DurableObject } from 'cloudflare:workers'
import type { ErasureHost } from '../src/confirm/erasure-host.ts'
import { Erasure } from '../src/confirm/erasure.ts'
import type { Env } from '../src/env.ts'
import { auditFrom, eraseFlow, registerFrom, restOfFlow } from '../src/wiring.ts'
import type { Holdings } from './register.ts'

/**
 * Erases one client: an object for each that is deleted. In an object of an earlier version, which wrote the records of
 * its client, names of records stand from before.
 */
export class Client extends DurableObject<Env> {
  readonly #erasure: Erasure

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#erasure = new Erasure(hostIn(ctx, env))
  }

  /** A flow that is heard of only after the deletion keeps an answer about the client, too. */
  eraseToo(flow: string): void {
    this.#erasure.eraseToo(flow)
  }

  holdings(): Holdings {
    return this.#erasure.holdings()
  }

  /** Begins to erase the client; what is left is erased by alarm. Throws if that cannot be decided now. */
  delete(clientId: string, by: { caller: string; requestId: string }): Promise<void> {
    return this.#erasure.delete(clientId, by)
  }

  override alarm(): Promise<void> {
    return this.#erasure.alarm()
  }
}

const hostIn = ({ storage }: DurableObjectState, env: Env): ErasureHost => ({
  now: () => Date.now(),
  kv: storage.kv,
  setAlarm: (at) => void (at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
  register: {
    eraseClient: async (clientId) => registerFrom(env).eraseClient(clientId),
    release: async (clientId) => registerFrom(env).release(clientId),
  },
  records: env.RECORDS,
  eraseIn: (flow, clientId) => eraseFlow(env, flow, clientId),
  restOf: (flow) => restOfFlow(env, flow),
  append: async (entries) => auditFrom(env).append(entries),
})
