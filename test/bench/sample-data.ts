import { setTimeout as pause } from 'node:timers/promises'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { rpcRequest } from '../support/agents.ts'
import { freeTimes } from './changes.ts'
import type { Callers, Described, Samples } from './our-rows.ts'
import { type Fields, bearer, rpcResult } from './transports.ts'

type Reply = Fields & { result?: Record<string, string>; confirmation_token?: string }

async function json(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 1000)}`)
  return JSON.parse(text) as Reply
}

/** The paths of the OpenAPI document, and the names of the tools. */
export async function describe(url: string, apiKey: string): Promise<Described> {
  const { paths } = (await json(`${url}/openapi.json`)) as unknown as Pick<Described, 'paths'>
  const { tools } = (await toolList(url, apiKey)) as { tools: { name: string }[] }
  return { paths, tools: tools.map(({ name }) => name) }
}

/** What the connector answers to `tools/list`. */
export async function toolList(url: string, apiKey: string): Promise<Fields> {
  return rpc(url, apiKey, 'tools/list')
}

/** What the connector answers to `tools/call list_availability`, for the floor and the peers to answer with. */
export async function availabilityAnswer(url: string, apiKey: string): Promise<string> {
  const { structuredContent, content } = await rpc(url, apiKey, 'tools/call', {
    name: 'list_availability',
    arguments: {},
  })
  return JSON.stringify({
    answer: structuredContent,
    text: (content as { text: string }[])[0]!.text,
  })
}

async function rpc(url: string, apiKey: string, method: string, params?: Fields): Promise<Fields> {
  const { headers, body } = rpcRequest('2025-11-25', method, params)
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, ...bearer(apiKey) },
    body: JSON.stringify(body),
  })
  return rpcResult(await response.text())
}

/** A key such as staff and agents use: every scope but the owner's. */
export async function staffKey(url: string, ownerKey: string): Promise<string> {
  const { scopes } = (await json(`${url}/v1/me`, { headers: bearer(ownerKey) })) as unknown as {
    scopes: string[]
  }
  const { key } = await json(`${url}/v1/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearer(ownerKey) },
    body: JSON.stringify({
      name: 'Bench',
      scopes: [...scopes.filter((scope) => scope !== 'admin'), 'client_links:write'],
    }),
  })
  return String(key)
}

/** One of each thing that a read can ask for. */
export async function sampleData(url: string, { apiKey }: Callers): Promise<Samples> {
  const key = crypto.randomUUID()
  const change = async (path: string, fields: Fields, under: string = crypto.randomUUID()) => {
    const post = (more: Fields) =>
      json(url + path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': under,
          ...bearer(apiKey),
        },
        body: JSON.stringify({ ...fields, ...more }),
      })
    const { confirmation_token } = await post({ confirm: false })
    return (await post({ confirm: true, confirmation_token })).result!
  }
  const client = await change('/v1/clients', {
    entity_type: 'individual',
    display_name: 'Jordan Doe',
    contact_email: 'jordan@example.com',
  })
  await change(`/v1/clients/${client['client_id']}/intake`, {
    answers: { primary_goal: 'retirement' },
  })
  const booking = await change(
    '/v1/bookings',
    {
      start_time: freeTimes(Date.now() - 100 * DAY)(),
      timezone: 'America/New_York',
      invitee_email: 'jordan@example.com',
    },
    key,
  )
  const link = await change('/v1/payment-links', { invoice_id: 'in_mock_jpy' })
  const { link_id } = await change('/v1/client-links', { ask: ['details'] })
  const { webhook_id } = (await json(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearer(apiKey) },
    // Nothing is deleted in a bench, so nothing is sent.
    body: JSON.stringify({ url: 'https://hooks.example.com/', events: ['client.deleted'] }),
  })) as { webhook_id?: string }
  await receiptOf(url, key, apiKey)
  return {
    webhook_id: webhook_id!,
    link_id: link_id!,
    index: '0',
    client_id: client['client_id']!,
    booking_id: booking['booking_id']!,
    payment_link_id: link['payment_link_id']!,
    invoice_id: 'in_mock_open',
    idempotency_key: key,
    key,
  }
}

/** Waits until the audit log has the end of a change: that is delivered after the answer. */
async function receiptOf(url: string, key: string, apiKey: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await fetch(`${url}/v1/operations/${key}/receipt`, {
      headers: bearer(apiKey),
    })
    if (status === 200) return
    await pause(100)
  }
  throw new Error('The audit log did not get the end of a change.')
}
