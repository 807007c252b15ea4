/** A passkey of the owner, as the browser's authenticator made it. */
export interface Passkey {
  id: string
  /** COSE public key in base64url. */
  publicKey: string
  counter: number
  transports: string[]
  /** Epoch milliseconds. */
  createdAt: number
  /** The day of its last use (UTC). */
  lastUsedOn: string | null
}

/** Something that is good for a while: a challenge, a session of the owner, a question of consent. */
export type TicketKind = 'challenge' | 'session' | 'consent'

/** What is counted so that it can be slowed down: `registrations` over all addresses, everything else for each. */
export type Attempt = 'sign_in' | 'enrol' | 'challenge' | 'register' | 'registrations' | 'document'

/**
 * The owner of the practice: passkeys, sessions, and what slows others down. Secrets reach it as hashes only, and
 * addresses are kept keyed and for a day at most.
 */
export interface Owner {
  enrolled(): Promise<boolean>
  passkeys(): Promise<Passkey[]>
  passkey(id: string): Promise<Passkey | undefined>
  /** Adds a passkey; with the hash of an enrolment token it uses that up, and is false if it was used before. */
  enrol(passkey: Passkey, enrolmentHash: string | undefined): Promise<boolean>
  enrolmentUsed(enrolmentHash: string): Promise<boolean>
  /** Notes a sign-in; the counter tells a copied authenticator. */
  signedIn(id: string, counter: number): Promise<void>
  /** Removes a passkey and ends all sessions, unless it is the last one. */
  removePasskey(id: string): Promise<boolean>
  issue(kind: TicketKind, hash: string, about: string, lifetimeMs: number): Promise<void>
  read(kind: TicketKind, hash: string): Promise<string | undefined>
  /** Reads and ends a ticket, so that it works once. */
  take(kind: TicketKind, hash: string): Promise<string | undefined>
  /** Counts an attempt within a window; the seconds to wait if there were too many, else 0. */
  count(attempt: Attempt, address: string, most: number, windowMs: number): Promise<number>
  /** The seconds to wait after failed attempts, 0 if none. */
  waitFor(attempt: Attempt, address: string): Promise<number>
  failed(attempt: Attempt, address: string): Promise<void>
  /** Notes that a connected app was used today. */
  appUsed(grantId: string): Promise<void>
  /** The day of last use of each connected app, by grant. */
  appUses(): Promise<Record<string, string>>
}
