import { makeSafe } from '../../../src/api/http/answers.ts'
import { serveMcp } from '../../../src/api/mcp/endpoint.ts'
import { plainAnswer } from '../../../src/api/mcp/plain.ts'
import {
  type McpCall,
  type McpContext,
  type ToolResult,
  operationNamed,
} from '../../../src/api/mcp/tool-calls.ts'
import { Problem } from '../../../src/core/domain/problem/problem.ts'
import { SCOPES, type Scope } from '../../../src/core/domain/scopes.ts'
import { settingsFrom } from '../../../src/core/settings.ts'
import { OPERATIONS } from '../../../src/practice/operations/index.ts'
import {
  ERAS,
  type Era,
  type Fields,
  MESSAGES,
  headersOf,
  messageOf,
  variantsOf,
} from '../../support/protocol-messages.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { asHostsWrite } from './host-forms.ts'
import { bent, oddText, oddValue, replaced } from './oddities.ts'

/** A message with its headers, and who sends it. */
interface Sent {
  headers: Record<string, string>
  body: unknown
  caller: Caller
}

interface Caller {
  scopes: readonly Scope[]
  granted: readonly Scope[]
  origin: string
  isOverQuota: boolean
}

export interface Comparison {
  messages: number
  /** How many of them were answered without the SDK. */
  plain: number
  /** The messages that the two paths answered differently, with both answers. */
  different: string[]
}

const ALL = Object.keys(SCOPES) as Scope[]
const ANYONE: Caller = { scopes: ALL, granted: [], origin: 'https://a.example', isOverQuota: false }

/** Any JSON value in each place of each kind of message, in both eras. */
export function* everyProtocolMessage(): Generator<Sent> {
  for (const era of ERAS)
    for (const method of Object.keys(MESSAGES)) {
      const headers = headersOf(era, method)
      for (const body of variantsOf(messageOf(era, method, 7)))
        yield { headers, body, caller: ANYONE }
    }
}

/** So many messages as hosts send them, half of them bent; the same for the same seed. */
export function* fuzzedMessages(seed: number, count: number): Generator<Sent> {
  for (let number = 0; number < count; number++) yield fuzzed(randomFrom(seed * 1_000_003 + number))
}

/** Sends each message that is plain on both paths, and keeps what differs. */
export async function compareBothPaths(messages: Iterable<Sent>): Promise<Comparison> {
  const comparison: Comparison = { messages: 0, plain: 0, different: [] }
  for (const sent of messages) {
    comparison.messages++
    const own = await answerTo(sent, orLeave)
    if (own.includes(LEFT)) continue
    comparison.plain++
    const reference = await answerTo(sent, () => undefined)
    if (own !== reference)
      comparison.different.push(`${JSON.stringify(sent)}\nplain: ${own}\nSDK:   ${reference}`)
  }
  return comparison
}

const LEFT = 'left to the SDK, so it has one path'

const orLeave: typeof plainAnswer = (...given) => {
  const answer = plainAnswer(...given)
  if (answer === undefined) throw new Error(LEFT)
  return answer
}

/** Everything that can be seen of an answer: the response, the log line, what was counted, noted and called. */
async function answerTo(
  { headers, body, caller }: Sent,
  plain: typeof plainAnswer,
): Promise<string> {
  const counts: string[] = []
  const notes: unknown[] = []
  const calls: unknown[] = []
  const log = { request_id: '1', operation: 'mcp', code: 'ok', status: 0, duration_ms: 0 }
  const mcp = {
    context: { ...caller, services: SERVICES },
    log,
    async count(kind: string) {
      counts.push(kind)
      if (caller.isOverQuota) throw new Problem({ code: 'rate_limited', effect: 'none' })
    },
    note: (what: unknown) => notes.push(what),
  } as unknown as McpContext
  const text = JSON.stringify(body)
  const request = new Request('https://a.example/mcp', { method: 'POST', headers, body: text })
  const answered = await serveMcp(request, JSON.parse(text), mcp, {
    plainAnswer: plain,
    callTool: ((operation, given, call, client) => {
      // No read waits for an approval, so what its client can open is not looked at.
      const openPage = operation.kind === 'mutation' ? client.openPage : undefined
      const asked = [operation.name, given, openPage !== undefined, client.waitMs]
      calls.push(asked)
      return Promise.resolve(fromTable(asked, call, openPage))
    }) as McpCall['callTool'],
  }).then(seenOf, (thrown: unknown) =>
    thrown instanceof Problem ? thrown.refusal : String(thrown),
  )
  return JSON.stringify({ answered, log, counts, notes, calls })
}

