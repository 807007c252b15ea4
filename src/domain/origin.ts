/** Where a URL leads: scheme, host and port, and the host alone. */
export interface ParsedOrigin {
  origin: string
  hostname: string
}

let latest: { text: string; place: ParsedOrigin } | undefined

/** Where an absolute URL leads, or nothing if it is none. Requests come to the same place again and again. */
export function parseOrigin(url: string): ParsedOrigin | undefined {
  const text = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
  if (latest?.text === text) return latest.place
  if (!URL.canParse(text)) return undefined
  const { origin, hostname } = new URL(text)
  latest = { text, place: { origin, hostname } }
  return latest.place
}

/** The host of an origin, with the port if it has one. */
export const hostOf = (origin: string): string => new URL(origin).host

/** The names of this machine in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is one of this machine. False for what is no URL at all: every check of a setting is run, also after another has failed. */
export const isLoopback = (url: string): boolean => LOOPBACK_HOSTS.includes(parseOrigin(url)?.hostname ?? '')
