import * as z from 'zod'
import { confirmationName } from '../../confirm/token.ts'
import { equalInConstantTime } from '../../crypto/tokens.ts'
import type { Mode } from '../../domain/mode.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { problem } from '../../domain/problem/problem.ts'
import { recordKey } from '../../domain/records.ts'
import { instantOf } from '../../domain/time/time.ts'
import type { Ports } from '../../ports/services.ts'
import type { ReadPorts } from '../operation.ts'

/** What a link can ask of a client. */
export const ASKS = ['details', 'intake', 'time'] as const
export type Ask = (typeof ASKS)[number]

export const LINK_STATES = ['open', 'checking', 'completed', 'withdrawn', 'expired'] as const

/** The change with which the owner ends a link. */
export const WITHDRAW = 'withdraw_client_link'

/** The caller of all that is done under a link; its key is the id of the link. */
export const callerOfLink = (linkId: string): string => `client_link:${linkId}`

const textOrNull = z.union([z.string(), z.null()])
const madeFields = { client_id: textOrNull, intake_id: textOrNull, booking_id: textOrNull }
const madeSchema = z.object(madeFields)
const endSchema = z.object({
  state: z.enum(['completed', 'withdrawn']),
  recorded_at: z.string(),
  ...madeFields,
})

/** The ids of a link that has made nothing. */
export const NOTHING = { client_id: null, intake_id: null, booking_id: null }

/** A link as it is kept. Nothing in it is about a person. */
export const keptLinkSchema = z.object({
  link_id: z.string(),
  ask: z.array(z.enum(ASKS)),
  event_type: textOrNull,
  timezone: z.string(),
  expires_at: z.string(),
  made_by: z.string(),
})
export type KeptLink = z.infer<typeof keptLinkSchema>

async function keptLink({ records }: Pick<Ports, 'records'>, linkId: string): Promise<KeptLink | undefined> {
  const value = await records.get(recordKey('client_link', linkId))
  return typeof value === 'string' ? keptLinkSchema.parse(JSON.parse(value)) : undefined
}

const hasExpired = ({ expires_at }: KeptLink, now: number): boolean => now >= instantOf(expires_at)

/** A link that has not expired. Raises `client_link_not_found`. */
export async function usableLink(ports: Pick<Ports, 'records' | 'now'>, linkId: string): Promise<KeptLink> {
  const link = await keptLink(ports, linkId)
  if (!link || hasExpired(link, ports.now())) throw problem('client_link_not_found')
  return link
}

/** A link and its state; `body` is the answer of the change under it, while that is kept. */
export interface LinkRead {
  link: KeptLink
  state: (typeof LINK_STATES)[number]
  made: z.infer<typeof madeSchema>
  /** In epoch milliseconds. */
  completedAt: number | null
  body?: object
}

/**
 * Reads a link and its state: the flow decides, then the clock, since records lag. A flow in doubt looks at
 * the provider first; the record of the end speaks for a forgotten one. Undefined if there is no record of
 * the link (yet).
 */
export async function readClientLink(ports: ReadPorts, linkId: string): Promise<LinkRead | undefined> {
  const name = await confirmationName(callerOfLink(linkId), linkId)
  const [link, status] = await Promise.all([keptLink(ports, linkId), ports.confirmations.status(name)])
  if (!link) return undefined
  const state = hasExpired(link, ports.now()) ? 'expired' : 'open'
  const unused: LinkRead = { link, state, made: NOTHING, completedAt: null }
  if (status.is === 'running' || status.is === 'outcome_unknown') return { ...unused, state: 'checking' }
  if (status.is !== 'never_seen' && status.is !== 'committed') return unused
  if (status.is === 'committed') {
    const { operation, endedAt: completedAt = null, body = {} } = status
    if (operation === WITHDRAW) return { ...unused, state: 'withdrawn' }
    const made = madeSchema.safeParse(Reflect.get(body, 'result'))
    if (made.success) return { link, state: 'completed', made: made.data, completedAt, body }
  }
  const end = await ports.records.get(recordKey('client_link_end', linkId))
  if (typeof end !== 'string') return status.is === 'committed' ? { ...unused, state: 'completed' } : unused
  const { state: ended, recorded_at, ...made } = endSchema.parse(JSON.parse(end))
  return { link, state: ended, made, completedAt: ended === 'completed' ? instantOf(recorded_at) : null }
}

/** 132 bits in base64url. */
const SHORT = 22
const ID = /^cil_(mock_)?([\w-]{22})([0-9a-f]{8})$/
/** It ends in hexadecimal, so that no mail program takes its last sign for the end of a sentence. */
const TOKEN = /^(mock_)?([\w-]{22})([\w-]{22})([0-9a-f]{8})$/

/** Whether a text can be the id of a client link at all. */
export const isLinkId = (text: string): boolean => ID.test(text)

const signature = async (keyring: Keyring, keyId: string, body: string): Promise<string> =>
  (await keyring.mac(keyId, 'client link', body)).slice(0, SHORT)

/** The id of a link, which opens nothing. It derives from the flow's id, so a repeat makes the same one. */
export async function issueLinkId(keyring: Keyring, keyId: string, flowId: string, mode: Mode) {
  const random = (await keyring.mac(keyId, 'client link id', flowId)).slice(0, SHORT)
  return `cil_${mode === 'mock' ? 'mock_' : ''}${random}${keyId}`
}

/** The address that opens a link: its id, proved by a MAC. Null once its signing secret is removed. */
export async function linkUrl(keyring: Keyring, linkId: string, origin: string): Promise<string | null> {
  const [, mock = '', random = '', keyId = ''] = ID.exec(linkId) ?? []
  if (!keyring.ids.includes(keyId)) return null
  return `${origin}/c/${mock}${await signature(keyring, keyId, `${mock}${random}${keyId}`)}${random}${keyId}`
}

/** The id of the link that a token opens in this mode; undefined if it opens none. Reads no storage. */
export async function linkOfToken(keyring: Keyring, token: string, mode: Mode): Promise<string | undefined> {
  const [, mock = '', mac = '', random = '', keyId = ''] = TOKEN.exec(token) ?? []
  if (!keyring.ids.includes(keyId) || (mock !== '') !== (mode === 'mock')) return undefined
  const body = `${mock}${random}${keyId}`
  return equalInConstantTime(mac, await signature(keyring, keyId, body)) ? `cil_${body}` : undefined
}
