import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { PROMPTS, exampleArguments } from '../../src/practice/operations/prompts.ts'
import { askMcp, client2, postMcp, sdk1 } from '../support/agents.ts'
import { sharedConnector } from '../support/started.ts'
import { ROUTES, ZONE, freeStarts, newKey } from '../support/transports.ts'

const connector = sharedConnector()

/** What is used of a client here, alike in 1.x and 2.x. */
interface Client {
  listTools(): Promise<{ tools: Tool[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(get: { name: string; arguments: object }): Promise<{ messages: object[] }>
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<{
    isError?: boolean
    content: { type: string; text: string }[]
    structuredContent?: Record<string, unknown>
    _meta?: Record<string, unknown>
  }>
  getServerVersion(): { name: string; title?: string; version: string } | undefined
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
  close(): Promise<void>
}

interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: {
    type: string
    additionalProperties?: unknown
    required?: string[]
    properties?: object
  }
  outputSchema?: { type: string; anyOf?: object[] }
  annotations?: object
}

const MUTATIONS = Object.keys(ROUTES).slice(1)

const ANNOTATIONS: Record<string, [readOnly: boolean, destructive: boolean, openWorld: boolean]> = {
  list_availability: [true, false, true],
  book_consult: [false, false, true],
  reschedule_booking: [false, true, true],
  cancel_booking: [false, true, true],
  create_client_profile: [false, false, false],
  submit_intake_answers: [false, false, false],
  create_payment_link: [false, false, true],
}

const CLIENTS: [name: string, connect: (url: string) => Promise<Client>][] = [
  ['@modelcontextprotocol/sdk 1.x', async (url) => (await sdk1(url)) as unknown as Client],
  [
    '@modelcontextprotocol/client 2.x, mode legacy',
    async (url) => (await client2(url, 'legacy')) as unknown as Client,
  ],
  [
    '@modelcontextprotocol/client 2.x, mode auto',
    async (url) => (await client2(url, 'auto')) as unknown as Client,
  ],
]

describe.each(CLIENTS)('%s', (_name, connect) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(connector.url)
  })
  afterAll(() => client.close())

  test('learns the name of the server, its capabilities, and how a change is made', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'consult-connector', version: '0.1.0' })
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, prompts: {} })
    expect(client.getInstructions()).toMatch(
      /confirm=false.*confirmation_token.*wait for their yes.*same idempotency_key.*confirm=true/,
    )
  })

  test('lists the seven tools in their order, each with schemas and honest hints', async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(Object.keys(ROUTES))
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toMatch(/\w/)
      expect(description!.length).toBeGreaterThan(80)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(inputSchema)).not.toContain('$ref')
      expect(outputSchema!.type).toBe('object')
      expect(outputSchema!.anyOf).toHaveLength(MUTATIONS.includes(name) ? 3 : 2)
      const [readOnlyHint, destructiveHint, openWorldHint] = ANNOTATIONS[name]!
      const hints = { readOnlyHint, destructiveHint, openWorldHint, idempotentHint: true }
      expect(annotations).toMatchObject(hints)
      expect(inputSchema.required?.includes('idempotency_key') ?? false).toBe(
        MUTATIONS.includes(name),
      )
      expect(inputSchema.required ?? []).not.toContain('confirm')
    }
    expect((await client.listTools()).tools).toEqual(tools)
  })

  test('lists the prompts in their order, and gives each with the words of the person', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(PROMPTS.map(({ name }) => name))
    for (const prompt of PROMPTS) {
      const given = exampleArguments(prompt)
      const content = { type: 'text', text: prompt.text(given) }
      const { messages } = await client.getPrompt({ name: prompt.name, arguments: given })
      expect(messages).toEqual([{ role: 'user', content }])
    }
  })

  test('previews, commits and repeats; a person can read each text, and the repeat is marked as one', async () => {
    const [start_time] = (await freeStarts(connector)) as [string]
    const fields = {
      idempotency_key: newKey(),
      start_time,
      timezone: ZONE,
      invitee_email: 'robin.castle@practice-guests.example',
    }
    const preview = await client.callTool({
      name: 'book_consult',
      arguments: { ...fields, confirm: false },
    })
    expect(preview.isError ?? false).toBe(false)
    const shown = preview.structuredContent!
    const { text } = preview.content[0]!
    for (const part of ['summary', 'confirmation_token', 'next_step']) {
      expect(text).toContain(shown[part])
    }
    expect(text).toMatch(/^Preview, nothing is changed yet \(mock/)
    expect(text).toMatch(/Valid until \w+day, \d+:\d\d [AP]M E[SD]T\./)
    expect(text).not.toMatch(/[{}]|robin|castle/i)
    expect(preview._meta?.['idempotent_replayed']).toBeUndefined()

    const commit = { ...fields, confirm: true, confirmation_token: shown['confirmation_token'] }
    const committed = await client.callTool({ name: 'book_consult', arguments: commit })
    expect(committed.structuredContent).toMatchObject({ status: 'committed', mode: 'mock' })
    expect(committed.content[0]!.text).toContain(committed.structuredContent!['summary'])
    expect(committed._meta?.['idempotent_replayed']).toBeUndefined()

    const repeat = await client.callTool({ name: 'book_consult', arguments: commit })
    expect(repeat._meta?.['idempotent_replayed']).toBe(true)
    expect(repeat.structuredContent).toEqual(committed.structuredContent)
    const [first, ...others] = committed.content[0]!.text!.split('\n')
    const marked = [first, 'This had been done already; it was not done twice.', ...others]
    expect(repeat.content).toEqual([{ type: 'text', text: marked.join('\n') }])
  })
})

