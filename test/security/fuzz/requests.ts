import { type Random, randomFrom } from '../../support/random.ts'
import { asHostsWrite } from './host-forms.ts'
import {
  MARK,
  type Plant,
  bent,
  bentText,
  oddName,
  oddText,
  oddValue,
  replaced,
} from './oddities.ts'

/** A request, as it goes over the wire. */
export interface FuzzRequest {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | Buffer | undefined
  /** It asks for what repeats what it was given, as a prompt does. */
  mayRepeat: boolean
}

/** A documented operation, and a request for it that is good. */
export interface Target {
  method: string
  /** With its parameters in braces. */
  path: string
  /** The name of the tool that does the same, if there is one. */
  tool: string | undefined
  body: Record<string, unknown> | undefined
  query: string[]
}

/** A request that commits a preview. */
export interface Ready {
  tool: string
  path: string
  /** The ids that stand in its path. */
  ids: Record<string, string>
  body: Record<string, unknown>
  key: string
}

/** What is known of the connector that is asked. */
export interface World {
  targets: Target[]
  /** Other paths, which are not in the OpenAPI document. */
  paths: string[]
  /** Prompts with their arguments. */
  prompts: { name: string; arguments: string[] }[]
  /** Credentials that are good. */
  credentials: string[]
  /** Ids and tokens that exist. */
  ids: string[]
  /** A free time. */
  start: string
  /** Previews that were made: what commits each of them. */
  ready: Ready[]
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'QUERY']
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
]
const RPC_METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'subscriptions/listen',
  'completion/complete',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'tasks/list',
]
const ERAS = ['2026-07-28', '2025-11-25', '2025-03-26'] as const
const KEYS = Array.from({ length: 12 }, (_, n) => `a key of the fuzz run ${n}`)

/** The request of a number within a run: always the same for the same seed, number and world. */
export function requestOf(seed: number, number: number, world: World): FuzzRequest {
  const random = randomFrom(seed * 1_000_003 + number)
  let planted = 0
  const plant: Plant = () => `${MARK}${number}n${planted++}`
  const request = random.weighted([
    [5, rest],
    [4, mcp],
    [1, elsewhere],
    [1, signingIn],
  ])(random, plant, world)
  if (random.chance(0.35)) strange(request, random, plant)
  request.headers.push(['CF-Connecting-IP', `198.51.${random.int(0, 99)}.${random.int(0, 255)}`])
  return request
}

function rest(random: Random, plant: Plant, world: World): FuzzRequest {
  if (random.chance(0.15)) return commit(random, plant, world)
  const target = random.pick(world.targets)
  const body = target.body && timely(target.body, random, world)
  const query = target.query.filter(() => random.chance(0.3))
  if (random.chance(0.2)) query.push(oddName(random, plant))
  const values = query.map(
    (name) => `${encoded(name)}=${encoded(oddText(random, plant).slice(0, 300))}`,
  )
  const headers: FuzzRequest['headers'] = [
    ['Content-Type', 'application/json'],
    ...credential(random, plant, world),
  ]
  if (target.body && random.chance(0.95))
    headers.push([
      'Idempotency-Key',
      random.chance(0.8) ? aKey(random) : asHeader(oddText(random, plant)),
    ])
  return {
    method: random.chance(0.93) ? target.method : random.pick(METHODS),
    path:
      target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encoded(
          name === 'idempotency_key' && random.chance(0.7)
            ? aKey(random)
            : anId(random, plant, world),
        ),
      ) + (values.length > 0 ? `?${values.join('&')}` : ''),
    headers,
    body: body === undefined && random.chance(0.9) ? undefined : written(body ?? {}, random, plant),
    mayRepeat: false,
  }
}

function commit(random: Random, plant: Plant, world: World): FuzzRequest {
  const { path, ids, body, key } = random.pick(world.ready)
  return {
    method: 'POST',
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!)),
    headers: [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', key],
    ],
    body: written(body, random, plant),
    mayRepeat: false,
  }
}

