import * as z from 'zod'

import { confirmationName } from '../../core/confirm/token.ts'
import { equalInConstantTime, shortMac } from '../../core/crypto/encoding.ts'
import { CLIENT_LINK_ID } from '../../core/domain/client-link.ts'
import { factLines } from '../../core/domain/facts.ts'
import { type Mode, modeOfId } from '../../core/domain/mode.ts'
import { pluralOf } from '../../core/domain/plural.ts'
import { invalidField, problem } from '../../core/domain/problem/problem.ts'
import { recordKey } from '../../core/domain/records.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { instantOf, isoSeconds, spokenTime } from '../../core/domain/time/time.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { RecordWrite } from '../../core/ports/records.ts'
import type { Ports } from '../../core/ports/services.ts'
import {
  eventTypeChoices,
  eventTypeField,
  eventTypeNamed,
  wantedEventType,
} from './booking/event-type.ts'
import { clientZoneField } from './create-client-profile.ts'
import {
  type ReadPorts,
  defineMutation,
  defineRead,
  practiceMode,
  recordWrite,
} from './operation.ts'
import { answerOfRead, namedObject, orNull, textOrNull, textField, momentField } from './schemas.ts'

/** What a link can ask of a client. */
export const ASKS = ['details', 'intake', 'time'] as const
export type Ask = (typeof ASKS)[number]

/**
 * What a client's act under the link does, for each thing that it asks: the change to whose rules
 * its making is held.
 */
const PARTS: Readonly<Record<Ask, string>> = {
  details: 'create_client_profile',
  intake: 'submit_intake_answers',
  time: 'book_consult',
}

/** The changes that a link lets its holder make, as its pinned facts have them. */
export const partsOfLink = (ask: readonly Ask[]) => ask.map((one) => PARTS[one]).join(' ')

const LINK_STATES = [
  'open',
  'checking',
  'completed',
  'withdrawn',
  'expired',
  'ended_by_restore',
] as const

/** The change with which the owner ends a link. */
export const WITHDRAW = 'withdraw_client_link'

/** The caller of all that is done under a link; its key is the id of the link. */
export const callerOfLink = (linkId: string) => `client_link:${linkId}`

const HOURS = { default: 72, most: 336 }

const ASKED = { ask: [...ASKS], event_type: 'consult', timezone: 'America/New_York' }
const EXAMPLE = {
  link_id: 'cil_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
  ...ASKED,
  expires_at: '2037-11-26T15:00:00Z',
}

const askedFields = {
  ask: z.array(z.enum(ASKS)),
  event_type: orNull(eventTypeField),
  timezone: textField('The IANA zone in which the link shows times.'),
}

const linkIdField = z.string().meta({
  description: 'The client link: an opaque id, which opens nothing.',
  examples: [EXAMPLE.link_id],
})

const linkFields = {
  link_id: linkIdField,
  ...askedFields,
  expires_at: momentField,
}

/** A link as it is kept. Nothing in it is about a person. */
const keptLinkSchema = z.object({
  ...linkFields,
  made_by: z.string(),
  /** Set by the restore of a backup: what became of the link after the backup was made is not known. */
  ended_by_restore_at: z.string().optional(),
  /** A person approved its making. */
  approved: z.boolean().default(false),
})
export type KeptLink = z.infer<typeof keptLinkSchema>

/** The ids of what a link has made, and of one that has made nothing. */
export const madeSchema = z.object({
  client_id: textOrNull,
  intake_id: textOrNull,
  booking_id: textOrNull,
})
export const NOTHING = { client_id: null, intake_id: null, booking_id: null }

const foundField = z
  .literal(true)
  .describe(
    'The connector was restored from a backup, and then found this consult in the ' +
      'calendar. client_id and intake_id are null: what else the client typed is lost.',
  )

const endSchema = madeSchema.extend({
  state: z.enum(['completed', 'withdrawn']),
  recorded_at: z.string(),
  found_after_restore: foundField.optional(),
})