describe('the MCP endpoint', () => {
  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks the revision %s',
    async (version) => {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      }
      const send = (method: string, params: object, more: Record<string, string> = {}) =>
        postMcp(connector.url, {
          headers: { ...headers, ...more },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
      const clientInfo = { name: 'end-to-end-tests', version: '1.0.0' }
      const hello = await send('initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo,
      })
      expect(hello.message.result).toMatchObject({
        protocolVersion: version,
        serverInfo: {
          name: 'consult-connector',
          version: '0.1.0',
          websiteUrl: connector.url,
          icons: [{ src: `${connector.url}/favicon.svg`, mimeType: 'image/svg+xml' }],
        },
      })
      expect(hello.headers.get('Mcp-Session-Id')).toBe(null)
      const later = { 'MCP-Protocol-Version': version }
      const listed = await send('tools/list', {}, later)
      expect(listed.message.result!['tools']).toHaveLength(7)
      expect(listed.message.result).not.toHaveProperty('ttlMs')
      expect((await send('ping', {}, later)).message.result).toEqual({})
      const called = await send('tools/call', { name: 'list_availability', arguments: {} }, later)
      expect(called.message.result).toMatchObject({
        structuredContent: { operation: 'list_availability' },
      })
    },
  )

  test('falls back to 2025-11-25 for a first message in an unknown revision', async () => {
    const { message } = await askMcp(connector.url, '2025-11-25', 'initialize', {
      protocolVersion: '2031-01-01',
      capabilities: {},
      clientInfo: { name: 'end-to-end-tests', version: '1.0.0' },
    })
    expect(message.result).toMatchObject({ protocolVersion: '2025-11-25' })
  })

  test('speaks the revision 2026-07-28 without a handshake, and names it in server/discover', async () => {
    const { message, status } = await askMcp(connector.url, '2026-07-28', 'server/discover')
    expect(status).toBe(200)
    expect(message.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {} },
      instructions: expect.stringContaining('confirmation_token') as string,
    })
    const listed = await askMcp(connector.url, '2026-07-28', 'tools/list')
    expect(listed.message.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
    expect(listed.message.result!['ttlMs']).toBeGreaterThan(0)
  })

  test('serves the 2.x client in its mode: the 2026 revision in auto, the 2025 one in legacy', async () => {
    for (const [mode, era, version] of [
      ['auto', 'modern', '2026-07-28'],
      ['legacy', 'legacy', '2025-11-25'],
    ] as const) {
      const client = await client2(connector.url, mode)
      expect(client.getProtocolEra()).toBe(era)
      expect(client.getNegotiatedProtocolVersion()).toBe(version)
      await client.close()
    }
  })
})
