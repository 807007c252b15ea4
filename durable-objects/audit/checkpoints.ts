import { noteKeys, signedNote, vkeysOf } from '../../src/core/crypto/keyring.ts'
import { type AuditEntry, auditEntry } from '../../src/core/domain/audit/entry.ts'
import {
  type ChainedKey,
  formatCheckpoint,
  formatInclusionProof,
  handOverText,
} from '../../src/core/domain/audit/signed-note.ts'
import type { LogState, Receipt } from '../../src/core/ports/audit.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import type { Env } from '../../src/practice/env.ts'
import { keyringFrom } from '../../src/practice/wiring/providers.ts'
import type { AuditTree } from './tree.ts'

/**
 * The name under which checkpoints are signed, fixed by the first one; and the keys that entries
 * announce, in a chain.
 */
const ORIGIN = 'origin'
const KEY_CHAIN = 'key_chain'

/** The signed checkpoints of the audit log, and the receipts below them; made on demand, none is kept. */
export class AuditCheckpoints {
  readonly #storage: DurableObjectStorage
  readonly #env: Env
  readonly #tree: AuditTree
  readonly #insert: (entries: readonly AuditEntry[]) => void

  constructor(
    storage: DurableObjectStorage,
    env: Env,
    tree: AuditTree,
    insert: (entries: readonly AuditEntry[]) => void,
  ) {
    this.#storage = storage
    this.#env = env
    this.#tree = tree
    this.#insert = insert
  }

  /** Whether checkpoints have a name yet. */
  get isNamed(): boolean {
    return this.#storage.kv.get(ORIGIN) !== undefined
  }

  async vkeys(host: string): Promise<string[]> {
    return vkeysOf(await this.#keysUnder(this.#origin(host)))
  }

  async state(host: string): Promise<LogState> {
    const origin = this.#origin(host)
    if (!this.isNamed) this.#storage.kv.put(ORIGIN, origin)
    const keys = await this.#announced(origin)
    await this.#tree.complete()
    const { size, droppedBelow } = this.#tree
    const checkpoint = await signedNote(keys, await this.text(size))
    const keyChain = this.keyChain
    const vkeys = keyChain.map(({ vkey }) => vkey)
    return { origin, vkeys, keyChain, size, droppedBelow, checkpoint }
  }

  /** A text that names the log, signed as a note. */
  async signed(textOf: (origin: string) => string) {
    return signedNote(await this.#keysUnder(this.#origin('')), textOf(this.#origin('')))
  }

  async receipt(index: number, host: string): Promise<Receipt | null> {
    const { size, checkpoint: note } = await this.state(host)
    const [leaf] = this.#tree.leaves(index, 1)
    if (!leaf || !('leaf' in leaf) || index >= size) return null
    const hashes = await this.#tree.tree.inclusionProof(index, size)
    return { leaf: leaf.leaf, proof: formatInclusionProof({ index, hashes, note }) }
  }

  /** What a checkpoint of so many entries says, before it is signed. */
  async text(size: number) {
    return formatCheckpoint({
      origin: this.#origin(''),
      size,
      root: await this.#tree.tree.root(size),
    })
  }

  /** Announces a new secret while the one before still signs. */
  async announce() {
    if (this.isNamed && settingsFrom(this.#env).signingSecrets.length > 0)
      await this.#announced(this.#origin(''))
  }

  #origin(host: string) {
    return this.#storage.kv.get<string>(ORIGIN) ?? `${host}/audit-log`
  }

  /** Every key that ever signed, the first one first, each vouched for by those before it. */
  get keyChain(): ChainedKey[] {
    return this.#storage.kv.get<ChainedKey[]>(KEY_CHAIN) ?? []
  }

  async #keysUnder(origin: string): ReturnType<typeof noteKeys> {
    return noteKeys(await keyringFrom(settingsFrom(this.#env)), origin)
  }

  /**
   * The keys that sign under this name, each announced by an entry, and vouched for by those before
   * it, before it signs.
   */
  async #announced(origin: string): ReturnType<typeof noteKeys> {
    const keys = await this.#keysUnder(origin)
    const isNew = (vkey: string) => this.keyChain.every((known) => known.vkey !== vkey)
    const added: ChainedKey[] = []
    for (const vkey of vkeysOf(keys).filter(isNew))
      added.push({ vkey, note: await signedNote(keys, handOverText(origin, vkey)) })
    if (added.length === 0) return keys
    this.#storage.transactionSync(() => {
      // Another call may have added it while this one signed.
      const missing = added.filter(({ vkey }) => isNew(vkey))
      this.#insert(missing.map(({ vkey }) => announcement(vkey)))
      this.#storage.kv.put(KEY_CHAIN, [...this.keyChain, ...missing])
    })
    return keys
  }
}

const announcement = (vkey: string): AuditEntry =>
  auditEntry({
    id: crypto.randomUUID(),
    at: Date.now(),
    event: 'log_key',
    caller: 'none',
    operation: 'audit_log',
    code: 'added',
    about: { vkey },
  })