/**
 * The end of a link of a backup that a client completed after it, as the calendar shows it; `at` in
 * epoch ms.
 */
export const foundCompletion = (linkId: string, booking_id: string, at: number): RecordWrite =>
  recordWrite(
    recordKey('client_link_end', linkId),
    { ...NOTHING, link_id: linkId, booking_id, state: 'completed', found_after_restore: true },
    { mode: modeOfId(linkId), now: at },
  )

/** A link by its record. */
export const keptLinkOf = (value: string): KeptLink => keptLinkSchema.parse(JSON.parse(value))

async function keptLink(
  { records }: Pick<Ports, 'records'>,
  linkId: string,
): Promise<KeptLink | undefined> {
  const value = await records.get(recordKey('client_link', linkId))
  return typeof value === 'string' ? keptLinkOf(value) : undefined
}

const hasExpired = ({ expires_at }: KeptLink, now: number) => now >= instantOf(expires_at)

/** The state of a link that no one has completed or withdrawn, as far as this connector knows. */
function unusedState(link: KeptLink, now: number): 'open' | 'expired' | 'ended_by_restore' {
  const restored = link.ended_by_restore_at
  if (restored !== undefined && !hasExpired(link, instantOf(restored))) return 'ended_by_restore'
  return hasExpired(link, now) ? 'expired' : 'open'
}

/** Whether a link is open, unless someone has completed or withdrawn it. */
export const isUsable = (link: KeptLink, now: number) => unusedState(link, now) === 'open'

/** A link that is open, unless it was used. Raises `client_link_not_found`. */
export async function usableLink(
  ports: Pick<Ports, 'records' | 'now'>,
  linkId: string,
): Promise<KeptLink> {
  const link = await keptLink(ports, linkId)
  if (!link || !isUsable(link, ports.now())) throw problem('client_link_not_found')
  return link
}

/** A link and its state; `result` is that of the change under it, while that is kept. */
export interface LinkRead {
  link: KeptLink
  state: (typeof LINK_STATES)[number]
  made: z.infer<typeof madeSchema>
  completed_at: string | null
  /** Its consult was found in the calendar after a restore; of what it made nothing else is known. */
  isFound: boolean
  result?: unknown
}

/**
 * A link and its state: the flow decides, then the clock, then the record of the end, since records
 * lag. After a restore the flow may be older than the end that was found.
 */
export async function readClientLink(
  ports: ReadPorts,
  linkId: string,
): Promise<LinkRead | undefined> {
  if (!CLIENT_LINK_ID.test(linkId)) return undefined
  const name = await confirmationName(callerOfLink(linkId), linkId)
  const [link, status] = await Promise.all([
    keptLink(ports, linkId),
    ports.confirmations.status(name),
  ])
  if (!link) return undefined
  const unused: LinkRead = {
    link,
    state: unusedState(link, ports.now()),
    made: NOTHING,
    completed_at: null,
    isFound: false,
  }
  // What only a newer version knows is not known here.
  if (status.is === 'running' || status.is === 'outcome_unknown' || status.is === 'newer')
    return { ...unused, state: 'checking' }
  if (status.is === 'committed') {
    if (status.operation === WITHDRAW) return { ...unused, state: 'withdrawn' }
    const result: unknown = status.body && Reflect.get(status.body, 'result')
    const completed_at = status.endedAt === undefined ? null : isoSeconds(status.endedAt)
    if (result)
      return { ...unused, state: 'completed', made: madeSchema.parse(result), completed_at, result }
  } else if (status.is !== 'never_seen' && link.ended_by_restore_at === undefined) return unused
  const end = await ports.records.get(recordKey('client_link_end', linkId))
  if (typeof end !== 'string')
    return status.is === 'committed' ? { ...unused, state: 'completed' } : unused
  const { state, recorded_at, found_after_restore, ...made } = endSchema.parse(JSON.parse(end))
  const completed_at = state === 'completed' ? recorded_at : null
  return { link, state, made, completed_at, isFound: found_after_restore === true }
}

