import { randomBytes } from 'node:crypto'

import { inject } from 'vitest'

import { startLocal } from '../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { type Agent, type Credential, agentsOf, askMcp } from './agents.ts'
import { type OpenApi, contractOf, onceForEach, toolContractOf } from './contract.ts'

type Fields = Record<string, unknown>

/** The first key of the owner, where a connector runs with `OWNED`. */
export const OWNER_KEY = newApiKey(randomBytes(32))
/** Settings of a connector that needs a credential, and has an owner who begins with `OWNER_KEY`. */
export const OWNED = { ALLOW_ANONYMOUS: 'false', OWNER_KEY_SHA256: await hashApiKey(OWNER_KEY) }

/** The fields that an answer can have; the contract, against which each answer is checked, says which it has. */
export interface Body {
  status?: string | number
  operation?: string
  mode?: string
  preview?: Fields
  result?: Fields
  summary?: string
  warnings?: string[]
  confirmation_token?: string
  expires_at?: string
  next_step?: string
  committed_at?: string
  slots?: { start_time: string }[]
  type?: string
  code?: string
  detail?: string
  request_id?: string
  status_url_template?: string
  retryable?: boolean
  retry_after_seconds?: number
  effect?: string
  errors?: { pointer: string; detail: string; kind?: string }[]
  changes?: Fields[]
  booking?: Fields
  bookings?: Fields[]
  clients?: Fields[]
  invoices?: Fields[]
  invoice_status?: string
  needs_attention?: boolean
}

export interface RestReply {
  status: number
  headers: Headers
  /** The parsed JSON; empty where there is none. */
  body: Body
  text: string
}

export interface McpReply {
  isError: boolean
  /** The structured content. */
  body: Body
  /** What a person reads. */
  text: string
  replayed: boolean
}

export interface RestRequest {
  method?: string
  /** Sent as JSON, unless it is text or bytes already. */
  body?: object | string | Uint8Array
  headers?: Record<string, string>
  /** The idempotency key. */
  key?: string
}

export interface ConnectorOptions {
  /** Settings, over a random signing secret and anonymous access. An empty one counts as missing. */
  vars?: Record<string, string>
  /** A folder that outlives the connector. */
  storage?: string
  /** The name of the Worker, on which the ids of its objects depend. */
  name?: string
}

/** The connector as one caller sees it. */
export interface Caller {
  rest(path: string, request?: RestRequest): Promise<RestReply>
  /** Calls a tool; `sdk 1.x`, the default, is the client most agents in the field still speak through. */
  mcp(tool: string, given: object, agent?: Agent): Promise<McpReply>
}

export type Connector = Awaited<ReturnType<typeof startConnector>>

type Tool = { name: string; outputSchema?: object }
type Contract = ReturnType<typeof contractOf>
type ToolContract = ReturnType<typeof toolContractOf>
const contractIn = onceForEach((text) => contractOf(JSON.parse(text) as OpenApi))
const toolContractIn = onceForEach((text) => toolContractOf(JSON.parse(text) as Tool[]))
/** What connectors with the same settings say of themselves, to anyone: for a new one to write it takes longer than most calls. */
const contracts = new Map<string, Contract>()
const toolContracts = new Map<string, ToolContract>()
/** All settings but those that no document tells of. */
const toldSettings = ({ SIGNING_SECRET: _secret, MOCK_FAULTS: _faults, ...told }: Fields): string =>
  JSON.stringify(told)
/** The contract of the same bundle, for a connector that cannot tell because it is not configured. */
let contractOfAnother: Contract | undefined

/**
 * A connector under real workerd on a free port, with the clients to drive it. Every answer over REST is checked against
 * its own /openapi.json, every tool result against the output schema of the tool.
 */
