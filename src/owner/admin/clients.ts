import * as z from 'zod'

import type { AppContext } from '../../api/http/app-env.ts'
import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { factLines } from '../../core/domain/facts.ts'
import { type Mode, modeOfId } from '../../core/domain/mode.ts'
import { spokenChoice, spokenName } from '../../core/domain/name.ts'
import { counted } from '../../core/domain/plural.ts'
import { Problem, problem } from '../../core/domain/problem/problem.ts'
import { recordId, recordKey } from '../../core/domain/records.ts'
import type { ClientRecords, Found, RecordEntry, StoredClient } from '../../core/ports/records.ts'
import type { ChangeServices, Ports } from '../../core/ports/services.ts'
import { checkClientId, emailIndex } from '../../practice/operations/client/identity.ts'
import { clientIdField } from '../../practice/operations/create-client-profile.ts'
import {
  type FoundPerson,
  type KeptClient,
  bookingView,
  clientView,
  intakeView,
  linkView,
} from '../../practice/operations/record-views.ts'
import { namedObject, textOrNull } from '../../practice/operations/schemas.ts'

const params = z.lazy(() => z.object({ client_id: clientIdField }))

const holdingsSchema = z.lazy(() =>
  namedObject('ClientHoldings', 'What deleting the client erases.', {
    client_id: clientIdField,
    deleted: z.boolean().meta({ description: 'Whether the client was already deleted.' }),
    display_name: textOrNull.meta({ description: 'Initials only.' }),
    contact_email: textOrNull.meta({ description: 'Masked.' }),
    intake_submissions: z
      .int()
      .meta({ description: 'How many submissions of intake answers are kept.' }),
  }),
)

const deletedSchema = z.lazy(() =>
  namedObject('DeletedClient', { client_id: clientIdField, deleted: z.literal(true) }),
)

/** What is kept about a client. Raises `client_not_found` for an id that was not issued here. */
export async function storedClient(
  { keyring, clientErasure }: Pick<Ports, 'keyring'> & Pick<ChangeServices, 'clientErasure'>,
  clientId: string,
): Promise<StoredClient> {
  // A mock client can be deleted after going live, too.
  const verdict = await checkClientId(await keyring(), clientId, modeOfId(clientId))
  if (verdict === 'foreign') throw problem('client_not_found')
  const stored = await clientErasure.stored(clientId)
  // Once the secret of the id is gone, only the records can confirm the id.
  if (verdict === 'unlisted' && !stored.erased && stored.value === null)
    throw problem('client_not_found')
  return stored
}

export const CLIENT_ENDPOINTS = [
  httpEndpoint({
    route: 'GET /v1/clients/{client_id}/deletion',
    operationId: 'preview_client_deletion',
    summary: 'Preview the deletion of a client',
    description: 'Returns what deleting the client would erase. It changes nothing.',
    scopes: ['admin'],
    params,
    answer: { description: 'What is kept about the client.', schema: holdingsSchema },
    problems: ['client_not_found'],
    async run({ client_id }, _owner, c) {
      const { erased, value, counts } = await storedClient(c.var.services, client_id)
      const shown = value === null ? undefined : clientView({ value })
      return {
        client_id,
        deleted: erased,
        display_name: shown?.display_name ?? null,
        contact_email: shown?.contact_email ?? null,
        intake_submissions: counts.intake ?? 0,
      }
    },
  }),
  httpEndpoint({
    route: 'DELETE /v1/clients/{client_id}',
    operationId: 'delete_client',
    summary: "Delete a client's data",
    description:
      'Erases the record of the client, all intake answers, and what previews and stored ' +
      'answers show of them. It cannot be undone. What is left is the client_id, marked as ' +
      'deleted, its entries in the audit log, and masked records of bookings and payment ' +
      'links. A repeat answers the same.',
    scopes: ['admin'],
    params,
    answer: {
      description: 'The client is deleted. Caches may show the client for about another minute.',
      schema: deletedSchema,
    },
    problems: ['client_not_found'],
    async run({ client_id }, { caller, requestId }, c) {
      const { services } = c.var
      await storedClient(services, client_id)
      await services.clientErasure.eraseClient(client_id, { caller, requestId })
      return { client_id, deleted: true as const }
    },
  }),
]

const MOST = 20

/** Nothing that is kept of anyone. */
const NOBODY: FoundPerson = { clients: [], bookings: [], moves: {}, links: [], leftOff: 0 }

