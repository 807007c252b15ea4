import { expect, test } from 'vitest'

import { isRuntimeNoise } from '../../../src/cli/local.ts'

const UNCAUGHT = 'uncaught exception; source = Uncaught (in promise); stack = '

test.each([
  `${UNCAUGHT}Error: Network connection lost.`,
  `${UNCAUGHT}Error: internal error; reference = tmmqm8r01asf077o2jd43u0b`,
  'uncaught exception; exception = workerd/jsg/value.h:1511: disconnected: jsg.Error\nstack: /opt/workerd@36c6fb0',
  'NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm.; scheduledTime = 1795363588.822s; actorId = 0efac8',
])(
  'a line in which workerd reports a lost connection or a moved alarm is left out of the log: %j',
  (message) => {
    expect(isRuntimeNoise(message)).toBe(true)
  },
)

test.each([
  `${UNCAUGHT}TypeError: Cannot read properties of null\n    at Object.fetch (worker.js:1:76)`,
  `${UNCAUGHT}Error: Network connection lost.\n    at async perform (worker.js:1:76)`,
  `${UNCAUGHT}Error: internal error in our code`,
  `${UNCAUGHT}TypeError: Network connection lost.`,
  '{"request_id":"r-1","code":"provider_busy","status":503}',
])('an error of our own code, or any other line, stays in the log: %j', (message) => {
  expect(isRuntimeNoise(message)).toBe(false)
})
