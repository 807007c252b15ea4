import type { Context as HonoContext } from 'hono'

import type { AppEnv, Site } from '../api/http/app-env.ts'
import { nameAtHead } from '../api/http/html.ts'
import { isLoopback } from '../core/domain/origin.ts'
import { problem } from '../core/domain/problem/problem.ts'
import type { CallKind } from '../core/domain/rate-limit.ts'
import type { Limits, Services } from '../core/ports/services.ts'
import { isRestoredLately, originOf, settingsFrom } from '../core/settings.ts'
import { principalOfToken } from '../owner/access/oauth-token.ts'
import { clientAddress, hasOwner } from '../owner/access/owner-services.ts'
import { lookups, principalOf } from '../owner/access/principal.ts'
import type { Context } from '../practice/operations/context.ts'
import { limitsFrom } from '../practice/wiring/objects.ts'
import { modesFrom } from '../practice/wiring/providers.ts'
import { WorkerServices } from '../practice/wiring/services.ts'

const MCP = '/mcp'
/** Also read by a colleague who runs `wrangler dev`, which has no secrets. */
const WHAT_MAKES_IT =
  'Tell the owner of the practice: `npm run deploy` makes what is missing. ' +
  'For work on one machine use `npm start`, which makes it there.'
const lookUp = lookups(Date.now)

const settingsOf = (c: HonoContext<AppEnv>) => c.get('settings') ?? settingsFrom(c.env)

/** The facts for the public documents. Raises `not_configured`. */
export function siteOf(c: HonoContext<AppEnv>): Site {
  const settings = settingsOf(c)
  const { practice, allowAnonymous, SECURITY_CONTACT: securityContact = null } = settings
  const origin = originOf(settings, c.req.url)
  return {
    origin,
    practice,
    allowAnonymous,
    modes: modesFrom(c.env),
    securityContact,
    isRestoredLately: isRestoredLately(c.env),
  }
}

/** The services of a request; each is built when it is first used. */
export const servicesOf = (c: HonoContext<AppEnv>): Services =>
  new WorkerServices(c.env, () => originOf(settingsOf(c), c.req.url))

/** The public address; empty if the settings are wrong, so that their refusal can be sent, too. */
export function originOrNone(c: HonoContext<AppEnv>): string {
  const settings = c.get('settings')
  return settings ? originOf(settings, c.req.url) : ''
}

/** The name at the head of the pages; none if the settings are wrong. */
export function nameOrNone(c: HonoContext<AppEnv>): string | undefined {
  const settings = c.get('settings')
  return settings && nameAtHead(settings.practice.name)
}

/** The rate limits of this request; one that fails writes a line to the log. */
export const limitsOf = (c: HonoContext<AppEnv>): Limits =>
  limitsFrom(c.env, () =>
    console.log(JSON.stringify({ event: 'rate_limiter_failed', request_id: c.var.requestId })),
  )

const kindOf = (method: string): CallKind =>
  method === 'GET' || method === 'HEAD' ? 'reads' : 'changes'

/** Who calls; counts a REST request first. Raises `unauthenticated`, `rate_limited`, `not_configured`. */
export async function contextOf(
  c: HonoContext<AppEnv>,
  kind = kindOf(c.req.method),
): Promise<Context> {
  const settings = settingsOf(c)
  const origin = originOf(settings, c.req.url)
  if (origin === '')
    throw problem('not_configured', { detail: 'PUBLIC_URL is not set.', next_step: WHAT_MAKES_IT })
  if (settings.signingSecrets.length === 0)
    throw problem('not_configured', {
      detail: 'SIGNING_SECRET is not set.',
      next_step: WHAT_MAKES_IT,
    })
  const services = c.get('services')
  const look = (isFresh: boolean) =>
    principalOf(c.req.raw, {
      allowAnonymous: settings.allowAnonymous,
      get trialKeyHash() {
        return settings.allowAnonymous && !services.isLive ? settings.TRIAL_KEY_SHA256 : undefined
      },
      ownerKeyHash: settings.OWNER_KEY_SHA256,
      get access() {
        return services.access
      },
      lookUp,
      get address() {
        return clientAddress(c)
      },
      hasOwner: () => hasOwner(c),
      // An access token is for /mcp and nothing else (RFC 8707).
      ...(c.req.path === MCP && {
        accessToken: (token: string) =>
          principalOfToken(token, { origin, env: c.env, access: services.access, isFresh }),
      }),
      deployed: !isLoopback(c.req.url),
      isFresh,
      ...(settings.RESTORED_AT !== undefined && {
        isUnconfirmed: () => services.access.restored.isUnconfirmed(),
      }),
    })
  const principal = await look(false)
  c.get('log').caller = principal.caller
  const limits = limitsOf(c)
  c.set('policies', limits.policies)
  if (c.req.path !== MCP) await limits.count(principal.caller, kind)
  return {
    ...principal,
    app: principal.app ?? null,
    requestId: c.get('requestId'),
    requireCredential: () => look(true),
    services,
    origin,
    audit: (what) => c.var.note({ app: principal.app ?? null, ...what }),
  }
}
