// @module-tag slow

import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { TOPIC_NAMES } from '../../src/core/domain/events/topics.ts'
import { runCommand } from '../support/command.ts'
import { OWNED, OWNER_KEY } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { done } from '../support/transports.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const connector = connectorForAll({ vars: OWNED })
let tool: Awaited<ReturnType<typeof webhookReceiver>>
beforeEach(async () => void (tool = await webhookReceiver()))
afterEach(async () => {
  const { webhooks } = await own('/v1/webhooks')
  for (const { webhook_id } of webhooks ?? [])
    await connector.as(OWNER_KEY).rest(`/v1/webhooks/${webhook_id}`, { method: 'DELETE' })
  await tool.stop()
})

interface Answer {
  webhooks?: { webhook_id: string }[]
  next_cursor?: string
  id?: string
  key?: string
}
const own = async (path: string, body?: object): Promise<Answer> =>
  (await connector.as(OWNER_KEY).rest(path, body && { body })).body as unknown as Answer

/** What `npm run webhooks -- …` prints, and whether it failed. */
async function webhooks(
  given: string[],
  key = OWNER_KEY,
): Promise<{ text: string; failed: boolean }> {
  const args = [...given, '--url', connector.url]
  const { code, stdout, stderr } = await runCommand('webhooks', args, { CONNECTOR_API_KEY: key })
  return code === 0 ? { text: stdout, failed: false } : { text: stderr, failed: true }
}

const idIn = (text: string): string => /wh_[\w-]{22}/.exec(text)?.[0] ?? ''
const secretIn = (text: string): string => /whsec_[\w+/]+=*/.exec(text)?.[0] ?? ''

/** Subscribes the receiver to new clients. */
async function added(): Promise<{ id: string; secret: string; text: string }> {
  const { text } = await webhooks(['add', tool.url, '--events', 'client.created,client.deleted'])
  return { id: idIn(text), secret: secretIn(text), text }
}

const newClient = () =>
  done(connector.as(OWNER_KEY), 'REST', 'create_client_profile', {
    entity_type: 'individual',
    display_name: 'Robin Castle',
    contact_email: 'robin.castle@practice-guests.example',
  })
const arrived = (count: number) => vi.waitFor(() => expect(tool.deliveries).toHaveLength(count))
const verified = (nth: number, secret: string) => {
  const { headers, text } = tool.deliveries[nth]!
  return new Webhook(secret).verify(text, headers as Record<string, string>) as {
    id: string
    type: string
  }
}
const listedAs = (words: RegExp) =>
  vi.waitFor(async () => expect((await webhooks(['list'])).text).toMatch(words), { interval: 200 })

describe('npm run webhooks', () => {
  test('subscribes a pasted address, whose test and events arrive signed with the secret that is shown once', async () => {
    const { id, secret, text } = await added()
    expect(text).toContain(`npm run webhooks -- test ${id} --url ${connector.url}`)
    expect((await webhooks(['test', id])).text).toMatch(/^The receiver accepted it, after \d+ ms\./)
    await newClient()
    await arrived(2)
    expect([verified(0, secret).type, verified(1, secret).type]).toEqual([
      'webhook.test',
      'client.created',
    ])

    await listedAs(/last arrived \d{4}-\S+; nothing waits/)
    const listed = await webhooks(['list'])
    const { host } = new URL(tool.url)
    expect(listed.text).toContain(
      `${id}  ${host}  active\n  client.created, client.deleted\n  of owner`,
    )

    const again = await added()
    expect(again.text).toContain('already gets these events')
    expect(again.id).toBe(id)
    for (const shown of [text, listed.text, again.text]) expect(shown).not.toMatch(/canary|ccn_/)
    for (const shown of [listed.text, again.text]) expect(shown).not.toContain('whsec_')
  })

  test('makes another secret, which signs beside the one before, and removes a webhook', async () => {
    const { id, secret } = await added()
    const renewed = await webhooks(['secret', id])
    expect(renewed.text).toContain('For 24 hours')
    await webhooks(['test', id])
    expect(secretIn(renewed.text)).not.toBe(secret)
    expect(verified(0, secret)).toEqual(verified(0, secretIn(renewed.text)))

    expect((await webhooks(['remove', id])).text).toContain(`There is no webhook ${id} now.`)
    expect((await webhooks(['list'])).text).toBe('There are no webhooks yet.\n')
  })

  test('says what a receiver that fails answers, and resumes or replays what it missed', async () => {
    const { id, secret } = await added()
    const { next_cursor = '' } = await own('/v1/events')
    tool.answer(404)
    const refused = await webhooks(['test', id])
    expect([refused.failed, refused.text]).toEqual([
      true,
      expect.stringMatching(/refused it \(4xx\), after \d+ ms.*n8n/),
    ])
    await newClient()
    await listedAs(/1 event waits\n  failing since \d{4}-\S+: the receiver refused it/)

    expect((await webhooks(['resume', id])).text).toContain('Active; 1 event waits.')
    tool.answer(200)
    await vi.waitFor(() => expect(tool.deliveries.length).toBeGreaterThan(2))
    await listedAs(/nothing waits/)
    const missed = verified(tool.deliveries.length - 1, secret)

    tool.deliveries.length = 0
    expect((await webhooks(['resume', id, '--after', next_cursor])).failed).toBe(false)
    await arrived(1)
    expect(verified(0, secret)).toEqual(missed)
    expect((await webhooks(['resume', id, '--after', 'nonsense'])).text).toContain('after: ')
  })

  test('answers a wrong topic or address with what is expected, and repeats neither', async () => {
    const wrong = await webhooks(['add', tool.url, '--events', 'booking.created,booking.canary'])
    expect(wrong.text).toContain('topic 2 in your list is unknown')
    for (const topic of TOPIC_NAMES) expect(wrong.text).toContain(topic)
    const typo = await webhooks(['add', tool.url, '--events', 'booking.canceled'])
    expect(typo.text).toContain('did you mean booking.cancelled? Nothing was sent.')
    const none = await webhooks(['add', tool.url])
    expect(none.text).toContain('names none')
    const address = await webhooks([
      'add',
      'http://canary.example.com/x',
      '--events',
      'booking.created',
    ])
    expect(address.text).toContain('Expected an https address.')
    const missing = await webhooks(['add', '--events', 'booking.created'])
    expect(missing.text).toContain('--url is the address of the connector')
    const whose = await webhooks(['test'])
    expect(whose.text).toContain('Which webhook?')
    for (const path of ['', '..'])
      expect((await webhooks(['remove', path])).text).toContain('One argument is empty')
    const unknown = await webhooks(['dance', 'wh_1'])
    expect(unknown.text).toContain('npm run webhooks -- remove')
    for (const { failed, text } of [wrong, none, address, missing, whose, unknown]) {
      expect(failed).toBe(true)
      expect(text).not.toContain('canary')
    }
    expect((await webhooks(['list'])).text).toBe('There are no webhooks yet.\n')
  })
})
