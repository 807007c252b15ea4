import { problem } from './problem/problem.ts'

/** What a credential may be allowed to do, in the order in which a person is shown it. */
export const SCOPES = {
  'availability:read': 'See when consults can be booked, how long they take and where',
  'bookings:read': 'See which consults are booked, with masked invitees',
  'bookings:write': 'Book, move and cancel consults',
  'bookings:respond': 'Accept and decline consults that wait for the practice',
  'booking_answers:read':
    'See what invitees wrote when they booked, with labels in place of email addresses and ' +
    'phone numbers. It works only together with seeing which consults are booked',
  'clients:read': 'See client profiles, masked, with their intake answers',
  'clients:write': 'Create client profiles',
  'intake:write': 'Submit intake answers',
  'client_links:write':
    'Create client links and see their status. The person who opens a link can book a ' +
    'consult, create a client profile or submit intake answers',
  'payments:read': 'See invoices and payment links, masked, and whether they are paid',
  'payments:write': 'Create payment links for invoices',
  'payment_links:end': 'End payment links, so that no one can pay through them',
  'audit:read': 'Read the audit log, with its proofs',
  admin:
    'Administer the connector: make API keys (which may do no more than its own key), run ' +
    'checks, and resolve uncertain changes',
} as const

export type Scope = keyof typeof SCOPES

/** The same in a word or two, where there is little room. */
export const SHORT_SCOPES: Readonly<Record<Scope, string>> = {
  'availability:read': 'see free times',
  'bookings:read': 'see bookings',
  'bookings:write': 'book',
  'bookings:respond': 'accept and decline',
  'booking_answers:read': 'see booking answers',
  'clients:read': 'see clients',
  'clients:write': 'add clients',
  'intake:write': 'intake',
  'client_links:write': 'client links',
  'payments:read': 'see payments',
  'payments:write': 'payment links',
  'payment_links:end': 'end payment links',
  'audit:read': 'audit log',
  admin: 'administer',
}

/** The scopes that show personal data: the owner grants each by name, and no other scope implies one. */
export const READ_SCOPES: readonly Scope[] = ['bookings:read', 'clients:read', 'payments:read']

/**
 * The scopes that count only where the owner granted them by name: no credential has one because it
 * may do everything.
 */
export const BY_NAME_SCOPES: readonly Scope[] = [
  'bookings:respond',
  'booking_answers:read',
  'client_links:write',
  'payment_links:end',
]

/** Everything that a credential can do to which nothing was granted by name. */
export const DEFAULT_SCOPES = (Object.keys(SCOPES) as Scope[]).filter(
  (one) => !BY_NAME_SCOPES.includes(one),
)

/** The scopes that no app is given: only the owner has them, and keys that the owner makes. */
export const KEY_SCOPES: readonly Scope[] = ['audit:read', 'admin']

/**
 * How a route is documented that needs a credential with these scopes: an API key goes into either
 * header.
 */
export const credentialWith = (...scopes: Scope[]): Record<string, string[]>[] => [
  { bearer: scopes },
  { apiKey: scopes },
]

/**
 * Raises `insufficient_scope` where a caller would hand out a scope that it does not hold itself.
 * Only the owner's first key, to which nothing was granted by name since it is the owner, grants
 * those that count by name alone.
 */
export function requireOwnScopes(
  { scopes: held, granted }: { scopes: readonly Scope[]; granted: readonly Scope[] },
  given: readonly string[],
) {
  const mayGrant = granted.length === 0 ? BY_NAME_SCOPES : []
  const missing = given.find(
    (scope) => !([...held, ...mayGrant] as readonly string[]).includes(scope),
  )
  if (missing === undefined) return
  throw problem('insufficient_scope', {
    required_scope: missing,
    detail: `A key can be given only scopes that the caller holds; this one lacks ${missing}.`,
    next_step:
      'Leave that scope out, or use a credential that holds it; the first key of the owner holds all.',
  })
}

/**
 * Raises `insufficient_scope`, naming the scope that is missing; where one of several is enough,
 * the first of them.
 */
export function requireScope(held: readonly Scope[], scope: Scope, ...others: Scope[]) {
  if (![scope, ...others].some((one) => held.includes(one))) {
    throw problem('insufficient_scope', {
      required_scope: scope,
      detail: `The credential lacks the scope ${scope}.`,
    })
  }
}

/** The caller that brings no credential, in a local trial. */
export const ANONYMOUS_CALLER = 'anonymous'

/** The caller that brings the key which `npm start` prints. */
export const TRIAL_CALLER = 'trial'

/** What the key of a trial is granted by name: the reads, and client links, so that an owner can try both. */
export const TRIAL_GRANTS: readonly Scope[] = [...READ_SCOPES, 'client_links:write']

/** Whether a caller exists in a local trial only. */
export const isOfTrial = (caller: string) => [ANONYMOUS_CALLER, TRIAL_CALLER].includes(caller)
