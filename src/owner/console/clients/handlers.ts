import type { AppContext } from '../../../api/http/app-env.ts'
import { emailSchema } from '../../../core/domain/email.ts'
import { trimmed } from '../../../core/domain/name.ts'
import { recordId, recordKey, recordedAt } from '../../../core/domain/records.ts'
import { madeSchema, readClientLink } from '../../../practice/operations/invite-client.ts'
import { practiceMode } from '../../../practice/operations/operation.ts'
import { clientView } from '../../../practice/operations/record-views.ts'
import { openLinksOf, withdraw, withdrawLinksOf } from '../../access/client-links.ts'
import { wantProof } from '../../access/fresh-proof.ts'
import { byId, byEmail, submissions, storedClient } from '../../admin/clients.ts'
import { type Act, type Show, formAgain, notHere, nothingChanged } from '../shell/handlers.ts'
import { type Visit, callerNames, part, recordsOnPage, shellOf } from '../shell/load.ts'
import {
  type ClientLinksView,
  type ListedLink,
  type ClientsView,
  clientsPage,
  clientPage,
  TYPED,
  deletionPage,
} from './page.ts'

const MOST = 20

export const showClients: Show = async (c, visit) => {
  const [shell, both] = await Promise.all([shellOf(c, '/owner/clients', visit), newest(c)])
  return clientsPage({ shell, ...both })
}

/**
 * The latest clients, and a page of the client links, the newest first, each as it stands now: one
 * that cannot be read soon hides no other.
 */
async function newest(c: AppContext): Promise<Pick<ClientsView, 'links' | 'latest'>> {
  const { records, modes } = c.var.services
  const mode = practiceMode(modes)
  const [latest, page, names] = await Promise.all([
    part(async () =>
      (await records.newest('client', mode, Number.MAX_SAFE_INTEGER, MOST)).map(clientView),
    ),
    part(() => recordsOnPage(c, 'links_before', { kind: 'client_link', mode, limit: MOST })),
    callerNames(c),
  ])
  if (page === 'unread') return { latest, links: { links: page, names } }
  const { shown, older } = page
  const links = await Promise.all(
    shown.map(({ key, value }) => part(() => listedLink(c, recordId(key), value))),
  )
  return { latest, links: { links, names, older } }
}

/** The page of one client, by its id. */
export const showClient: Show = async (c, visit) => {
  const clientId = c.req.param('client_id') ?? ''
  const [shell, found, links] = await Promise.all([
    shellOf(c, '/owner/clients', visit),
    part(() => byId(c, clientId)),
    linksFilledInBy(c, clientId),
  ])
  const isKnown = found !== 'unread' && found.clients.length > 0
  if (isKnown) return clientPage(shell, found, links)
  return notHere(c, found, `${NOT_HERE} All of them are under Clients.`)
}

/** So far back links are looked at for those of one client. */
const MOST_ENDS = 200
const endSchema = madeSchema.pick({ client_id: true })

/** The links, of the newest that were used, with which a client made their own profile. */
async function linksFilledInBy(c: AppContext, clientId: string): Promise<ClientLinksView> {
  const { records, modes } = c.var.services
  const [ends, names] = await Promise.all([
    part(() =>
      records.newest('client_link_end', practiceMode(modes), Number.MAX_SAFE_INTEGER, MOST_ENDS),
    ),
    callerNames(c),
  ])
  if (ends === 'unread') return { links: ends, names, isSearch: true }
  const own = ends.filter(({ value }) => endSchema.parse(JSON.parse(value)).client_id === clientId)
  const links = await Promise.all(own.map(({ key }) => part(() => linkById(c, recordId(key)))))
  return { links, names, isSearch: true }
}

async function linkById(c: AppContext, linkId: string): Promise<ListedLink | undefined> {
  const value = await c.var.services.records.get(recordKey('client_link', linkId))
  return typeof value === 'string' ? listedLink(c, linkId, value) : undefined
}

/** One link, found by its id. */
async function oneLink(c: AppContext, linkId: string): Promise<ClientLinksView> {
  const [one, names] = await Promise.all([part(() => linkById(c, linkId)), callerNames(c)])
  return { links: one === undefined ? [] : [one], names, isSearch: true }
}

async function listedLink(c: AppContext, linkId: string, value: string) {
  const read = await readClientLink(c.var.services, linkId)
  return read && { ...read, madeAt: recordedAt(value) }
}

const LINK_ID = /^cil_[\w-]{20,200}$/

const CLIENT_ID = /^cl_[\w-]{20,200}$/

