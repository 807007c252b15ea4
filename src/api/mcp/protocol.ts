import { NOTES_NOTICE } from '../../core/domain/intake.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { VERSION } from '../../core/version.ts'

/** The one revision that a request names itself, in its envelope. */
export const ENVELOPED = '2026-07-28'
/** The revisions that begin with `initialize`, the newest first: those of the SDK, as a test shows. */
export const BEGUN: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
/** The revisions of the protocol that are spoken here, the newest first. */
export const VERSIONS: readonly string[] = [ENVELOPED, ...BEGUN]
export const VERSION_HEADER = 'MCP-Protocol-Version'

/** What the protocol names in `params._meta`, and what a request of 2026 names of itself there. */
export const RESERVED = 'io.modelcontextprotocol/'
export const VERSION_KEY = `${RESERVED}protocolVersion`
export const CLIENT_KEY = `${RESERVED}clientInfo`
export const CAPABILITIES_KEY = `${RESERVED}clientCapabilities`

/** A protocol error before a message could be read. */
export const protocolError = (status: number, code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

export const NO_REQUEST = 'Not a valid request.'
export const NO_MESSAGE = 'Not a valid request: expected a JSON object.'

/** No revision of MCP since 2025-06-18 has batches. */
export const NO_BATCH = 'Batches are not supported: send each message in a request of its own.'

/** Proxies must not keep or change an answer of this endpoint. */
export const NO_STORE = 'no-store, no-transform'

export const UNSUPPORTED = `this protocol version is not supported. Known here: ${VERSIONS.join(', ')}.`

export const NOT_ACCEPTABLE =
  'The header Accept must allow application/json: send application/json, text/event-stream, or */*.'

export const isId = (value: unknown) => typeof value === 'string' || Number.isInteger(value)

/** The refusal of a version in the header that is not spoken here, before the message is served. */
export function unknownVersion(requested: string, id: unknown) {
  const error = {
    code: -32602,
    message: `${VERSION_HEADER}: ${UNSUPPORTED}`,
    data: versionsIn({ supported: VERSIONS, requested }),
  }
  return Response.json({ jsonrpc: '2.0', id: isId(id) ? id : null, error }, { status: 400 })
}

const VERSION_FORM = /^v?\d{1,4}([.-]\d{1,2}){1,3}$/

/** The protocol requires both. The requested one is repeated only if it has the form of a version. */
export function versionsIn(data: unknown): { supported: unknown; requested: string } {
  const { supported, requested } = (data ?? {}) as { supported?: unknown; requested?: unknown }
  const isVersion = typeof requested === 'string' && VERSION_FORM.test(requested)
  return { supported, requested: isVersion ? requested : 'unknown' }
}

/** How every change is made, in the instructions of the endpoint, which some hosts leave out. */
const TWO_CALLS =
  'First confirm=false, which changes nothing and returns a preview with a ' +
  'confirmation_token: show the person the preview together with the details you sent, ' +
  'which it masks, and wait for their yes. Then the same fields under the same ' +
  'idempotency_key with confirm=true and that token: commits what was shown. ' +
  'If no answer comes, repeat the same call with the same key; ' +
  'it never acts twice. Another time, person or amount is a new change: use a new key.'

/** What a host may show to the model beside the tools. */
export const INSTRUCTIONS =
  'Consults, client intake and payment links of one financial practice. ' +
  `Every change takes two calls. ${TWO_CALLS} Send times back exactly as they were returned, ` +
  'with their offset. Personal data is returned masked. ' +
  `${NOTES_NOTICE} What is booked, who the clients are and whether a link is paid is read ` +
  'with the tools for it, where they are listed, or as resources such as consult://today, ' +
  'where the host has them.'

export const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} }

/** How long a host may keep a list, in milliseconds, and for whom: for this caller alone. */
export const KEPT_BY_HOSTS = { ttlMs: HOUR, cacheScope: 'private' } as const

/** Who we are, with what a host shows beside the name where the connector has an address. */
export const serverInfo = (origin: string) => ({
  name: 'consult-connector',
  title: 'Consult connector',
  version: VERSION,
  ...(origin === ''
    ? {}
    : {
        websiteUrl: origin,
        icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
      }),
})
