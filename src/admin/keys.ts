import { DAY, HOUR } from '../domain/duration.ts'
import * as z from 'zod'
import { hashApiKey, newApiKey } from '../crypto/api-key.ts'
import type { Context } from 'hono'
import { afterwards } from '../http/afterwards.ts'
import { type App, type AppEnv, type Site, createRoute } from '../http/app-env.ts'
import { problem } from '../domain/problem.ts'
import { SCOPES, type Scope, requireOwnScopes } from '../domain/scopes.ts'
import { freeText } from '../domain/sensitive-data.ts'
import { isoSeconds } from '../domain/time.ts'
import { parseInput } from '../operations/validation.ts'
import type { Context as CallContext } from '../operations/perform.ts'
import type { ApiKey } from '../ports/access.ts'
import type { HouseRules } from '../ports/house-rules.ts'
import { readJson } from '../http/body.ts'
import { readAnswer } from '../http/read-answer.ts'
import { ifNoneMatch, readResponses } from '../openapi/reads.ts'
import { BODY_REFUSALS, adminRoute, asOwner, refusals } from './admin.ts'

const DEFAULT_OVERLAP_HOURS = 24
const scopeNames = Object.keys(SCOPES) as [Scope, ...Scope[]]
const scopeSchema = z.enum(scopeNames)

const timeOrNull = z.union([z.string().meta({ format: 'date-time' }), z.null()])
const keySchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    created_at: z.string().meta({ format: 'date-time' }),
    expires_at: timeOrNull,
    last_used_on: z.union([z.string().meta({ format: 'date' }), z.null()]),
    revoked_at: timeOrNull,
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key.' })

const newKeySchema = z
  .strictObject({
    ...keySchema.shape,
    key: z.string().meta({ description: 'The key itself; shown this once.' }),
  })
  .meta({ id: 'NewApiKey' })

const requestSchema = z
  .strictObject({
    name: freeText(100)
      .min(1)
      .meta({ description: 'Who or what uses it.', examples: ['Front desk'] }),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .meta({ description: 'What it may do; none that the caller does not hold itself.' }),
    expires_in_days: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .meta({ description: 'By default it does not expire.' }),
  })
  .meta({ id: 'NewApiKeyRequest' })

const rotateSchema = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(720)
      .optional()
      .meta({ description: 'How long the old key stays good.', default: DEFAULT_OVERLAP_HOURS }),
  })
  .meta({ id: 'RotateApiKeyRequest' })

const shown = ({ created_at, expires_at, revoked_at, ...key }: ApiKey) => ({
  ...key,
  created_at: isoSeconds(created_at),
  expires_at: expires_at === null ? null : isoSeconds(expires_at),
  revoked_at: revoked_at === null ? null : isoSeconds(revoked_at),
})

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } })
const keyId = z.object({
  key_id: z.string().meta({ description: 'The id of an API key, as GET /v1/keys lists it; never the key.' }),
})

const listRoute = createRoute({
  ...adminRoute,
  method: 'get',
  path: '/v1/keys',
  operationId: 'list_api_keys',
  summary: 'List the API keys',
  description:
    'All API keys with their scopes and the day of their last use, newest first; never a key itself.',
  'x-openai-isConsequential': false,
  request: { headers: ifNoneMatch },
  responses: {
    ...readResponses({ description: 'The keys.', schema: z.strictObject({ keys: z.array(keySchema) }) }),
    ...refusals(),
  },
})

const createKeyRoute = createRoute({
  ...adminRoute,
  method: 'post',
  path: '/v1/keys',
  operationId: 'create_api_key',
  summary: 'Create an API key',
  description:
    'The key is shown once and kept only as a hash. It can do no more than the caller: the first key of the owner can give every scope, and a caller with house rules of its own can make none.',
  'x-openai-isConsequential': true,
  request: { body: { required: true, ...json(requestSchema) } },
  responses: {
    200: { description: 'The new key.', ...json(newKeySchema) },
    ...refusals(...BODY_REFUSALS),
  },
})

const rotateRoute = createRoute({
  ...adminRoute,
  method: 'post',
  path: '/v1/keys/{key_id}/rotate',
  operationId: 'rotate_api_key',
  summary: 'Give an API key another secret',
  description:
    'The caller stays the same, so what was begun with the old key can be finished with the new one. Its scopes have to be among those of whoever rotates it.',
  'x-openai-isConsequential': true,
  request: { params: keyId, body: { required: true, ...json(rotateSchema) } },
  responses: {
    200: { description: 'The new key.', ...json(newKeySchema) },
    ...refusals(...BODY_REFUSALS, 'not_found'),
  },
})

