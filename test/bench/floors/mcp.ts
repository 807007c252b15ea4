import { type Env, Calendar, availability } from '../peers/practice.ts'
import { answerWith } from './answer.ts'

export { Calendar }

interface Message {
  jsonrpc: '2.0'
  id: number
  method: string
  params?: { name?: string; arguments?: unknown }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/**
 * JSON-RPC by hand. The tool list is a memoised text, the one that the connector serves, handed over as a variable; a
 * call asks the calendar once and writes the same answer as the peers. A GET gives that answer over REST.
 */
export default {
  async fetch(request: Request, env: Env & { TOOLS: string }): Promise<Response> {
    if (request.method === 'GET')
      return answerWith(request, JSON.stringify((await availability(env)).structuredContent))
    const { id, method, params } = (await request.json()) as Message
    if (method === 'tools/list') {
      return new Response(`{"jsonrpc":"2.0","id":${id},"result":${env.TOOLS}}`, {
        headers: JSON_TYPE,
      })
    }
    if (method !== 'tools/call' || params?.name !== 'list_availability') {
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown.' } })
    }
    return Response.json({ jsonrpc: '2.0', id, result: await availability(env) })
  },
} satisfies ExportedHandler<Env & { TOOLS: string }>
