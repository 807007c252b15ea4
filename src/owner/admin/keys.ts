import * as z from 'zod'

import { afterwards, type AppContext } from '../../api/http/app-env.ts'
import { httpEndpoint } from '../../api/openapi/endpoint.ts'
import { hashApiKey, newApiKey } from '../../core/crypto/api-key.ts'
import { LONGEST_KEY_NAME } from '../../core/domain/key-presets.ts'
import { built } from '../../core/domain/lazy.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { SCOPES, type Scope, requireOwnScopes } from '../../core/domain/scopes.ts'
import { freeText } from '../../core/domain/sensitive-data/sensitive-data.ts'
import { DAY, HOUR } from '../../core/domain/time/duration.ts'
import { isoOrNull, isoSeconds } from '../../core/domain/time/time.ts'
import type { ApiKey } from '../../core/ports/access.ts'
import type { HouseRules } from '../../core/ports/house-rules.ts'
import type { AccessServices } from '../../core/ports/services.ts'
import type { Context as CallContext } from '../../practice/operations/context.ts'
import { firstOf, listQuery, listSchema } from '../../practice/operations/pagination.ts'
import {
  momentField,
  namedObject,
  orNull,
  textOrNull,
  textField,
} from '../../practice/operations/schemas.ts'
import { withdrawLinksOf } from '../access/client-links.ts'

const DEFAULT_OVERLAP_HOURS = 24
const scopeNames = Object.keys(SCOPES) as [Scope, ...Scope[]]

const timeOrNull = z.lazy(() => orNull(momentField))
const keySchema = z.lazy(() =>
  namedObject('ApiKey', 'An API key, without the key.', {
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    created_by: textField(
      'The caller that made it: `owner`, `key:` with the id of a key, or `trial` or `anonymous` in a local trial.',
    ),
    created_at: momentField,
    expires_at: timeOrNull,
    last_used_on: textOrNull.meta({ format: 'date' }),
    revoked_at: timeOrNull,
  }),
)

const newKeySchema = z.lazy(() =>
  namedObject('NewApiKey', {
    ...built(keySchema).shape,
    key: textField('The key itself. It is shown only once.'),
  }),
)

export const keyRequestSchema = z.lazy(() =>
  namedObject('NewApiKeyRequest', {
    name: freeText(LONGEST_KEY_NAME)
      .min(1)
      .meta({
        description: 'The name of the person or program that uses the key.',
        examples: ['Front desk'],
      }),
    scopes: z
      .array(z.enum(scopeNames))
      .min(1)
      .meta({ description: 'The scopes of the key. The caller has to hold each of them itself.' }),
    expires_in_days: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .meta({
        description:
          'In how many days the key expires. By default it does not expire, or it expires ' +
          'with the key that makes it.',
      }),
  }),
)

const rotateSchema = z.lazy(() =>
  namedObject('RotateApiKeyRequest', {
    overlap_hours: z.int().min(0).max(720).optional().meta({
      description: 'How many hours the old key remains valid.',
      default: DEFAULT_OVERLAP_HOURS,
    }),
  }),
)

const shown = ({ created_at, expires_at, revoked_at, ...key }: ApiKey) => ({
  ...key,
  created_at: isoSeconds(created_at),
  expires_at: isoOrNull(expires_at),
  revoked_at: isoOrNull(revoked_at),
})

const params = z.lazy(() =>
  z.object({
    key_id: z.string().meta({
      description: 'The id of an API key, as GET /v1/keys lists it; never the key.',
      examples: ['3b2f0f4e-3c0f-4a55-9d0b-0e5a3f6f7c11'],
    }),
  }),
)
const unknownKey = () =>
  problem('not_found', {
    detail: 'There is no valid key with this id.',
    next_step: 'GET /v1/keys, or npm run keys -- list, shows the keys with their ids.',
  })

