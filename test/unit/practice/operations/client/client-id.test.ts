import { describe, expect, test } from 'vitest'

import { openKeyring } from '../../../../../src/core/crypto/keyring.ts'
import {
  checkClientId,
  issueClientId,
} from '../../../../../src/practice/operations/client/identity.ts'
import { getClient } from '../../../../../src/practice/operations/get-client.ts'
import { EXAMPLE_KEPT_CLIENT } from '../../../../../src/practice/operations/list-clients.ts'
import type { ReadPorts } from '../../../../../src/practice/operations/operation.ts'

const AT = '2026-11-20T15:00:00Z'
const FIRST = 'the first signing secret, 32 bytes long'
const SECOND = 'the second signing secret, 32 bytes too'
const keyring = await openKeyring([FIRST])
const issue = (flow: string, mode: 'mock' | 'live' = 'live') =>
  issueClientId(keyring, keyring.current, flow, mode)
const live = await issue('one flow')
const mock = await issue('one flow', 'mock')

describe('a client id authenticates itself', () => {
  test('derives from its flow, so that a repeat makes the same one', async () => {
    expect(await issue('one flow')).toBe(live)
    expect(await issue('another flow')).not.toBe(live)
    expect(live).not.toContain('flow')
    expect(await checkClientId(keyring, live, 'live')).toBe('issued')
  })

  test('says that it is mock, and is not accepted as a live one', async () => {
    expect(mock).toMatch(/^cl_mock_/)
    expect(await checkClientId(keyring, mock, 'mock')).toBe('issued')
    expect(await checkClientId(keyring, mock, 'live')).toBe('foreign')
    expect(await checkClientId(keyring, live, 'mock')).toBe('foreign')
    expect(await checkClientId(keyring, mock.replace('mock_', ''), 'live')).toBe('foreign')
    expect(await checkClientId(keyring, live.replace('cl_', 'cl_mock_'), 'mock')).toBe('foreign')
  })

  test('shows its client beside others of its mode alone', async () => {
    const none = { entries: [], count: 0 }
    const read = (client_id: string) => {
      const client = JSON.stringify({ ...EXAMPLE_KEPT_CLIENT, client_id, recorded_at: AT })
      const found = { client, intake: none, bookings: none, paymentLinks: none }
      const [scheduling, payments] = [{ mode: 'live' }, { mode: 'live' }]
      const ports = { scheduling, payments, records: { ofClient: async () => found } }
      return getClient.run({ client_id }, ports as unknown as ReadPorts)
    }
    expect(await read(live)).toMatchObject({ client: { client_id: live } })
    await expect(read(mock)).rejects.toMatchObject({ refusal: { code: 'client_not_found' } })
  })

  test.each([
    ['live', live],
    ['mock', mock],
  ] as const)('is rejected with any one character changed (%s)', async (mode, id) => {
    for (const at of Array.from(id).keys()) {
      for (const other of ['a', 'B', '7', '-', '.', '']) {
        if (id[at] === other) continue
        const changed = id.slice(0, at) + other + id.slice(at + 1)
        expect(await checkClientId(keyring, changed, mode)).not.toBe('issued')
      }
    }
  })

  test.each([
    '',
    'cl_',
    'cl_x',
    'no one',
    `cl_${'z'.repeat(52)}`,
    `${live}x`,
    `x${live}`,
    `${live}\n`,
  ])('what no one issued is foreign: %j', async (made) =>
    expect(await checkClientId(keyring, made, 'live')).toBe('foreign'),
  )

  test('is verified while its secret is listed, and afterwards only by its record', async () => {
    expect(await checkClientId(await openKeyring([SECOND, FIRST]), live, 'live')).toBe('issued')
    expect(await checkClientId(await openKeyring([SECOND]), live, 'live')).toBe('unlisted')
  })
})
