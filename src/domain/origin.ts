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

export const hostOf = (origin: string): string => new URL(origin).host

/** The names of this machine in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is one of this machine. False for what is no URL at all: every check of a setting is run, also after another has failed. */
export const isLoopback = (url: string): boolean => LOOPBACK_HOSTS.includes(parseOrigin(url)?.hostname ?? '')

/** The same place under a name, since passkeys belong to a name: an address of this machine becomes `localhost`. */
export const underName = (url: string): string =>
  isLoopback(url) ? url.replace(new URL(url).hostname, 'localhost') : url

/** An IPv4 address as it is, also where it is written as IPv6; of any other IPv6 address the first 64 bits. */
export function networkOf(address: string): string {
  const url = `http://[${address}]`
  if (!address.includes(':') || !URL.canParse(url)) return address
  // The URL has it in the one short spelling of RFC 5952, without dots.
  const [left = [], right = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right]
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isMapped) return groups.slice(0, 4).join(':')
  const bytes = groups.slice(6).map((group) => parseInt(group, 16))
  return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
}