function mcp(random: Random, plant: Plant, world: World): FuzzRequest {
  const era = random.pick(ERAS)
  const messages = Array.from({ length: random.chance(0.12) ? random.int(0, 12) : 1 }, (_, id) =>
    random.chance(0.06) ? otherMessage(random) : message(era, id, random, plant, world),
  )
  const [first] = messages
  const isBatch = messages.length !== 1 || random.chance(0.02)
  const headers: FuzzRequest['headers'] = [
    ['Content-Type', 'application/json'],
    [
      'Accept',
      random.chance(0.95)
        ? 'application/json, text/event-stream'
        : random.pick(['*/*', 'text/html', '', 'application/json', 'text/event-stream']),
    ],
    ...credential(random, plant, world),
  ]
  if (random.chance(0.95))
    headers.push(['MCP-Protocol-Version', random.chance(0.97) ? era : asHeader(plant())])
  if (era === '2026-07-28' && first && random.chance(0.95)) {
    const { method, params } = first as { method?: unknown; params?: { name?: unknown } }
    headers.push(['Mcp-Method', random.chance(0.95) ? asHeader(String(method)) : plant()])
    if (typeof params?.name === 'string')
      headers.push(['Mcp-Name', random.chance(0.95) ? asHeader(params.name) : plant()])
  }
  return {
    method: random.chance(0.97) ? 'POST' : random.pick(METHODS),
    path: random.chance(0.95) ? '/mcp' : '/mcp/',
    headers,
    body: random.chance(0.1)
      ? JSON.stringify(replaced(isBatch ? messages : first!, random, plant))
      : written(isBatch ? messages : first!, random, plant, 0.15),
    mayRepeat: messages.some(({ method }) => method === 'prompts/get'),
  }
}

function message(
  era: string,
  id: number,
  random: Random,
  plant: Plant,
  world: World,
): Record<string, unknown> {
  const tools = world.targets.filter(({ tool }) => tool !== undefined)
  const isTool = random.chance(0.6)
  const method = isTool
    ? 'tools/call'
    : random.chance(0.9)
      ? random.pick(RPC_METHODS)
      : oddText(random, plant)
  const params: Record<string, unknown> = isTool
    ? toolCall(random.pick(tools), random, plant, world)
    : method === 'prompts/get'
      ? promptCall(random, plant, world)
      : random.chance(0.3)
        ? { [oddName(random, plant)]: oddValue(random, plant) }
        : {}
  if (era === '2026-07-28' && random.chance(0.97)) {
    params['_meta'] = {
      'io.modelcontextprotocol/protocolVersion': era,
      'io.modelcontextprotocol/clientInfo': { name: plant(), version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
  }
  // The protocol gives the id back, so none is planted there.
  return { jsonrpc: '2.0', ...(method.startsWith('notifications/') ? {} : { id }), method, params }
}

/** What a client sends that wants no answer, or that means another message. */
function otherMessage(random: Random): Record<string, unknown> {
  const id = random.int(0, 4)
  return random.pick([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    { jsonrpc: '2.0', id, result: {} },
    { jsonrpc: '2.0', id, error: { code: -32603, message: 'none' } },
    { jsonrpc: '2.0', id, method: 'ping' },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_availability' } },
    {
      jsonrpc: '2.0',
      id: random.pick([null, '', '0', -1, 0.5, 2 ** 60, [], {}, true]),
      method: 'ping',
    },
  ])
}

function toolCall({ tool, body, path }: Target, random: Random, plant: Plant, world: World) {
  if (random.chance(0.1)) {
    const ready = random.pick(world.ready)
    const given = { ...ready.ids, ...ready.body, idempotency_key: ready.key }
    return { name: ready.tool, arguments: argumentsOf(given, random, plant) }
  }
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
    name!,
    anId(random, plant, world),
  ])
  const given = {
    ...(body && timely(body, random, world)),
    ...Object.fromEntries(ofPath),
    ...(body
      ? { idempotency_key: random.chance(0.9) ? aKey(random) : oddValue(random, plant) }
      : {}),
  }
  const name = random.chance(0.97) ? tool : plant()
  return { name, arguments: argumentsOf(given, random, plant) }
}

const argumentsOf = (given: object, random: Random, plant: Plant): unknown =>
  random.weighted<() => unknown>([
    [4, () => given],
    [3, () => bent(given, random, plant)],
    [4, () => asHostsWrite(given, random)],
  ])()

function promptCall(random: Random, plant: Plant, world: World): Record<string, unknown> {
  const prompt = random.pick(world.prompts)
  const given = prompt.arguments.map((name) => [
    name,
    random.chance(0.8) ? plant() : oddValue(random, plant),
  ])
  return {
    name: random.chance(0.9) ? prompt.name : plant(),
    arguments: Object.fromEntries(given) as object,
  }
}