const revokeRoute = createRoute({
  ...adminRoute,
  method: 'delete',
  path: '/v1/keys/{key_id}',
  operationId: 'revoke_api_key',
  summary: 'Revoke an API key',
  description: 'It stops working within 60 seconds everywhere.',
  'x-openai-isConsequential': true,
  request: { params: keyId },
  responses: {
    200: {
      description: 'It is revoked.',
      ...json(z.strictObject({ id: z.string(), revoked: z.literal(true) })),
    },
    ...refusals('not_found'),
  },
})

/** Adds the routes with which the owner hands out and ends API keys. */
export function addKeyRoutes(app: App): void {
  for (const route of [listRoute, createKeyRoute, rotateRoute, revokeRoute]) app.document(() => route)
  const unknownKey = () =>
    problem('not_found', {
      detail: 'There is no such key that is still good.',
      next_step: 'GET /v1/keys lists the keys with their ids.',
    })

  app.get(listRoute.getRoutingPath(), async (c) => {
    await asOwner(c, listRoute.operationId)
    return readAnswer(c, { keys: (await c.var.services.access.listKeys()).map(shown) })
  })

  app.post(createKeyRoute.getRoutingPath(), async (c) => {
    const owner = await asOwner(c, createKeyRoute.operationId)
    const { name, scopes, expires_in_days } = parseInput(requestSchema, await readJson(c.req.raw))
    requireOwnScopes(owner.scopes, scopes)
    await requireNoOwnRules(owner, c.var.services.houseRules)
    const now = Date.now()
    const expires_at = expires_in_days === undefined ? null : now + expires_in_days * DAY
    const { key, hash } = await newSecret(c.var.site().modes)
    const created = {
      id: crypto.randomUUID(),
      name,
      scopes: [...new Set(scopes)],
      created_at: now,
      expires_at,
    }
    const about = { scopes: created.scopes.join(' ') }
    await c.var.noteBefore({ event: 'key', code: 'created', record_id: `key:${created.id}`, about })
    await c.var.services.access.createKey(created, hash)
    return c.json({ ...shown({ ...created, last_used_on: null, revoked_at: null }), key })
  })

  app.post(rotateRoute.getRoutingPath(), async (c) => {
    const owner = await asOwner(c, rotateRoute.operationId)
    const { overlap_hours = DEFAULT_OVERLAP_HOURS } = parseInput(rotateSchema, await readJson(c.req.raw))
    const id = c.req.param('key_id')
    const old = (await c.var.services.access.listKeys()).find(
      (one) => one.id === id && one.revoked_at === null,
    )
    if (!old) throw unknownKey()
    requireOwnScopes(owner.scopes, old.scopes)
    // To whoever has a key already, another secret of it gives nothing more.
    if (owner.caller !== `key:${id}`) await requireNoOwnRules(owner, c.var.services.houseRules)
    const { key, hash } = await newSecret(c.var.site().modes)
    await c.var.noteBefore({ event: 'key', code: 'rotated', record_id: `key:${id}` })
    const rotated = await c.var.services.access.rotateKey(id, hash, overlap_hours * HOUR)
    if (!rotated) throw unknownKey()
    return c.json({ ...shown(rotated), key })
  })

  app.delete(revokeRoute.getRoutingPath(), async (c) => {
    await asOwner(c, revokeRoute.operationId)
    const id = c.req.param('key_id')
    if (!(await revokeKey(c, id))) throw unknownKey()
    return c.json({ id, revoked: true as const })
  })
}

/** Ends a key, and with it its subscriptions; false if it is unknown. */
export async function revokeKey(c: Context<AppEnv>, id: string): Promise<boolean> {
  const { access, subscriptions } = c.var.services
  if (!(await access.revokeKey(id))) return false
  const caller = `key:${id}`
  c.var.note({ event: 'key', code: 'revoked', record_id: caller })
  // Whoever sends asks for the key first, so one that this does not reach sends nothing either.
  afterwards(
    c,
    subscriptions.endSubscriptions(caller).catch(() => undefined),
  )
  return true
}

/** Raises `insufficient_scope` for a caller with rules of its own: a key from its hand would not have them. */
async function requireNoOwnRules({ caller }: CallContext, houseRules: HouseRules): Promise<void> {
  const sets = await houseRules.setsOf(caller)
  if (sets.every((set) => set.caller !== caller)) return
  throw problem('insufficient_scope', {
    detail:
      'The owner has set rules for this caller, so it hands out no keys: they would not be bound by them.',
    next_step: 'Use a credential with the scope admin that has no rules of its own.',
  })
}

/** A new API key, and the hash under which it is kept. */
async function newSecret({ scheduling, payments }: Site['modes']): Promise<{ key: string; hash: string }> {
  const kind = scheduling === 'live' || payments === 'live' ? 'live' : 'test'
  const key = newApiKey(kind, crypto.getRandomValues(new Uint8Array(32)))
  return { key, hash: await hashApiKey(key) }
}
