import { request as ask } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { type FuzzAnswer, faultIn, logFault, numberIn } from './checks.ts'
import { type FuzzRequest, requestOf } from './requests.ts'
import { startWorld } from './world.ts'

const AT_ONCE = 6
const LONGEST_ANSWER = 20_000

export interface FuzzFault {
  what: string
  /** The number of the request within its run, where it is known. */
  number: number | undefined
  request: FuzzRequest | undefined
  /** What came back, or the line that was logged. */
  seen: string
}

export interface FuzzRun {
  faults: FuzzFault[]
  /** How often each kind of answer came. */
  counts: Record<string, number>
  asked: number
  seconds: number
}

export interface FuzzOptions {
  script: string
  seed: number
  requests: number
  /** Only the request of this number. */
  only?: number | undefined
  /** No request is begun after so many milliseconds. */
  within: number
  mostFaults?: number
}

/** Asks a real connector so many random and bent requests, and looks at every answer and every line of its log. */
export async function fuzz(options: FuzzOptions): Promise<FuzzRun> {
  const { script, seed, requests, only, within, mostFaults = 10 } = options
  const logs: string[] = []
  const { url, world, stop } = await startWorld(script, (line) => logs.push(line))
  const begun = performance.now()
  const before = logs.length
  const faults: FuzzFault[] = []
  const counts: Record<string, number> = {}
  let next = only ?? 0
  const end = only === undefined ? requests : only + 1
  let asked = 0

  const askInTurn = async (): Promise<void> => {
    while (next < end && faults.length < mostFaults && performance.now() - begun < within) {
      const number = next++
      const request = requestOf(seed, number, world)
      const answer = await send(url, request).catch((error: unknown) => String(error))
      asked++
      const what = typeof answer === 'string' ? missing(request, answer) : faultIn(request, answer)
      const seen =
        typeof answer === 'string'
          ? ''
          : `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`
      if (what !== undefined) faults.push({ what, number, request, seen })
      const kind = typeof answer === 'string' ? 'no answer' : kindOf(request, answer)
      counts[kind] = (counts[kind] ?? 0) + 1
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, askInTurn))
    // The last lines of the log are on their way still.
    for (let tries = 0; tries < 40 && logs.length - before < asked; tries++) await sleep(50)
  } finally {
    await stop()
  }
  for (const line of logs) {
    const what = logFault(line)
    const number = numberIn(line)
    const request = number === undefined ? undefined : requestOf(seed, number, world)
    if (what !== undefined) faults.push({ what, number, request, seen: line })
  }
  if (faults.length === 0 && logs.length - before !== asked) {
    const what = `${asked} requests and ${logs.length - before} lines of log`
    faults.push({ what, number: undefined, request: undefined, seen: '' })
  }
  return { faults, counts, asked, seconds: (performance.now() - begun) / 1000 }
}

/** The report of a fault: the request in full, and how to send it again. */
export function describeFault({ what, number, request, seen }: FuzzFault, seed: number): string {
  const lines = request && [
    `${request.method} ${request.path}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    '',
    typeof request.body === 'string' ? request.body : (request.body?.toString('base64') ?? ''),
  ]
  const again = number === undefined ? '' : `\nnpm run fuzz -- --seed ${seed} --only ${number}`
  return `${what}${again}\n--- sent\n${lines?.join('\n') ?? 'not known'}\n--- seen\n${seen}`.slice(
    0,
    6000,
  )
}

function kindOf({ path }: FuzzRequest, { status, text }: FuzzAnswer): string {
  const face = /^\/mcp\/?$/.test(path) ? 'MCP' : path.startsWith('/v1') ? 'REST' : 'others'
  const code = /"code":"?([a-z_]+|-\d+)"?/.exec(text)?.[1]
  return `${face} ${status}${code === undefined ? '' : ` ${code}`}`
}

function send(url: string, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FuzzAnswer>()
  const { hostname, port } = new URL(url)
  const sent = ask({ hostname, port, method, path, timeout: LONGEST_ANSWER }, (incoming) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('error', reject)
    incoming.on('end', () => {
      const raw = incoming.rawHeaders
      const given = raw.flatMap((name, at) =>
        at % 2 === 0 ? [[name, raw[at + 1]!] as [string, string]] : [],
      )
      resolve({
        status: incoming.statusCode ?? 0,
        headers: given,
        text: Buffer.concat(parts).toString(),
      })
    })
  })
  sent.on('timeout', () => sent.destroy(new Error('it took too long')))
  sent.on('error', reject)
  for (const [name, value] of headers)
    if (name === 'Host') sent.setHeader(name, value)
    else sent.appendHeader(name, value)
  if (body !== undefined) sent.setHeader('Content-Length', Buffer.byteLength(body))
  sent.end(body)
  return promise
}

/**
 * A request without an answer is a fault, unless its body was left unread: workerd closes the connection then, as a server may,
 * and can cut off its own answer. That happens to a large body that its method does not have (RFC 9110, section 9.3.1), and to
 * one of megabytes, which is refused by its declared length (section 15.5.14).
 */
const missing = ({ method, body }: FuzzRequest, error: string): string | undefined => {
  const most = ['GET', 'HEAD'].includes(method) ? UNREAD : BUFFERED
  return (body?.length ?? 0) > most ? undefined : `no answer: ${error}`
}

/** What the buffers of both ends hold, so that an answer arrives before the sender notices the end. */
const BUFFERED = 4 * 1024 * 1024

/** More than a connection takes in before it is read. */
const UNREAD = 16 * 1024
