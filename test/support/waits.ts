import { vi } from 'vitest'

import { PATIENCE } from './patience.ts'

// `expect.poll` takes its time from the configuration, which has nothing for these two.
for (const name of ['waitFor', 'waitUntil'] as const) {
  const wait = vi[name] as (check: () => unknown, options: object) => Promise<unknown>
  const patient = (check: () => unknown, options: number | object = {}) => {
    const given = typeof options === 'number' ? { timeout: options } : options
    return wait(check, { timeout: PATIENCE, ...given })
  }
  Object.assign(vi, { [name]: patient })
}
