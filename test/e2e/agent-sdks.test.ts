import { createMCPClient } from '@ai-sdk/mcp'
import { MCPServerStreamableHttp } from '@openai/agents-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { idIn, linkIn, timesIn, tokenIn } from '../evals/reading.ts'
import { connectorForAll } from '../support/started.ts'
import { bookedStarts, instant, newKey } from '../support/transports.ts'

/** An SDK as an agent's loop uses it: a call of a tool, and what of the answer goes on to the model. */
interface Sdk {
  listTools(): Promise<string[]>
  call(tool: string, given: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

async function aiSdk(url: string): Promise<Sdk> {
  const client = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp` } })
  const tools = await client.tools()
  return {
    listTools: () => Promise.resolve(Object.keys(tools)),
    async call(name, given) {
      const options = { toolCallId: newKey(), messages: [], context: {} }
      const answer = (await tools[name]!.execute(given, options as never)) as {
        structuredContent?: object
      }
      return JSON.stringify(answer.structuredContent)
    },
    close: () => client.close(),
  }
}

/** It hands the model the content of a result alone. */
async function openAiAgents(url: string): Promise<Sdk> {
  const server = new MCPServerStreamableHttp({ url: `${url}/mcp`, name: 'consult' })
  await server.connect()
  return {
    listTools: async () => (await server.listTools()).map(({ name }) => name),
    async call(name, given) {
      const content = (await server.callTool(name, given)) as { type: string; text?: string }[]
      expect(content.map(({ type }) => type)).toEqual(['text'])
      return content[0]!.text!
    },
    close: () => server.close(),
  }
}

const connector = connectorForAll()

describe.each([
  ['the AI SDK', aiSdk],
  ['the OpenAI Agents SDK, which passes the text alone', openAiAgents],
])('through %s', (_name, connect) => {
  let sdk: Sdk
  beforeAll(async () => {
    sdk = await connect(connector.url)
  })
  afterAll(() => sdk.close())

  /** A preview and its commit, with the token as it was shown. */
  async function done(tool: string, fields: Record<string, unknown>): Promise<string> {
    const given = { ...fields, idempotency_key: newKey() }
    const confirmation_token = tokenIn(await sdk.call(tool, { ...given, confirm: false }))
    expect(confirmation_token).toBeDefined()
    return sdk.call(tool, { ...given, confirm: true, confirmation_token })
  }

  test('a consult is booked, moved and cancelled with only what the model sees', async () => {
    expect(await sdk.listTools()).toHaveLength(7)
    const shown = await sdk.call('list_availability', { timezone: 'America/Chicago' })
    const [first, second] = timesIn(shown)
      .slice(-2)
      .map(({ date, clock, offset }) => `${date}T${clock}:00${offset}`)
    const guest = { invitee_email: 'jordan@example.com', timezone: 'America/Chicago' }
    const booking_id = idIn(await done('book_consult', { ...guest, start_time: first }), 'bk_')
    expect(await bookedStarts(connector)).toEqual([instant(first!)])
    const moved = await done('reschedule_booking', { booking_id, start_time: second })
    expect(await bookedStarts(connector)).toEqual([instant(second!)])
    await done('cancel_booking', { booking_id: idIn(moved, 'bk_', booking_id) })
    expect(await bookedStarts(connector)).toEqual([])
  })

  test('a client is created, and gets a payment link that leads to a page', async () => {
    const profile = {
      entity_type: 'individual',
      display_name: 'Jordan Doe',
      contact_email: 'jordan@example.com',
    }
    const client_id = idIn(await done('create_client_profile', profile), 'cl_')
    await done('submit_intake_answers', { client_id, answers: { primary_goal: 'retirement' } })
    const link = linkIn(await done('create_payment_link', { invoice_id: 'in_mock_open' }))
    expect((await fetch(link!)).status).toBe(200)
  })

  test('a refusal says what is wrong and what to do', async () => {
    const refusal = await sdk.call('cancel_booking', {
      booking_id: 'bk_mock_0123456789abcdef',
      idempotency_key: newKey(),
      confirm: false,
    })
    expect(refusal).toContain('booking_not_found')
    expect(refusal).toMatch(/booking_id/)
  })
})
