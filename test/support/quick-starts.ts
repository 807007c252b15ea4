import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * Miniflare writes what workerd is to run, our script among it, into one buffer, and copies all of that for each 4 KiB more.
 * A larger step saves a start half a second of CPU. For `node --import`, since it has to be there before Miniflare is.
 */
const MINIFLARE = '/node_modules/miniflare/dist/src/index.js'
const STEP = /\b(MIN_SINGLE_SEGMENT_GROWTH = )(?:4096|4e3|4 \* 1024)\b/
const LARGER = 4 * 1024 * 1024

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(MINIFLARE)) return nextLoad(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    if (!STEP.test(source))
      throw new Error('Miniflare grows its buffer otherwise now: see test/support/quick-starts.ts.')
    return {
      format: 'commonjs',
      source: source.replace(STEP, `$1${LARGER}`),
      shortCircuit: true,
    }
  },
})

/*
 * Vitest gives a process half a second to end, in which Miniflare removes the files of one connector before it ends the next:
 * a busy machine would keep workerd of those that files share. So each is ended first.
 */
const children = new Set<ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  children.add(child)
  child.once('exit', () => children.delete(child))
})
process.prependListener('SIGTERM', () => {
  for (const child of children) child.kill('SIGKILL')
  if (process.listenerCount('SIGTERM') === 1) process.exit(128 + 15)
})