const NOT_HERE = 'There is no client with this id.'

/**
 * Looks for a person, and shows what is kept. A POST, so that no address of a person is part of an
 * address of ours.
 */
export const searchClients: Act = async (c, own) => {
  const { session, form } = own
  const person = trimmed(form.get('person') ?? '')
  if (LINK_ID.test(person)) {
    const [shell, links] = await Promise.all([
      shellOf(c, '/owner/clients', { session }),
      oneLink(c, person),
    ])
    return c.html(clientsPage({ shell, links }))
  }
  const look = lookFor(c, person)
  if (!look)
    return formAgain(c, own, showClients, {
      person:
        'Enter a whole email address, a client id that begins with cl_, or a link id that begins with cil_.',
    })
  const [shell, found] = await Promise.all([shellOf(c, '/owner/clients', { session }), part(look)])
  return c.html(clientsPage({ shell, found }))
}

/** How to find what was typed: an id or an address; undefined if it is neither. */
function lookFor(c: AppContext, person: string) {
  if (CLIENT_ID.test(person)) return () => byId(c, person)
  return emailSchema.safeParse(person).success ? () => byEmail(c, person) : undefined
}

/** Sends all that is kept of a client as a file, on a proof. */
export const exportClient: Act = async (c, own) => {
  const client_id = own.form.get('client_id') ?? ''
  const found = await byId(c, client_id, Number.MAX_SAFE_INTEGER)
  if (!found.clients[0]?.client) return nothingChanged(c, NOT_HERE)
  await wantProof(c, own, {
    question: `Download what is kept of \u2068${found.clients[0].client.display_name}\u2069?`,
    changes: [
      'The file is masked, as the page is. The connector keeps nothing else.',
      'You can give it to a client who asks for it.',
    ],
    facts: [client_id],
    verb: 'Download with your passkey',
  })
  return c.body(JSON.stringify(found, null, 2), 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="client.json"',
  })
}

/** Deletes a client: first shows what goes, then wants the end of the id typed, and then the passkey. */
export const deleteClient: Act = async (c, own) => {
  const { form, session } = own
  const { services } = c.var
  const client_id = form.get('client_id') ?? ''
  const typed = form.get('typed')?.trim()
  const stored = await storedClient(services, client_id).catch(() => undefined)
  if (!stored) return nothingChanged(c, NOT_HERE)
  if (stored.erased) return nothingChanged(c, 'This client is already deleted.')
  const shown = stored.value === null ? undefined : clientView({ value: stored.value })
  const shownAs = shown && `${shown.display_name}, ${shown.contact_email}`
  const isWrong = typed !== undefined && typed !== client_id.slice(-TYPED)
  if (typed === undefined || isWrong) {
    const intake = submissions(stored.counts.intake ?? 0)
    const show = async (_c: AppContext, visit: Visit) =>
      deletionPage({ shell: await shellOf(c, '/owner/clients', visit), client_id, shownAs, intake })
    if (!isWrong) return c.html(await show(c, { session }))
    const wanted = `These are not the last ${TYPED} characters of the id. Nothing was deleted.`
    return formAgain(c, own, show, { typed: wanted })
  }
  await wantProof(c, own, {
    question: `Delete \u2068${shownAs ?? 'this client'}\u2069?`,
    changes: [
      `The client ${client_id} is deleted, with all intake answers.`,
      'This cannot be undone.',
    ],
    facts: [client_id],
    verb: 'Delete with your passkey',
  })
  await services.clientErasure.eraseClient(client_id, {
    caller: c.var.log.caller,
    requestId: c.var.requestId,
    operation: c.var.log.operation,
  })
  return 'deleted'
}

/**
 * Withdraws a link in one press: it tightens, so it needs no question and no passkey. Only a commit
 * that is running goes on.
 */
export const withdrawLink: Act = async (c, { form }) =>
  (await withdraw(c, form.get('link_id') ?? '')) ? 'withdrawn' : nothingChanged(c, GONE)

/** Withdraws the open links of a caller, up to some hundreds in one press. */
export const withdrawLinksOfCaller: Act = async (c, { form }) => {
  const caller = form.get('caller') ?? ''
  const isAny = (await withdrawLinksOf(c, caller)) > 0
  if (!isAny) return nothingChanged(c, NO_OPEN_LINKS)
  return (await openLinksOf(c, caller)).length === 0 ? 'withdrawn_all' : 'withdrawn_some'
}

const GONE = 'The link was used, has ended, or is in use just now. Look at the list again.'
const NO_OPEN_LINKS = 'This app or key has no open link. Look at the list again.'
