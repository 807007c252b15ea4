import { LOOPBACK_HOSTS, isLoopback } from '../origin.ts'
import { LONGEST_WEBHOOK_URL } from './webhook-schedule.ts'

/**
 * Names that lead to no receiver on the internet: those of IANA's registry of special-use domain names, but for example.com,
 * .net and .org, which are there; those that ICANN keeps for private use or never delegates; and common ones of private networks.
 */
const INNER =
  /\.(?:alt|arpa|corp|example|home|internal|intranet|invalid|lan|local|localdomain|localhost|mail|onion|private|test)$/
const IP_LITERAL = /^(?:\[.*\]|\d+(?:\.\d+){3})$/
const LOWEST_PORT = 1024

/**
 * Why nothing is sent to an address that a caller named; undefined where it may be: https to a public name, and on loopback
 * this machine, too. A name can lead anywhere once it is looked up: that nothing inside is reached is the platform's promise
 * (`global_fetch_strictly_public`).
 */
export function refusedUrl(text: string, ownOrigin: string): string | undefined {
  if (text.length > LONGEST_WEBHOOK_URL)
    return `Expected an address of at most ${LONGEST_WEBHOOK_URL} characters.`
  if (!URL.canParse(text)) return 'Expected an absolute https address.'
  const { protocol, hostname, port, username, password } = new URL(text)
  const host = nameOf(hostname)
  if (username !== '' || password !== '') return 'Expected an address without a user name or password.'
  if (port !== '' && Number(port) < LOWEST_PORT) return 'Expected port 443, or one above 1023.'
  if (isLoopback(ownOrigin) && LOOPBACK_HOSTS.includes(host)) {
    if (protocol !== 'http:' && protocol !== 'https:') return 'Expected an http or https address.'
    return port === new URL(ownOrigin).port ? OWN : undefined
  }
  if (protocol !== 'https:') return 'Expected an https address.'
  if (IP_LITERAL.test(host)) return 'Expected the name of a host, not an IP address.'
  if (!host.includes('.') || INNER.test(host)) return 'Expected the name of a host on the internet.'
  if (URL.canParse(ownOrigin) && host === nameOf(new URL(ownOrigin).hostname)) return OWN
  return undefined
}

const OWN = 'Expected an address other than that of this connector.'

/** A name with and without the dot at its end is the same. */
const nameOf = (hostname: string): string => hostname.replace(/\.+$/, '')

/** An address as it is called: what follows # is never sent. */
export function calledUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}
