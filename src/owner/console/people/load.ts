import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import { recordId } from '../../../core/domain/records.ts'
import { readClientLink } from '../../../practice/operations/invite-client.ts'
import { practiceMode } from '../../../practice/operations/operation.ts'
import { clientView } from '../../../practice/operations/record-views.ts'
import { callerNamesOf } from '../shell/items.ts'
import { type Visit, callerItems, part, shellOf } from '../shell/load.ts'
import { type PeopleView, peoplePage } from './page.ts'

const MOST = 20

export async function showPeople(c: Context<AppEnv>, visit: Visit): Promise<string> {
  const [shell, both] = await Promise.all([shellOf(c, '/owner/people', visit), newest(c)])
  return peoplePage({ shell, ...both, found: undefined, error: undefined })
}

/** The latest clients, and the newest client links, each as it stands now: one that cannot be read soon hides no other. */
export async function newest(c: Context<AppEnv>): Promise<Pick<PeopleView, 'links' | 'latest'>> {
  const { services } = c.var
  const of = (kind: 'client' | 'client_link') =>
    services.records.newest(kind, practiceMode(services.modes), Number.MAX_SAFE_INTEGER, MOST)
  const [latest, entries, items] = await Promise.all([
    part(async () => (await of('client')).map(clientView)),
    part(() => of('client_link')),
    callerItems(c),
  ])
  const read = ({ key }: { key: string }) => part(() => readClientLink(services, recordId(key)))
  const links = entries === 'unread' ? entries : await Promise.all(entries.map(read))
  return { latest, links: { links, names: callerNamesOf(items) } }
}