/**
 * What opens a link in its address: its id, proved by a MAC; undefined once its signing secret is
 * removed. It ends in hexadecimal, so that no mail program takes its last sign for the end of a
 * sentence.
 */
async function tokenOf(keyring: Keyring, linkId: string): Promise<string | undefined> {
  const [, mock = '', id = ''] = CLIENT_LINK_ID.exec(linkId) ?? []
  const keyId = id.slice(-8)
  if (!keyring.ids.includes(keyId)) return undefined
  return `${mock}${await shortMac(keyring, keyId, 'client link', `${mock}${id}`)}${id}`
}

/** The id of the link that a token opens in this mode; undefined if it opens none. Reads no storage. */
export async function linkOfToken(
  keyring: Keyring,
  token: string,
  mode: Mode,
): Promise<string | undefined> {
  const linkId = token.replace(/^(mock_)?[\w-]{22}/, 'cil_$1')
  const expected = modeOfId(linkId) === mode && (await tokenOf(keyring, linkId))
  return expected && equalInConstantTime(token, expected) ? linkId : undefined
}

export const inviteClient = defineMutation({
  name: 'invite_client',
  title: 'Invite a client by link',
  description:
    'Makes a link on which one client types their own name, email address and intake answers, ' +
    'and picks a free time of the next 14 days, in two calls, preview and commit. Use this so ' +
    'that you need not see what a client types: give the url only to the client. Returns the ' +
    'link_id and the url. get_client_link takes the link_id. It works once. Cannot say whether the ' +
    'client or someone else typed, nor take text of yours.',
  scope: 'client_links:write',
  route: 'POST /v1/client-links',
  provider: null,
  destructive: false,
  problems: [],
  input: z.strictObject({
    ask: z
      .array(z.enum(ASKS))
      .min(1)
      .max(ASKS.length)
      .describe(
        'What the client is asked for: details (name, email address, kind of client) make ' +
          'a client profile, intake the answers, time a consult. intake needs details.',
      ),
    event_type: wantedEventType.describe(
      'With time: the kind of consult; by default the first one that the practice offers.',
    ),
    timezone: clientZoneField,
    expires_in_hours: z.int().min(1).max(HOURS.most).optional().meta({
      description: 'How long the link can be used, counted from the commit.',
      default: HOURS.default,
    }),
  }),
  defaults: ({ timezone, eventTypes: [{ name }] }) => {
    return { timezone, event_type: name, expires_in_hours: HOURS.default }
  },
  choices: eventTypeChoices,
  preview: namedObject('PreviewedClientLink', { ...askedFields, expires_in_hours: z.int() }),
  committed: namedObject('NewClientLink', linkFields),
  unstored: {
    fields: {
      url: textOrNull.describe(
        'For the client alone; null once the signing secret of the link is removed.',
      ),
    },
    async of(result, keyring, origin) {
      const token = await tokenOf(keyring, String(Reflect.get(result, 'link_id')))
      return { url: token === undefined ? null : `${origin}/c/${token}` }
    },
  },
  canonical: (input) => ({ ...input, ask: ASKS.filter((one) => input.ask.includes(one)) }),
  async facts(input, { ports, caller, id, keyId }) {
    const { practice, keyring } = ports
    const ask = ASKS.filter((one) => input.ask.includes(one))
    if (ask.length < input.ask.length) throw invalidField('/ask', 'Expected each of them once.')
    if (ask.includes('intake') && !ask.includes('details'))
      throw invalidField(
        '/ask',
        'Expected details beside intake: answers belong to a client profile.',
      )
    if (input.event_type !== undefined && !ask.includes('time'))
      throw invalidField('/event_type', 'Expected only where ask has time.')
    const event_type = ask.includes('time') ? eventTypeNamed(practice, input.event_type).name : null
    // It derives from the id of the flow, so a repeat makes the same one.
    const random = await shortMac(await keyring(), keyId, 'client link id', id)
    const link_id = `cil_${practiceMode(ports) === 'mock' ? 'mock_' : ''}${random}${keyId}`
    return { pinned: { link_id, made_by: caller, parts: partsOfLink(ask) }, ask, event_type }
  },
  show({ timezone, expires_in_hours = HOURS.default }, { ask, event_type }, { practice }) {
    return {
      preview: { ask, event_type, timezone: timezone ?? practice.timezone, expires_in_hours },
      summary:
        `Make a link that asks one client for ${ask.join(', ')}. ` +
        `It works once, and ends ${pluralOf(expires_in_hours, 'hour')} after the commit.`,
      warnings: [
        'Anyone with the link can use it. Send it only to the client.',
        'The client fills in the rest. You do not see it before it is sent.',
      ],
    }
  },
  result: ({ preview: { expires_in_hours, ...asked }, pinned: { link_id }, now }) => {
    return { link_id, ...asked, expires_at: isoSeconds(now + expires_in_hours * HOUR) }
  },
  summary: ({ ask, expires_at, timezone }, { practiceZone }) =>
    `Made a link that asks one client for ${ask.join(', ')}. ` +
    `It works once, until ${spokenTime(instantOf(expires_at), practiceZone, timezone)}.`,
  // The client types the address later, so it is never known.
  namesAddress: ({ ask }) => ask.includes('time'),
  parts: ({ ask }) => partsOfLink(ask),
  recordId: ['link_id'],
  records(result, ended) {
    const { approved, pinned } = ended
    const kept = { ...result, made_by: pinned.made_by, approved }
    return [recordWrite(recordKey('client_link', result.link_id), kept, ended)]
  },
  example: {
    input: { ask: ASKED.ask, event_type: 'consult', expires_in_hours: HOURS.default },
    preview: { ...ASKED, expires_in_hours: HOURS.default },
    result: {
      ...EXAMPLE,
      url: 'https://connector.example.com/c/mock_9sT1uW2xY4aB6cDZk3vQ0pZk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
    },
  },
})