/** What is kept under the id of a client, masked; of each kind so many, the newest first. */
export async function byId(c: AppContext, client_id: string, most = MOST): Promise<FoundPerson> {
  const { services } = c.var
  const stored = await storedClient(services, client_id).catch((thrown: unknown) => {
    if (thrown instanceof Problem) return undefined
    throw thrown
  })
  if (!stored) return NOBODY
  const mode = modeOfId(client_id)
  const modes = { bookings: mode, paymentLinks: mode }
  const { client, intake, ...made } = await services.records.ofClient(client_id, modes, most)
  const kept: KeptClient = {
    client_id,
    client: client ? clientView({ value: client }) : undefined,
    deleted: stored.erased,
    intake: shownIntake(intake),
  }
  return foundWith([kept], services, made)
}

/** Clients with the newest that was made for them; `leftOff` is how much of it is not shown. */
async function foundWith(
  clients: KeptClient[],
  services: Pick<Ports, 'records'>,
  { bookings, paymentLinks }: Pick<ClientRecords, 'bookings' | 'paymentLinks'>,
): Promise<FoundPerson> {
  return {
    clients,
    bookings: bookings.entries.map(bookingView),
    moves: await movesOf(services, bookings.entries),
    links: paymentLinks.entries.map(linkView),
    leftOff: leftOf(bookings) + leftOf(paymentLinks),
  }
}

const leftOf = ({ count, entries }: Found) => count - entries.length

const shownIntake = ({ count, entries }: Found): KeptClient['intake'] => ({
  count: submissions(count),
  given: entries.map(givenIn),
})

/** What a client gave at one time: the answers, each with its name, and the notes. */
function givenIn(entry: RecordEntry) {
  const { submitted_at: at, answers, ...own } = intakeView(entry)
  const { notes, ...chosen } = answers
  const lines = Object.entries(chosen).map(
    ([name, value]) => `${spokenName(name)}: ${spokenChoice(String(value))}`,
  )
  return { at, answers: [...factLines(own), ...lines], notes }
}

const endSchema = z.lazy(() => z.looseObject({ next_booking_id: z.string().optional() }))

/** Which booking is in place of each that was moved here. */
async function movesOf(
  { records }: Pick<Ports, 'records'>,
  bookings: readonly RecordEntry[],
): Promise<FoundPerson['moves']> {
  const ended = bookings.filter(({ ended }) => ended).map(({ key }) => recordId(key))
  if (ended.length === 0) return {}
  const ends = await records.under(ended.map((id) => recordKey('booking_end', id)))
  return Object.fromEntries(
    ends.flatMap(({ key, value }) => {
      const next = endSchema.parse(JSON.parse(value)).next_booking_id
      return next === undefined ? [] : [[recordId(key), next]]
    }),
  )
}

/** How many submissions of intake answers there are, in words. */
export const submissions = (count: number) => (count === 0 ? 'none' : counted(count, 'submission'))

/**
 * What is kept under an email address, masked: under every secret that is listed, and among what
 * the mocks made too.
 */
export async function byEmail(c: AppContext, email: string): Promise<FoundPerson> {
  const keyring = await c.var.services.keyring()
  const links = await emailIndex(keyring, keyring.current, email)
  const [live, mock] = await Promise.all([under(c, links, 'live'), under(c, links, 'mock')])
  return {
    clients: [...live.clients, ...mock.clients],
    bookings: [...live.bookings, ...mock.bookings],
    moves: { ...live.moves, ...mock.moves },
    links: [...live.links, ...mock.links],
    leftOff: live.leftOff + mock.leftOff,
  }
}

async function under(c: AppContext, links: readonly string[], mode: Mode): Promise<FoundPerson> {
  const { records } = c.var.services
  const [clients, bookings, paymentLinks] = await Promise.all([
    records.linkedTo(links, 'client', mode, MOST),
    records.linkedTo(links, 'booking', mode, MOST),
    records.linkedTo(links, 'payment_link', mode, MOST),
  ])
  const modes = { bookings: mode, paymentLinks: mode }
  const kept = clients.entries.map(async (entry): Promise<KeptClient> => {
    const client = clientView(entry)
    const { client_id } = client
    const { intake } = await records.ofClient(client_id, modes, MOST)
    return { client_id, client, deleted: false, intake: shownIntake(intake) }
  })
  const found = await foundWith(await Promise.all(kept), c.var.services, { bookings, paymentLinks })
  return { ...found, leftOff: found.leftOff + leftOf(clients) }
}
