import type { Context } from 'hono'
import * as z from 'zod'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { notePage } from '../../../api/pages/layout.ts'
import { recordId, recordKey } from '../../../core/domain/records.ts'
import { madeSchema, readClientLink } from '../../../practice/operations/invite-client.ts'
import { practiceMode } from '../../../practice/operations/operation.ts'
import { clientView } from '../../../practice/operations/record-views.ts'
import { byId } from '../../admin/clients.ts'
import { callerNamesOf } from '../shell/items.ts'
import { type Visit, callerItems, part, shellOf } from '../shell/load.ts'
import {
  type ClientLinksView,
  type ListedLink,
  type PeopleView,
  peoplePage,
  personPage,
} from './page.ts'

const MOST = 20

export async function showPeople(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, both] = await Promise.all([shellOf(c, '/owner/people', visit), newest(c)])
  return peoplePage({ shell, ...both, found: undefined })
}

/**
 * The latest clients, and a page of the client links, the newest first, each as it stands now: one
 * that cannot be read soon hides no other.
 */
async function newest(c: Context<AppEnv>): Promise<Pick<PeopleView, 'links' | 'latest'>> {
  const { services } = c.var
  const before = Number(c.req.query('links_before') ?? Number.MAX_SAFE_INTEGER)
  const from = Number.isSafeInteger(before) ? before : Number.MAX_SAFE_INTEGER
  const of = (kind: 'client' | 'client_link', upTo: number, limit: number) =>
    services.records.newest(kind, practiceMode(services.modes), upTo, limit)
  const [latest, entries, items] = await Promise.all([
    part(async () => (await of('client', Number.MAX_SAFE_INTEGER, MOST)).map(clientView)),
    // One more says whether there is another page.
    part(() => of('client_link', from, MOST + 1)),
    callerItems(c),
  ])
  const names = callerNamesOf(items)
  if (entries === 'unread') return { latest, links: { links: entries, names, older: undefined } }
  const shown = entries.slice(0, MOST)
  const links = await Promise.all(
    shown.map(({ key, value }) => part(() => listedLink(c, recordId(key), value))),
  )
  const older = entries.length > MOST ? shown.at(-1)?.seq : undefined
  return { latest, links: { links, names, older } }
}

/** The page of one client, by its id. */
export async function showPerson(c: Context<AppEnv>, visit: Visit): Promise<string | Response> {
  const clientId = c.req.param('client_id') ?? ''
  const [shell, found, links] = await Promise.all([
    shellOf(c, '/owner/people', visit),
    part(() => byId(c, clientId)),
    linksFilledInBy(c, clientId),
  ])
  const isKnown = found !== 'unread' && found.clients.length > 0
  if (isKnown) return personPage({ shell, found, links })
  const why =
    found === 'unread'
      ? 'This client could not be read just now. Load the page again in a minute.'
      : 'There is no client with this id. All of them are under Clients.'
  return c.html(notePage('Not here', shell.place, why), found === 'unread' ? 503 : 404)
}

/** So far back links are looked at for those of one client. */
const MOST_ENDS = 200
const endSchema = madeSchema.pick({ client_id: true })

/** The links, of the newest that were used, with which a client made their own profile. */
async function linksFilledInBy(c: Context<AppEnv>, clientId: string): Promise<ClientLinksView> {
  const { records, modes } = c.var.services
  const [ends, items] = await Promise.all([
    part(() =>
      records.newest('client_link_end', practiceMode(modes), Number.MAX_SAFE_INTEGER, MOST_ENDS),
    ),
    callerItems(c),
  ])
  const names = callerNamesOf(items)
  if (ends === 'unread') return { links: ends, names, older: undefined, isSearch: true }
  const own = ends.filter(({ value }) => endSchema.parse(JSON.parse(value)).client_id === clientId)
  const links = await Promise.all(own.map(({ key }) => part(() => linkNamed(c, recordId(key)))))
  return { links, names, older: undefined, isSearch: true }
}

async function linkNamed(c: Context<AppEnv>, linkId: string): Promise<ListedLink | undefined> {
  const value = await c.var.services.records.get(recordKey('client_link', linkId))
  return typeof value === 'string' ? listedLink(c, linkId, value) : undefined
}

/** One link, found by its id. */
export async function oneLink(c: Context<AppEnv>, linkId: string): Promise<ClientLinksView> {
  const [one, items] = await Promise.all([part(() => linkNamed(c, linkId)), callerItems(c)])
  const links = one === undefined ? [] : [one]
  return { links, names: callerNamesOf(items), older: undefined, isSearch: true }
}

const recordedSchema = z.lazy(() => z.object({ recorded_at: z.string() }))

async function listedLink(c: Context<AppEnv>, linkId: string, value: string) {
  const read = await readClientLink(c.var.services, linkId)
  return read && { ...read, madeAt: recordedSchema.parse(JSON.parse(value)).recorded_at }
}
