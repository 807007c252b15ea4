import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { apiKeyFor, connectorAddress } from '../../../src/cli/admin-client.ts'

beforeEach(() => vi.stubEnv('CONNECTOR_API_KEY', 'the-key'))
afterEach(() => vi.unstubAllEnvs())

test.each([
  'https://connector.example.com',
  'http://127.0.0.1:8787',
  'http://localhost:8787/path',
  'http://[::1]:8787',
])('the API key may be sent to %s', (address) => {
  expect(apiKeyFor(connectorAddress(address))).toBe('the-key')
})

test.each([
  'http://connector.example.com',
  'HTTP://CONNECTOR.EXAMPLE.COM',
  'http://127.0.0.1@connector.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com/',
  'http://connector.example.com\\@127.0.0.1',
  'http://192.168.1.20:8787',
])('the API key is not sent to %s', (address) => {
  expect(() => apiKeyFor(connectorAddress(address))).toThrow(/only over https/)
})

test.each(['ccn_one\nccn_two', '\u201cccn_one\u201d', 'ccn_one two'])(
  'a key that no header carries is refused, and not shown',
  (key) => {
    vi.stubEnv('CONNECTOR_API_KEY', key)
    const keyFor = () => apiKeyFor(connectorAddress('http://localhost:8787'))
    expect(keyFor).toThrow('CONNECTOR_API_KEY holds a blank')
    expect(keyFor).not.toThrow('ccn_')
  },
)

test('without a key any http address may be called', () => {
  vi.stubEnv('CONNECTOR_API_KEY', '')
  expect(apiKeyFor(connectorAddress('http://connector.example.com'))).toBeUndefined()
})

test.each(['connector.example.com', 'ftp://connector.example.com', ''])(
  '%j is no address',
  (address) => {
    expect(() => connectorAddress(address)).toThrow('--url must be a whole address')
  },
)