async function seenOf(response: Response) {
  makeSafe(response.headers)
  return [response.status, [...response.headers], await response.text()]
}

const { practice } = settingsFrom({})
const SERVICES = { practice, modes: { scheduling: { mode: 'mock' }, payments: { mode: 'mock' } } }

/** The answer of a tool, which depends on nothing but the call. */
function fromTable(
  asked: unknown[],
  { log, overQuota }: Omit<McpCall, 'callTool'>,
  openPage: ((refusal: never, title: string) => unknown) | undefined,
): unknown {
  const text = JSON.stringify(asked)
  const at = Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1009, 7)
  log.operation = asked[0] as string
  log.code = overQuota ? overQuota.refusal.code : 'ok'
  if (at % 7 === 0) {
    const refusal = { approval_url: 'https://a.example/owner', approval_code: '123' } as never
    const opening = openPage?.(refusal, 'A change')
    if (opening !== undefined) return opening
  }
  return { ...TABLE[at % TABLE.length]!, structuredContent: { given: asked[1], at } }
}

const TABLE: ToolResult[] = [
  {
    content: [{ type: 'text', text: 'Free: \u2028 9:00 "AM" \ud83d\ude00' }],
    structuredContent: {},
  },
  { content: [{ type: 'text', text: '' }], structuredContent: {}, isError: true },
  {
    content: [{ type: 'text', text: 'Committed.' }],
    structuredContent: {},
    _meta: { idempotent_replayed: true },
  },
  {
    content: [{ type: 'text', text: 'Refused.' }],
    structuredContent: {},
    isError: true,
    _meta: { idempotent_replayed: true },
  },
]

const CALLERS: Caller[] = [
  ANYONE,
  { ...ANYONE, granted: ALL },
  { ...ANYONE, scopes: ['availability:read'], origin: '' },
  { ...ANYONE, isOverQuota: true },
]

const METHODS: [weight: number, method: string][] = [
  [10, 'tools/call'],
  [4, 'tools/list'],
  [3, 'server/discover'],
  [4, 'initialize'],
  [2, 'ping'],
  [2, 'notifications/initialized'],
  [1, 'prompts/list'],
  [1, 'unknown/method'],
]

function fuzzed(random: Random): Sent {
  const plant = () => `n${random.int(0, 99)}`
  const era = random.pick(ERAS)
  const method = random.weighted(METHODS)
  const message = { ...messageOf(era, method, random.int(-3, 3)) }
  message['params'] = { ...(message['params'] as Fields), ...paramsOf(method, era, random) }
  if (random.chance(0.2)) message['id'] = random.pick(IDS)
  const headers = headersOf(era, method)
  const { name } = message['params'] as Fields
  if (typeof name === 'string' && operationNamed(name) && era === '2026-07-28')
    headers['Mcp-Name'] = name
  const caller = random.pick(CALLERS)
  const body = random.weighted<() => unknown>([
    [6, () => message],
    [2, () => bent(message, random, plant)],
    [2, () => replaced(message, random, plant)],
    [1, () => asHostsWrite(message, random)],
    [1, () => ({ ...message, params: bent(message['params'], random, plant) })],
  ])()
  const isOdd = random.chance(0.25)
  const sent = isOdd ? oddHeaders(headers, random) : headers
  return { headers: sent, body: body === undefined ? null : body, caller }
}

const IDS = ['', 'a', '7\u20288', '"', 0, 1.5, 2 ** 53, -1, 1e21, true, { a: 1 }, [1]]

