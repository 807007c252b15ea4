import type { Register as RegisterObject } from '../../../durable-objects/register.ts'
import type { Register } from '../../ports/register.ts'

type Objects = DurableObjectNamespace<RegisterObject>

export const registerObject = (objects: Objects) => objects.get(objects.idFromName('register'))

/** The register in its one Durable Object. */
export function registerClient(objects: Objects): Register {
  const object = () => registerObject(objects)
  return {
    get: async (key) => object().get(key),
    known: async (keys) => object().known(keys),
    newest: async (...asked) => object().newest(...asked),
    tiedTo: async (...asked) => object().tiedTo(...asked),
    tied: async (...asked) => object().tied(...asked),
    keysLike: async (...asked) => object().keysLike(...asked),
  }
}