function elsewhere(random: Random, plant: Plant, world: World): FuzzRequest {
  const path = random.chance(0.7)
    ? random.pick(world.paths)
    : `/${encoded(oddText(random, plant).slice(0, 500))}`
  const method = random.pick(['GET', 'POST', random.pick(METHODS)])
  const pairs = [
    'client_id',
    'redirect_uri',
    'state',
    'code',
    'grant_type',
    'token',
    'scope',
    'csrf',
    'handle',
  ]
    .filter(() => random.chance(0.4))
    .map((name) => `${name}=${encoded(oddText(random, plant).slice(0, 200))}`)
    .join('&')
  const isForm = random.chance(0.5)
  return {
    method,
    path: method === 'GET' && pairs !== '' ? `${path}?${pairs}` : path,
    headers: [
      ['Content-Type', isForm ? 'application/x-www-form-urlencoded' : 'application/json'],
      ...(random.chance(0.3)
        ? ([['Cookie', `owner=${plant()}; __Host-owner=${plant()}`]] as [string, string][])
        : []),
    ],
    body:
      method === 'GET' || method === 'HEAD'
        ? undefined
        : isForm
          ? pairs
          : written(
              { client_name: 'x', redirect_uris: [oddText(random, plant)], purpose: 'sign-in' },
              random,
              plant,
            ),
    mayRepeat: false,
  }
}

