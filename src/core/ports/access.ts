import { DAY, SECOND } from '../domain/time/duration.ts'

/**
 * How long a refresh token is good, and so how long an app stays connected without being used; in
 * milliseconds.
 */
export const REFRESH_TOKEN_LIFETIME = 90 * DAY

/** How many connections one app may have at once: a host on so many computers. */
export const MOST_CONNECTIONS = 5

/** An API key as its owner sees it: everything but the key. Times are epoch milliseconds. */
export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  /** The caller that made it. */
  created_by: string
  created_at: number
  expires_at: number | null
  /** The day of its last use, as the practice has it, so that its use cannot be followed closely. */
  last_used_on: string | null
  revoked_at: number | null
}

export interface NewApiKey extends Pick<
  ApiKey,
  'id' | 'name' | 'scopes' | 'created_by' | 'created_at' | 'expires_at'
> {
  /** It is made while every provider is a mock. */
  inTrial: boolean
}

/** An app that the owner lets in, and whether every provider is a mock then. */
export interface LetIn {
  grantId: string
  clientId: string
  name: string
  inTrial: boolean
  /** By which name rules hold for it. */
  caller: string
  scopes: readonly string[]
}

/** One sign-in of an app that stands. All sign-ins of an app are one caller. */
export interface Connection {
  grantId: string
  clientId: string
  /** What the owner knows it by: `Claude (claude.ai)`. */
  name: string
  scopes: readonly string[]
  /** When the owner let it in, in epoch milliseconds. */
  since: number
  /** The day of that, and of its last use, as the practice has them; null where it was never used. */
  madeOn: string
  lastUsedOn: string | null
}

/** What a caller may do now. */
export interface Standing {
  scopes: readonly string[]
}

/**
 * A key or an app that was let in while every provider was a mock, and of which the owner has not
 * said since that it is known.
 */
export interface UnreviewedAccess {
  kind: 'key' | 'app'
  /** Of the key, or of the grant. */
  id: string
  name: string
  /** When it was let in, in epoch milliseconds. */
  since: number
}

/** What a passkey may do: everything of the owner, or only approve and decline changes. */
export type PasskeyRole = 'owner' | 'approver'

/** A passkey, as the browser's authenticator made it. */
export interface Passkey {
  id: string
  role: PasskeyRole
  /**
   * What the owner calls it, or the person who approves with it; null for one of the owner's
   * without a name.
   */
  name: string | null
  /** COSE public key in base64url. */
  publicKey: string
  counter: number
  transports: string[]
  /** Epoch milliseconds. */
  createdAt: number
  /** The day of its last use, as the practice has it. */
  lastUsedOn: string | null
  /** It comes from a backup, and proves nothing until the owner has let it in again. */
  held?: true
}

/** A key or a passkey that comes from a backup, and is held until the owner lets it in again. */
export interface HeldAccess {
  kind: 'key' | 'passkey'
  id: string
  name: string | null
  /** The scopes of a key, or the role of a passkey. */
  does: string
  /** Since when it is there, in epoch milliseconds. */
  since: number
}

/** A person who approves changes, or did: the audit log, which has no names, knows them by their passkey. */
export interface Approver {
  /** The SHA-256 of the id of the passkey, in base64url. */
  credential: string
  name: string
  /**
   * From when until when they can approve, in epoch milliseconds; null until the owner removes the
   * passkey.
   */
  since: number
  until: number | null
}

/** An invitation to approve changes that no one has used yet; known by the hash of its link. */
export interface Invitation {
  hash: string
  name: string
  /** Epoch milliseconds. */
  until: number
}

/**
 * A signed passkey challenge that was answered. It is good until `endsAt`, in epoch milliseconds,
 * and once.
 */
export interface AnsweredChallenge {
  nonce: string
  endsAt: number
}

/**
 * What is good for a while: a session, a consent request put to the owner, or that the owner has
 * dismissed the refusals of a caller.
 */
export type TicketKind = 'session' | 'consent' | 'dismissed'

/** What is counted for each network, and `registrations` over all of them. */
export type Quota = 'register' | 'registrations' | 'document' | 'test_alert'

/** What is answered more and more slowly to a network that keeps getting it wrong. */
export type Guess = 'sign_in' | 'enrol'

/**
 * What became of a code or a refresh token: `taken` now, for the first time; `repeated` soon after
 * that, which ends nothing; `reused`, which has just ended its grant; `ended`, since its grant had
 * ended before; `unused`, where it was only asked about.
 */
export type TokenUse = 'taken' | 'repeated' | 'reused' | 'ended' | 'unused'

/**
 * How long after its first use a refresh token is answered again: for two windows of an app, or an
 * answer that was lost.
 */
export const REPEAT_WINDOW = 30 * SECOND

/**
 * Who may use the connector: API keys, the owner's passkeys and sessions, and what may be used
 * once. Secrets reach it as SHA-256 only. Networks are kept under a keyed hash and for a day at
 * most.
 */
export interface Access {
  createKey(key: NewApiKey, hash: string): Promise<void>
  /**
   * The key with this secret, if it is good now; its end is that of the secret, where the key was
   * rotated. A key that was revoked may be found for up to 30 seconds more, unless the look is
   * fresh.
   */
  findKey(hash: string, isFresh?: boolean): Promise<ApiKey | undefined>
  /** All keys, the newest first, the revoked ones too. */
  listKeys(): Promise<ApiKey[]>
  /** Whether any key is good now. */
  hasKeys(): Promise<boolean>
  /** Ends a key; false if it is unknown. */
  revokeKey(id: string): Promise<boolean>
  /**
   * Gives a key another secret; the old ones stay good for the overlap. The key keeps its id, and with it its
   * idempotency keys.
   */
  rotateKey(id: string, hash: string, overlapMs: number): Promise<ApiKey | undefined>

