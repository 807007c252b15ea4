import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Era, postMcp, rpcRequest } from './agents.ts'
import { type Connector, startConnector } from './connector.ts'

let connector: Connector
beforeAll(async () => {
  connector = await startConnector()
})
afterAll(() => connector.stop())

interface Changed {
  id?: unknown
  headers?: Record<string, string>
  params?: object
}

async function ask(era: Era, method: string, params: Record<string, unknown>, changed: Changed = {}) {
  const { headers, body } = rpcRequest(era, method, params)
  const sent = { ...body, id: changed.id ?? 7, params: { ...body.params, ...changed.params } }
  const init = { headers: { ...headers, ...changed.headers }, body: JSON.stringify(sent) }
  const { status, text, message, headers: got } = await postMcp(connector.url, init)
  const stable = [...got].filter(([name]) => !['content-length', 'date', 'request-id'].includes(name))
  return { status, text, message, headers: stable }
}

const WINDOW = { start_time: '2027-01-04T00:00:00Z', end_time: '2027-01-06T00:00:00Z' }
const AVAILABILITY = { name: 'list_availability', arguments: WINDOW }
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'repeats', version: '1' },
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a message that was answered before, in %s', (era) => {
  const messages: [string, Record<string, unknown>][] = [
    ['tools/list', {}],
    ['tools/call', AVAILABILITY],
    ['prompts/list', {}],
    ['resources/list', {}],
    era === '2025-11-25' ? ['initialize', INITIALIZE] : ['server/discover', {}],
  ]

  test.each(messages)('%s, gets the same answer to the byte, under its own id', async (method, params) => {
    const first = await ask(era, method, params)
    expect(first.message.result).toBeDefined()
    for (const id of [8, 'eight', 'a "quoted" \\ one', '']) {
      const again = await ask(era, method, params, { id })
      expect(again).toEqual({
        ...first,
        text: first.text.replace(/"id":7\}(?!.*"id":7\})/s, `"id":${JSON.stringify(id)}}`),
        message: { ...first.message, id },
      })
    }
  })

  test('is checked like the first one', async () => {
    await ask(era, 'tools/call', AVAILABILITY)
    const refusals: [string, Changed][] = [
      ['an id that is none', { id: 1.5 }],
      ['an argument that is none', { params: { arguments: 'WINDOW' } }],
      ['another tool', { params: { name: 'no_such_tool' }, headers: { 'Mcp-Name': 'no_such_tool' } }],
      ['another revision', { headers: { 'MCP-Protocol-Version': '2031-01-01' } }],
    ]
    const ofHeaders: [string, Changed][] = [
      ['headers that say something else', { headers: { 'Mcp-Name': 'book_consult' } }],
      ['an envelope that is none', { params: { _meta: {} } }],
    ]
    for (const [what, changed] of era === '2026-07-28' ? [...refusals, ...ofHeaders] : refusals) {
      expect((await ask(era, 'tools/call', AVAILABILITY, changed)).message.result, what).toBeUndefined()
    }
  })

  test('has its arguments checked, and answered, each time', async () => {
    const call = (args: object) => ask(era, 'tools/call', { name: 'list_availability', arguments: args })
    const ok = await call(WINDOW)
    expect(ok.message.result?.['isError']).toBeUndefined()
    const unknown = await call({ ...WINDOW, surprise: 1 })
    expect(unknown.message.result).toMatchObject({ isError: true, structuredContent: { status: 400 } })
    const hidden = await call(JSON.parse('{"__proto__":1}') as object)
    expect(hidden.message.result).toMatchObject({ isError: true, structuredContent: { status: 400 } })
    const other = await call({ ...WINDOW, timezone: 'Asia/Kolkata' })
    expect(other.message.result).toMatchObject({ structuredContent: { timezone: 'Asia/Kolkata' } })
  })
})
