import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

import {
  newWebhookSecret,
  webhookSignature,
} from '../../../../src/core/crypto/webhook-signature.ts'

const BODY = '{"type":"webhook.test"}'

test('the signature is that of Standard Webhooks, for a known secret', async () => {
  const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64')}`
  expect(await webhookSignature([secret], 'evt_1', 1_795_273_510, BODY)).toBe(
    'v1,vSOKeiAOBOd+Yk/NGLu8zkd9tDcdtnBxC1wsQpFkkWg=',
  )
})

test('what is signed under two secrets is verified with either, and with no other', async () => {
  const [old, renewed, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const at = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'evt_mock_5kQ0',
    'webhook-timestamp': String(at),
    'webhook-signature': await webhookSignature([renewed, old], 'evt_mock_5kQ0', at, BODY),
  }
  for (const secret of [old, renewed])
    expect(new Webhook(secret).verify(BODY, headers)).toEqual({ type: 'webhook.test' })
  expect(() => new Webhook(other).verify(BODY, headers)).toThrow()
  expect(() => new Webhook(old).verify(`${BODY} `, headers)).toThrow()
})

test('a new secret has 32 random bytes', () => {
  const secret = newWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newWebhookSecret()).not.toBe(secret)
})
