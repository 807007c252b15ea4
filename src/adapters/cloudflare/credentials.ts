import type { Credentials as CredentialsObject } from '../../../durable-objects/credentials.ts'
import type { ApiKey, Credentials } from '../../ports/credentials.ts'

/** How long a looked-up key is believed without asking again: the longest a revoked key goes on working. */
const BELIEVED = 30_000
const REMEMBERED = 1000

interface Known {
  key: ApiKey
  until: number
}

const known = new Map<string, Known>()
let anyKnown = false

/** The API keys in their Durable Object, with a short, bounded memory of good ones in front of it for the hot path. */
export function credentialsObject(
  objects: DurableObjectNamespace<CredentialsObject>,
  now: () => number,
): Credentials {
  const object = () => objects.get(objects.idFromName('credentials'))
  const forget = <T>(answer: T): T => {
    known.clear()
    return answer
  }
  return {
    create: async (key, hash) => forget(await object().create(key, hash)),
    async lookup(hash) {
      const remembered = known.get(hash)
      if (remembered && remembered.until > now()) return stillGood(remembered.key, now())
      const key = await object().lookup(hash, now())
      if (!key) return undefined
      if (known.size >= REMEMBERED) known.clear()
      known.set(hash, { key, until: now() + BELIEVED })
      return key
    },
    list: async () => object().list(),
    async any() {
      // Everybody without a credential asks for this, and what was so once is good enough to know.
      anyKnown ||= (await object().usable(now())) > 0
      return anyKnown
    },
    revoke: async (id) => forget(await object().revoke(id, now())),
    rotate: async (id, hash, overlapMs) => forget(await object().rotate(id, hash, now() + overlapMs)),
  }
}

const stillGood = (key: ApiKey, now: number): ApiKey | undefined =>
  key.expires_at === null || key.expires_at > now ? key : undefined
