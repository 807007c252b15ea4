import { type Amounts, changeRows, freeTimes } from './changes.ts'
import { ERAS, mcpRows } from './floor-rows.ts'
import { INITIALIZE, httpRequest, mcpRequest } from './requests.ts'
import { type Row, steady, whileCold } from './rows.ts'
import { type Transport, bearer } from './transports.ts'

interface Operation {
  operationId: string
  security?: object[]
  /** Whether it changes something: one read is a POST. */
  'x-openai-isConsequential'?: boolean
}

/** The part of the OpenAPI document that tells which rows there must be. */
export interface Described {
  paths: Record<string, { get?: Operation; post?: Operation }>
  /** The names of the tools: these operations are measured as changes. */
  tools: readonly string[]
}

export interface Callers {
  /** An API key with the scopes of the operations: the normal case. */
  apiKey: string
  /** May do everything; for the owner's routes only. */
  ownerKey: string
}

/** A route of the owner's corner: it wants the scope `admin`. */
const isOwners = ({ security = [] }: Operation): boolean =>
  JSON.stringify(security).includes('"admin"')

/** What stands in the paths of reads, as made by `sampleData`. */
export type Samples = Record<string, string>

const SERVER = 'ours, reads'

/** A row for every GET of the OpenAPI document but the backup, of which there are four a day: a new one is not named here. */
export function readRows(
  { paths }: Described,
  { apiKey, ownerKey }: Callers,
  samples: Samples,
): Row[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || path === '/v1/backup') return []
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = samples[name]
      if (value === undefined)
        throw new Error(`test/bench/sample-data.ts makes no ${name}, for GET ${path}`)
      return encodeURIComponent(value)
    })
    const isOpen = get.security?.length === 0
    const headers = isOpen ? {} : bearer(isOwners(get) ? ownerKey : apiKey)
    return steady(
      { id: `GET ${path}`, server: SERVER, kind: 'read' },
      httpRequest('GET', filled, { headers }),
    )
  })
}

/** The read that a small practice answers most, on a server that has answered hardly anything. */
export const coldRow = (apiKey: string): Row =>
  whileCold(
    steady(
      { id: 'GET /v1/availability', server: SERVER, kind: 'read' },
      httpRequest('GET', '/v1/availability', { headers: bearer(apiKey) }),
    ),
    'ours, cold',
  )

/** The rows of the MCP endpoint that change nothing, in both eras. */
export function mcpReadRows({ apiKey }: Callers): Row[] {
  const row = { id: 'MCP', server: SERVER, kind: 'read' as const }
  return [
    ...ERAS.flatMap((era) => mcpRows(row, era, bearer(apiKey))),
    steady(
      { ...row, id: 'MCP 2026: server/discover' },
      mcpRequest('2026-07-28', 'server/discover', {}, bearer(apiKey)),
      { contains: '"result"' },
    ),
    steady(
      { ...row, id: 'MCP 2025: initialize' },
      mcpRequest('2025-11-25', 'initialize', INITIALIZE, bearer(apiKey)),
      { contains: '"result"' },
    ),
  ]
}

/** Preview, commit and replay of every mutation, over each of these ways. */
export function allChangeRows(
  { paths, tools }: Described,
  ways: readonly Transport[],
  amounts: Amounts,
): Row[] {
  const mutations = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.['x-openai-isConsequential'] && tools.includes(post.operationId)
      ? [{ name: post.operationId, path }]
      : [],
  )
  const time = freeTimes(Date.now())
  return ways.flatMap((way) => changeRows(inOrder(mutations, tools), way, amounts, time))
}

const inOrder = (mutations: { name: string; path: string }[], tools: readonly string[]) =>
  mutations.toSorted((a, b) => tools.indexOf(a.name) - tools.indexOf(b.name))