function paramsOf(method: string, era: Era, random: Random): Fields {
  const plant = () => `n${random.int(0, 99)}`
  const said = {
    'io.modelcontextprotocol/clientInfo': clientOf(random),
    'io.modelcontextprotocol/clientCapabilities': capabilitiesOf(random),
  }
  const more = random.chance(0.2) ? { [random.pick(META)]: random.pick(META_VALUES) } : {}
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const meta = { _meta: { ...(era === '2026-07-28' ? { ...version, ...said } : {}), ...more } }
  if (method === 'initialize') {
    const protocolVersion = random.pick(['2025-11-25', '2025-06-18', '2024-10-07', '2031-01-01'])
    const capabilities = capabilitiesOf(random)
    return { ...meta, protocolVersion, capabilities, clientInfo: clientOf(random) }
  }
  if (method !== 'tools/call') return meta
  const { name, example } = random.pick(OPERATIONS)
  const given = { ...(example as { input?: object }).input, idempotency_key: 'a key' }
  return {
    ...meta,
    name,
    arguments: random.weighted<() => unknown>([
      [3, () => given],
      [2, () => asHostsWrite(given, random)],
      [1, () => bent(given, random, plant)],
      [1, () => JSON.stringify(given)],
      [0.5, () => undefined],
    ])(),
  }
}

const META = [
  'progressToken',
  'io.modelcontextprotocol/related-task',
  'io.modelcontextprotocol/logLevel',
  'io.modelcontextprotocol/clientCapabilities',
  'traceparent',
  '__proto__',
]
const META_VALUES: unknown[] = ['a', 1, 1.5, 'info', { taskId: 'a' }, { elicitation: { url: {} } }]

/** What a client says of itself: as hosts do, and as they do not. */
function clientOf(random: Random): unknown {
  const whole = { name: 'a host', version: '1.2' }
  return random.pick<unknown>([
    whole,
    whole,
    { ...whole, title: 'A host', websiteUrl: 'https://b.example', icons: [] },
    { ...whole, icons: [{ src: 'https://b.example/a.png', sizes: ['48x48'], theme: 'dark' }] },
    { ...whole, icons: [{ src: 'https://b.example/a.png', mimeType: 'image/png' }, {}] },
    { ...whole, title: 5 },
    { ...whole, description: null, other: { a: 1 } },
    { name: 'a host' },
    undefined,
  ])
}

function capabilitiesOf(random: Random): unknown {
  const names = ['roots', 'sampling', 'elicitation', 'experimental', 'extensions', 'tasks', 'other']
  const parts = ['listChanged', 'form', 'url', 'context', 'tools', 'list', 'requests', 'a/b']
  const values = [{}, {}, true, 'a', [], { applyDefaults: true }, { applyDefaults: 1 }, { a: [1] }]
  return Object.fromEntries(
    names
      .filter(() => random.chance(0.3))
      .map((name) => [
        name,
        random.weighted<() => unknown>([
          [4, () => ({})],
          [5, () => ({ [random.pick(parts)]: random.pick<unknown>(values) })],
          [1, () => oddValue(random, () => 'n')],
        ])(),
      ]),
  )
}

/** The headers with one that is missing, or that says something else. */
function oddHeaders(headers: Record<string, string>, random: Random): Record<string, string> {
  const name = random.pick([...Object.keys(headers), 'Accept', 'Content-Type', 'Mcp-Session-Id'])
  const { [name]: _left, ...others } = headers
  if (random.chance(0.2)) return others
  const value = random.weighted<() => string>([
    [5, () => random.pick(HEADER_VALUES)],
    [
      1,
      () =>
        oddText(random, () => 'n')
          .replaceAll(/[^\u0020-\u007e]/g, '')
          .slice(0, 99),
    ],
  ])()
  return { ...others, [name]: value }
}

const HEADER_VALUES = [
  '*/*',
  'application/json',
  'text/event-stream',
  'application/json;q=0, text/event-stream',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8; a=b',
  'application/json; charset',
  '2025-06-18',
  '2025-03-26',
  '2026-07-28',
  ' 2026-07-28 ',
  'tools/call',
  'tools/list',
  'list_availability',
  '=?base64?bGlzdF9hdmFpbGFiaWxpdHk=?=',
]
