import * as z from 'zod'
import type { Context } from 'hono'
import { emailSchema } from '../../domain/email.ts'
import type { Mode } from '../../domain/mode.ts'
import { Problem } from '../../domain/problem/problem.ts'
import { OWNED_KINDS, type OwnedRow, recordId } from '../../domain/records.ts'
import type { ClientRecords } from '../../ports/records.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { storedClient } from '../../admin/clients.ts'
import { performUnderLink } from '../../operations/perform.ts'
import { isLinkId, readClientLink } from '../../operations/invite-client.ts'
import { practiceMode } from '../../operations/operation.ts'
import { withdrawClientLink } from '../../operations/complete-client-link.ts'
import { callerNamesOf } from '../shell/items.ts'
import { modeOfClientId, emailIndex } from '../../operations/client/identity.ts'
import { bookingView, clientView, linkView, ownedView } from '../../operations/record-views.ts'
import { type Act, nothingChanged, proofFor } from '../shell/acts.ts'
import { type Visit, callerItems, part, shellOf } from '../shell/load.ts'
import {
  type ClientLinksView,
  withdrawalPage,
  type FoundPerson,
  type KeptClient,
  type OwnedShown,
  peoplePage,
  TYPED,
  deletionPage,
} from './people.ts'

const MOST = 20
const WHAT_BELONGS = OWNED_KINDS.map(({ title }) => title.toLowerCase()).join(' and ')

const CLIENT_ID = /^cl_[\w-]{20,200}$/

const NOT_HERE = 'There is no client with this id.'

export async function showPeople(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, links] = await Promise.all([shellOf(c, '/owner/people', visit), newestLinks(c)])
  return peoplePage({ shell, links, found: undefined, error: undefined })
}

/** Looks for a person, and shows what is kept. A POST, so that no address of a person stands in an address of ours. */
export const findPerson: Act = async (c, { session, form }) => {
  const person = (form.get('person') ?? '').trim()
  const look = CLIENT_ID.test(person)
    ? () => byId(c, person)
    : emailSchema.safeParse(person).success
      ? () => byEmail(c, person)
      : undefined
  const [shell, found, links] = await Promise.all([
    shellOf(c, '/owner/people', { session }),
    look && part(look),
    look ? undefined : newestLinks(c),
  ])
  if (look) return c.html(peoplePage({ shell, links, found, error: undefined }))
  c.var.log.code = 'validation_failed'
  const error = 'Give a whole email address, or a client id, which begins with cl_.'
  return c.html(peoplePage({ shell, links, found, error }), 422)
}

const NOBODY: FoundPerson = { clients: [], bookings: [], links: [], leftOff: 0 }

async function byId(c: Context<AppEnv>, client_id: string): Promise<FoundPerson> {
  const { services } = c.var
  const stored = await storedClient(services, client_id).catch((thrown: unknown) => {
    if (thrown instanceof Problem) return undefined
    throw thrown
  })
  if (!stored) return NOBODY
  const mode = modeOfClientId(client_id)
  const modes = { bookings: mode, paymentLinks: mode }
  const { client, owned, bookings, paymentLinks } = await services.records.ofClient(client_id, modes, MOST)
  return {
    clients: [
      {
        client_id,
        client: client ? clientView({ value: client }) : undefined,
        deleted: stored.erased,
        owned: ownedOf(owned),
      },
    ],
    bookings: bookings.entries.map(bookingView),
    links: paymentLinks.entries.map(linkView),
    leftOff: bookings.count + paymentLinks.count - bookings.entries.length - paymentLinks.entries.length,
  }
}

const ownedOf = (owned: ClientRecords['owned']): OwnedShown[] =>
  OWNED_KINDS.map((row) => ({
    ...counted(row, owned[row.kind].count),
    words: owned[row.kind].entries
      .map((entry) => notesSchema.parse(ownedView(row, entry)).answers.notes)
      .filter((text) => text !== undefined),
  }))

const notesSchema = z.object({ answers: z.object({ notes: z.string().optional() }).catch({}) })

const counted = ({ title, one, many }: OwnedRow, count: number) => ({
  title,
  count: count === 0 ? 'none' : `${count} ${count === 1 ? one : many}`,
})

