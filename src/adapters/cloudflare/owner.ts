import type { Owner as OwnerObject } from '../../../durable-objects/owner.ts'
import type { Owner } from '../../ports/owner.ts'

let known = false

/** An owner who was never there is believed for this long: an enrolment takes a person longer. */
const BELIEVED_ABSENT = 5_000
let absentUntil = 0

/** The owner in a Durable Object; that there is one is remembered, since it is asked with every refusal. */
export function ownerObject(objects: DurableObjectNamespace<OwnerObject>, now: () => number): Owner {
  const object = () => objects.get(objects.idFromName('owner'))
  const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
  return {
    async enrolled() {
      if (known) return true
      if (absentUntil > now()) return false
      known = (await object().passkeys()).length > 0
      absentUntil = now() + BELIEVED_ABSENT
      return known
    },
    passkeys: async () => object().passkeys(),
    passkey: async (id) => (await object().passkeys()).find((one) => one.id === id),
    async enrol(passkey, enrolmentHash) {
      absentUntil = 0
      return object().enrol(passkey, enrolmentHash)
    },
    enrolmentUsed: async (hash) => object().enrolmentUsed(hash),
    signedIn: async (id, counter) => object().signedIn(id, counter, now()),
    removePasskey: async (id) => object().removePasskey(id),
    issue: async (kind, hash, about, lifetimeMs) =>
      object().issue(kind, hash, about, now() + lifetimeMs, now()),
    read: async (kind, hash) => object().read(kind, hash, now()),
    take: async (kind, hash) => object().take(kind, hash, now()),
    count: async (attempt, address, most, windowMs) =>
      seconds(await object().count(attempt, address, most, windowMs, now())),
    waitFor: async (attempt, address) => seconds(await object().waitFor(attempt, address, now())),
    failed: async (attempt, address) => object().failed(attempt, address, now()),
    appUsed: async (grantId) => object().appUsed(grantId, now()),
    appUses: async () => object().appUses(),
  }
}
