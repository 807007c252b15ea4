import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** How one change travels to the provider and its answer back; times in milliseconds. */
export interface Trip {
  there: number
  back: number
  /** `lost`: it never gets there. `answer lost`: the connection breaks after the effect. `busy`: turned away with 429. */
  fate: 'arrives' | 'lost' | 'answer lost' | 'busy'
}

/** One change that was sent to a provider, as the line saw it. */
export interface Passage {
  path: string
  /** The random id of the operation that sent it, and which of its steps it is. */
  id: string
  step: string
  state: 'arrived' | 'acted' | 'answered' | 'turned away' | 'broken'
  /** What the provider answered. */
  status?: number
}

export interface Line {
  url: string
  /** Every change that was sent, in order. */
  passages: Passage[]
  /** Resolves when no change is under way. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

const MARKER = /([A-Za-z0-9_-]{22})\.(\d+u?)/
/** What is sent without a marker is the only step of its operation. */
const ONLY_STEP = '0'
/** What belongs to one connection, or to the form of one body, and not to the message. */
const NOT_PASSED_ON =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|content-encoding)$/

/** What a line asks of the campaign. */
export interface Crossing {
  tripOf(): Trip
  /** The random id of the operation that sends a change without a marker of ours; undefined if no one knows. */
  senderOf(path: string): string | undefined
  acted(passage: Passage): void
}

/**
 * The line between the connector and a provider. Reads pass at once; a change takes its time each way, so that kills
 * fall before the provider has it, before it acts, and before its answer arrives. What has entered the line arrives,
 * whether or not someone still waits for the answer.
 */
export async function providerLine(
  target: string,
  { tripOf, senderOf, acted }: Crossing,
): Promise<Line> {
  const passages: Passage[] = []
  let underWay = 0

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(incoming)
    if (incoming.method !== 'POST') return answer(await ask(target, incoming, undefined), response)
    underWay += 1
    try {
      await carryChange(incoming, body, response)
    } finally {
      underWay -= 1
    }
  }

  async function carryChange(
    incoming: IncomingMessage,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    const path = incoming.url ?? ''
    const [, id = senderOf(path) ?? '', step = ONLY_STEP] = MARKER.exec(body) ?? []
    const passage: Passage = { path, id, step, state: 'arrived' }
    passages.push(passage)
    const { there, back, fate } = tripOf()
    await pause(there)
    if (fate === 'lost' || fate === 'busy') {
      passage.state = fate === 'lost' ? 'broken' : 'turned away'
      if (fate === 'lost') return void response.destroy()
      return answer(
        { status: 429, headers: [['retry-after', '1']], text: '{"message":"Too many"}' },
        response,
      )
    }
    const reply = await ask(target, incoming, body)
    passage.state = 'acted'
    passage.status = reply.status
    acted(passage)
    await pause(back)
    passage.state = fate === 'answer lost' ? 'broken' : 'answered'
    if (fate === 'answer lost') response.destroy()
    else answer(reply, response)
  }

  const server = createServer((incoming, response) => {
    carry(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    passages,
    async quiet() {
      while (underWay > 0) await pause(20)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface ProviderAnswer {
  status: number
  headers: [string, string][]
  text: string
}

async function ask(
  target: string,
  incoming: IncomingMessage,
  body: string | undefined,
): Promise<ProviderAnswer> {
  const headers = Object.entries(incoming.headers).filter(([name]) => !NOT_PASSED_ON.test(name))
  const response = await fetch(new URL(incoming.url ?? '/', target), {
    method: incoming.method ?? 'GET',
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !NOT_PASSED_ON.test(name)),
    text: await response.text(),
  }
}

function answer({ status, headers, text }: ProviderAnswer, response: ServerResponse): void {
  response.writeHead(status, Object.fromEntries(headers))
  response.end(text)
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
