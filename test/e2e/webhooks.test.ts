// @module-tag slow

import { randomBytes } from 'node:crypto'

import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'

import { type Connector } from '../support/connector.ts'
import { connectorForTest } from '../support/started.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { done } from '../support/transports.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const NAME = 'Robin Castle'
const EMAIL = 'robin.castle@practice-guests.example'

test('a webhook keeps its secret through a rotation of the signing secrets, and pauses without one', async () => {
  const [{ path: storage, remove }, own] = [temporaryFolder(), await webhookReceiver()]
  const [old, renewed] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ]
  const under = async (vars: Record<string, string>, act: (one: Connector) => Promise<void>) => {
    const one = await connectorForTest({ vars, storage })
    await act(one)
  }
  const book = async (one: Connector) => {
    const profile = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
    await done(one, 'REST', 'create_client_profile', profile)
  }
  let secret = ''
  await under({ SIGNING_SECRET: old }, async (one) => {
    const made = await one.rest('/v1/webhooks', {
      body: { url: own.url, events: ['client.created'] },
    })
    secret = (made.body as { secret: string }).secret
  })
  for (const [count, vars] of [
    { SIGNING_SECRET: old, SIGNING_SECRET_2: renewed },
    { SIGNING_SECRET: '', SIGNING_SECRET_2: renewed },
  ].entries())
    await under(vars, async (one) => {
      await book(one)
      await vi.waitFor(() => expect(own.deliveries).toHaveLength(count + 1))
      const { headers, text } = own.deliveries[count]!
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toBeTruthy()
    })
  await under({ SIGNING_SECRET: old }, async (one) => {
    await book(one)
    await vi.waitFor(
      async () => {
        const { text } = await one.rest('/v1/webhooks')
        expect(text).toContain('"last_result":"secret_lost"')
        expect(text).toContain('"state":"paused"')
      },
      { interval: 100 },
    )
    const [, id] = /"webhook_id":"([^"]+)"/.exec((await one.rest('/v1/webhooks')).text) ?? []
    await one.rest(`/v1/webhooks/${id}/secret`, { body: {} })
    expect((await one.rest('/v1/webhooks')).text).toContain('"last_result":null')
  })
  await own.stop()
  remove()
})
