import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { emptyStorage } from './empty-storage.ts'

/*
 * A test that awaits a promise goes on in the context of the object that resolves it. If the test ended
 * there, the next test and the next file would begin there, and workerd would refuse their I/O. So each
 * test ends with a promise that a timer resolves, and that timer belongs to the context of the files.
 */
const LOOKS_EVERY_MS = 10
let waiting: (() => void)[] = []
let timer: ReturnType<typeof setInterval>
const backInTheFile = () => new Promise<void>((goOn) => waiting.push(goOn))

beforeAll(() => {
  timer = setInterval(() => {
    const ready = waiting
    waiting = []
    for (const goOn of ready) goOn()
  }, LOOKS_EVERY_MS)
})
afterAll(() => clearInterval(timer))

// Each test begins with empty storage, without the rules that its isolate remembers, and with a log that prints nothing.
beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await emptyStorage()
  // What the test before left under way may have read its rules meanwhile.
  forgetRules()
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await backInTheFile()
})
