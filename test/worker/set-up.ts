import { reset } from 'cloudflare:test'
import { afterEach, beforeEach, vi } from 'vitest'

import { forgetRules } from '../../src/practice/adapters/cloudflare/coordinator.ts'

// Each test begins with empty storage, without the rules that its isolate remembers, and with a log that prints nothing.
beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
  // What the test before left under way may have read its rules meanwhile.
  forgetRules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
