import type { Access as AccessObject } from '../../../../durable-objects/access.ts'
import { SECOND } from '../../../core/domain/time/duration.ts'
import type { Access, ApiKey } from '../../../core/ports/access.ts'
import { stubOf } from './stub.ts'

/** How long a key is cached: the longest that a revoked key continues to work. */
const KEY_CACHE_MS = 30 * SECOND
const MOST_REMEMBERED = 1000
/** The absence of an owner is cached for this long; an enrolment takes a person longer. */
const NO_OWNER_CACHE_MS = 5 * SECOND

const keys = new Map<string, { key: ApiKey; until: number }>()
let keysAreThere = false
let ownerIsThere = false
let ownerAbsentUntil = 0
let isConfirmed = false

/** The one `Access` object of the practice. Answers that every call needs are cached for a short time. */
export function accessObject(
  object: () => DurableObjectStub<AccessObject>,
  now: () => number,
): Access {
  const own = stubOf<Access>(object)
  const owner = stubOf<Access['owner']>(() => object().owner)
  const restored = stubOf<Access['restored']>(() => object().restored)
  const forgetting = async <T>(answer: Promise<T>): Promise<T> => {
    const known = await answer
    keys.clear()
    return known
  }
  return stubOf<Access>(object, {
    createKey: (...given) => forgetting(own.createKey(...given)),
    revokeKey: (...given) => forgetting(own.revokeKey(...given)),
    rotateKey: (...given) => forgetting(own.rotateKey(...given)),
    async findKey(hash, isFresh = false) {
      const known = keys.get(hash)
      if (!isFresh && known && known.until > now()) return stillGood(known.key, now())
      const key = await own.findKey(hash)
      if (!key) {
        keys.delete(hash)
        return undefined
      }
      if (keys.size >= MOST_REMEMBERED) keys.clear()
      keys.set(hash, { key, until: now() + KEY_CACHE_MS })
      return key
    },
    async hasKeys() {
      // Every caller without a credential asks for this; one key in the past is good enough.
      keysAreThere ||= await own.hasKeys()
      return keysAreThere
    },
    owner: stubOf<Access['owner']>(() => owner, {
      async hasPasskeys() {
        if (ownerIsThere) return true
        if (ownerAbsentUntil > now()) return false
        ownerIsThere = await owner.hasPasskeys()
        ownerAbsentUntil = now() + NO_OWNER_CACHE_MS
        return ownerIsThere
      },
      enrol(...given) {
        ownerAbsentUntil = 0
        return forgetting(owner.enrol(...given))
      },
    }),
    restored: stubOf<Access['restored']>(() => restored, {
      async isUnconfirmed() {
        // Once confirmed it stays so: the next restore makes another Worker.
        isConfirmed ||= !(await restored.isUnconfirmed())
        return !isConfirmed
      },
      release: (...given) => forgetting(restored.release(...given)),
    }),
    attempts: stubOf<Access['attempts']>(() => object().attempts),
    grants: stubOf<Access['grants']>(() => object().grants),
  })
}

const stillGood = (key: ApiKey, now: number): ApiKey | undefined =>
  key.expires_at === null || key.expires_at > now ? key : undefined
