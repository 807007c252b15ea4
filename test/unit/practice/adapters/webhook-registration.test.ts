import { describe, expect, it } from 'vitest'

import type { MadeWebhook, WantedWebhook } from '../../../../src/core/ports/provider-sync.ts'
import {
  type ListedWebhook,
  webhookRegistration,
} from '../../../../src/practice/adapters/provider-webhooks.ts'
import { randomFrom } from '../../../support/random.ts'

const OLD = 'https://old.example/hooks/provider'
const NEW = 'https://new.example/hooks/provider'
const FOREIGN: ListedWebhook = {
  id: 'foreign',
  url: 'https://else.example/hooks/provider',
  state: { is: 'active' },
}

interface Kind {
  makesSecret: boolean
  /** Whether the provider allows one webhook of an address. */
  oneOfAnAddress: boolean
}
const KINDS: Record<string, Kind> = {
  'takes our key': { makesSecret: false, oneOfAnAddress: false },
  'takes our key, and allows one webhook of an address': {
    makesSecret: false,
    oneOfAnAddress: true,
  },
  'makes the secret': { makesSecret: true, oneOfAnAddress: false },
}

/** Runs of `ensure` beside each other at one provider, in an order that the seed decides. */
function world(seed: number, { makesSecret, oneOfAnAddress }: Kind) {
  const random = randomFrom(seed)
  const hooks: ListedWebhook[] = [{ ...FOREIGN }]
  const kept: MadeWebhook[] = []
  const log: string[] = []
  let number = 0
  const waiting: (() => void)[] = []
  /** Until it is the turn of this call. */
  const turn = (crashes: boolean) =>
    new Promise<void>((resolve, reject) => {
      waiting.push(() => (crashes && random.chance(0.1) ? reject(new Error('ended')) : resolve()))
    })
  const works = (url: string) =>
    hooks.filter((hook) => {
      if (hook.url !== url || hook.state.is !== 'active') return false
      return !makesSecret || kept.some(({ id }) => id === hook.id)
    })
  const run = async (url: string, how?: 'not cut off'): Promise<void> => {
    const crashes = how === undefined
    const madeIds = kept.map(({ id }) => id)
    const wanted: WantedWebhook = {
      url,
      madeIds,
      ...(makesSecret && { knownId: madeIds[0] ?? '' }),
    }
    const { ensure } = webhookRegistration({
      async list() {
        await turn(crashes)
        const listed = hooks.map((hook) => ({ ...hook }))
        await turn(crashes)
        return random.chance(0.5) ? listed : listed.toReversed()
      },
      async create() {
        await turn(crashes)
        if (oneOfAnAddress && hooks.some((hook) => hook.url === url)) return 'exists'
        const id = `made${(number += 1)}`
        log.push(`+${id}`)
        hooks.push({ id, url, state: { is: 'active' } })
        await turn(crashes)
        return { id }
      },
      async remove(id) {
        await turn(crashes)
        log.push(`-${id}`)
        const at = hooks.findIndex((hook) => hook.id === id)
        if (at >= 0) hooks.splice(at, 1)
        await turn(crashes)
      },
    })
    await ensure(wanted, async (made) => {
      await turn(crashes)
      kept.splice(0, kept.length, ...[made, ...kept.filter(({ id }) => id !== made.id)].slice(0, 3))
      await turn(crashes)
    }).catch(() => {})
  }
  /** Runs beside each other to their ends; `check` after each step. */
  const together = async (runs: Promise<void>[], check = () => {}) => {
    let over = 0
    for (const one of runs) void one.finally(() => (over += 1))
    while (over < runs.length) {
      for (let ticks = 0; ticks < 20; ticks += 1) await Promise.resolve()
      const [next] = waiting.splice(random.int(0, Math.max(0, waiting.length - 1)), 1)
      next?.()
      for (let ticks = 0; ticks < 20; ticks += 1) await Promise.resolve()
      check()
    }
  }
  return { random, hooks, log, works, run, together }
}

describe.each(Object.entries(KINDS))('at a provider that %s', (_name, kind) => {
  it('runs beside each other, which may be cut off, leave a webhook of ours from then on, one in the end, and all of others', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const { random, hooks, log, works, run, together } = world(seed, kind)
      let url = OLD
      let hasStood = false
      for (let round = 0; round < 5; round += 1) {
        const what = random.int(1, 10)
        if (what <= 3) url = url === OLD ? NEW : OLD
        else if (what <= 5 && !kind.oneOfAnAddress)
          hooks.push({ id: `left${round}`, url, state: { is: 'active' } })
        else if (what <= 7) {
          for (const hook of hooks) if (hook.id !== FOREIGN.id) hook.state = { is: 'disabled' }
          hasStood = false
        }
        await together([run(url), run(url)], () => {
          const stands = works(OLD).length + works(NEW).length > 0
          expect(stands || !hasStood, `seed ${seed}: ${log.join()}`).toBe(true)
          hasStood = stands
        })
      }
      await together([run(url, 'not cut off')])
      await together([run(url, 'not cut off')])
      const left = hooks.filter((hook) => hook.url === url)
      expect([works(url).length, left.length], `seed ${seed}: ${log.join()}`).toEqual([1, 1])
      expect(hooks).toContainEqual(FOREIGN)
    }
  })
})
