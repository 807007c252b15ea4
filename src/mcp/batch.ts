import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
} from '@modelcontextprotocol/server'
import { isJSONRPCRequest, isJSONRPCResultResponse } from '@modelcontextprotocol/server'
import { isFields } from './counting.ts'
import { NO_REQUEST, protocolError } from './protocol-errors.ts'

const MOST_MESSAGES = 100
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** Whether a message says that it is of the 2026 era, which has no batches. */
function isOf2026(message: unknown): boolean {
  const params = isFields(message) ? message['params'] : undefined
  const meta = isFields(params) ? params['_meta'] : undefined
  return isFields(meta) && Object.hasOwn(meta, VERSION_KEY)
}

/** Whether a list of messages can be answered one by one. A session is never opened in a batch. */
export const isBatch = (messages: readonly unknown[]): boolean =>
  messages.length > 0 &&
  messages.length <= MOST_MESSAGES &&
  !messages.some((message) => isOf2026(message) || isInitializeRequest(message))

const isMessage = (value: unknown): boolean =>
  isJSONRPCRequest(value) ||
  isJSONRPCNotification(value) ||
  isJSONRPCResultResponse(value) ||
  isJSONRPCErrorResponse(value)

/**
 * Answers each message of a batch as if it had come alone, so that none depends on another: not on one that is not valid,
 * has the same id, or cancels it (the SDK would wait for such an answer without end).
 */
export async function serveBatch(
  messages: readonly unknown[],
  serve: (message: unknown, index: number) => Promise<Response>,
): Promise<Response> {
  const answers = await Promise.all(messages.map(serve))
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  const found = texts.flatMap(messagesIn)
  if (answers.some(({ ok }) => ok)) {
    if (found.length === 0) return new Response(null, { status: 202 })
    const events = found.map((message) => `event: message\ndata: ${message}\n\n`)
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' }
    return new Response(events.join(''), { headers })
  }
  // A good message is refused for the headers of the request: that is the same for all of them.
  const good = messages.findIndex(isMessage)
  const { status, headers } = answers[Math.max(good, 0)]!
  if (good >= 0) return new Response(texts[good]!, { status, headers })
  return new Response(`[${found.join(',')}]`, { status, headers })
}

/** The messages in the body of an answer, be it a stream of events or JSON. */
function messagesIn(text: string): string[] {
  if (text.startsWith('{')) return [text]
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => line.slice('data: '.length))
}

/** The answer to a list that is no batch: empty, too long, or with a message that has to come alone. */
export const noBatch = (): Response => protocolError(400, -32600, NO_REQUEST)
