type ParsedOrigin = { origin: string; hostname: string }

let latest: { text: string; place: ParsedOrigin } | undefined

/** The origin and host of an absolute URL; undefined for anything else. It remembers the last answer. */
export function parseOrigin(url: string): ParsedOrigin | undefined {
  const text = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
  if (latest?.text === text) return latest.place
  if (!URL.canParse(text)) return undefined
  const { origin, hostname } = new URL(text)
  latest = { text, place: { origin, hostname } }
  return latest.place
}

export const hostOf = (origin: string) => new URL(origin).host

/** The hosts of a URL that mean this machine. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL leads to this machine; false for a text that is no URL, since settings hold any text. */
export const isLoopback = (url: string) => LOOPBACK_HOSTS.includes(parseOrigin(url)?.hostname ?? '')

/** Turns an address of this machine into `localhost`, since passkeys belong to a name. */
export const underName = (url: string) =>
  isLoopback(url) ? url.replace(new URL(url).hostname, 'localhost') : url

/** An IPv4 address as it is, even if it is written as IPv6; the first 64 bits of any other IPv6 address. */
export function networkOf(address: string): string {
  const url = `http://[${address}]`
  if (!address.includes(':') || !URL.canParse(url)) return address
  // URL gives the one short spelling of RFC 5952, without dots.
  const [left = [], right = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  const groups = [...left, ...zeros, ...right]
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isMapped) return groups.slice(0, 4).join(':')
  const bytes = groups.slice(6).map((group) => parseInt(group, 16))
  return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
}