/** Under every secret that is listed, and among what the mocks made too. */
async function byEmail(c: Context<AppEnv>, email: string): Promise<FoundPerson> {
  const keyring = await c.var.services.keyring()
  const links = await emailIndex(keyring, keyring.current, email)
  const [live, mock] = await Promise.all([under(c, links, 'live'), under(c, links, 'mock')])
  return {
    clients: [...live.clients, ...mock.clients],
    bookings: [...live.bookings, ...mock.bookings],
    links: [...live.links, ...mock.links],
    leftOff: live.leftOff + mock.leftOff,
  }
}

async function under(c: Context<AppEnv>, links: readonly string[], mode: Mode): Promise<FoundPerson> {
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
    const { owned } = await records.ofClient(client_id, modes, MOST)
    return { client_id, client, deleted: false, owned: ownedOf(owned) }
  })
  const all = [clients, bookings, paymentLinks]
  return {
    clients: await Promise.all(kept),
    bookings: bookings.entries.map(bookingView),
    links: paymentLinks.entries.map(linkView),
    leftOff: all.reduce((sum, { count, entries }) => sum + count - entries.length, 0),
  }
}

const shownSchema = z.object({ display_name: z.string(), contact_email: z.string() })

/** Deletes a client: first shows what goes, then wants the end of the id typed, and then the passkey. */
export const deleteClient: Act = async (c, own) => {
  const { form, session } = own
  const { services } = c.var
  const client_id = form.get('client_id') ?? ''
  const typed = form.get('typed')?.trim()
  const stored = await storedClient(services, client_id).catch(() => undefined)
  if (!stored || stored.erased) return nothingChanged(c, NOT_HERE)
  const shown = stored.value === null ? undefined : shownSchema.parse(JSON.parse(stored.value))
  const shownAs = shown && `${shown.display_name}, ${shown.contact_email}`
  const isWrong = typed !== undefined && typed !== client_id.slice(-TYPED)
  if (typed === undefined || isWrong) {
    if (isWrong) c.var.log.code = 'validation_failed'
    const shell = await shellOf(c, '/owner/people', { session })
    const owned = OWNED_KINDS.map((row) => counted(row, stored.counts[row.kind] ?? 0))
    const page = deletionPage({ shell, client_id, shownAs, owned, isWrong })
    return c.html(page, isWrong ? 422 : 200)
  }
  const asksForProof = await proofFor(c, own, {
    name: 'delete_client',
    question: `Delete ${shownAs ?? 'this client'}?`,
    changes: [`The client ${client_id} is deleted, with all ${WHAT_BELONGS}.`, 'This cannot be undone.'],
    facts: [client_id],
    verb: 'Delete with your passkey',
    back: '/owner/people',
  })
  if (asksForProof) return asksForProof
  await services.clientErasure.eraseClient(client_id, {
    caller: c.var.log.caller,
    requestId: c.var.requestId,
  })
  return 'deleted'
}

/** The newest client links, each as it stands now: one that cannot be read soon hides no other. */
export async function newestLinks(c: Context<AppEnv>): Promise<ClientLinksView> {
  const { services } = c.var
  const newest = () =>
    services.records.newest('client_link', practiceMode(services.modes), Number.MAX_SAFE_INTEGER, MOST)
  const [entries, items] = await Promise.all([part(newest), callerItems(c)])
  const reads =
    entries === 'unread' ? [] : entries.map(({ key }) => part(() => readClientLink(services, recordId(key))))
  return { links: entries === 'unread' ? entries : await Promise.all(reads), names: callerNamesOf(items) }
}

/** Withdraws a link: first shows what a commit would do, then commits just that. It tightens, so it needs no passkey. */
export const withdrawLink: Act = async (c, { session, form }) => {
  const link_id = form.get('link_id') ?? ''
  const token = form.get('confirmation_token')
  const commit = token === null ? { confirm: false } : { confirm: true, confirmation_token: token }
  const { services, site, requestId, note: audit } = c.var
  const asking = { services, origin: site().origin, requestId, audit }
  try {
    if (!isLinkId(link_id)) return nothingChanged(c, GONE)
    const { body } = await performUnderLink(withdrawClientLink, { link_id, ...commit }, asking)
    if (token !== null) return 'withdrawn'
    const shell = await shellOf(c, '/owner/people', { session })
    const fields = { link_id, confirmation_token: String(body['confirmation_token']) }
    return c.html(withdrawalPage(shell, String(body['summary']), fields))
  } catch (thrown) {
    if (thrown instanceof Problem) return nothingChanged(c, GONE)
    throw thrown
  }
}

const GONE =
  'The link was used or has ended meanwhile, or somebody is using it just now. Look at the list again.'