export const KEY_ENDPOINTS = [
  httpEndpoint({
    route: 'GET /v1/keys',
    operationId: 'list_api_keys',
    summary: 'List the API keys',
    description:
      'Lists all API keys with their scopes and the day of their last use, newest first. ' +
      'It never returns a key itself.',
    scopes: ['admin'],
    query: listQuery,
    answer: { description: 'The keys.', schema: z.lazy(() => listSchema('keys', keySchema)) },
    run: async ({ limit }, _owner, c) =>
      firstOf('keys', (await c.var.services.access.listKeys()).map(shown), limit),
  }),
  httpEndpoint({
    route: 'POST /v1/keys',
    operationId: 'create_api_key',
    summary: 'Create an API key',
    description:
      'The key is shown once and kept only as a hash. ' +
      'The new key can do no more than the caller and expires no later than the caller. ' +
      'The first key of the owner can give every scope. ' +
      'A caller with house rules of its own can make no keys.',
    scopes: ['admin'],
    body: keyRequestSchema,
    answer: { description: 'The new key.', schema: newKeySchema },
    async run({ name, scopes, expires_in_days }, owner, c) {
      const { services } = c.var
      requireOwnScopes(owner, scopes)
      const now = Date.now()
      const { expiresAt } = await owner.requireCredential()
      const expires_at = expires_in_days === undefined ? expiresAt : now + expires_in_days * DAY
      requireNoLonger(expiresAt, expires_at)
      await requireNoOwnRules(owner, services.houseRules)
      await requireReviewed(owner, services)
      const { key, created } = await makeKey(c, {
        name,
        scopes,
        created_by: owner.caller,
        created_at: now,
        expires_at,
      })
      return { ...shown(created), key }
    },
  }),
  httpEndpoint({
    route: 'POST /v1/keys/{key_id}/rotate',
    operationId: 'rotate_api_key',
    summary: 'Rotate an API key',
    description:
      'Gives the key a new secret. The caller id stays the same, so the new secret can ' +
      'finish what the old one began. The caller must hold every scope of the key, and ' +
      'must not expire before it. A secret that was already replaced cannot rotate a key.',
    scopes: ['admin'],
    params,
    body: rotateSchema,
    answer: { description: 'The new key.', schema: newKeySchema },
    problems: ['not_found'],
    async run({ key_id: id, overlap_hours = DEFAULT_OVERLAP_HOURS }, owner, c) {
      const { services } = c.var
      const old = (await services.access.listKeys()).find(
        ({ id: one, revoked_at, expires_at }) =>
          one === id && revoked_at === null && (expires_at ?? Infinity) > Date.now(),
      )
      if (!old) throw unknownKey()
      requireOwnScopes(owner, old.scopes)
      requireNoLonger((await owner.requireCredential()).expiresAt, old.expires_at)
      // Rotating its own key grants a caller nothing new.
      if (owner.caller !== `key:${id}`) await requireNoOwnRules(owner, services.houseRules)
      await requireReviewed(owner, services)
      const { key, hash } = await newSecret()
      await c.var.noteBefore({ event: 'key', code: 'rotated', record_id: `key:${id}` })
      const rotated = await services.access.rotateKey(id, hash, overlap_hours * HOUR)
      if (!rotated) throw unknownKey()
      return { ...shown(rotated), key }
    },
  }),
  httpEndpoint({
    route: 'DELETE /v1/keys/{key_id}',
    operationId: 'revoke_api_key',
    summary: 'Revoke an API key',
    description:
      'The key stops working everywhere within 60 seconds. Its open client links are withdrawn.',
    scopes: ['admin'],
    params,
    answer: {
      description: 'The key is revoked.',
      schema: z.lazy(() => z.strictObject({ id: z.string(), revoked: z.literal(true) })),
    },
    problems: ['not_found'],
    async run({ key_id: id }, _owner, c) {
      if (!(await revokeKey(c, id))) throw unknownKey()
      return { id, revoked: true as const }
    },
  }),
]

/** Makes a key, which is logged before; the key itself is in the answer alone. */
export async function makeKey(
  c: AppContext,
  asked: Omit<ApiKey, 'id' | 'last_used_on' | 'revoked_at'>,
): Promise<{ key: string; created: ApiKey }> {
  const { access, isLive } = c.var.services
  const { key, hash } = await newSecret()
  const id = crypto.randomUUID()
  const made = { ...asked, id, scopes: [...new Set(asked.scopes)] }
  const about = { scopes: made.scopes.join(' ') }
  await c.var.noteBefore({ event: 'key', code: 'created', record_id: `key:${id}`, about })
  await access.createKey({ ...made, inTrial: !isLive }, hash)
  return { key, created: { ...made, last_used_on: null, revoked_at: null } }
}

/** Ends a key, and with it its subscriptions and its open links; false if it is unknown. */
export async function revokeKey(c: AppContext, id: string): Promise<boolean> {
  const { access, subscriptions } = c.var.services
  if (!(await access.revokeKey(id))) return false
  const caller = `key:${id}`
  c.var.note({ event: 'key', code: 'revoked', record_id: caller })
  // Delivery checks the key again, so a subscription that this does not reach sends nothing.
  afterwards(
    c,
    subscriptions.endSubscriptions(caller).catch(() => undefined),
  )
  // The page of a link asks whether its maker is good, so a link that this does not reach sends
  // nothing either.
  afterwards(c, withdrawLinksOf(c, caller))
  return true
}

/**
 * Raises `insufficient_scope` for a caller with rules of its own: a key from its hand would not
 * have them.
 */
async function requireNoOwnRules({ caller }: CallContext, houseRules: HouseRules) {
  const sets = await houseRules.appliedTo(caller)
  if (sets.every((set) => set.caller !== caller)) return
  throw problem('insufficient_scope', {
    detail:
      'The owner has set rules for this caller, so it hands out no keys: they would not be bound by them.',
    next_step: 'Use a credential with the scope admin that has no rules of its own.',
  })
}

/**
 * Raises `insufficient_scope` for a key that the owner has still to review: what it hands out would
 * outlast the review.
 */
export async function requireReviewed({ caller }: CallContext, services: AccessServices) {
  const found = await services.unreviewedAccess()
  if (found.every(({ kind, id }) => `${kind}:${id}` !== caller)) return
  throw problem('insufficient_scope', {
    detail:
      'This key was made while every provider was a mock, and the owner has not said since that it is known.',
    next_step:
      'The owner says so at the end of npm run deploy, or on the first page of the console.',
  })
}

/** Raises `insufficient_scope` where a key would be good for longer than the one that calls. */
function requireNoLonger(expiresAt: number | null, end: number | null) {
  if (expiresAt === null || (end !== null && end <= expiresAt)) return
  throw problem('insufficient_scope', {
    detail:
      `The key of this call ends at ${isoSeconds(expiresAt)}, and it hands out none that is ` +
      'good for longer.',
    next_step:
      'Ask for a key that ends sooner, or leave its end out; ' +
      'or use a credential with the scope admin that does not end.',
  })
}

async function newSecret() {
  const key = newApiKey(crypto.getRandomValues(new Uint8Array(32)))
  return { key, hash: await hashApiKey(key) }
}
