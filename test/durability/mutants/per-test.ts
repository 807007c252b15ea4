import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * What is made once for all tests would seem to be covered by the first of them alone. While Stryker looks which test covers what,
 * each makes it again; while a mutant is tried, no test is named, and it is made once.
 */
const PER_TEST = `
lazily = (make) => {
  let made, by
  return () => {
    const { currentTestId } = globalThis.__stryker__ ?? {}
    if (made === undefined || by !== currentTestId) [made, by] = [make(), currentTestId]
    return made
  }
}`

const known = globalThis as { makesPerTest?: boolean }
if (!known.makesPerTest) {
  known.makesPerTest = true
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith('/src/core/domain/lazy.ts')) return loaded
      return { ...loaded, source: readFileSync(fileURLToPath(url), 'utf8') + PER_TEST }
    },
  })
}
