import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'

import { EventLog } from '../../durable-objects/event-log.ts'
import { confirmed } from '../support/browser.ts'
import { ownerPages } from './owner-pages.ts'

const PAGE = '/owner/settings/webhooks'
const URL_OF_ONE = 'https://hooks.example.com/catch/canary'
const log = () => env.EVENT_LOG.getByName('event-log')

/** The owner, signed in, with the form for a webhook sent and its passkey used. */
async function withWebhook() {
  const pages = await ownerPages()
  const { web } = pages
  const asked = await web.submit('/owner/webhooks/add', [
    ...(await web.open(PAGE)).form('/owner/webhooks/add'),
    ['url', URL_OF_ONE],
    ['topic', 'client.created'],
  ])
  expect(await log().subscriptions(null)).toEqual([])
  const made = await confirmed(web, asked)
  const [subscription] = await log().subscriptions(null)
  return { ...pages, asked, made, id: subscription!.id }
}

test('the owner adds a webhook with a passkey, sees its secret once, and it is logged', async () => {
  const { web, audit, asked, made, id } = await withWebhook()
  for (const said of ['Send events to', 'hooks.example.com', 'A client profile was created.'])
    expect(asked.html).toContain(said)
  expect(made.html).toMatch(/<code id="secret">whsec_/)
  const page = await web.open(PAGE)
  expect(page.html).toContain('hooks.example.com')
  expect(page.html).not.toMatch(/canary|whsec/)
  const [subscription] = await log().subscriptions(null)
  expect(subscription).toMatchObject({ caller: 'owner', state: 'active' })
  expect((await audit())[0]).toMatchObject({
    event: 'webhook',
    caller: 'owner',
    operation: 'owner_add_webhook',
    code: 'created',
    record_id: id,
  })
})

test('the owner pauses one at once, and resumes it with a passkey; both are logged', async () => {
  const { web, audit, id } = await withWebhook()
  const state = async () => (await log().subscriptions(null))[0]?.state
  const paused = await web.submit(
    '/owner/webhooks/pause',
    (await web.open(PAGE)).form('/owner/webhooks/pause'),
  )
  expect(paused.headers.get('Location')).toBe(`${PAGE}?done=webhook_paused`)
  expect(await state()).toBe('paused')
  expect((await audit())[0]).toMatchObject({ code: 'paused_by_owner', record_id: id })
  const asked = await web.submit(
    '/owner/webhooks/resume',
    (await web.open(PAGE)).form('/owner/webhooks/resume'),
  )
  expect(await state()).toBe('paused')
  await confirmed(web, asked)
  expect(await state()).toBe('active')
  expect((await audit())[0]).toMatchObject({ code: 'resumed', record_id: id })
})

test('one whose secret is lost blames no receiver', async () => {
  const { web } = await withWebhook()
  const lost = { result: 'secret_lost', ms: 0 } as const
  vi.spyOn(EventLog.prototype, 'testSubscription').mockResolvedValueOnce(lost)
  const form = (await web.open(PAGE)).form('/owner/webhooks/test')
  const tested = await web.submit('/owner/webhooks/test', form)
  expect(tested.headers.get('Location')).toBe(`${PAGE}?done=webhook_secret_lost`)
})

test('the owner removes one after a second question, which is logged', async () => {
  const { web, audit, id } = await withWebhook()
  const asked = await web.submit(
    '/owner/webhooks/remove',
    (await web.open(PAGE)).form('/owner/webhooks/remove'),
  )
  // Of several, which one.
  expect(asked.html).toContain('Send no more events to \u2068hooks.example.com\u2069?')
  expect(asked.html).toContain(`href="${PAGE}">Cancel`)
  expect(await log().subscriptions(null)).toHaveLength(1)
  const removed = await confirmed(web, asked)
  expect([removed.status, removed.headers.get('Location')]).toEqual([303, `${PAGE}?done=webhook`])
  expect(await log().subscriptions(null)).toEqual([])
  expect((await confirmed(web, asked)).html).toContain('Nothing was changed')
  expect((await audit())[0]).toMatchObject({
    event: 'webhook',
    operation: 'owner_remove_webhook',
    code: 'removed',
    record_id: id,
  })
})