/** What an app sends to the OAuth server: nearly good, and with no credential. */
function signingIn(random: Random, plant: Plant): FuzzRequest {
  const redirect_uri = random.pick([
    'https://app.example.com/back',
    'http://127.0.0.1:1/back',
    plant(),
  ])
  const odd = (value: string): string =>
    random.chance(0.2) ? oddText(random, plant).slice(0, 200) : value
  const client = odd('0123456789abcdef')
  const asked: Record<string, string> = {
    response_type: odd('code'),
    client_id: client,
    redirect_uri: odd(redirect_uri),
    scope: odd('bookings:write payments:write'),
    state: plant(),
    code_challenge: odd('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
    code_challenge_method: odd('S256'),
    resource: odd('http://localhost/mcp'),
  }
  const token: Record<string, string> = {
    grant_type: odd(random.pick(['authorization_code', 'refresh_token', 'client_credentials'])),
    code: odd(`owner:${plant()}:${plant()}`),
    refresh_token: odd(`owner:${plant()}:${plant()}`),
    client_id: client,
    redirect_uri,
    code_verifier: plant(),
  }
  const registration = {
    client_name: plant(),
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: odd('none'),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(random.chance(0.5) && {
      [random.pick(['logo_uri', 'client_uri', 'tos_uri', 'contacts', 'scope'])]: random.pick([
        null,
        '',
        [],
        plant(),
      ]),
      grant_types: random.pick([null, ['authorization_code', 'client_credentials'], [], '']),
    }),
  }
  const form = (fields: Record<string, string>): string =>
    Object.entries(fields)
      .filter(() => random.chance(0.9))
      .map(([name, value]) => `${name}=${encoded(value)}`)
      .join('&')
  const get = (path: string) => ({ method: 'GET', path, body: undefined, isJson: false })
  const { isJson, ...sent } = random.pick([
    get(`/authorize?${form(asked)}`),
    get(
      random.pick([
        '/owner',
        '/owner/enrol',
        `/owner?done=${encoded(oddText(random, plant).slice(0, 99))}`,
      ]),
    ),
    get('/.well-known/oauth-authorization-server'),
    { method: 'POST', path: '/oauth/token', body: form(token), isJson: false },
    {
      method: 'POST',
      path: '/oauth/register',
      body: written(registration, random, plant),
      isJson: true,
    },
    {
      method: 'POST',
      path: '/owner/passkey/options',
      body: written({ purpose: 'sign-in' }, random, plant),
      isJson: true,
    },
    {
      method: 'POST',
      path: '/authorize',
      body: form({ handle: plant(), csrf: plant(), decision: 'allow' }),
      isJson: false,
    },
  ])
  return {
    ...sent,
    headers: [
      ['Content-Type', isJson ? 'application/json' : 'application/x-www-form-urlencoded'],
      ...(random.chance(0.1)
        ? [['Authorization', `Basic ${btoa(`${plant()}:${plant()}`)}`] as [string, string]]
        : []),
    ],
    mayRepeat: false,
  }
}

/** Adds headers of every kind, and takes some away. */
function strange({ headers }: FuzzRequest, random: Random, plant: Plant): void {
  random.weighted<() => unknown>([
    [3, () => headers.push(['Request-Id', asHeader(oddText(random, plant))])],
    [2, () => headers.push(['User-Agent', plant()], ['Referer', `https://${plant()}.example/`])],
    [2, () => headers.push(['Origin', `https://${plant()}.example`])],
    [2, () => headers.push(['Content-Type', random.pick([...TYPES, plant()])])],
    [
      1,
      () =>
        headers.push([random.pick(['X-Forwarded-Host', 'Forwarded', 'X-Original-URL']), plant()]),
    ],
    [1, () => headers.push(['If-None-Match', asHeader(oddText(random, plant))])],
    [1, () => headers.push([`X-${plant()}`, plant()])],
    [1, () => headers.push(['Mcp-Session-Id', plant()], ['Last-Event-ID', plant()])],
    [1, () => headers.splice(random.int(0, headers.length), 1)],
    [
      1.5,
      () =>
        headers.push([
          'Accept',
          random.pick(['text/html', 'text/html, */*;q=0.8', '*/*', asHeader(plant())]),
        ]),
    ],
    [
      0.5,
      () =>
        headers.push([
          'Host',
          random.pick(['localhost', 'evil.example', '[::1]:1', `${plant()}.example`]),
        ]),
    ],
    [
      1,
      () =>
        headers.push([
          'Origin',
          random.pick(['null', 'http://localhost:1', 'https://app.example.com', plant()]),
        ]),
    ],
    [
      1,
      () =>
        headers.push([
          random.pick(['Range', 'If-Match', 'If-Modified-Since', 'Expect-CT', 'Via']),
          plant(),
        ]),
    ],
    [0.5, () => headers.push(['X-HTTP-Method-Override', 'DELETE'], ['X-Forwarded-Proto', plant()])],
    [0.5, () => headers.push(...headers.slice(0, random.int(0, 2)))],
    [0.5, () => headers.push(['Cookie', `${plant()}=${plant()}`.repeat(random.int(1, 40))])],
    [1, () => headers.push(['Content-Encoding', random.pick(['gzip', 'br', plant()])])],
  ])()
}

function credential(random: Random, plant: Plant, { credentials }: World): [string, string][] {
  return random.weighted<() => [string, string][]>([
    [10, () => []],
    [4, () => [['Authorization', `Bearer ${random.pick(credentials)}`]]],
    [1, () => [['X-API-Key', random.pick(credentials)]]],
    [1, () => [['Authorization', `Bearer ${plant()}`]]],
    [0.5, () => [['Authorization', `Bearer owner:${plant()}:${plant()}`]]],
    [0.5, () => [['Authorization', asHeader(oddText(random, plant))]]],
    [0.5, () => [['X-API-Key', `ccn_${plant()}`]]],
  ])()
}

/** One of a few keys, in one of the spellings that mean it. */
function aKey(random: Random): string {
  const key = random.pick(KEYS)
  return random.weighted([
    [6, key],
    [2, `"${key}"`],
    [1, ` ${key} `],
    [0.5, `"${key}`],
  ])
}

const anId = (random: Random, plant: Plant, { ids }: World): string =>
  random.chance(0.7) ? random.pick(ids) : oddText(random, plant).slice(0, 400)

/** A good body of now: with a time that is free, and now and then a commit. */
function timely(
  body: Record<string, unknown>,
  random: Random,
  { start, ids }: World,
): Record<string, unknown> {
  return {
    ...body,
    ...('start_time' in body ? { start_time: start } : {}),
    ...('invoice_id' in body ? { invoice_id: 'in_mock_open' } : {}),
    ...(random.chance(0.3) ? { confirm: true, confirmation_token: random.pick(ids) } : {}),
  }
}

function written(value: object, random: Random, plant: Plant, often = 0.5): string | Buffer {
  const meant = random.chance(often / 3) ? asHostsWrite(value, random) : value
  const shape = random.chance(often) ? bent(meant, random, plant) : meant
  const text = JSON.stringify(random.chance(often / 3) ? bent(shape, random, plant) : shape) ?? ''
  return random.chance(0.1) ? bentText(text, random, plant) : text
}

/** As much of a text as can stand in a path or query. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** As much of a text as can stand in a header. */
const asHeader = (text: string): string =>
  text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '').slice(0, 4000)
