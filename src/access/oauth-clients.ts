/** Finds the app of a client id, as the OAuth server keeps it. */
export type FindClient = (clientId: string) => Promise<object | undefined>

const CLIENT = 'client:'

/**
 * The store of the OAuth server, in which apps are looked up by `find`, once for each request. The server writes an app
 * only to renew its registration; where that fails or is not to be done the request is answered all the same.
 */
export function withClients(kv: KVNamespace, find: FindClient, { renews = true } = {}): KVNamespace {
  const found = new Map<string, Promise<object | undefined>>()
  const once = (clientId: string): Promise<object | undefined> => {
    const known = found.get(clientId) ?? find(clientId)
    found.set(clientId, known)
    return known
  }
  return new Proxy(kv, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      const call = (key: string, rest: unknown[]) => Reflect.apply(value, target, [key, ...rest]) as unknown
      return async (key: string, ...rest: unknown[]) => {
        const isClient = typeof key === 'string' && key.startsWith(CLIENT)
        if (isClient && property === 'get') return (await once(key.slice(CLIENT.length))) ?? null
        if (!isClient || property !== 'put') return call(key, rest)
        if (renews) await Promise.resolve(call(key, rest)).catch(() => {})
      }
    },
  })
}

/** As the OAuth server names an app that registers. */
const REGISTERED = /^[\w-]{1,64}$/

/** An app that registered, read from the store. */
export const registeredClient = async (kv: KVNamespace, clientId: string): Promise<object | undefined> =>
  REGISTERED.test(clientId) ? ((await kv.get<object>(CLIENT + clientId, 'json')) ?? undefined) : undefined
