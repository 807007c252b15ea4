import type { Context } from 'hono'
import * as z from 'zod'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { recordId, recordKey } from '../../../core/domain/records.ts'
import { readClientLink } from '../../../practice/operations/invite-client.ts'
import { practiceMode } from '../../../practice/operations/operation.ts'
import { clientView } from '../../../practice/operations/record-views.ts'
import { callerNamesOf } from '../shell/items.ts'
import { type Visit, callerItems, part, shellOf } from '../shell/load.ts'
import { type ClientLinksView, type PeopleView, peoplePage } from './page.ts'

const MOST = 20

export async function showPeople(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, both] = await Promise.all([shellOf(c, '/owner/people', visit), newest(c)])
  return peoplePage({ shell, ...both, found: undefined, error: undefined })
}

/**
 * The latest clients, and a page of the client links, the newest first, each as it stands now: one that cannot be read soon
 * hides no other.
 */
export async function newest(c: Context<AppEnv>): Promise<Pick<PeopleView, 'links' | 'latest'>> {
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

/** One link, found by its id. */
export async function oneLink(c: Context<AppEnv>, linkId: string): Promise<ClientLinksView> {
  const value = await part(() => c.var.services.records.get(recordKey('client_link', linkId)))
  const isFound = typeof value === 'string' && value !== 'unread'
  const [one, items] = await Promise.all([
    isFound ? part(() => listedLink(c, linkId, value)) : undefined,
    callerItems(c),
  ])
  const found = one === undefined ? [] : [one]
  const links = value === 'unread' ? value : found
  return { links, names: callerNamesOf(items), older: undefined, isSearch: true }
}

const recordedSchema = z.object({ recorded_at: z.string() })

async function listedLink(c: Context<AppEnv>, linkId: string, value: string) {
  const read = await readClientLink(c.var.services, linkId)
  return read && { ...read, madeAt: recordedSchema.parse(JSON.parse(value)).recorded_at }
}
