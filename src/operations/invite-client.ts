import * as z from 'zod'
import { confirmationName } from '../confirm/token.ts'
import { equalInConstantTime } from '../crypto/tokens.ts'
import type { Mode } from '../domain/mode.ts'
import type { Keyring } from '../ports/keyring.ts'
import { problem, invalidField } from '../domain/problem/problem.ts'
import { recordKey } from '../domain/records.ts'
import { instantOf, isoSeconds, spokenTime, zoneSchema } from '../domain/time/time.ts'
import type { Ports } from '../ports/services.ts'
import { type ReadPorts, defineMutation, defineRead, practiceMode, recordWrite } from './operation.ts'
import { HOUR } from '../domain/time/duration.ts'
import { eventTypeChoices, eventTypeField, eventTypeNamed } from './booking/time-fields.ts'
import { factLines } from '../domain/facts.ts'
import { answerOfRead, namedObject, orNull, textOrNull } from './schemas.ts'

/** What a link can ask of a client. */
export const ASKS = ['details', 'intake', 'time'] as const
export type Ask = (typeof ASKS)[number]

const LINK_STATES = ['open', 'checking', 'completed', 'withdrawn', 'expired'] as const

/** The change with which the owner ends a link. */
export const WITHDRAW = 'withdraw_client_link'

/** The caller of all that is done under a link; its key is the id of the link. */
export const callerOfLink = (linkId: string): string => `client_link:${linkId}`

const madeFields = { client_id: textOrNull, intake_id: textOrNull, booking_id: textOrNull }
const madeSchema = z.object(madeFields)
const endSchema = madeSchema.extend({ state: z.enum(['completed', 'withdrawn']), recorded_at: z.string() })

/** The ids of a link that has made nothing. */
export const NOTHING = { client_id: null, intake_id: null, booking_id: null }

