import * as z from 'zod'
import { invalidField, problem } from '../domain/problem/problem.ts'
import { recordKey } from '../domain/records.ts'
import { HOUR } from '../domain/time/duration.ts'
import { instantOf, isoSeconds, spokenTime, zoneSchema } from '../domain/time/time.ts'
import { eventTypeChoices, eventTypeField, eventTypeNamed } from './booking/time-fields.ts'
import { factLines } from '../domain/facts.ts'
import {
  ASKS,
  LINK_STATES,
  NOTHING,
  isLinkId,
  issueLinkId,
  linkUrl,
  readClientLink,
} from './client-link/link.ts'
import { defineMutation, defineRead, practiceMode } from './operation.ts'
import { recordWrite } from './record-write.ts'
import { answerOfRead, namedObject } from './schemas.ts'

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
  event_type: z.union([eventTypeField, z.null()]),
  timezone: z.string().meta({ description: 'IANA zone in which it shows times.' }),
}

/** A link as it is answered. */
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
    expires_in_hours: z
      .int()
      .min(1)
      .max(HOURS.most)
      .optional()
      .meta({ description: 'How long it can be used, from the commit.', default: HOURS.default }),
  }),
  defaults: ({ timezone, eventTypes: [{ name }] }) => ({
    timezone,
    event_type: name,
    expires_in_hours: HOURS.default,
  }),
  choices: eventTypeChoices,
  preview: namedObject('PreviewedClientLink', { ...askedFields, expires_in_hours: z.int() }),
  committed: namedObject('NewClientLink', clientLinkFields),
  unstored: {
    fields: {
      url: z.union([z.string(), z.null()]).meta({
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
    return {
      preview: { ask, event_type, timezone: input.timezone ?? practice.timezone, expires_in_hours },
      summary: `Make a link that asks one client for ${ask.join(', ')}. It works once, and ends ${expires_in_hours} hours after the commit.`,
      warnings: ['Anyone with the link can use it. Send it only to the client.'],
      pinned: {
        link_id: await issueLinkId(await keyring(), keyId, id, practiceMode(ports)),
        made_by: caller,
      },
    }
  },
  lockKeys: () => [],
  steps: () => [],
  result: ({ preview: { expires_in_hours, ...asked }, pinned, now }) => ({
    link_id: pinned.link_id,
    ...asked,
    expires_at: isoSeconds(now + expires_in_hours * HOUR),
  }),
  summary: ({ ask, expires_at, timezone }, { practiceZone }) =>
    `Made a link that asks one client for ${ask.join(', ')}. It works once, until ${spokenTime(instantOf(expires_at), practiceZone, timezone)}.`,
  recordId: ['link_id'],
  records: (result, ended) => [
    recordWrite(
      recordKey('client_link', result.link_id),
      { ...result, made_by: ended.pinned.made_by },
      ended,
    ),
  ],
  example: {
    input: { ask: ASKED.ask, event_type: 'consult', expires_in_hours: HOURS.default },
    preview: { ...ASKED, expires_in_hours: HOURS.default },
    result: {
      ...EXAMPLE_CLIENT_LINK,
      url: 'https://connector.example.com/c/mock_9sT1uW2xY4aB6cDZk3vQ0pZk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
    },
  },
})

const orNull = z.union([z.string(), z.null()])

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
      completed_at: orNull.meta({ format: 'date-time' }),
      client_id: orNull,
      intake_id: orNull,
      booking_id: orNull,
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
