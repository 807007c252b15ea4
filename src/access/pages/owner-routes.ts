import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { readBody } from '../../http/body.ts'
import type { ApiKey, Passkey } from '../../ports/access.ts'
import type { Open } from '../owner-services.ts'
import { OWNER_ID, oauthServer, resourceOf } from '../oauth-server.ts'
import { closeSession, isFresh, ownForm, recall, remember, sessionOf } from '../session.ts'
import { notePage } from './layout.ts'
import { type OwnerItem, ownerPage } from './owner.ts'
import { signInPage } from './sign-in.ts'
import { SECOND } from '../../domain/duration.ts'
import { utcDay } from '../../domain/utc-day.ts'

const MOST_APPS = 200

const SAID = {
  app: 'The app is disconnected. It can take up to a minute until this is known everywhere.',
  key: 'The key is revoked. It can take up to a minute until this is known everywhere.',
  passkey: 'The passkey is removed, and all sign-ins have ended, this one too.',
  last: 'The last passkey stays: without it nobody could sign in.',
}
const isSaid = (text: string | undefined): text is keyof typeof SAID =>
  text !== undefined && Object.hasOwn(SAID, text)

/** As the OAuth server names a grant. */
const GRANT = /^[A-Za-z0-9_-]{1,64}$/

/** Adds the page on which the owner sees who may use the connector, and ends it. */
export function addOwnerRoutes(app: Hono<AppEnv>, open: Open): void {
  app.get(
    '/owner',
    open('owner_page', (c) => show(c)),
  )
  const action = (
    path: string,
    operation: string,
    act: (c: Context<AppEnv>, id: string) => Promise<keyof typeof SAID>,
  ) =>
    app.post(
      path,
      open(operation, async (c) => {
        const session = await sessionOf(c, c.var.services.access)
        const form = session && ownForm(c, session, await readBody(c.req.raw))
        if (!form) return notOwn(c)
        c.var.log.caller = OWNER_ID
        const done = await act(c, form.get('id') ?? '')
        remember(c, done)
        return c.redirect(`/owner?done=${done}`, 303)
      }),
    )
  action('/owner/apps/revoke', 'owner_revoke_app', async (c, id) => {
    // Ended first: a refresh that is under way must not bring the grant back.
    if (GRANT.test(id)) await c.var.services.access.endGrant(id)
    await (await helpers(c)).revokeGrant(id, OWNER_ID)
    c.var.note({ event: 'consent', code: 'disconnected', record_id: GRANT.test(id) ? id : null })
    return 'app'
  })
  action('/owner/keys/revoke', 'owner_revoke_key', async (c, id) => {
    if (await c.var.services.access.revokeKey(id))
      c.var.note({ event: 'key', code: 'revoked', record_id: `key:${id}` })
    return 'key'
  })
  action('/owner/passkeys/remove', 'owner_remove_passkey', async (c, id) => {
    if (!(await c.var.services.access.removePasskey(id))) return 'last'
    c.var.note({ event: 'enrolment', code: 'removed' })
    return 'passkey'
  })
  app.post(
    '/owner/sign-out',
    open('owner_sign_out', (c) => signOut(c)),
  )
}

async function show(c: Context<AppEnv>): Promise<Response> {
  const { origin, practice } = c.var.site()
  const access = c.var.services.access
  const session = await sessionOf(c, access)
  // The address alone says nothing: anybody can send the owner there.
  const done = recall(c)
  const said = done === c.req.query('done') && isSaid(done) ? SAID[done] : undefined
  if (!session) {
    const reason = said ?? 'See which apps and keys use this connector, and end them.'
    return c.html(signInPage(practice.name, origin, reason))
  }
  c.var.log.caller = OWNER_ID
  const [grants, uses, keys, passkeys] = await Promise.all([
    (await helpers(c)).listUserGrants(OWNER_ID, { limit: MOST_APPS }),
    access.appUses(),
    access.listKeys(),
    access.passkeys(),
  ])
  const page = ownerPage(practice.name, {
    apps: grants.items
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .map(({ id, metadata, createdAt, scope }) =>
        appItem(id, metadata as AppFacts, createdAt, scope, uses[id]),
      ),
    keys: keys.map(keyItem),
    passkeys: passkeys.map(passkeyItem),
    mayAddPasskey: isFresh(session),
    csrf: session.csrf,
    address: resourceOf(origin),
    said,
  })
  return c.html(page)
}

async function helpers(c: Context<AppEnv>) {
  const server = await oauthServer(c.var.site().origin)
  return server.getOAuthApi(c.env)
}

async function signOut(c: Context<AppEnv>): Promise<Response> {
  const access = c.var.services.access
  const session = await sessionOf(c, access)
  const form = session && ownForm(c, session, await readBody(c.req.raw))
  if (!session || !form) return notOwn(c)
  await closeSession(c, access, session)
  return c.redirect('/owner', 303)
}

function notOwn(c: Context<AppEnv>): Response | Promise<Response> {
  c.var.log.code = 'form_refused'
  const text =
    'This did not come from a page of yours, or you were signed out meanwhile. Open the page again.'
  return c.html(notePage('Nothing was changed', c.var.site().practice.name, text), 403)
}

interface AppFacts {
  name: string
  host: string
}

function appItem(
  id: string,
  { name, host }: AppFacts,
  createdAt: number,
  scopes: string[],
  used: string | undefined,
): OwnerItem {
  const facts = [host, `Since ${utcDay(createdAt * SECOND)} · ${lastUse(used)}`]
  return { id, name, facts, scopes, ended: false }
}

function keyItem({ id, name, scopes, created_at, expires_at, last_used_on, revoked_at }: ApiKey): OwnerItem {
  const ended = revoked_at !== null || (expires_at !== null && expires_at <= Date.now())
  const end =
    revoked_at !== null
      ? ` · revoked ${utcDay(revoked_at)}`
      : expires_at === null
        ? ''
        : ` · ${ended ? 'ended' : 'ends'} ${utcDay(expires_at)}`
  return {
    id,
    name,
    facts: [`Since ${utcDay(created_at)} · ${lastUse(last_used_on ?? undefined)}${end}`],
    scopes: ended ? [] : scopes,
    ended,
  }
}

const passkeyItem = ({ id, createdAt, lastUsedOn }: Passkey, index: number, all: Passkey[]): OwnerItem => ({
  stays: all.length === 1,
  id,
  name: `Passkey ${index + 1}`,
  facts: [`Since ${utcDay(createdAt)} · ${lastUse(lastUsedOn ?? undefined)}`],
  scopes: [],
  ended: false,
})

const lastUse = (day: string | undefined): string => (day === undefined ? 'not used yet' : `last used ${day}`)
