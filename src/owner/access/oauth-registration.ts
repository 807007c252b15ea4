import { trimmed } from '../../core/domain/name.ts'

/**
 * The members of a registration that the OAuth server reads (RFC 7591, section 2), and what each
 * has to be.
 */
const MEMBERS = {
  redirect_uris:
    'an array of URIs: https, or http on loopback, without a fragment and without a user name',
  token_endpoint_auth_method: 'none, client_secret_basic or client_secret_post',
  grant_types: 'an array with authorization_code, and refresh_token if you like',
  response_types: 'an array with code',
  client_name: 'a text',
  client_uri: 'an http or https address',
  logo_uri: 'an http or https address',
  policy_uri: 'an http or https address',
  tos_uri: 'an http or https address',
  jwks_uri: 'an http or https address',
  contacts: 'an array of texts',
} as const

/** What this server offers of the members that list what a client can do. */
const OFFERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant_types', ['authorization_code', 'refresh_token']],
  ['response_types', ['code']],
])

/**
 * A registration as the OAuth server can take it. A member that shows nothing counts as absent, as
 * null, "" or an empty list; so does such an entry of a list. What this server does not offer is
 * dropped from a list as long as something is left; the answer says what was registered, as RFC
 * 7591, section 3.2.1, allows. Anything that is no JSON object comes back as it was.
 */
export function readableRegistration(text: string): string {
  const metadata = objectIn(text)
  if (!metadata) return text
  const members = Object.entries(metadata).flatMap(([name, sent]) => {
    const value: unknown = Array.isArray(sent)
      ? sent.map(plain).filter((one) => !isNothing(one))
      : plain(sent)
    return isNothing(value) ? [] : [[name, offeredOf(name, value)] as const]
  })
  return JSON.stringify(Object.fromEntries(members))
}

/**
 * Which member of a registration a refusal is about, and what it has to be; undefined where it
 * names none.
 */
export function refusedMember(description: string): string | undefined {
  const said = description.toLowerCase()
  const names = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
  // The server also speaks of one of a list: "Unsupported grant_type".
  const name = names.find((one) => said.includes(one.replace(/s$/, '')) || isInWords(one, said))
  return name && `The member ${name} is not as expected: it has to be ${MEMBERS[name]}.`
}

/** Some texts of the server name a member in words: "token endpoint authentication method". */
const isInWords = (name: string, said: string): boolean =>
  said.includes(name.replaceAll('_', ' ').replace('auth ', 'authentication ').replace(/s$/, ''))

/** A text without what shows nothing at its ends: an address that is kept with it is never met again. */
const plain = (value: unknown): unknown => (typeof value === 'string' ? trimmed(value) : value)

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function offeredOf(name: string, value: unknown): unknown {
  const offered = OFFERED.get(name)
  if (!offered || !Array.isArray(value)) return value
  const left = offered.filter((one) => value.includes(one))
  return left.length > 0 ? left : (value as unknown[])
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
