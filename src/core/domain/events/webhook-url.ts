import { LOOPBACK_HOSTS, isLoopback } from '../origin.ts'
import { LONGEST_WEBHOOK_URL } from './webhook-schedule.ts'

/** Names of no host on the internet: IANA's special-use names, and private ones of ICANN and networks. */
const INNER =
  /\.(?:alt|arpa|corp|example|home|internal|intranet|invalid|lan|local|localdomain|localhost|mail|onion|private|test)$/
const IP_LITERAL = /^(?:\[.*\]|\d+(?:\.\d+){3})$/
const LOWEST_PORT = 1024

/**
 * Why a webhook may not go to this address; undefined for https to a public name, and for this machine in a
 * trial. A name can resolve to a private address; the platform's `global_fetch_strictly_public` stops that.
 */
export function refusedUrl(text: string, ownOrigin: string): string | undefined {
  if (text.length > LONGEST_WEBHOOK_URL)
    return `Expected an address of at most ${LONGEST_WEBHOOK_URL} characters.`
  if (!URL.canParse(text)) return 'Expected a whole address, which begins with https://.'
  const { protocol, hostname, port, username, password } = new URL(text)
  const host = nameOf(hostname)
  if (username !== '' || password !== '')
    return 'Expected an address without a user name or password.'
  if (port !== '' && Number(port) < LOWEST_PORT) return 'Expected port 443, or one above 1023.'
  if (isLoopback(ownOrigin) && LOOPBACK_HOSTS.includes(host)) {
    if (protocol !== 'http:' && protocol !== 'https:') return 'Expected an http or https address.'
    return port === new URL(ownOrigin).port ? OWN : undefined
  }
  if (protocol !== 'https:') return 'Expected an https address.'
  if (IP_LITERAL.test(host)) return 'Expected the name of a host, not an IP address.'
  if (!host.includes('.') || INNER.test(host)) return 'Expected the name of a host on the internet.'
  return URL.canParse(ownOrigin) && host === nameOf(new URL(ownOrigin).hostname) ? OWN : undefined
}

const OWN = 'Expected an address other than that of this connector.'

/** The host without a dot at its end, which names the same host. */
const nameOf = (hostname: string) => hostname.replace(/\.+$/, '')

/** The address as we call it: without the part that follows #. */
export const calledUrl = (text: string) => new URL(text).href.replace(/#.*/s, '')
