import type { Context } from 'hono'
import { connectedApps } from '../access/connected-apps.ts'
import { resourceOf } from '../access/oauth-server.ts'
import type { Session } from '../access/session.ts'
import { SECOND } from '../domain/duration.ts'
import { within } from '../domain/within.ts'
import type { AppEnv } from '../http/app-env.ts'
import { type HomeView, type OwnerItem, type Part, type RefusedForm, homePage } from './home.ts'
import { appItem, keyItem, ownerKeyItem, passkeyItem } from './items.ts'
import type { Clock } from './rules-words.ts'

/** How long a part of a page may take. */
const DEADLINE = 2 * SECOND

/** Asks for a part of a page: one that fails or takes too long hides no other, since the owner comes when things are broken. */
export async function part<T>(ask: () => Promise<T>): Promise<Part<T>> {
  // Called in here, so that one that throws at once is only a part too.
  const asked = (async () => ask())()
  const found = await within(asked, DEADLINE).catch(() => 'late' as const)
  return found === 'late' ? 'unread' : found
}

/** The clock of the practice, now. */
export const clockOf = (c: Context<AppEnv>): Clock => ({
  now: Date.now(),
  zone: c.var.site().practice.timezone,
})

/** The owner's page, for whoever is signed in. */
export async function home(
  c: Context<AppEnv>,
  { csrf }: Session,
  { done, refused }: { done?: string | undefined; refused?: RefusedForm } = {},
): Promise<string> {
  const { origin, practice, modes } = c.var.site()
  const { access, houseRules } = c.var.services
  const clock = clockOf(c)
  const [rules, apps, keys, passkeys] = await Promise.all([
    part(() => houseRules.all()),
    part(() => appItems(c)),
    part(() => keyItems(c, clock.now)),
    part(async () => (await access.passkeys()).map(passkeyItem)),
  ])
  const view: HomeView = {
    rules,
    apps,
    keys,
    passkeys,
    modes,
    csrf,
    address: resourceOf(origin),
    done,
    refused,
    clock,
  }
  return homePage(practice.name, view)
}

async function appItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const [apps, days] = await Promise.all([connectedApps(c), c.var.services.access.appUses()])
  return apps.map((app) => appItem(app, days[app.grantId]))
}

async function keyItems(c: Context<AppEnv>, now: number): Promise<OwnerItem[]> {
  const { access, hasOwnerKey } = c.var.services
  const keys = (await access.listKeys()).map((key) => keyItem(key, now))
  return hasOwnerKey ? [ownerKeyItem, ...keys] : keys
}
