// @module-tag slow

import { expect, test } from 'vitest'

import { connectorForTest } from '../support/started.ts'

test('an act on the mock says what cannot be done, and acts on no live provider', async () => {
  const { rest } = await connectorForTest({
    vars: {
      PAYMENT_PROVIDER_SECRET_KEY: 'sk_test_1',
      PAYMENT_PROVIDER_BASE_URL: 'http://127.0.0.1:1',
    },
  })
  const act = async (fields: object) => (await rest('/v1/admin/mock-acts', { body: fields })).body
  // Someone looks at the events, so that what follows is news.
  await rest('/v1/events')
  expect(await act({ act: 'pay' })).toMatchObject({
    detail: expect.stringContaining('not a mock') as string,
  })
  expect(await act({ act: 'cancel', booking_id: 'bk_mock_0' })).toMatchObject({
    detail: expect.stringContaining('nothing like this') as string,
  })
  expect((await act({ act: 'book' })).errors?.[0]?.pointer).toBe('/start_time')
  expect((await act({ act: 'dance' })).code).toBe('validation_failed')
  expect((await rest('/v1/events')).body).toMatchObject({ events: [] })
})

test('a deployed Worker has no route for it, no matter who asks', async () => {
  const deployed = { ALLOW_ANONYMOUS: 'false', DEPLOYED_SOURCE: 'source.1' }
  const connector = await connectorForTest({ vars: deployed })
  const refused = await connector.rest('/v1/admin/mock-acts', { body: { act: 'pay' } })
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
})
