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
