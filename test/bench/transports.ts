import { type Era, httpRequest, mcpRequest } from './requests.ts'

export type Fields = Record<string, unknown>

/** A way to call an operation: the request as bytes, and the body of the operation in what came back. */
export interface Transport {
  name: string
  request(operation: { name: string; path: string }, fields: Fields, key: string): Buffer
  read(answer: string): Fields
}

export const bearer = (apiKey: string): Record<string, string> => ({
  Authorization: `Bearer ${apiKey}`,
})

export const restTransport = (apiKey: string): Transport => ({
  name: 'REST',
  request({ path }, fields, key) {
    const body = { ...fields }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(body[name])
      delete body[name]
      return encodeURIComponent(value)
    })
    return httpRequest('POST', filled, {
      headers: { ...bearer(apiKey), 'Idempotency-Key': key },
      body,
    })
  },
  read: (answer) => JSON.parse(answer) as Fields,
})

const mcpTransport = (era: Era, apiKey: string): Transport => ({
  name: `MCP ${era.slice(0, 4)}`,
  request: ({ name }, fields, key) =>
    mcpRequest(
      era,
      'tools/call',
      { name, arguments: { ...fields, idempotency_key: key } },
      bearer(apiKey),
    ),
  read: (answer) => structuredContent(answer),
})

/** The ways over which every mutation is measured. */
export const WAYS: Readonly<Record<string, (apiKey: string) => Transport>> = {
  REST: restTransport,
  'MCP 2026': (apiKey) => mcpTransport('2026-07-28', apiKey),
  'MCP 2025': (apiKey) => mcpTransport('2025-11-25', apiKey),
}

/** The result of a tool, from a JSON answer or from the one event of a stream. */
export function structuredContent(answer: string): Fields {
  return (rpcResult(answer) as { structuredContent: Fields }).structuredContent
}

export function rpcResult(answer: string): Fields {
  const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  return (JSON.parse(json) as { result: Fields }).result
}
