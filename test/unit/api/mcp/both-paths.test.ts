import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'

import { BEGUN } from '../../../../src/api/mcp/protocol.ts'
import {
  compareBothPaths,
  everyProtocolMessage,
  fuzzedMessages,
} from '../../../security/fuzz/both-paths.ts'

const SEED = 1
/** Enough for each kind of message to be bent in many ways; another seed and more of them find more. */
const FUZZED = 400

test('any JSON value in each place of each kind of message is answered as the SDK answers it', async () => {
  const { messages, plain, different } = await compareBothPaths(everyProtocolMessage())
  expect(different.slice(0, 3)).toEqual([])
  expect(messages).toBeGreaterThan(1000)
  expect(plain).toBeGreaterThan(100)
})

test('messages as hosts send them, and bent ones, are answered as the SDK answers them', async () => {
  const { plain, different } = await compareBothPaths(fuzzedMessages(SEED, FUZZED))
  expect(different.slice(0, 3)).toEqual([])
  expect(plain).toBeGreaterThan(FUZZED / 5)
})

test('the revisions before 2026 are those that the SDK speaks', () => {
  expect(BEGUN).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})