  /** What a key or an app may do now; undefined once its access has ended. */
  standingOf(caller: string): Promise<Standing | undefined>

  /** What was let in while every provider was a mock, and is good now. */
  unreviewed(): Promise<UnreviewedAccess[]>
  /** The owner has said of all of it whether it is known. */
  recordReview(): Promise<void>

  /** The passkeys, what is used once to enrol and to sign in, and the sessions. */
  owner: {
    /** Whether the owner has one. */
    hasPasskeys(): Promise<boolean>
    /** The oldest first, those of approvers too. */
    passkeys(): Promise<Passkey[]>
    /**
     * Adds a passkey. False, and nothing is added, if the challenge or the enrolment link was used
     * before.
     */
    enrol(
      passkey: Passkey,
      challenge: AnsweredChallenge,
      enrolmentHash: string | undefined,
    ): Promise<boolean>
    isEnrolmentUsed(enrolmentHash: string): Promise<boolean>
    /**
     * Invites someone to approve changes, by a link that is good for so long. False where too many
     * are open.
     */
    invite(hash: string, name: string, lifetimeMs: number): Promise<boolean>
    /** Those that are open, the one that ends first first. */
    invitations(): Promise<Invitation[]>
    /** False if it was used, or has ended. */
    withdrawInvitation(hash: string): Promise<boolean>
    /** What the owner calls the person who has this link; undefined if the link is not valid. */
    invited(hash: string): Promise<string | undefined>
    /**
     * Adds the passkey of an approver under the name of the invitation, and uses that up. False if
     * either was used before.
     */
    acceptInvitation(passkey: Passkey, challenge: AnsweredChallenge, hash: string): Promise<boolean>
    /** Notes a sign-in; the counter shows a copied authenticator. False if the challenge was used before. */
    recordSignIn(passkeyId: string, counter: number, challenge: AnsweredChallenge): Promise<boolean>
    /**
     * Removes a passkey and ends the sessions that it opened; of an approver's it keeps whose it
     * was. False for the owner's last one, without which no one could sign in.
     */
    removePasskey(id: string): Promise<boolean>
    /** Names a passkey of the owner. */
    namePasskey(id: string, name: string): Promise<void>
    /** All who approve beside the owner, and before them all who did. */
    approvers(): Promise<Approver[]>

    issueTicket(kind: TicketKind, hash: string, content: string, lifetimeMs: number): Promise<void>
    readTicket(kind: TicketKind, hash: string): Promise<string | undefined>
    /** Reads and ends a ticket, so that it works once. */
    takeTicket(kind: TicketKind, hash: string): Promise<string | undefined>
    /** Uses up the link to a trial session; false if that was done before. Until then it is remembered. */
    takeTrialLink(hash: string, until: number): Promise<boolean>
    /** Ends every session, those of approvers too. */
    endSessions(): Promise<void>
  }

  /** Who could act before a restore. */
  restored: {
    /** Whether the owner has still to confirm the restore by a new enrolment link. */
    isUnconfirmed(): Promise<boolean>
    held(): Promise<HeldAccess[]>
    /** Lets one in again; false if it is not held. */
    release(kind: HeldAccess['kind'], id: string): Promise<boolean>
  }

  /** What is counted for each network. */
  attempts: {
    /** Counts a call in its window; the seconds to wait if there were too many, else 0. */
    countCall(quota: Quota, network: string, most: number, windowMs: number): Promise<number>
    /**
     * Counts a wrong answer; the seconds to wait if the network still had to, in which case it is
     * not counted, else 0.
     */
    countFailure(guess: Guess, network: string): Promise<number>
  }

  /** The codes and tokens of connected apps. */
  grants: {
    /** Notes that an app was let in. What it was granted before stands. */
    noteApp(app: LetIn): Promise<void>
    /** The connections of an app that were used within `REFRESH_TOKEN_LIFETIME`, the oldest first. */
    connectionsOf(caller: string): Promise<Connection[]>
    /**
     * Uses up a code or a refresh token of a grant. A second use ends the grant, but for that of a
     * refresh token within `REPEAT_WINDOW`, as long as none of its successors (hashes) was used.
     */
    takeToken(grantId: string, hash: string, successors?: readonly string[]): Promise<TokenUse>
    /** Makes a taken one usable again, where no tokens were handed out for it. */
    returnToken(grantId: string, hash: string): Promise<void>
    /**
     * Whether one that was refused had been used before, which ends the grant. Keeps nothing of one
     * that was not.
     */
    checkToken(grantId: string, hash: string): Promise<TokenUse>
    /** The caller of the app whose grant this was; undefined if none was noted, or it has ended already. */
    endGrant(grantId: string): Promise<string | undefined>
    hasEnded(grantId: string): Promise<boolean>
    /** Notes a use today: of an app by its grant, of a caller of a local trial by its name. */
    recordUse(name: string): Promise<void>
    /** The day of the last use of each of them, as the practice has it. */
    uses(): Promise<Record<string, string>>
  }
}
