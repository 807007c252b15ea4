import { DurableObject } from 'cloudflare:workers'
import { DAY } from '../src/domain/time/duration.ts'
import type { Env } from '../src/env.ts'
import type {
  AnsweredChallenge,
  ApiKey,
  Approver,
  Guess,
  LetIn,
  NewApiKey,
  Passkey,
  Quota,
  TicketKind,
  TokenUse,
  UnreviewedAccess,
} from '../src/ports/access.ts'
import { Attempts } from './access/attempts.ts'
import { Grants } from './access/grants.ts'
import { ApiKeys } from './access/keys.ts'
import { OwnerSignIn } from './access/owner.ts'
import { hasRow } from './shared/sql.ts'

/** Tables whose rows end at `until`. */
const ENDING = ['used_challenges', 'tickets', 'invitations', 'attempts', 'used_tokens', 'ended_grants']

/**
 * Who may use the connector: the `Access` of src/ports/access.ts, in one object. It holds public keys and hashes, never a
 * secret, and no network address in clear. Each concern has its tables and a class of its own.
 */
export class Access extends DurableObject<Env> {
  readonly #keys: ApiKeys
  readonly #owner: OwnerSignIn
  readonly #attempts: Attempts
  readonly #grants: Grants
  #alarmIsSet = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const wake = () => this.#wakeInADay()
    this.#keys = new ApiKeys(ctx.storage)
    this.#owner = new OwnerSignIn(ctx.storage, wake)
    this.#attempts = new Attempts(ctx.storage, wake)
    this.#grants = new Grants(ctx.storage, wake)
  }

  createKey(key: NewApiKey, hash: string): void {
    this.#keys.create(key, hash)
  }

  findKey(hash: string): ApiKey | undefined {
    return this.#keys.find(hash)
  }

  listKeys(): ApiKey[] {
    return this.#keys.list()
  }

  hasKeys(): boolean {
    return this.#keys.anyGood()
  }

  revokeKey(id: string): boolean {
    return this.#keys.revoke(id)
  }

  rotateKey(id: string, hash: string, overlapMs: number): ApiKey | undefined {
    return this.#keys.rotate(id, hash, overlapMs)
  }

  noteApp(app: LetIn): void {
    this.#grants.noteApp(app)
  }

  unreviewed(): UnreviewedAccess[] {
    return [...this.#keys.unreviewed(), ...this.#grants.unreviewed()]
  }

  recordReview(): void {
    this.ctx.storage.transactionSync(() => {
      this.#keys.recordReview()
      this.#grants.recordReview()
    })
  }

  hasPasskeys(): boolean {
    return this.#owner.hasPasskeys()
  }

  passkeys(): Passkey[] {
    return this.#owner.passkeys()
  }

  enrol(key: Passkey, challenge: AnsweredChallenge, enrolmentHash: string | undefined): boolean {
    return this.#owner.enrol(key, challenge, enrolmentHash)
  }

  isEnrolmentUsed(hash: string): boolean {
    return this.#owner.isEnrolmentUsed(hash)
  }

  invite(hash: string, name: string, lifetimeMs: number): boolean {
    return this.#owner.invite(hash, name, lifetimeMs)
  }

  invited(hash: string): string | undefined {
    return this.#owner.invited(hash)
  }

  acceptInvitation(key: Passkey, challenge: AnsweredChallenge, hash: string): boolean {
    return this.#owner.acceptInvitation(key, challenge, hash)
  }

  recordSignIn(id: string, counter: number, challenge: AnsweredChallenge): boolean {
    return this.#owner.recordSignIn(id, counter, challenge)
  }

  removePasskey(id: string): Promise<boolean> {
    return this.#owner.removePasskey(id)
  }

  approvers(): Promise<Approver[]> {
    return this.#owner.approvers()
  }

  issueTicket(kind: TicketKind, hash: string, content: string, lifetimeMs: number): void {
    this.#owner.issueTicket(kind, hash, content, lifetimeMs)
  }

  readTicket(kind: TicketKind, hash: string): string | undefined {
    return this.#owner.readTicket(kind, hash)
  }

  takeTicket(kind: TicketKind, hash: string): string | undefined {
    return this.#owner.takeTicket(kind, hash)
  }

  takeTrialLink(hash: string, until: number): boolean {
    return this.#owner.takeTrialLink(hash, until)
  }

  endSessions(): void {
    this.#owner.endSessions()
  }

  countCall(quota: Quota, network: string, most: number, windowMs: number): Promise<number> {
    return this.#attempts.countCall(quota, network, most, windowMs)
  }

  countFailure(guess: Guess, network: string): Promise<number> {
    return this.#attempts.countFailure(guess, network)
  }

  takeToken(grantId: string, hash: string): TokenUse {
    return this.#grants.takeToken(grantId, hash)
  }

  returnToken(grantId: string, hash: string): void {
    this.#grants.returnToken(grantId, hash)
  }

  checkToken(grantId: string, hash: string): TokenUse {
    return this.#grants.checkToken(grantId, hash)
  }

  endGrant(grantId: string): void {
    this.#grants.endGrant(grantId)
  }

  hasEnded(grantId: string): boolean {
    return this.#grants.hasEnded(grantId)
  }

  recordAppUse(grantId: string): void {
    this.#grants.recordAppUse(grantId)
  }

  appUses(): Record<string, string> {
    return this.#grants.appUses()
  }

  /** Drops what has ended. It is bounded, so a day late is soon enough: whoever reads it looks at `until`. */
  override async alarm(): Promise<void> {
    // If this fails too often the platform gives up: then the next write sets the alarm again.
    this.#alarmIsSet = false
    const { sql } = this.ctx.storage
    const now = Date.now()
    for (const table of ENDING) sql.exec(`DELETE FROM ${table} WHERE until <= ?`, now)
    this.#grants.dropOldUses(now)
    this.#attempts.dropped()
    if (![...ENDING, 'app_uses'].some((table) => hasRow(sql, table))) return
    this.#alarmIsSet = true
    await this.ctx.storage.setAlarm(now + DAY)
  }

  #wakeInADay(): void {
    if (this.#alarmIsSet) return
    this.#alarmIsSet = true
    this.ctx.waitUntil(this.#setAlarm())
  }

  async #setAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DAY)
  }
}