export const getClientLink = defineRead({
  name: 'get_client_link',
  title: 'Read a client link',
  description:
    'Returns the state of a client link by its link_id, and once it is completed, the ids of ' +
    'the records that it made. invite_client returned the link_id. It never contains what the client typed.',
  scope: 'client_links:write',
  route: 'GET /v1/client-links/{link_id}',
  provider: null,
  problems: ['client_link_not_found'],
  input: z.strictObject({ link_id: linkIdField }),
  output: answerOfRead('get_client_link', 'ClientLinkRead', 'One client link.', {
    client_link: namedObject('ClientLink', {
      state: z
        .enum(LINK_STATES)
        .describe(
          'checking: it was used, and it is not known yet whether the consult is booked. ' +
            'ended_by_restore: the connector was restored from a backup, and it is not known ' +
            'whether the client used the link after the backup; ' +
            'look in the calendar before you make another.',
        ),
      ...linkFields,
      completed_at: textOrNull.meta({ format: 'date-time' }),
      ...madeSchema.shape,
      found_after_restore: foundField.optional(),
    }),
  }),
  async run({ link_id }, ports) {
    const found = await readClientLink(ports, link_id)
    if (!found) throw problem('client_link_not_found')
    const { state, made, completed_at, isFound } = found
    const { made_by: _maker, approved: _approved, ended_by_restore_at: _end, ...link } = found.link
    const more = isFound && { found_after_restore: true as const }
    return { client_link: { state, ...link, completed_at, ...made, ...more } }
  },
  lines: ({ client_link, mode }) => factLines({ ...client_link, mode }),
  example: {
    input: { link_id: EXAMPLE.link_id },
    result: { client_link: { state: 'open', ...EXAMPLE, completed_at: null, ...NOTHING } },
  },
})
