// @module-tag slow

import { expect, test } from 'vitest'

import { runCommand } from '../support/command.ts'
import { connectorForTest } from '../support/started.ts'

const demo = async (url: string) => runCommand('demo', ['--target', 'own', '--url', url])

test('the demo goes through a connector of the owner, and each act at the provider makes its event', async () => {
  const { url } = await connectorForTest()
  const { code, stdout, stderr } = await demo(url)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /booking\.created[^]*rescheduled[^]*no_show[^]*cancelled[^]*payment_failed/,
  )
  expect(stdout).toMatch(/\nDone: (\d+) calls over REST and the same \1 over MCP/)
})

test('the demo makes no change at a connector with a live provider', async () => {
  const connector = await connectorForTest({
    vars: {
      PAYMENT_PROVIDER_SECRET_KEY: 'sk_test_1',
      PAYMENT_PROVIDER_BASE_URL: 'http://127.0.0.1:1',
    },
  })
  const { code, stderr } = await demo(connector.url)
  expect([code, stderr]).toEqual([1, expect.stringContaining('--target live')])
  expect((await connector.rest('/v1/bookings')).body).toMatchObject({ bookings: [] })
})