export async function startConnector({ vars = {}, storage, name }: ConnectorOptions = {}) {
  const settings: Record<string, string> = {
    SIGNING_SECRET: randomBytes(32).toString('base64url'),
    ALLOW_ANONYMOUS: 'true',
    ...vars,
  }
  const logs: string[] = []
  const local = await startLocal({
    vars: settings,
    script: inject('workerScript'),
    onLog: (line) => logs.push(line),
    ...(storage === undefined ? {} : { storage }),
    ...(name === undefined ? {} : { name }),
  })
  const { url } = local
  const closing: (() => Promise<void>)[] = []
  const told = toldSettings(settings)
  let contract = contracts.get(told)

  /** Reads an answer, however it was asked for, and holds it against the contract. */
  async function checked(method: string, path: string, response: Response): Promise<RestReply> {
    const text = await response.text()
    const contentType = response.headers.get('Content-Type') ?? ''
    const isJson = /^application\/(problem\+)?json\b/.test(contentType) && text !== ''
    const body: unknown = isJson ? JSON.parse(text) : text
    contract ??= await ownContract()
    const fault = contract({ method, path, status: response.status, contentType, body })
    if (fault)
      throw new Error(`Against /openapi.json: ${fault}\n${method} ${path}\n${text.slice(0, 2000)}`)
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (body as Body) : {},
      text,
    }
  }

  async function ownContract(): Promise<Contract> {
    const response = await fetch(new URL('/openapi.json', url))
    if (response.ok) {
      // Its own address stands in it, and matters to none of it.
      contractOfAnother = contractIn((await response.text()).replaceAll(url, ''))
      contracts.set(told, contractOfAnother)
      return contractOfAnother
    }
    if (contractOfAnother) return contractOfAnother
    const sound = await startLocal({ script: inject('workerScript'), onLog: () => {} })
    try {
      const text = await (await fetch(new URL('/openapi.json', sound.url))).text()
      return (contractOfAnother = contractIn(text.replaceAll(sound.url, '')))
    } finally {
      await sound.stop()
    }
  }

  function caller(credential: Credential): Caller {
    const agents = agentsOf(url, credential)
    // What someone without a credential is shown depends on the settings alone.
    const shown = Object.keys(credential).length === 0 ? told : undefined
    let toolContract = shown === undefined ? undefined : toolContracts.get(shown)
    closing.push(() => agents.close())
    return {
      async rest(path, { method, body, headers = {}, key } = {}) {
        const isRaw = typeof body === 'string' || body instanceof Uint8Array
        const verb = method ?? (body === undefined ? 'GET' : 'POST')
        const response = await fetch(new URL(path, url), {
          method: verb,
          headers: {
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(key === undefined ? {} : { 'Idempotency-Key': key }),
            ...credential,
            ...headers,
          },
          ...(body === undefined
            ? {}
            : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
        })
        return checked(verb, path, response)
      },
      async mcp(tool, given, agent = 'sdk 1.x') {
        toolContract ??= await ownToolContract(credential)
        if (shown !== undefined) toolContracts.set(shown, toolContract)
        const answer = await agents.call(agent, tool, { ...given })
        const fault = toolContract(tool, answer.structuredContent)
        if (fault) {
          const seen = JSON.stringify(answer).slice(0, 2000)
          throw new Error(`Against the outputSchema of ${tool}: ${fault}\n${seen}`)
        }
        return {
          isError: answer.isError === true,
          body: answer.structuredContent as Body,
          text: answer.content.map((part) => part.text ?? '').join('\n'),
          replayed: answer._meta?.['idempotent_replayed'] === true,
        }
      },
    }
  }

  async function ownToolContract(credential: Credential): Promise<ToolContract> {
    const { message } = await askMcp(url, '2026-07-28', 'tools/list', {}, credential)
    return toolContractIn(JSON.stringify(message.result!['tools']))
  }

  return {
    url,
    /** The settings it runs with, to start another one like it. */
    settings,
    /** All lines that it logged so far. */
    logs,
    kv: local.kv,
    durableObjects: local.durableObjects,
    ...caller({}),
    /** The connector as the caller with this API key sees it. */
    as: (apiKey: string): Caller => caller({ Authorization: `Bearer ${apiKey}` }),
    checked,
    async stop(): Promise<void> {
      await Promise.all(closing.map((close) => close()))
      await local.stop()
    },
  }
}
