import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

import { confirmed } from '../support/browser.ts'
import { ownerPages } from './owner-pages.ts'

test('the owner sees the webhooks of a caller, and removes one, which is logged', async () => {
  const { web, audit } = await ownerPages()
  const log = env.EVENT_LOG.getByName('event-log')
  const made = await log.subscribe({
    caller: 'owner',
    url: 'https://hooks.example.com/catch/canary',
    topics: ['client.created'],
    origin: 'https://connector.example.com',
  })
  const id = made.is === 'new' ? made.subscription.id : ''
  const page = await web.open('/owner/callers/owner')
  expect(page.html).toContain('hooks.example.com')
  expect(page.html).not.toMatch(/canary|whsec/)
  const asked = await web.submit('/owner/webhooks/remove', page.form('/owner/webhooks/remove'))
  expect(asked.html).toContain('Remove this webhook?')
  expect(await log.subscriptions(null)).toHaveLength(1)
  const removed = await confirmed(web, asked)
  expect([removed.status, removed.headers.get('Location')]).toEqual([
    303,
    expect.stringContaining('/owner/callers/owner'),
  ])
  expect(await log.subscriptions(null)).toEqual([])
  expect((await audit())[0]).toMatchObject({
    event: 'webhook',
    caller: 'owner',
    operation: 'owner_remove_webhook',
    code: 'removed',
    record_id: id,
  })
})
