import { describe, expect, test } from 'vitest'

import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { lookups } from '../../../../src/owner/access/principal.ts'

const QUOTA = 20

/** A store of credentials that counts how often it is asked. */
function practice(good: string[]) {
  let time = 0
  const asked: string[] = []
  const lookUp = lookups(() => time)
  return {
    asked,
    good,
    pass: (milliseconds: number) => (time += milliseconds),
    async ask(name: string, address = '192.0.2.1') {
      try {
        const found = await lookUp(name, address, async () => {
          asked.push(name)
          return good.includes(name) ? name : undefined
        })
        return found === undefined ? 'unknown' : 'good'
      } catch (thrown) {
        if (!(thrown instanceof Problem)) throw thrown
        expect(thrown.refusal).toMatchObject({
          code: 'rate_limited',
          limit: { quota: QUOTA, window_seconds: 60 },
        })
        return `wait ${thrown.refusal.retry_after_seconds}`
      }
    },
  }
}

const madeUp = (count: number) => Array.from({ length: count }, (_, n) => `made up ${n}`)

describe('invented credentials', () => {
  test('are looked up a limited number of times a minute for an address, and then refused without a lookup', async () => {
    const { ask, asked, pass } = practice([])
    const answers = []
    for (const name of madeUp(QUOTA + 20)) answers.push(await ask(name))
    expect(answers).toEqual([
      ...Array<string>(QUOTA).fill('unknown'),
      ...Array<string>(20).fill('wait 60'),
    ])
    expect(asked).toHaveLength(QUOTA)
    expect(await ask('made up by another', '192.0.2.2')).toBe('unknown')
    pass(MINUTE)
    expect(await ask('one more')).toBe('unknown')
  })

  test('are limited to the same number when they arrive at once', async () => {
    const { ask, asked } = practice([])
    await Promise.all(madeUp(200).map((name) => ask(name)))
    expect(asked).toHaveLength(QUOTA)
  })

  test('never shut out a credential that was valid here, nor drop it from the cache', async () => {
    const { ask, asked } = practice(['known'])
    expect(await ask('known')).toBe('good')
    for (const [n, name] of madeUp(1100).entries()) await ask(name, `198.51.100.${n}`)
    for (const name of madeUp(1100)) await ask(`other ${name}`)
    expect(await ask('never seen')).toMatch(/^wait/)
    asked.length = 0
    expect(await ask('known')).toBe('good')
    expect(asked).toEqual(['known'])
  })
})

describe('many calls at once with one credential that is new here', () => {
  test('are all let in where it is valid', async () => {
    const { ask } = practice(['burst'])
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('burst')))
    expect(new Set(answers)).toEqual(new Set(['good']))
    expect(await ask('made up')).toBe('unknown')
  })

  test('are one lookup where it is made up', async () => {
    const { ask, asked } = practice([])
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask('burst')))
    expect(new Set(answers)).toEqual(new Set(['unknown']))
    expect(asked).toHaveLength(1)
  })

  test('try each again where the first lookup fails', async () => {
    const lookUp = lookups(() => 0)
    let failures = 0
    const find = () => {
      failures += 1
      return failures === 1 ? Promise.reject(new Error('away')) : Promise.resolve(true)
    }
    const [first, ...others] = await Promise.allSettled(
      Array.from({ length: 3 }, () => lookUp('burst', 'a', find)),
    )
    expect(first).toMatchObject({ status: 'rejected' })
    expect(others).toEqual(others.map(() => ({ status: 'fulfilled', value: true })))
  })
})

test('a valid credential uses up nothing, however many there are behind one address', async () => {
  const names = madeUp(100)
  const { ask } = practice(names)
  for (const name of names) expect(await ask(name)).toBe('good')
})

test('an expired credential is rejected at once, and does not use up the quota of its address', async () => {
  const { ask, asked, good, pass } = practice(['ending', 'new'])
  expect(await ask('ending')).toBe('good')
  good.shift()
  asked.length = 0
  for (let second = 0; second < 60; second++) {
    expect(await ask('ending')).toBe('unknown')
    pass(1000)
  }
  expect(asked.length).toBeLessThan(6)
  expect(await ask('new')).toBe('good')
})

test('a failed lookup counts against no one', async () => {
  const lookUp = lookups(() => 0)
  for (let n = 0; n < QUOTA * 2; n++)
    await expect(lookUp(`${n}`, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow(
      'away',
    )
  expect(await lookUp('good', 'a', async () => true)).toBe(true)
})
