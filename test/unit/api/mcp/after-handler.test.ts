import { expect, onTestFinished, test, vi } from 'vitest'

import { serveMcp } from '../../../../src/api/mcp/endpoint.ts'
import { type McpContext, callTool } from '../../../../src/api/mcp/tool-calls.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import { noQuota } from '../../../support/fakes/provider-quota.ts'
import { PRACTICE } from '../../../support/practice.ts'

const CANARY = 'quillbirdsong'
const mode = { mode: 'mock' }

const mcp = {
  context: {
    scopes: ['availability:read'],
    granted: [],
    services: {
      modes: { scheduling: mode, payments: mode },
      practice: PRACTICE,
      houseRules: { copyOf: async () => [], lastCopyOf: () => [] },
      providerQuota: noQuota,
    },
  },
  log: { request_id: '1' },
  count: async () => {},
  note: () => {},
} as unknown as McpContext

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

test.each([
  ['2025-06-18', {}, {}],
  ['2026-07-28', MODERN, { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_availability' }],
])(
  'an error of the SDK after our handler says nothing of the request (%s)',
  async (revision, meta, more) => {
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(listAvailability, 'run').mockResolvedValue(listAvailability.example.result as never)
    // No text, so the SDK refuses what the tool answered.
    vi.spyOn(listAvailability, 'text').mockReturnValue({} as never)
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_availability', arguments: {}, _meta: { ...meta, [CANARY]: CANARY } },
    }
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      'X-Canary': CANARY,
      ...more,
    }
    const request = new Request('https://consult.example/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    // Past the plain path, which checks no answer of ours.
    const parts = { plainAnswer: () => undefined, callTool }
    const response = await serveMcp(request, body, mcp, parts)
    const text = await response.text()
    expect((JSON.parse(text) as { error?: object }).error).toBeDefined()
    expect(text).not.toContain(CANARY)
  },
)
