import type { Context } from 'hono'
import { connectedApps } from '../access/connected-apps.ts'
import { OWNER_ID, resourceOf } from '../access/oauth-server.ts'
import { signInPage } from '../access/pages/sign-in.ts'
import { recall, sessionOf } from '../access/session.ts'
import { SECOND } from '../domain/duration.ts'
import { within } from '../domain/within.ts'
import type { AppEnv } from '../http/app-env.ts'
import { DONE } from './acts.ts'
import { type OwnerItem, type Part, homePage } from './home.ts'
import { appItem, keyItem, passkeyItem } from './items.ts'

/** How long a part of a page may take. */
const DEADLINE = 2 * SECOND

/** Asks for a part of a page: one that fails or takes too long hides no other, since the owner comes when things are broken. */
const part = async <T>(asked: Promise<T>): Promise<Part<T>> => {
  const found = await within(asked, DEADLINE).catch(() => 'late' as const)
  return found === 'late' ? 'unread' : found
}

const isDone = (text: string | undefined): text is keyof typeof DONE =>
  text !== undefined && Object.hasOwn(DONE, text)

/** The owner's page, or that for signing in. */
export async function showHome(c: Context<AppEnv>): Promise<Response> {
  const { origin, practice } = c.var.site()
  const access = c.var.services.access
  const session = await sessionOf(c, access)
  // The address alone says nothing: anybody can send the owner there.
  const recalled = recall(c)
  const done = recalled === c.req.query('done') && isDone(recalled) ? DONE[recalled] : undefined
  if (!session) {
    const reason = done ?? 'See which apps and keys use this connector, and end them.'
    return c.html(signInPage(practice.name, origin, reason))
  }
  c.var.log.caller = OWNER_ID
  const now = Date.now()
  const [apps, keys, passkeys] = await Promise.all([
    part(appItems(c)),
    part(access.listKeys().then((all) => all.map((key) => keyItem(key, now)))),
    part(access.passkeys().then((all) => all.map(passkeyItem))),
  ])
  const view = { apps, keys, passkeys, csrf: session.csrf, address: resourceOf(origin), done }
  return c.html(homePage(practice.name, view))
}

async function appItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const uses = c.var.services.access.appUses()
  const [apps, days] = await Promise.all([connectedApps(c), uses])
  return apps.map((app) => appItem(app, days[app.grantId]))
}