/** A link as it is kept. Nothing in it is about a person. */
const keptLinkSchema = z.object({
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

/** A link and its state: the flow decides, then the clock, then the record of the end, since records lag. */
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

const SHORT = 22
const ID = /^cil_(mock_)?([\w-]{22})([0-9a-f]{8})$/
/** It ends in hexadecimal, so that no mail program takes its last sign for the end of a sentence. */
const TOKEN = /^(mock_)?([\w-]{22})([\w-]{22})([0-9a-f]{8})$/

/** Whether a text can be the id of a client link at all. */
export const isLinkId = (text: string): boolean => ID.test(text)

const signature = async (keyring: Keyring, keyId: string, body: string): Promise<string> =>
  (await keyring.mac(keyId, 'client link', body)).slice(0, SHORT)

/** The id of a link, which opens nothing. It derives from the flow's id, so a repeat makes the same one. */
async function issueLinkId(keyring: Keyring, keyId: string, flowId: string, mode: Mode) {
  const random = (await keyring.mac(keyId, 'client link id', flowId)).slice(0, SHORT)
  return `cil_${mode === 'mock' ? 'mock_' : ''}${random}${keyId}`
}

/** The address that opens a link: its id, proved by a MAC. Null once its signing secret is removed. */
async function linkUrl(keyring: Keyring, linkId: string, origin: string): Promise<string | null> {
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

const HOURS = { default: 72, most: 336 }

const EXAMPLE_CLIENT_LINK = {
  link_id: 'cil_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
  ask: [...ASKS],
  event_type: 'consult',
  timezone: 'America/New_York',
  expires_at: '2037-11-26T15:00:00Z',
}
const { link_id, expires_at: _until, ...ASKED } = EXAMPLE_CLIENT_LINK

const linkIdOfClient = z.string().meta({
  description: 'The client link: an opaque id, which opens nothing.',
  examples: [link_id],
})

const askedFields = {
  ask: z.array(z.enum(ASKS)),
  event_type: orNull(eventTypeField),
  timezone: z.string().meta({ description: 'IANA zone in which it shows times.' }),
}

const clientLinkFields = {
  link_id: linkIdOfClient,
  ...askedFields,
  expires_at: z.string().meta({ format: 'date-time' }),
}

export const inviteClient = defineMutation({
  name: 'invite_client',
  title: 'Invite a client by link',
  description:
    'Makes a link on which one client types their own name, email address and intake answers, and picks a free time of the next 14 days, in two calls: a preview, then the commit. Use this so that you need not see what a client types: give the url to the client, and to nobody else. Returns the link_id, which get_client_link takes, and the url. It works once. Cannot say whether the client or somebody else typed, nor take text of yours.',
  scope: 'client_links:write',
  http: { method: 'post', path: '/v1/client-links' },
  provider: null,
  destructive: false,
  problems: [],
  input: z.strictObject({
    ask: z.array(z.enum(ASKS)).min(1).max(ASKS.length).meta({
      description:
        'What the client is asked for: details (name, email address, kind of client) make a client profile, intake the answers, time a consult. intake needs details.',
    }),
    event_type: z.string().optional().meta({
      description: 'With time: the kind of consult, by default the first the practice offers.',
    }),
    timezone: zoneSchema.optional().meta({
      description: 'IANA zone of the client; by default the zone of the practice.',
    }),
    expires_in_hours: z.int().min(1).max(HOURS.most).optional().meta({
      description: 'How long it can be used, from the commit.',
      default: HOURS.default,
    }),
  }),
  defaults: ({ timezone, eventTypes: [{ name }] }) => {
    return { timezone, event_type: name, expires_in_hours: HOURS.default }
  },
  choices: eventTypeChoices,
  preview: namedObject('PreviewedClientLink', { ...askedFields, expires_in_hours: z.int() }),
  committed: namedObject('NewClientLink', clientLinkFields),
  unstored: {
    fields: {
      url: textOrNull.meta({
        description: 'For the client alone; null once the signing secret of the link is removed.',
      }),
    },
    of: async (result, keyring, origin) => ({
      url: await linkUrl(keyring, String(Reflect.get(result, 'link_id')), origin),
    }),
  },
  canonical: (input) => ({ ...input, ask: ASKS.filter((one) => input.ask.includes(one)) }),
  async prepare({ expires_in_hours = HOURS.default, ...input }, { ports, caller, id, keyId }) {
    const { practice, keyring } = ports
    const ask = ASKS.filter((one) => input.ask.includes(one))
    if (ask.length < input.ask.length) throw invalidField('/ask', 'Expected each of them once.')
    if (ask.includes('intake') && !ask.includes('details'))
      throw invalidField('/ask', 'Expected details beside intake: answers belong to a client profile.')
    if (input.event_type !== undefined && !ask.includes('time'))
      throw invalidField('/event_type', 'Expected only where ask has time.')
    const event_type = ask.includes('time') ? eventTypeNamed(practice, input.event_type).name : null
    const link_id = await issueLinkId(await keyring(), keyId, id, practiceMode(ports))
    return {
      preview: { ask, event_type, timezone: input.timezone ?? practice.timezone, expires_in_hours },
      summary: `Make a link that asks one client for ${ask.join(', ')}. It works once, and ends ${expires_in_hours} hours after the commit.`,
      warnings: ['Anyone with the link can use it. Send it only to the client.'],
      pinned: { link_id, made_by: caller },
    }
  },
  result: ({ preview: { expires_in_hours, ...asked }, pinned: { link_id }, now }) => {
    return { link_id, ...asked, expires_at: isoSeconds(now + expires_in_hours * HOUR) }
  },
  summary: ({ ask, expires_at, timezone }, { practiceZone }) =>
    `Made a link that asks one client for ${ask.join(', ')}. It works once, until ${spokenTime(instantOf(expires_at), practiceZone, timezone)}.`,
  recordId: ['link_id'],
  records(result, ended) {
    const { made_by } = ended.pinned
    return [recordWrite(recordKey('client_link', result.link_id), { ...result, made_by }, ended)]
  },
  example: {
    input: { ask: ASKED.ask, event_type: 'consult', expires_in_hours: HOURS.default },
    preview: { ...ASKED, expires_in_hours: HOURS.default },
    result: {
      ...EXAMPLE_CLIENT_LINK,
      url: 'https://connector.example.com/c/mock_9sT1uW2xY4aB6cDZk3vQ0pZk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
    },
  },
})

export const getClientLink = defineRead({
  name: 'get_client_link',
  title: 'Read a client link',
  description:
    'Says what became of a link that invite_client made: its state, and once it is completed the ids of what it made. Nothing of what was typed is in it.',
  scope: 'client_links:write',
  http: { method: 'get', path: '/v1/client-links/{link_id}' },
  provider: null,
  problems: ['client_link_not_found'],
  input: z.strictObject({ link_id: linkIdOfClient }),
  output: answerOfRead('get_client_link', 'ClientLinkRead', 'One client link.', {
    client_link: namedObject('ClientLink', {
      state: z.enum(LINK_STATES).meta({
        description: 'checking: it was used, and whether the consult is booked is not known yet.',
      }),
      ...clientLinkFields,
      completed_at: textOrNull.meta({ format: 'date-time' }),
      ...madeFields,
    }),
  }),
  async run({ link_id }, ports) {
    const found = isLinkId(link_id) ? await readClientLink(ports, link_id) : undefined
    if (!found) throw problem('client_link_not_found')
    const { state, made, completedAt } = found
    const { made_by: _maker, ...link } = found.link
    const completed_at = completedAt === null ? null : isoSeconds(completedAt)
    return { client_link: { state, ...link, completed_at, ...made } }
  },
  text: ({ client_link, mode }) => factLines({ ...client_link, mode }).join('\n'),
  example: {
    input: { link_id: EXAMPLE_CLIENT_LINK.link_id },
    result: { client_link: { state: 'open', ...EXAMPLE_CLIENT_LINK, completed_at: null, ...NOTHING } },
  },
})
