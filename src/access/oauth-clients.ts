import { PINNED_CLIENTS } from './pinned-clients.ts'
import { shortHash } from './session-secret.ts'

/** The store of the OAuth server, in which the pinned clients stand as if they had registered. */
export function withPinnedClients(kv: KVNamespace): KVNamespace {
  const known = new Map([...PINNED_CLIENTS].map(([id, client]) => [`client:${id}`, client]))
  return new Proxy(kv, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== 'get') return value.bind(target) as unknown
      return async (key: string, ...rest: unknown[]) =>
        known.get(key) ?? (Reflect.apply(value, target, [key, ...rest]) as unknown)
    },
  })
}

const LONGEST_NAME = 60
// Controls, and what turns the direction of text or is not seen at all.
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The name an app gives itself, as it may be shown: short, on one line, and without invisible characters. */
export function shownName(name: string): string {
  const plain = name.replaceAll(DECEPTIVE, ' ').replaceAll(/\s+/g, ' ').trim()
  const chars = Array.from(plain)
  return chars.length > LONGEST_NAME ? `${chars.slice(0, LONGEST_NAME - 1).join('')}…` : plain
}

/**
 * What stays the same when an app connects again. A client with a metadata document is its address. A registered one
 * gets a new id each time, so it is its name together with the hosts it may send people back to (without ports).
 */
export async function stableIdentity(client: {
  clientId: string
  clientName?: string
  redirectUris: string[]
}): Promise<string> {
  if (client.clientId.startsWith('https://')) return client.clientId
  const hosts = client.redirectUris.map((uri) => {
    const { protocol, hostname } = new URL(uri)
    return `${protocol}//${hostname}`
  })
  const whole = JSON.stringify([
    shownName(client.clientName ?? '').toLowerCase(),
    [...new Set(hosts)].toSorted(),
  ])
  return `app_${(await shortHash(whole)).slice(0, 22)}`
}
